//! `cargo xtask bench turn`: what the engine takes for a step of a turn beside the command that the
//! step runs. Plan files of instant commands through the real program, in a tree of many files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use journal::{Journal as _, Sqlite};
use serde_json::{Value, json};

use super::ground::{self, Ground};

/// Turns that are timed, one after the other in one engine.
const TURNS: usize = 8;
/// Steps of each: as many as a plan may have.
const STEPS: usize = 12;
/// Files of the tree.
const FILES: usize = 200;

/// Measures and returns the result as JSON.
///
/// # Errors
/// When the program can't be built or a turn does not complete.
pub fn run() -> Result<Value> {
    let bin = ground::release(&[&["loopwright"]])?.join("loopwright");
    let dir = tempfile::tempdir()?;
    let ground = prepare(dir.path(), bin)?;
    let mut steps = Vec::new();
    // The first is not counted: it starts the engine and fills its caches.
    for turn in 0..=TURNS {
        let took = played(&ground)?;
        if turn > 0 {
            steps.extend(took);
        }
    }
    let (_, rss_mb) = ground.engine()?;
    ground.call(&["engine", "stop"])?;
    let middle = |pick: fn(&Took) -> u64| {
        let mut all: Vec<u64> = steps.iter().map(pick).collect();
        all.sort_unstable();
        all[all.len() / 2]
    };
    Ok(json!({
        "turns": TURNS,
        "steps": steps.len(),
        "files": FILES,
        "step_ms": middle(|took| took.step_ms),
        "tool_ms": middle(|took| took.tool_ms),
        "step_overhead_ms": middle(|took| took.step_ms.saturating_sub(took.tool_ms)),
        "rss_mb": rss_mb,
    }))
}

/// A step as the journal has it, and the process that it ran.
struct Took {
    step_ms: u64,
    tool_ms: u64,
}

/// A trusted tree of many files with a plan of instant commands.
fn prepare(dir: &Path, bin: PathBuf) -> Result<Ground> {
    let ground = Ground::new(dir, bin)?;
    ground.fill(FILES)?;
    let checks = "[verification]\nmode = \"none\"\nrequired = false\n";
    let mut plan = format!("goal = \"Do nothing, often\"\n{checks}");
    for n in 0..STEPS {
        write!(
            plan,
            "[[steps]]\ntitle = \"Step {n}\"\n\
             tool_calls = [{{ name = \"run\", args_hint = {{ argv = [\"true\", \"{n}\"] }} }}]\n"
        )?;
    }
    std::fs::write(ground.tree.join("plan.toml"), plan)?;
    ground.call(&["workspace", "trust"])?;
    Ok(ground)
}

/// One turn from its plan file to its end; what each step took.
fn played(ground: &Ground) -> Result<Vec<Took>> {
    let asked = ground.any(&["turn", "start", "--plan", "plan.toml", "--headless"])?;
    let turn = asked["data"]["run_id"].as_str().with_context(|| format!("{asked}"))?.to_owned();
    // A plan that only reads needs no yes: policy decides, and may change its mind.
    if asked["data"]["waiting"] == json!(true) {
        ground.call(&["turn", "confirm", &turn, "yes"])?;
    }
    let ended = ground.call(&["turn", "watch", &turn])?;
    ensure!(ended["result"] == json!("completed"), "{ended}");
    let plan = ground.call(&["turn", "plan", &turn])?;
    let steps = plan["data"]["steps"].as_array().context("steps")?;
    let wall = wall_ms(&ground.tree.join(".loop/journal"), &turn)?;
    ensure!(wall.len() == STEPS, "{} steps were done", wall.len());
    steps
        .iter()
        .map(|step| {
            let ran = step["evidence"]["commands_run"].as_array().context("what a step ran")?;
            let tool_ms = ran.iter().filter_map(|one| one["duration_ms"].as_u64()).sum();
            let id = step["step_id"].as_str().context("a step")?;
            Ok(Took { step_ms: *wall.get(id).context("a step that was done")?, tool_ms })
        })
        .collect()
}

/// From the record that a step began to the record that it is done, by step.
fn wall_ms(dir: &Path, turn: &str) -> Result<BTreeMap<String, u64>> {
    let (mut begun, mut took) = (BTreeMap::new(), BTreeMap::new());
    for record in Sqlite::open_reader(dir)?.read_run(turn, 0)? {
        let body: Value = serde_json::from_str(&record.body)?;
        let fact = body.as_object().and_then(|fields| fields.iter().next());
        let Some(step) = fact.and_then(|(_, fact)| fact["step"].as_str()) else { continue };
        match record.kind.as_str() {
            "StepStarted" => {
                begun.insert(step.to_owned(), record.at_ms);
            }
            "StepDone" => {
                let since = begun.get(step).copied().context("a step ends that never began")?;
                took.insert(step.to_owned(), record.at_ms.saturating_sub(since));
            }
            _ => {}
        }
    }
    Ok(took)
}
