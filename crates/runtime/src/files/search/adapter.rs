//! Asks the configured program a question and reads its answer. It gets the question as one JSON
//! line on its input, `{"query", "path", "limit"}`, and answers `{"hits": [{"path", "line",
//! "score"}]}`. It names places; what stands there is read by us. It runs under a shim as any
//! command does, behind walls that let it read the work tree and write nothing of it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kernel::policy;
use serde::Deserialize;
use serde_json::{Value, json};

use super::args::Semantic;
use super::hit::WhyFallback;
use crate::agents::detect;
use crate::child_env::{self, Extra};
use crate::sandbox::names::Secrets;
use crate::sandbox::places::{self, Git, Site};
use crate::sandbox::{Level, May, Plan, Walls};
use crate::shim::files::{self, Ended, ExitRecord, Record, Request, Stdin};
use crate::shim::{clock, durable, launch};

/// A longer answer is no list of hits.
const ANSWER_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Nobody waits for one that was given up.
const GRACE_MS: u64 = 100;
/// Where it has its directory, below that of our files.
const ROOM: &str = "cache";

/// The program, what it may see, and what holds it.
#[derive(Debug, Clone)]
pub struct Adapter {
    /// Program and arguments (`search.semantic`).
    pub argv: Vec<String>,
    /// What passes besides the usual.
    pub extra: Extra,
    /// How long it may take.
    pub time_max: Duration,
    /// Our own program, which is its shim.
    pub exe: PathBuf,
    /// The directory of our files.
    pub loop_dir: PathBuf,
    /// What holds it.
    pub walls: Arc<Walls>,
}

/// A place the program named.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    pub path: String,
    pub line: u64,
    #[serde(default)]
    pub score: Option<f64>,
}

#[derive(Deserialize)]
struct Answer {
    hits: Vec<Named>,
}

/// Asks, and gives the places named.
pub(super) fn ask(
    adapter: &Adapter,
    root: &Path,
    args: &Semantic,
) -> Result<Vec<Named>, WhyFallback> {
    let failed = |_: io::Error| WhyFallback::Failed;
    let room = Room::make(&adapter.loop_dir).map_err(failed)?;
    let request = request(adapter, root, &room)?;
    let ticket = request.ticket();
    launch::prepare(&room.dir, &request).map_err(|_| WhyFallback::Failed)?;
    let asked = json!({ "query": args.query, "path": args.path, "limit": args.limit });
    durable::show(&room.dir, files::PROMPT, format!("{asked}\n").as_bytes()).map_err(failed)?;
    let tmp = room.dir.join(files::TMP);
    let id = &ticket.call_id;
    let place = child_env::Place { root, tmp: &tmp, call: id, run: id, trace: "" };
    let env = child_env::build(std::env::vars_os(), &adapter.extra, &place);
    // Its shim ends it when its time is over, and all that it started when it has ended.
    let launched = launch::launch(&adapter.exe, &room.dir, &ticket, &env).map_err(failed)?;
    launched.wait().map_err(failed)?;
    match files::read::<ExitRecord>(&room.dir, files::EXIT, &ticket) {
        Record::Found(record) => answered(&room.dir, &record),
        Record::Absent | Record::Damaged { .. } | Record::Foreign { .. } => {
            Err(WhyFallback::Failed)
        }
    }
}

fn answered(dir: &Path, record: &ExitRecord) -> Result<Vec<Named>, WhyFallback> {
    match (record.ended, record.exit_code) {
        (Ended::Exit, Some(0)) => {}
        (Ended::Deadline | Ended::Idle, _) => return Err(WhyFallback::Timeout),
        (Ended::Exit | Ended::Signal | Ended::Stopped | Ended::SpawnFailed, _) => {
            return Err(WhyFallback::Failed);
        }
    }
    // A longer one was cut, and cannot be read.
    let bytes = durable::read(&dir.join(files::STDOUT), ANSWER_BYTES_MAX);
    let bytes = bytes.map_err(|_| WhyFallback::Unreadable)?;
    let answer: Answer = serde_json::from_slice(&bytes).map_err(|_| WhyFallback::Unreadable)?;
    match answer.hits.is_empty() {
        true => Err(WhyFallback::Empty),
        false => Ok(answer.hits),
    }
}

fn request(adapter: &Adapter, root: &Path, room: &Room) -> Result<Request, WhyFallback> {
    let mut argv = adapter.argv.clone();
    let program = program(&argv, root)?;
    let text = |path: &Path| path.to_str().map(str::to_owned).ok_or(WhyFallback::Failed);
    argv[0] = text(&program)?;
    let plan = plan(adapter, root, room, &program)?;
    let time_ms = u64::try_from(adapter.time_max.as_millis()).unwrap_or(u64::MAX);
    Ok(Request {
        format: files::FORMAT,
        call_id: room.name.clone(),
        key: room.name.clone(),
        attempt: 1,
        epoch: 0,
        argv,
        workspace: text(root)?,
        cwd: text(root)?,
        env_names: Vec::new(),
        stdin: Stdin::Prompt,
        deadline_wall_ms: clock::wall_ms().saturating_add(time_ms),
        deadline_boot_ms: None,
        boot_id: None,
        idle_ms: None,
        grace_ms: GRACE_MS,
        spool_bytes: ANSWER_BYTES_MAX,
        tail_bytes: 0,
        collect: Vec::new(),
        sandbox: Some(plan),
        tool_call: Value::Null,
    })
}

/// The program: a path as seen from the root, or a name by our search path.
fn program(argv: &[String], root: &Path) -> Result<PathBuf, WhyFallback> {
    let name = argv.first().ok_or(WhyFallback::Absent)?;
    let full = if name.contains('/') { root.join(name) } else { PathBuf::from(name) };
    let search = std::env::var_os("PATH").unwrap_or_default();
    detect::find(&full.to_string_lossy(), &search, root).map_err(|_| WhyFallback::Absent)
}

/// What it may touch: it reads the work tree, and of its own the files that its words name. Where
/// nothing can hold it, it runs only if a person said that nothing shall: a search cannot ask.
fn plan(adapter: &Adapter, root: &Path, room: &Room, program: &Path) -> Result<Plan, WhyFallback> {
    let walls = &adapter.walls;
    match (walls.standing(), walls.measured.level) {
        (policy::Sandbox::Held, Level::Walled) | (policy::Sandbox::Waived, _) => {}
        (policy::Sandbox::Held, Level::None) | (policy::Sandbox::Absent, _) => {
            return Err(WhyFallback::SandboxUnavailable);
        }
    }
    let named = adapter.argv.iter().skip(1).map(PathBuf::from);
    let named: Vec<PathBuf> = named.filter(|path| path.is_absolute() && path.is_file()).collect();
    let site = Site {
        root,
        loop_dir: &adapter.loop_dir,
        tmp: &room.dir.join(files::TMP),
        program,
        work: May::Read,
        within: None,
        git: Git::Reads,
        secrets: Secrets::Kept,
        own: &[],
        own_reads: &named,
        network: walls.wanted.network,
        memory_bytes: Some(walls.wanted.memory_bytes),
        standing: &walls.places,
    };
    Ok(places::plan(&site, &walls.measured))
}

/// A directory that is there for one question.
struct Room {
    name: String,
    dir: PathBuf,
}

impl Room {
    fn make(loop_dir: &Path) -> io::Result<Self> {
        let name = format!("search-{}", uuid::Uuid::now_v7().simple());
        let above = loop_dir.join(ROOM);
        std::fs::create_dir_all(&above)?;
        // The shim's side makes the directory itself.
        Ok(Self { dir: above.join(&name), name })
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // What a program left in its own temporary directory is of no use to anybody.
        drop(std::fs::remove_dir_all(&self.dir));
    }
}

#[cfg(test)]
impl Adapter {
    /// One that nothing can hold, where so much is insisted on that it is held.
    pub(crate) fn unheld(argv: &[&str], mode: crate::config::SandboxMode) -> Self {
        use crate::sandbox::probe::Measured;
        use crate::sandbox::standing::Standing;
        use crate::sandbox::{Network, Wanted};

        let (read, write) = (Vec::new(), Vec::new());
        let wanted = Wanted { mode, read, write, network: Network::None, memory_bytes: 1 << 30 };
        let walls = Walls {
            wanted,
            measured: Measured::nothing(),
            places: Standing::new(&|_| None, &[], &[]),
            guarded: PathBuf::new(),
        };
        Self {
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            extra: Extra::default(),
            time_max: Duration::from_secs(1),
            exe: PathBuf::from("/nowhere/loopwright"),
            loop_dir: std::env::temp_dir().join(format!("loopwright-{}", std::process::id())),
            walls: Arc::new(walls),
        }
    }
}
