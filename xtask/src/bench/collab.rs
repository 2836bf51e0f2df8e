//! `cargo xtask bench collab`: what asking two agents costs beyond the slower of them, and how
//! large the engine is while two hundred run. The agents are scripted, real processes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::ground::{self, Ground};

/// Collabs of two that are timed.
const TIMED: usize = 21;
/// Agents that run at once.
const CROWD: usize = 200;
/// Agents of one collab of the crowd: the most there can be.
const EACH: usize = 8;
/// How long the crowd may take to come together, and to leave.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(100);

const ANSWERS: &str =
    "[[rule]]\nsteps = [{ session = \"auto\" }, { say = \"a queue\" }, \"end\"]\n";
/// Each leaves a line when it runs, and stays.
const STAYS: &str = "effects = \"${CWD}/../here.jsonl\"\n\
    [[rule]]\nsteps = [{ session = \"auto\" }, { effect = \"here\" }, \"hang\"]\n";

/// Measures and returns the result as JSON.
///
/// # Errors
/// When the program can't be built or a collab does not end well.
pub fn run() -> Result<Value> {
    let bin = ground::release(&[&["loopwright"]])?.join("loopwright");
    let dir = tempfile::tempdir()?;
    let timed = timed(&dir.path().join("timed"), bin.clone())?;
    let rss_mb = crowd(&dir.path().join("crowd"), bin)?;
    let middle = |pick: fn(&Took) -> Duration| {
        let mut all: Vec<Duration> = timed.iter().map(pick).collect();
        all.sort();
        (all[all.len() / 2].as_secs_f64() * 10_000.0).round() / 10.0
    };
    Ok(json!({
        "collabs": TIMED,
        "wall_ms": middle(|took| took.wall),
        "agent_ms": middle(|took| took.agent),
        "overhead_ms": middle(|took| took.wall.saturating_sub(took.agent)),
        "agents_at_once": CROWD,
        "rss_mb_200": rss_mb,
    }))
}

/// A collab as whoever asked sees it, and the process of its slowest agent.
struct Took {
    wall: Duration,
    agent: Duration,
}

/// Two agents that answer at once, asked again and again by a command that waits. The first is not
/// counted: it starts the engine.
fn timed(dir: &Path, bin: PathBuf) -> Result<Vec<Took>> {
    let ground = prepare(dir, bin, ANSWERS)?;
    let mut all = Vec::new();
    for _ in 0..=TIMED {
        let start = Instant::now();
        let asked = ground.call(&["collab", "start", "how?", "--headless", "--with", "p0,p1"])?;
        let wall = start.elapsed();
        ensure!(asked["data"]["status"] == json!("SUCCESS"), "{asked}");
        all.push(Took { wall, agent: slowest(&ground, &asked["data"])? });
    }
    ground.call(&["engine", "stop"])?;
    Ok(all.split_off(1))
}

/// How long the slowest agent's process lived, as its shim recorded.
fn slowest(ground: &Ground, result: &Value) -> Result<Duration> {
    let agents = result["ext"]["participants"].as_object().context("participants")?;
    let mut most = Duration::ZERO;
    for agent in agents.values() {
        let call = ground.call(&["call", "show", agent["call"].as_str().context("a call")?])?;
        let lived = call["data"]["result"]["duration_ms"].as_u64().context("how long it lived")?;
        most = most.max(Duration::from_millis(lived));
    }
    Ok(most)
}

/// The engine's peak while the whole crowd runs, in MiB.
fn crowd(dir: &Path, bin: PathBuf) -> Result<u64> {
    let ground = prepare(dir, bin, STAYS)?;
    let names: Vec<String> = (0..EACH).map(|n| format!("p{n}")).collect();
    let with = names.join(",");
    let mut ids = Vec::new();
    for _ in 0..CROWD / EACH {
        let args = ["collab", "start", "stay", "--no-wait", "--timeout", "300s", "--with", &with];
        let asked = ground.call(&args)?;
        ids.push(asked["data"]["ext"]["run_id"].as_str().context("a run")?.to_owned());
    }
    let here = dir.join("here.jsonl");
    let come = || std::fs::read_to_string(&here).unwrap_or_default().lines().count();
    let together = until(|| Ok(come() == CROWD));
    let measured = together.and_then(|()| ground.engine());
    // Sent home whatever happened: a bench that fails leaves nobody behind.
    for id in &ids {
        ground.call(&["collab", "cancel", id])?;
    }
    until(|| Ok(ground.engine()?.0["in_flight"] == json!(0)))?;
    ground.call(&["engine", "stop"])?;
    Ok(measured?.1)
}

fn until(is: impl Fn() -> Result<bool>) -> Result<()> {
    let give_up = Instant::now() + PATIENCE;
    while !is()? {
        ensure!(Instant::now() < give_up, "the crowd does not come together, or does not leave");
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

/// A trusted tree with eight participants, all of whom act by this.
fn prepare(dir: &Path, bin: PathBuf, scenario: &str) -> Result<Ground> {
    let ground = Ground::new(dir, bin)?;
    let file = ground.home.join("scenario.toml");
    std::fs::write(&file, scenario)?;
    let mut settings = format!("[call]\nin_flight = {}\n", 2 * CROWD);
    for n in 0..EACH {
        write!(
            settings,
            "[agents.a{n}]\nkind = \"script\"\nscenario = {file:?}\n\
             [collab.participant.p{n}]\nagent = \"a{n}\"\ndimension = \"d{n}\"\n"
        )?;
    }
    ground.configure(&settings)?;
    ground.call(&["workspace", "trust"])?;
    Ok(ground)
}
