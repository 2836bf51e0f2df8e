//! Two processes that edit a loop's file as fast as they can while the engine runs the loop and a
//! person pauses and resumes it. A pause stays, no field is lost, no reader meets half a file, and
//! what was refused is kept and told.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::broken::{Broken, ensure};
use super::house::{Engine, House, LOOK_EVERY, PATIENCE, Tenant};
use super::script;

/// Refused edits kept of one file.
const KEPT_MAX: usize = 20;
/// Enough work that the loop does not end while it is edited.
const TASKS: usize = 100;
/// Looks at a paused loop before it is resumed.
const LOOKS: usize = 4;
const NAP: &str = "#!/bin/sh\nsleep 0.3\n";

/// How the editors write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Whole files, renamed into place, as editors do.
    Whole,
    /// In place, cut short, and garbage as well.
    Rough,
}

/// One editor: `$1` the file, `$2` a name of its own beside nobody, `$3` how many edits.
const WHOLE: &str = r#"i=0
while [ $i -lt "$3" ]; do
  i=$((i + 1))
  case $((i % 4)) in
    0) sed 's/"status": "[a-z]*",$/"status": "running",/' "$1" > "$2" ;;
    1) sed 's/"status": "[a-z]*",$/"status": "completed",/' "$1" > "$2" ;;
    2) sed "s/\"title\": \"[^\"]*\"/\"title\": \"edit $i\"/" "$1" > "$2" ;;
    3) sed 's/"max_iterations": [0-9]*/"max_iterations": 7/' "$1" > "$2" ;;
  esac
  mv "$2" "$1"
done
"#;
const ROUGH: &str = r#"i=0
while [ $i -lt "$3" ]; do
  i=$((i + 1))
  case $((i % 5)) in
    0) text=$(sed 's/"status": "[a-z]*",$/"status": "running",/' "$1")
       printf '%s\n' "$text" > "$1" ;;
    1) printf 'garbage %s' $i > "$1" ;;
    2) head -c 100 "$1" > "$2"; mv "$2" "$1" ;;
    3) sed 's/"status": "[a-z]*",$/"status": "failed",/' "$1" > "$2"; mv "$2" "$1" ;;
    4) printf '{"status": "running", "title": "edit %s"}' $i >> "$1" ;;
  esac
done
"#;

/// What was seen, for the report.
#[derive(Debug, Default, Clone, Copy)]
pub struct Seen {
    /// Pauses that held until they were taken back.
    pub pauses: usize,
    /// Reads of the file.
    pub reads: usize,
    /// Refused edits that are kept.
    pub kept: usize,
}

/// Edits so many times, half by each process.
///
/// # Errors
/// What does not hold.
pub fn edit(exe: &Path, manner: Manner, times: usize) -> Result<Seen, Broken> {
    let house = House::new(exe, "[loop]\nmax_iterations = 500\n", Tenant::Us)?;
    house.script("nap.sh", NAP)?;
    house.ask(&["workspace", "trust"])?;
    let mut engine = Engine::start(&house, &[])?;
    let id = begin(&house)?;
    let file = house.state().join(format!("{id}.json"));
    let reader = Reader::start(file.clone(), manner, id.clone());
    let mut editors = editors(&house, &file, manner, times)?;
    let mut seen = Seen::default();
    while editors.iter_mut().any(|one| matches!(one.try_wait(), Ok(None))) || seen.pauses == 0 {
        steer(&house, &id)?;
        seen.pauses += 1;
    }
    seen.reads = reader.stop()?;
    ensure(engine.child.try_wait()?.is_none(), || "the engine died".into())?;
    house.ask(&["loop", "pause", &id])?;
    settled(&house, &id, &file)?;
    seen.kept = kept(&house, &id)?;
    script::whole(&house)?;
    house.ask(&["loop", "stop", &id])?;
    house.empty()?;
    engine.child.wait()?;
    script::tidy(&house)?;
    Ok(seen)
}

fn begin(house: &House) -> Result<String, Broken> {
    let mut args = vec!["loop", "create", "--title", "kept"];
    args.extend(["--task", "./nap.sh"].repeat(TASKS));
    let made = house.ask(&args)?;
    let id = made["loop_id"].as_str().unwrap_or_default().to_owned();
    house.ask(&["loop", "start", &id, "--auto", "--detach"])?;
    Ok(id)
}

fn editors(house: &House, file: &Path, manner: Manner, times: usize) -> Result<[Child; 2], Broken> {
    let text = match manner {
        Manner::Whole => WHOLE,
        Manner::Rough => ROUGH,
    };
    let one = |n: usize| {
        Command::new("/bin/sh")
            .args(["-c", text, "editor"])
            .arg(file)
            .arg(house.top.join(format!("beside.{n}")))
            .arg(times.div_ceil(2).to_string())
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    };
    Ok([one(1)?, one(2)?])
}

/// Pauses, looks that it stays so, and resumes.
fn steer(house: &House, id: &str) -> Result<(), Broken> {
    house.ask(&["loop", "pause", id])?;
    for _ in 0..LOOKS {
        let shown = house.ask(&["loop", "show", id])?;
        ensure(shown["status"] == "paused", || format!("a lost pause: {}", shown["status"]))?;
        ensure(shown["title"] == "kept", || format!("an edited title: {}", shown["title"]))?;
    }
    house.ask(&["loop", "resume", id])?;
    let status = script::status(house, id)?;
    ensure(status == "running", || format!("resumed, and {status}"))
}

/// Once nobody edits, the file says just what the loop is.
fn settled(house: &House, id: &str, file: &Path) -> Result<(), Broken> {
    let give_up = Instant::now() + PATIENCE;
    loop {
        let shown = script::as_drawn(house.ask(&["loop", "show", id])?);
        let drawn: Value = serde_json::from_slice(&fs::read(file)?).unwrap_or_default();
        if drawn == shown && drawn["status"] == "paused" {
            return Ok(());
        }
        ensure(Instant::now() < give_up, || format!("the file says {drawn}\nnot {shown}"))?;
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Refused edits are kept, not too many, and told.
fn kept(house: &House, id: &str) -> Result<usize, Broken> {
    let view = format!("{id}.json");
    let names = fs::read_dir(house.state().join("refused"))?.flatten();
    let kept = names.filter(|one| one.file_name().to_string_lossy().ends_with(&view)).count();
    ensure((1..=KEPT_MAX).contains(&kept), || format!("{kept} refused edits are kept"))?;
    let notices = fs::read_to_string(house.state().join("cache/notices.jsonl"))?;
    ensure(notices.contains(&view), || "no notice tells of the refused edits".into())?;
    Ok(kept)
}

/// Reads the file all the time.
struct Reader {
    over: Arc<AtomicBool>,
    thread: JoinHandle<Result<usize, Broken>>,
}

impl Reader {
    fn start(file: PathBuf, manner: Manner, id: String) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let end = Arc::clone(&over);
        let thread = std::thread::spawn(move || {
            let mut reads = 0;
            while !end.load(Ordering::SeqCst) {
                let bytes = fs::read(&file).map_err(|why| Broken(format!("a reader: {why}")))?;
                match manner {
                    Manner::Whole => whole(&bytes, &id)?,
                    // Half a file is the editors' own doing here; that it is there is not.
                    Manner::Rough => {}
                }
                reads += 1;
                std::thread::sleep(LOOK_EVERY / 5);
            }
            Ok(reads)
        });
        Self { over, thread }
    }

    fn stop(self) -> Result<usize, Broken> {
        self.over.store(true, Ordering::SeqCst);
        self.thread.join().map_err(|_| Broken("the reader panicked".into()))?
    }
}

fn whole(bytes: &[u8], id: &str) -> Result<(), Broken> {
    let value: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let right = value["loop_id"] == id && value["skill_state"].is_object();
    ensure(right, || format!("half a file: {}", String::from_utf8_lossy(bytes)))
}
