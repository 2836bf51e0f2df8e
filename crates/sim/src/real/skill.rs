//! The scripted loop that an outside skill drives, as a crash is tried on it: its file says that it
//! runs, then that a task is done; a command says the same of the other; Complete asks the engine
//! for its own proof. Each is said again only where nothing came of it.

use std::fs;

use serde_json::{Value, json};

use super::broken::{Broken, ensure};
use super::house::House;
use super::play::{Play, Story, Whose};
use super::script::{self, RAN};

/// The loop as a play.
pub const SKILL: Play =
    Play { whose: Whose::AnyHand, house: script::house, begin, go_on, story, holds };

/// How often something is said that does not come to be.
const TRIES_MAX: usize = 8;
/// How often the engine is asked to look at what was said by file.
const LOOKS_MAX: usize = 40;
/// Who drives.
const RUNNER: &str = "skill";
/// Two tasks reported, one validation.
const COUNTED: u64 = 3;

fn begin(house: &House) -> Result<String, Broken> {
    // The skill has done its work by the time it reports.
    fs::write(house.work.join(RAN), "ran a\nran b\n")?;
    let id = script::create(house)?;
    by_file(
        house,
        &id,
        |file| file["status"] = json!("running"),
        |now| now != "created",
        "status",
    )?;
    Ok(id)
}

fn go_on(house: &House, id: &str) -> Result<(), Broken> {
    let done = |file: &mut Value| {
        let develop = &mut file["skill_state"]["develop"];
        develop["tasks"][0]["status"] = json!("completed");
        develop["last_progress_at"] = json!("2026-01-22T11:00:00.000Z");
    };
    by_file(house, id, done, |now| now.as_u64() >= Some(1), "current_iteration")?;
    by_command(house, id)?;
    for _ in 0..TRIES_MAX {
        if script::status(house, id)? == "completed" {
            return Ok(());
        }
        house.run(&["loop", "complete", id, "--json"])?;
        // A start by file grants nothing, so a person says that the check may run.
        house.run(&["loop", "watch", id, "--headless"])?;
        if let Some(open) = house.ask(&["questions"])?[0]["id"].as_str() {
            house.run(&["answer", open, "allow"])?;
            house.run(&["loop", "watch", id, "--headless"])?;
        }
    }
    Err(Broken("the loop did not complete".into()))
}

/// Edits the loop's file, and again if nothing came of it.
fn by_file(
    house: &House,
    id: &str,
    change: impl Fn(&mut Value),
    taken: impl Fn(&Value) -> bool,
    field: &str,
) -> Result<(), Broken> {
    let (file, draft) = (house.state().join(format!("{id}.json")), house.top.join("edit.json"));
    for _ in 0..TRIES_MAX {
        if taken(&house.ask(&["loop", "show", id])?[field]) {
            return Ok(());
        }
        // A drawing that was cut off leaves none for a moment.
        let text = fs::read(&file).unwrap_or_default();
        if let Ok(mut value) = serde_json::from_slice::<Value>(&text) {
            change(&mut value);
            fs::write(&draft, value.to_string())?;
            fs::rename(&draft, &file)?;
        }
        for _ in 0..LOOKS_MAX {
            // Whoever draws looks at what stands there; this also starts an engine where none is.
            house.run(&["loop", "rebuild", id])?;
            if taken(&house.ask(&["loop", "show", id])?[field]) {
                return Ok(());
            }
        }
    }
    Err(Broken(format!("{field} of the file was never taken in")))
}

fn by_command(house: &House, id: &str) -> Result<(), Broken> {
    let file = house.top.join("report.json");
    let tasks = json!([{ "id": "task-002", "status": "completed" }]);
    let report = json!({ "action": "develop", "result": "success", "message": "did it",
        "skill_state": { "develop": { "tasks": tasks } } });
    fs::write(&file, report.to_string())?;
    let file = file.to_string_lossy().into_owned();
    for _ in 0..TRIES_MAX {
        if house.ask(&["loop", "show", id])?["current_iteration"].as_u64() >= Some(2) {
            return Ok(());
        }
        house.run(&["loop", "signal", id, "--runner", RUNNER])?;
        house.run(&["loop", "report", id, "--runner", RUNNER, &file])?;
    }
    Err(Broken("the report was never taken".into()))
}

fn story(house: &House, id: &str) -> Result<Story, Broken> {
    let mut story = script::story(house, id)?;
    // A lease is taken and renewed by the clock, and anew by every try.
    story.facts.retain(|fact| !fact.contains("Lease"));
    let shown = house.ask(&["loop", "show", id])?;
    story.ends.push(format!("{} {}", shown["status"], shown["current_iteration"]));
    let rows = house.ask(&["loop", "history", id])?;
    for row in rows["history"].as_array().into_iter().flatten() {
        story.ends.push(format!("{} {}", row["action"], row["result"]));
    }
    Ok(story)
}

fn holds(house: &House, id: &str, expected: &Story) -> Result<(), Broken> {
    let told = story(house, id)?;
    ensure(told == *expected, || format!("another story: {told:?}, not {expected:?}"))?;
    let counted = house.ask(&["loop", "show", id])?["current_iteration"].as_u64();
    ensure(counted == Some(COUNTED), || format!("{counted:?} actions counted"))?;
    let calls = house.ask(&["call", "list", "--run", id])?;
    ensure(calls.as_array().map(Vec::len) == Some(1), || format!("calls: {calls}"))?;
    script::drawn(house, id)?;
    script::whole(house)
}
