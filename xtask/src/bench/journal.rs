//! `cargo xtask bench journal`: durable transitions through the real engine loop in process,
//! against the raw limits of the same machine in the same run.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use journal::{Owner, Sqlite};
use kernel::call;
use kernel::loops;
use kernel::machine::{At, By};
use kernel::run::Command;
use runtime::engine::{Engine, Link, Origin, Saying, Standing};
use runtime::ids::RandomIds;
use runtime::policy::{self, Judge};
use serde_json::{Value, json};

use super::raw::{self, Tally};

/// Rates that are compared are measured in turns, so that the machine's moods hit all of them: so
/// many turns each, and so long.
const TURNS: usize = 8;
const TURN: Duration = Duration::from_millis(500);
/// Runs at once, as the keys of the result.
const WIDTHS: [usize; 3] = [1, 32, 1000];
/// Facts behind the two runs whose cost is compared.
const HISTORIES: [u64; 2] = [1_000, 100_000];
/// Steps of each that are compared.
const COMPARED: usize = 3_000;
/// The journal that is opened: runs, facts each, and how many of the runs have not ended.
const OPEN_RUNS: usize = 10_000;
const OPEN_FACTS_EACH: usize = 100;
const OPEN_LIVE: usize = 100;

/// What fills a description up to its length.
const PADDING: &str = match std::str::from_utf8(&[b'.'; 200]) {
    Ok(padding) => padding,
    Err(_) => "",
};

/// Measures and returns the result as JSON.
///
/// # Errors
/// When the disk or the engine refuses.
pub fn run() -> Result<Value> {
    let dir = tempfile::tempdir()?;
    let mut wide = Vec::new();
    for width in WIDTHS {
        wide.push(Wide::new(&dir.path().join(format!("w{width}")), width)?);
    }
    let rates = in_turns(dir.path(), &mut wide)?;
    let mut transitions = json!({});
    let mut p50 = json!({});
    let mut p99 = json!({});
    for (wide, rate) in wide.iter_mut().zip(&rates.transitions) {
        let width = wide.runs.len().to_string();
        transitions[&width] = json!(rate.per_second().round());
        let [half, most] = wide.percentiles_us()?;
        p50[&width] = json!(half);
        p99[&width] = json!(most);
    }
    drop(wide);
    let history = history_cost(&dir.path().join("history"))?;
    let (open_ms, open_rss_mb) = open_cost(&dir.path().join("open"))?;
    Ok(json!({
        "raw_fdatasync_per_s": rates.fdatasync.per_second().round(),
        "raw_sqlite_commit_per_s": rates.sqlite.per_second().round(),
        "transitions_per_s": transitions,
        "p50_us": p50,
        "p99_us": p99,
        "history_cost_ratio": history,
        "open_ms": open_ms,
        "open_rss_mb": open_rss_mb,
    }))
}

/// What the turns have shown.
struct Rates {
    fdatasync: Tally,
    sqlite: Tally,
    transitions: [Tally; WIDTHS.len()],
}

/// Each in turn: the raw limits, and the engine at each width.
fn in_turns(dir: &Path, wide: &mut [Wide]) -> Result<Rates> {
    let mut fdatasync = raw::fdatasync(dir)?;
    let mut sqlite = raw::sqlite(dir)?;
    let mut rates = Rates {
        fdatasync: Tally::default(),
        sqlite: Tally::default(),
        transitions: std::array::from_fn(|_| Tally::default()),
    };
    for _ in 0..TURNS {
        rates.fdatasync.turn(TURN, &mut fdatasync)?;
        rates.sqlite.turn(TURN, &mut sqlite)?;
        for (wide, rate) in wide.iter_mut().zip(&mut rates.transitions) {
            rate.turn(TURN, &mut || wide.step())?;
        }
    }
    Ok(rates)
}

fn engine(dir: &Path) -> Result<Engine<Sqlite>> {
    let owner = Owner { pid: std::process::id(), version: "bench".to_owned(), since_ms: 0 };
    let journal = Sqlite::open(dir, &owner)?;
    let standing = Standing {
        judge: Judge::fixed(policy::Standing::unknown(dir, dir)),
        rules: call::Rules {
            retry_delays_ms: Vec::new(),
            probe_delays_ms: Vec::new(),
            ask_expiry_ms: 0,
        },
        in_flight_max: 32,
        grace_ms: call::GRACE_MS,
        verify_ms: 0,
    };
    Ok(Engine::open(journal, Box::new(RandomIds), standing)?)
}

fn said(run: &str, ticket: u64, command: loops::Command) -> Saying {
    Saying {
        origin: Origin::Asker(ticket),
        link: Link::Alone,
        trace: "trace_00000000000000000000000000000000".to_owned(),
        ..Saying::own(run, By::Person, Command::Loop(command))
    }
}

fn create(run: &str) -> loops::Command {
    loops::Command::Create {
        id: run.to_owned(),
        title: "bench".to_owned(),
        description: "bench".to_owned(),
        max_iterations: 10,
        max_iterations_ceiling: 1000,
        parent: None,
    }
}

/// A transition of about the size of a typical fact. Its text is put together by copying: padding
/// by the formatter took a tenth of the time that was to be the engine's.
fn edit(serial: u64) -> loops::Command {
    let mut description = serial.to_string();
    description.push_str(&PADDING[description.len()..]);
    loops::Command::Edit {
        title: None,
        description: Some(description),
        max_iterations: None,
        max_iterations_ceiling: 1000,
        labels: loops::LabelsPatch::default(),
    }
}

fn step(engine: &mut Engine<Sqlite>, now: u64, inbox: Vec<Saying>) -> Result<()> {
    let asked = inbox.len();
    let step = engine.step(At(now), inbox)?;
    ensure!(step.answers.len() == asked, "every asker is answered");
    ensure!(step.answers.iter().all(|(_, answer)| answer.is_ok()), "every edit is accepted");
    Ok(())
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|index| format!("loop-bench-{index:06}")).collect()
}

/// An engine with some runs. Each has one command under way: all are decided in one step, share
/// its sync, and are answered together; then each says the next.
struct Wide {
    engine: Engine<Sqlite>,
    runs: Vec<String>,
    serial: u64,
    took: Vec<Duration>,
}

impl Wide {
    fn new(dir: &Path, width: usize) -> Result<Self> {
        let mut engine = engine(dir)?;
        let runs = names(width);
        step(&mut engine, 1, runs.iter().map(|run| said(run, 0, create(run))).collect())?;
        Ok(Self { engine, runs, serial: 0, took: Vec::new() })
    }

    fn step(&mut self) -> Result<u64> {
        self.serial += 1;
        let serial = self.serial;
        let inbox = self.runs.iter().map(|run| said(run, serial, edit(serial))).collect();
        let start = Instant::now();
        step(&mut self.engine, serial, inbox)?;
        self.took.push(start.elapsed());
        Ok(self.runs.len() as u64)
    }

    /// How long half of the steps took at most, and all but a hundredth of them.
    fn percentiles_us(&mut self) -> Result<[u64; 2]> {
        self.took.sort();
        let at = |share: usize| self.took[(self.took.len() - 1) * share / 100].as_micros();
        Ok([u64::try_from(at(50))?, u64::try_from(at(99))?])
    }
}

/// What a transition costs with a long history behind it, against a short one; taken in turns, so
/// that the machine's moods hit both.
fn history_cost(dir: &Path) -> Result<f64> {
    let mut engine = engine(dir)?;
    let runs = names(HISTORIES.len());
    let mut serial = 0;
    for (run, facts) in runs.iter().zip(HISTORIES) {
        step(&mut engine, 1, vec![said(run, 0, create(run))])?;
        for _ in 0..facts / 1_000 {
            let inbox = (0..1_000).map(|n| said(run, n, edit(n))).collect();
            step(&mut engine, 2, inbox)?;
        }
    }
    let mut took = [Vec::with_capacity(COMPARED), Vec::with_capacity(COMPARED)];
    for _ in 0..COMPARED {
        for (run, took) in runs.iter().zip(&mut took) {
            serial += 1;
            let start = Instant::now();
            step(&mut engine, 3, vec![said(run, serial, edit(serial))])?;
            took.push(start.elapsed());
        }
    }
    let median = |took: &mut Vec<Duration>| {
        took.sort();
        took[took.len() / 2].as_secs_f64()
    };
    let [short, long] = &mut took;
    Ok((median(long) / median(short) * 1000.0).round() / 1000.0)
}

fn open_cost(dir: &Path) -> Result<(u64, u64)> {
    fill(dir)?;
    let output = std::process::Command::new(std::env::current_exe()?)
        .args(["bench", "journal-open"])
        .arg(dir)
        .output()?;
    let told: Value = serde_json::from_slice(&output.stdout).context("the opener's answer")?;
    let number = |key: &str| told[key].as_u64().context("a number");
    Ok((number("open_ms")?, number("open_rss_mb")?))
}

fn fill(dir: &Path) -> Result<()> {
    let mut engine = engine(dir)?;
    for group in names(OPEN_RUNS).chunks(1_000) {
        let say = |command: &dyn Fn(&str) -> loops::Command| -> Vec<Saying> {
            group.iter().map(|run| said(run, 0, command(run))).collect()
        };
        step(&mut engine, 1, say(&create))?;
        for serial in 0..OPEN_FACTS_EACH as u64 - 2 {
            step(&mut engine, 2, say(&|_| edit(serial)))?;
        }
    }
    for group in names(OPEN_RUNS)[OPEN_LIVE..].chunks(1_000) {
        let stop = |run: &String| said(run, 0, loops::Command::Stop { why: None });
        step(&mut engine, 3, group.iter().map(stop).collect())?;
    }
    Ok(())
}

/// Opens a journal in a process of its own and says what that cost.
///
/// # Errors
/// When it can't be opened.
pub fn open(dir: &Path) -> Result<Value> {
    let start = Instant::now();
    let engine = engine(dir)?;
    let open_ms = u64::try_from(start.elapsed().as_millis())?;
    ensure!(engine.run("loop-bench-000000").is_some(), "a live run is in memory");
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.trim().strip_suffix(" kB"))
        .context("peak memory")?;
    Ok(json!({ "open_ms": open_ms, "open_rss_mb": peak.trim().parse::<u64>()? / 1024 }))
}
