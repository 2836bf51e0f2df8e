//! Agents that misbehave, through every kind of adapter at once: they hang, ignore the signal,
//! leave children behind, read their input, print without end, or go into the background. Each
//! must come to the right report by its deadline, leave nobody alive, and cost next to no memory.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::broken::{Broken, ensure};
use super::children::mark;
use super::house::{Engine, House, PATIENCE, Ran, Tenant};
use super::{procs, script};

/// What the engine may grow while seven agents flood.
const GROWTH_KIB_MAX: u64 = 64 << 10;
/// The spool of these houses, far below what a flood prints.
const SPOOL_BYTES: u64 = 1 << 20;
/// More than anybody prints before the deadline strikes: the most a script may say.
const ENDLESS_BYTES: u64 = 1 << 40;
/// Late enough for a busy machine to start seven agents, soon enough to wait for.
const SOON_MS: u64 = 3_000;
/// As long as the floods of a slow machine take.
const LATE_MS: u64 = 20 * 60 * 1000;

/// Every kind of agent: how it talks, and whether its output is a text or a stream of events.
const KINDS: [(&str, &str, Told); 7] = [
    ("codex", "codex", Told::Events),
    ("gemini", "gemini", Told::Events),
    ("claude", "claude", Told::Events),
    ("qwen", "qwen", Told::Events),
    ("wrapper", "wrapper", Told::Text),
    ("command", "wrapper", Told::Text),
    ("script", "stream/1", Told::Events),
];

/// What an agent prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Events,
    Text,
}

/// Where more is printed than is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flood {
    /// Nowhere.
    None,
    /// On standard output.
    Stdout,
    /// On standard error.
    Stderr,
}

/// One way to misbehave, and how it must be reported.
#[derive(Debug, Clone)]
pub struct Way {
    /// For the report.
    pub name: &'static str,
    /// What it does; `MARK` is a number nobody else uses.
    steps: String,
    wall_ms: u64,
    /// The code of its failure; none if it answers.
    code: Option<&'static str>,
    /// What became of its call.
    outcome: &'static str,
    flood: Flood,
}

/// One that answers, if it is given the time.
fn answers(name: &'static str, steps: &str) -> Way {
    let (wall_ms, flood) = (LATE_MS, Flood::None);
    Way { name, steps: steps.to_owned(), wall_ms, code: None, outcome: "ok", flood }
}

/// One that has to be stopped.
fn late(name: &'static str, steps: &str) -> Way {
    let (wall_ms, code) = (SOON_MS, Some("E004"));
    Way { wall_ms, code, outcome: "timed_out", ..answers(name, steps) }
}

/// How many ways there are.
pub const WAYS: usize = 11;

const DAEMON: &str = "{ run = [\"sh\", \"-c\", \
    \"(cd / && setsid env -i sleep MARK >/dev/null 2>&1 </dev/null &)\"] }";

/// All of them; a flood prints this much.
#[must_use]
pub fn all(flood_bytes: u64) -> [Way; WAYS] {
    let says = "{ say = \"done\" }, \"end\"";
    let flood = |stream: &str, bytes: u64, line_bytes: u64| {
        let what = format!("stream = {stream:?}, bytes = {bytes}, line_bytes = {line_bytes}");
        format!("{{ flood = {{ {what} }} }}, {says}")
    };
    let endless = flood("stdout", ENDLESS_BYTES, 0);
    [
        late("hangs", "{ session = \"auto\" }, \"hang\""),
        late("ignores TERM", "\"ignore_term\", { session = \"auto\" }, \"hang\""),
        answers("leaves a child", &format!("{{ orphan_ms = 9000000 }}, {says}")),
        answers("leaves a holder", &format!("{{ hold_stdout_ms = 9000000 }}, {says}")),
        late("leaves and hangs", "{ orphan_ms = 9000000 }, \"hang\""),
        answers("reads stdin", &format!("\"read_stdin\", {says}")),
        answers("daemonises", &format!("{DAEMON}, {says}")),
        Way { code: Some("E003"), outcome: "failed", ..answers("fails", "{ exit = 7 }") },
        Way { flood: Flood::Stdout, ..answers("floods", &flood("stdout", flood_bytes, 200)) },
        Way {
            flood: Flood::Stderr,
            ..answers("floods errors", &flood("stderr", flood_bytes, 200))
        },
        Way { flood: Flood::Stdout, ..late("one endless line", &endless) },
    ]
}

/// Lets agents of every kind misbehave so, all at once, and checks each report.
///
/// # Errors
/// What does not hold.
pub fn all_kinds(exe: &Path, way: &Way) -> Result<(), Broken> {
    lived(exe, way).map_err(|why| why.at(way.name))
}

fn lived(exe: &Path, way: &Way) -> Result<(), Broken> {
    let mark = mark();
    let house = house(exe, &way.steps.replace("MARK", &mark))?;
    let mut engine = Engine::start(&house, &[])?;
    let before = memory(&engine, "VmRSS")?;
    let ran = asked(&house, way)?;
    let peak = memory(&engine, "VmHWM")?;
    for ((kind, _, told), ran) in KINDS.iter().zip(&ran) {
        reported(&house, way, *told, ran).map_err(|why| why.at(kind))?;
    }
    ensure(peak.saturating_sub(before) < GROWTH_KIB_MAX, || {
        format!("the engine grew from {before} to {peak} KiB")
    })?;
    let alive = procs::living(&house.top);
    let others: Vec<_> = alive.iter().filter(|one| one.pid != engine.pid()).collect();
    ensure(others.is_empty(), || format!("survivors: {others:?}"))?;
    let naked = procs::with_argument(&mark);
    ensure(naked.is_empty(), || format!("survivors without a trace: {naked:?}"))?;
    house.empty()?;
    engine.child.wait()?;
    script::whole(&house)
}

fn memory(engine: &Engine, name: &str) -> Result<u64, Broken> {
    procs::memory_kib(engine.pid(), name)
        .ok_or_else(|| Broken(format!("the engine is not there: {}", engine.line)))
}

/// A trusted house with an agent of each kind; a script of its own stands in for each program.
fn house(exe: &Path, steps: &str) -> Result<House, Broken> {
    let house = House::new(exe, "", Tenant::Us)?;
    let home = house.top.join("home");
    let mut settings = format!(
        "[call]\ngrace = \"500ms\"\nspool_bytes = {SPOOL_BYTES}\n[sandbox]\nread = [{home:?}]\n"
    );
    for (kind, dialect, _) in KINDS {
        let scenario = house.top.join(format!("home/{kind}.toml"));
        let bin = house.top.join(format!("home/{kind}"));
        fs::write(&scenario, format!("[[rule]]\ndialect = {dialect:?}\nsteps = [{steps}]\n"))?;
        let words = format!("drive script --scenario '{}' --stdin --", scenario.display());
        fs::write(&bin, format!("#!/bin/sh\nexec '{}' {words} \"$@\"\n", exe.display()))?;
        fs::set_permissions(&bin, Permissions::from_mode(0o755))?;
        settings.push_str(&format!("[agents.x_{kind}]\nkind = \"{kind}\"\n"));
        settings.push_str(&match kind {
            "script" => format!("scenario = {scenario:?}\n"),
            "command" => format!(
                "argv = [{bin:?}, \"{{workdir}}\"]\nstdin = \"prompt\"\noutput = \"text\"\n\
                 session = \"local\"\n"
            ),
            _ => format!("bin = {bin:?}\n"),
        });
    }
    house.configure(&settings)?;
    house.ask(&["workspace", "trust"])?;
    Ok(house)
}

/// Asks all of them at once.
fn asked(house: &House, way: &Way) -> Result<Vec<Ran>, Broken> {
    let wall = format!("{}ms", way.wall_ms);
    let patience = Duration::from_millis(way.wall_ms) + PATIENCE;
    std::thread::scope(|scope| {
        let all = KINDS.map(|(kind, ..)| {
            let (name, wall) = (format!("x_{kind}"), wall.as_str());
            scope.spawn(move || {
                let args = ["agent", "run", &name, "do it", "--headless", "--json", "--wall", wall];
                house.run_within(&args, patience)
            })
        });
        let ran = all.map(|one| one.join().map_err(|_| Broken("a thread panicked".into()))?);
        ran.into_iter().map(|ran| ran?.ok_or_else(|| Broken("it never ends".into()))).collect()
    })
}

/// The report says what happened, and so does the call's record.
fn reported(house: &House, way: &Way, told: Told, ran: &Ran) -> Result<(), Broken> {
    let said = ran.json();
    let (data, error) = (&said["data"], &said["error"]);
    ensure(error["code"].as_str() == way.code, || format!("not {:?}: {ran:?}", way.code))?;
    let call = data["call"].as_str().or_else(|| error["details"]["call"].as_str());
    let call = house.ask(&["call", "show", call.unwrap_or_default()])?;
    let exit = &call["result"]["exit"];
    ensure(call["outcome"] == way.outcome, || format!("not {}: {call}", way.outcome))?;
    ensure(exit["survivors"].as_array().is_some_and(Vec::is_empty), || format!("{exit}"))?;
    let dropped = exit["dropped_bytes"].as_u64().unwrap_or_default();
    ensure((dropped > 0) == (way.flood != Flood::None), || format!("dropped {dropped}"))?;
    if way.flood == Flood::Stdout {
        ensure(exit["stdout_bytes"] == SPOOL_BYTES, || format!("kept {}", exit["stdout_bytes"]))?;
    }
    if way.code.is_some() {
        return Ok(());
    }
    ensure(ran.code == 0 && data["session_id"].is_string(), || format!("{ran:?}"))?;
    answered(data, told, way.flood)
}

/// An answer that follows a flood of events is whole; one that is itself a flood is cut, and said
/// to be.
fn answered(data: &Value, told: Told, flood: Flood) -> Result<(), Broken> {
    let text = data["text"].as_str().unwrap_or_default();
    let cut = told == Told::Text && flood == Flood::Stdout;
    let right = if cut { text.starts_with("xxx") } else { text.starts_with("done") };
    ensure(right, || format!("answered {:?}", text.get(..80)))?;
    ensure(data["truncated"] == cut, || format!("truncated is {}", data["truncated"]))
}
