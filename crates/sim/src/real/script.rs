//! The scripted loop every crash is tried on: two tasks that each leave one line, one check, by
//! itself to the end. It says what must hold afterwards, whatever happened on the way.

use std::path::Path;
use std::time::Instant;

use serde_json::Value;

use super::broken::{Broken, ensure};
use super::house::{Engine, House, LOOK_EVERY, PATIENCE, Tenant, ended};
use super::play::{Play, Story, Whose};

/// Each task leaves its line here.
pub const RAN: &str = "ran.log";
const STEP: &str = "#!/bin/sh\necho \"ran $1\" >> ran.log\n";
const CHECK: &str = "#!/bin/sh\ngrep -qx 'ran a' ran.log && grep -qx 'ran b' ran.log\n";
const SETTINGS: &str = "[[loop.validate.commands]]\nargv = [\"./check.sh\"]\nparser = \"exit\"\n";
/// The tasks, and one check.
const CALLS: usize = 3;
/// One engine may die under a watcher, and the next one in a double kill.
const WATCHES_MAX: usize = 6;

/// The loop as a play.
pub const LOOP: Play = Play { whose: Whose::AnyHand, house, begin, go_on: drive_on, story, holds };

/// A trusted house with the script's files.
///
/// # Errors
/// When it can't be made.
pub fn house(exe: &Path) -> Result<House, Broken> {
    let house = House::new(exe, SETTINGS, Tenant::Us)?;
    prepare(&house)?;
    Ok(house)
}

/// Puts the script's files into a house and trusts it.
///
/// # Errors
/// When it can't be made.
pub fn prepare(house: &House) -> Result<(), Broken> {
    house.script("step.sh", STEP)?;
    house.script("check.sh", CHECK)?;
    house.ask(&["workspace", "trust"])?;
    Ok(())
}

/// The settings of the script.
#[must_use]
pub const fn settings() -> &'static str {
    SETTINGS
}

/// Creates the loop, starts it and follows it to its end, saying again only what was not
/// acknowledged and is not there.
///
/// # Errors
/// When it does not come to its end, or something acknowledged is missing.
pub fn drive(house: &House) -> Result<String, Broken> {
    LOOP.drive(house)
}

fn begin(house: &House) -> Result<String, Broken> {
    let id = create(house)?;
    start(house, &id)?;
    Ok(id)
}

/// Follows a started loop to its end, again when the engine died under the watcher.
///
/// # Errors
/// When it does not complete.
pub fn drive_on(house: &House, id: &str) -> Result<(), Broken> {
    let mut last = None;
    for _ in 0..WATCHES_MAX {
        let ran = house.run(&["loop", "watch", id])?;
        if ran.code == 0 {
            return Ok(());
        }
        last = Some(ran);
    }
    Err(Broken(format!("the loop did not complete: {last:?}")))
}

/// Creates the loop, again if the first time was not acknowledged and left nothing.
///
/// # Errors
/// When an acknowledged loop is missing, or there are two.
pub fn create(house: &House) -> Result<String, Broken> {
    let args = ["loop", "create", "--title", "t", "--task", "./step.sh a", "--task", "./step.sh b"];
    let ran = house.run(&[&args[..], &["--json"]].concat())?;
    let told = ran.json()["data"]["loop_id"].as_str().map(str::to_owned);
    let there = ids(house)?;
    match (told, there.as_slice()) {
        (Some(id), [one]) if *one == id => Ok(id),
        (None, [one]) => Ok(one.clone()),
        (None, []) => {
            let made = house.ask(&args)?;
            Ok(made["loop_id"].as_str().unwrap_or_default().to_owned())
        }
        (told, there) => Err(Broken(format!("told {told:?}, there {there:?}"))),
    }
}

/// Every loop of the house.
///
/// # Errors
/// When they can't be listed.
pub fn ids(house: &House) -> Result<Vec<String>, Broken> {
    let runs = house.ask(&["runs"])?;
    let runs = runs.as_array().cloned().unwrap_or_default();
    let loops = runs.iter().filter(|run| run["machine"] == "loop");
    Ok(loops.filter_map(|run| run["run_id"].as_str().map(str::to_owned)).collect())
}

/// Starts it, again if the first time was not acknowledged and nothing came of it.
///
/// # Errors
/// When an acknowledged start is missing.
pub fn start(house: &House, id: &str) -> Result<(), Broken> {
    let args = ["loop", "start", id, "--auto", "--detach"];
    let ran = house.run(&[&args[..], &["--json"]].concat())?;
    let status = status(house, id)?;
    match (ran.code, status.as_str()) {
        (0, "created") => Err(Broken("an acknowledged start is missing".into())),
        (_, "created") => house.ask(&args).map(drop),
        (_, _) => Ok(()),
    }
}

/// The status of a loop.
///
/// # Errors
/// When it can't be shown.
pub fn status(house: &House, id: &str) -> Result<String, Broken> {
    let shown = house.ask(&["loop", "show", id])?;
    Ok(shown["status"].as_str().unwrap_or_default().to_owned())
}

/// What the loop tells of itself.
///
/// # Errors
/// When it can't be read.
pub fn story(house: &House, id: &str) -> Result<Story, Broken> {
    let log = house.ask(&["log", id])?;
    let facts = log.as_array().into_iter().flatten().map(|entry| entry["kind"].to_string());
    let shown = house.ask(&["loop", "show", id])?;
    let tasks = shown["skill_state"]["develop"]["tasks"].as_array().cloned().unwrap_or_default();
    let told = |task: &Value| format!("{} {}", task["status"], task["files_changed"]);
    Ok(Story { facts: facts.collect(), ends: tasks.iter().map(told).collect() })
}

/// What must hold after every crash: the same story, each effect once, a whole journal, nothing
/// left over.
///
/// # Errors
/// What does not hold.
pub fn holds(house: &House, id: &str, story: &Story) -> Result<(), Broken> {
    let told = self::story(house, id)?;
    ensure(told == *story, || format!("another story: {told:?}, not {story:?}"))?;
    let ran = std::fs::read_to_string(house.work.join(RAN))?;
    ensure(ran == "ran a\nran b\n", || format!("ran: {ran:?}"))?;
    let calls = house.ask(&["call", "list", "--run", id])?;
    let calls = calls.as_array().cloned().unwrap_or_default();
    let good = calls.iter().all(|call| call["state"] == "Settled" && call["outcome"] == "ok");
    ensure(good && calls.len() == CALLS, || format!("calls: {calls:?}"))?;
    drawn(house, id)?;
    untouched(house)?;
    whole(house)
}

/// Fields of the loop's file; `loop show` adds others beside them.
const FILE_FIELDS: [&str; 12] = [
    "loop_id",
    "title",
    "description",
    "max_iterations",
    "status",
    "current_iteration",
    "created_at",
    "updated_at",
    "completed_at",
    "failure_reason",
    "skill_state",
    "ext",
];

/// What `loop show` says, cut down to what the loop's file says.
#[must_use]
pub fn as_drawn(mut shown: Value) -> Value {
    if let Some(fields) = shown.as_object_mut() {
        fields.retain(|name, _| FILE_FIELDS.contains(&name.as_str()));
        if let Some(ext) = fields.get_mut("ext").and_then(Value::as_object_mut) {
            ext.remove("no_engine");
        }
    }
    shown
}

/// A loop's file says what is shown, once an engine has started again.
///
/// # Errors
/// When it does not come to say so.
pub fn drawn(house: &House, id: &str) -> Result<(), Broken> {
    let shown = as_drawn(house.ask(&["loop", "show", id])?);
    redrawn(house, &house.state().join(format!("{id}.json")), &shown)
}

/// An engine that starts draws what is so; a crash may have kept the last one from it, and whoever
/// looks at a run that is over needs none.
///
/// # Errors
/// When the file does not come to say what is shown.
pub fn redrawn(house: &House, file: &Path, shown: &Value) -> Result<(), Broken> {
    // Where one runs already, this one is refused and leaves.
    let mut own = Engine::start(house, &[])?;
    let give_up = Instant::now() + PATIENCE;
    loop {
        let text = std::fs::read(file).unwrap_or_default();
        let drawn: Value = serde_json::from_slice(&text).unwrap_or_default();
        if drawn == *shown {
            break;
        }
        ensure(Instant::now() < give_up, || format!("the file says {drawn}\nnot {shown}"))?;
        std::thread::sleep(LOOK_EVERY);
    }
    house.run(&["engine", "stop"])?;
    ended(&mut own.child, PATIENCE)?.ok_or_else(|| Broken("the engine stays".into())).map(drop)
}

/// Nobody edited a view, so nothing may be told of an edit and nothing kept as one.
///
/// # Errors
/// What is told or kept.
pub fn untouched(house: &House) -> Result<(), Broken> {
    let notices = std::fs::read_to_string(house.state().join("cache/notices.jsonl"));
    let refused = std::fs::read_dir(house.state().join("refused")).map(Iterator::count);
    ensure(notices.is_err() && refused.unwrap_or(0) == 0, || {
        format!("an edit that nobody made: {notices:?}")
    })
}

/// The journal verifies, and every run folds to what its head says.
///
/// # Errors
/// What does not.
pub fn whole(house: &House) -> Result<(), Broken> {
    house.ask(&["journal", "verify"]).map(drop)
}

/// Once nothing lives here, no temporary file of ours is left.
///
/// # Errors
/// The names that are left.
pub fn tidy(house: &House) -> Result<(), Broken> {
    let mut left = Vec::new();
    let mut dirs = vec![house.state()];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let ours = name.starts_with('.') && name != ".gitignore";
            if ours || name.ends_with(".new") || name.ends_with(".tmp") {
                left.push(entry.path().display().to_string());
            }
            if entry.file_type()?.is_dir() {
                dirs.push(entry.path());
            }
        }
    }
    ensure(left.is_empty(), || format!("left over: {left:?}"))
}
