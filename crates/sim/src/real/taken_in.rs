//! A loop of an old place, as a crash is tried on it: it is taken in, given another title, and
//! deleted. Its source stays as it was, it is taken in once, and nothing of ours is left of it.

use std::fs;
use std::path::Path;
use std::time::Instant;

use super::broken::{Broken, ensure};
use super::house::{Engine, House, LOOK_EVERY, PATIENCE, Tenant};
use super::play::{Play, Story, Whose};
use super::script;

/// The loop as a play.
pub const TAKEN_IN: Play = Play { whose: Whose::AnyHand, house, begin, go_on, story, holds };

/// How often something is said that does not come to be.
const TRIES_MAX: usize = 6;
const TITLE: &str = "another title";
/// Where it lay, and what it was.
const SOURCE: &str = ".workflow/.loop/session-1/state.json";
const FOUND: &str = r#"{"session_id":"loop-v2-20260122T020000-1a2b3c4d",
"task_description":"old work",
"title":"old","max_iterations":10,"status":"paused","current_iteration":1,
"created_at":"2026-01-22T10:00:00+08:00","updated_at":"2026-01-22T10:00:05+08:00",
"skill_state":{"current_action":null,"last_action":"action-init",
"completed_actions":["action-init"],"mode":"auto","develop":{"total":1,"completed":0,
"current_task":null,"tasks":[{"id":"task-001","description":"one","tool":"bash","mode":"write",
"status":"pending","files_changed":[],"created_at":"2026-01-22T10:00:05+08:00",
"completed_at":null}],"last_progress_at":null},"debug":{"active_bug":null,"hypotheses_count":0,
"hypotheses":[],"confirmed_hypothesis":null,"iteration":0,"last_analysis_at":null},
"validate":{"pass_rate":0,"coverage":0,"test_results":[],"passed":false,"failed_tests":[],
"last_run_at":null},"errors":[]}}"#;

fn house(exe: &Path) -> Result<House, Broken> {
    let house = House::new(exe, "", Tenant::Us)?;
    let source = house.work.join(SOURCE);
    fs::create_dir_all(source.parent().unwrap_or(&house.work))?;
    fs::write(source, FOUND)?;
    house.ask(&["workspace", "trust"])?;
    Ok(house)
}

fn begin(house: &House) -> Result<String, Broken> {
    for _ in 0..TRIES_MAX {
        match script::ids(house)?.as_slice() {
            [] => drop(house.run(&["loop", "migrate", "--all"])?),
            [one] => return Ok(one.clone()),
            several => return Err(Broken(format!("taken in as {several:?}"))),
        }
    }
    Err(Broken("it was never taken in".into()))
}

fn go_on(house: &House, id: &str) -> Result<(), Broken> {
    until(house, &["loop", "edit", id, "--title", TITLE], || {
        Ok(house.ask(&["loop", "show", id])?["title"] == TITLE)
    })?;
    until(house, &["loop", "delete", id], || {
        // Shown it still is, as it lies in its old place.
        Ok(house.ask(&["loop", "list"])?["total"] == 0)
    })
}

/// Says it until it is so.
fn until(
    house: &House,
    args: &[&str],
    is: impl Fn() -> Result<bool, Broken>,
) -> Result<(), Broken> {
    for _ in 0..TRIES_MAX {
        if is()? {
            return Ok(());
        }
        house.run(args)?;
    }
    ensure(is()?, || format!("`{}` never came to be", args.join(" ")))
}

fn story(house: &House, id: &str) -> Result<Story, Broken> {
    let log = house.ask(&["log", id])?;
    let facts = log.as_array().into_iter().flatten().map(|entry| entry["kind"].to_string());
    // An engine that died after the last word removes the files when it starts again.
    Ok(Story { facts: facts.filter(|kind| !kind.contains("ViewsRemoved")).collect(), ends: vec![] })
}

fn holds(house: &House, id: &str, expected: &Story) -> Result<(), Broken> {
    let told = story(house, id)?;
    ensure(told == *expected, || format!("{told:?} instead of {expected:?}"))?;
    let source = fs::read_to_string(house.work.join(SOURCE))?;
    ensure(source == FOUND, || format!("the source is {source}"))?;
    gone(house, id)?;
    script::whole(house)
}

/// An engine that starts removes what is left of it.
fn gone(house: &House, id: &str) -> Result<(), Broken> {
    let _own = Engine::start(house, &[])?;
    let files = ["json", "tasks.jsonl", "progress"];
    let left = || files.map(|end| house.state().join(format!("{id}.{end}")));
    let give_up = Instant::now() + PATIENCE;
    while left().iter().any(|file| file.symlink_metadata().is_ok()) {
        ensure(Instant::now() < give_up, || format!("left of it: {:?}", left()))?;
        std::thread::sleep(LOOK_EVERY);
    }
    house.run(&["engine", "stop"]).map(drop)
}
