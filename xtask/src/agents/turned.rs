//! A whole turn with a real CLI: the model makes the plan, the harness says yes as a person would,
//! the same CLI does the step, and the check of the plan runs. Only the model is a script.

use std::time::Instant;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::cases::{Case, TOOLS};
use super::cli::Cli;
use super::install::Installed;
use super::launch::linger;
use super::report::Row;
use super::server::{MADE, PLANS, Seen};
use super::stage::Stage;
use crate::root::root;

/// Plays it, and keeps what the server was sent.
pub fn one(cli: Cli, case: &'static Case, installed: &Installed) -> Result<(Row, Stage)> {
    let stage =
        Stage::new(cli, case.name, case.scenarios, installed, &root().join("target/agents"))?;
    let (begun, mut legs) = (Instant::now(), Vec::new());
    let mut leg = |what: &str, said: &Value| {
        let word = said["result"].as_str().unwrap_or("-");
        legs.push(format!("{:.1} s {what} {word}", begun.elapsed().as_secs_f64()));
    };
    let name = cli.name();
    let start = ["turn", "start", "Add the file made.txt", "--headless", "--json"];
    let planned = stage.product(&[&start[..], &["--planner", name, "--agent", name]].concat())?;
    leg("planned", &planned);
    let turn = planned["data"]["run_id"].as_str().with_context(|| format!("{planned}"))?;
    let mut wrong = Vec::new();
    let mut held = |what: &str, found: &Value, expected: &str| {
        if found != expected {
            wrong.push(format!("{what}: {found}, not {expected}"));
        }
    };
    held("before the yes", &planned["data"]["state"], "AWAITING_CONFIRMATION");
    stage.product(&["turn", "confirm", turn, "yes", "--json"])?;
    let ended = stage.product(&["turn", "watch", turn, "--json"])?;
    leg("done", &ended);
    held("result", &ended["result"], "completed");
    held("verified", &ended["data"]["verified"], "passed");
    if case.name == TOOLS {
        let calls = stage.product(&["call", "list", "--json"])?;
        let own = |call: &&Value| call["name"] == "write" && call["outcome"] == "ok";
        let made = calls["data"]["calls"].as_array().into_iter().flatten().find(own);
        held("the call of our tool", &made.map_or(Value::Null, |_| "made".into()), "made");
    }
    stage.product(&["engine", "stop"])?;
    let made = stage.files()?.remove(MADE.0);
    if made.as_deref() != Some(MADE.1.as_bytes()) {
        wrong.push(format!("{} is not what the model wrote", MADE.0));
    }
    let seen = stage.server.seen();
    wrong.extend(unasked(&seen));
    wrong.extend(linger(&stage).into_iter().map(|one| format!("lives on: {one}")));
    let about = seen.iter().filter(|seen| seen.task.is_some()).count();
    let (took_ms, requests) = (begun.elapsed().as_millis(), (about, seen.len() - about));
    Ok((Row { cli, case: case.name, legs, took_ms, requests, wrong }, stage))
}

/// The model has to have been asked for a plan, and then for something else.
fn unasked(seen: &[Seen]) -> Option<String> {
    let tasks = seen.iter().filter_map(|seen| seen.task.as_ref());
    let (plans, rest): (Vec<_>, Vec<_>) = tasks.partition(|task| task.text.contains(PLANS));
    (plans.is_empty() || rest.is_empty())
        .then(|| format!("{} requests for a plan, {} for a step", plans.len(), rest.len()))
}
