//! Two processes that say how far a task is, as fast as they can, while an agent works at it and
//! readers look at the page. Every word is recorded exactly once, in the order of its speaker; no
//! reader meets half a page; no task line but that one is touched.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::broken::{Broken, ensure};
use super::house::{House, LOOK_EVERY, PATIENCE, Tenant};
use super::script;

/// Who speaks.
const SPEAKERS: [&str; 2] = ["ann", "bo"];
/// Two tasks whose ids begin alike.
const PLAN: &str = "# Kept\n- [ ] T-10: Write a (`a.txt`)\n  - Verify: `test -f a.txt`\n\
    - [ ] T-101: Write b (`b.txt`)\n  - Verify: `test -f b.txt`\n";
/// An agent that works until it is let go.
const AGENT: &str = r#"
[[rule]]
when = "Write a"
steps = [ { session = "auto" }, { run = ["sh", "wait.sh"] },
          { write = { path = "a.txt", text = "one\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
[[rule]]
steps = [ { session = "auto" }, { write = { path = "b.txt", text = "two\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;
const WAIT: &str = "echo x >> began; while ! test -e go; do sleep 0.05; done\n";
/// `$1` the program, `$2` the speaker, `$3` how often.
const SPEAK: &str = r#"i=0
while [ $i -lt "$3" ]; do
  "$1" lifecycle update T-10 IN_PROGRESS -m "$2-$i." > /dev/null || exit 1
  i=$((i + 1))
done
"#;

/// What was seen, for the report.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    /// Words that were recorded.
    pub recorded: usize,
    /// Reads of the page.
    pub reads: usize,
    /// How long the speakers took.
    pub took: Duration,
}

/// Speaks so many times in each of two processes.
///
/// # Errors
/// What does not hold.
pub fn claim(exe: &Path, times: usize) -> Result<Seen, Broken> {
    let house = House::new(exe, "", Tenant::Us)?;
    let id = at_work(&house)?;
    let began = Instant::now();
    let mut speakers = speakers(&house, times)?;
    let over = AtomicBool::new(false);
    let reads = std::thread::scope(|scope| {
        let reader = scope.spawn(|| read_on(&house, &over));
        let spoke = spoken(&mut speakers, times);
        over.store(true, Ordering::SeqCst);
        let reads = reader.join().map_err(|_| Broken("the reader panicked".into()))??;
        spoke.map(|()| reads)
    })?;
    let took = began.elapsed();
    let recorded = every_word(&house, &id, times)?;
    fs::write(house.work.join("go"), "")?;
    let end = house.run(&["lifecycle", "watch", &id, "--json"])?;
    ensure(end.json()["result"] == "completed", || format!("it ends otherwise: {end:?}"))?;
    ensure(fs::read_to_string(house.work.join("began"))? == "x\n", || "it ran twice".into())?;
    script::whole(&house)?;
    house.empty()?;
    Ok(Seen { recorded, reads, took })
}

/// The line of the task that is worked at.
const WORKING: &str = "\n- [🔄 IN_PROGRESS] T-10: Write a (`a.txt`)\n";

/// A run whose agent is at work at the first task.
fn at_work(house: &House) -> Result<String, Broken> {
    let file = house.top.join("home/alpha.toml");
    fs::write(&file, AGENT)?;
    house.configure(&format!(
        "[agents.alpha]\nkind = \"script\"\nscenario = {file:?}\n[turn]\nagents = [\"alpha\"]\n"
    ))?;
    fs::write(house.work.join("wait.sh"), WAIT)?;
    fs::write(house.work.join("prd.md"), PLAN)?;
    house.ask(&["workspace", "trust"])?;
    let made = house.ask(&["lifecycle", "start", "--prd", "prd.md"])?;
    let id = made["run_id"].as_str().unwrap_or_default().to_owned();
    until("a plan is shown", || {
        Ok(house.ask(&["lifecycle", "status", &id])?["task_status"] == "CONFIRMING")
    })?;
    house.ask(&["lifecycle", "confirm", &id])?;
    until("the agent is at work", || Ok(house.work.join("began").exists()))?;
    // Drawings of one moment are drawn as one, a moment later.
    let page = house.state().join("active_context.md");
    until("the page shows it", || Ok(fs::read_to_string(&page)?.contains(WORKING)))?;
    Ok(id)
}

fn until(what: &str, is: impl Fn() -> Result<bool, Broken>) -> Result<(), Broken> {
    let give_up = Instant::now() + PATIENCE;
    while !is()? {
        ensure(Instant::now() < give_up, || format!("never: {what}"))?;
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

fn speakers(house: &House, times: usize) -> Result<Vec<Child>, Broken> {
    let mut all = Vec::new();
    for name in SPEAKERS {
        // The program's own environment, with a shell before it.
        let before = ["/bin/sh", "-c", SPEAK, "speaker"].map(str::to_owned);
        let mut command = house.command_behind(&before, &[name, &times.to_string()]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        all.push(command.spawn()?);
    }
    Ok(all)
}

fn spoken(speakers: &mut [Child], times: usize) -> Result<(), Broken> {
    for speaker in speakers {
        let status = speaker.wait()?;
        ensure(status.success(), || format!("a word of {times} was refused"))?;
    }
    Ok(())
}

/// Reads the page until told to stop: it is whole, and the other task's line is as it was.
fn read_on(house: &House, over: &AtomicBool) -> Result<usize, Broken> {
    let page = house.state().join("active_context.md");
    let mut reads = 0;
    while !over.load(Ordering::SeqCst) {
        let text = fs::read_to_string(&page)?;
        let whole = text.starts_with("---\nsession_id: ")
            && text.contains(WORKING)
            && text.contains("\n- [⏳ PENDING] T-101: Write b (`b.txt`)\n")
            && text.contains("\n## 4. History (近 5 条记录)\n");
        ensure(whole, || format!("half a page: {text}"))?;
        ensure(text.matches("] T-10: ").count() == 1, || format!("a line too many: {text}"))?;
        reads += 1;
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(reads)
}

/// Every word of both, once, in order; and those that fit are on the page.
fn every_word(house: &House, id: &str, times: usize) -> Result<usize, Broken> {
    let export = house.run(&["journal", "export"])?;
    let mut heard: Vec<String> = Vec::new();
    for line in export.out.lines() {
        let record: Value = serde_json::from_str(line).unwrap_or_default();
        let claim = &record["body"]["ProgressClaimed"];
        if record["run"] == id && claim["by"] == "person" {
            heard.push(claim["summary"].as_str().unwrap_or_default().to_owned());
        }
    }
    for name in SPEAKERS {
        let own: Vec<&String> = heard.iter().filter(|word| word.starts_with(name)).collect();
        let said: Vec<String> = (0..times).map(|n| format!("{name}-{n}.")).collect();
        let same = own.len() == times && own.iter().zip(&said).all(|(own, said)| *own == said);
        ensure(same, || format!("{name} said {times} words, {} are recorded: {own:?}", own.len()))?;
    }
    let page = house.ask(&["lifecycle", "context", id])?["page"].to_string();
    for word in heard.iter().rev().take(20) {
        let on_page = page.matches(&format!("T-10: {word}")).count();
        ensure(on_page == 1, || format!("{word} is {on_page} times on {page}"))?;
    }
    Ok(heard.len())
}
