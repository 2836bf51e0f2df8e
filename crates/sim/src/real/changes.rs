//! The scripted changes every crash is tried on: a file is made in a new directory, one is patched,
//! one is deleted, and the patch is taken back. Each is whole or not there, and happens once.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::broken::{Broken, ensure};
use super::house::{House, LOOK_EVERY, PATIENCE, Tenant};
use super::play::{Play, Story, Whose};

/// The changes as a play.
pub const CHANGES: Play = Play { whose: Whose::AnyHand, house, begin, go_on, story, holds };

const OLD: &str = "one\ntwo\nthree\n";
const NEW: &str = "made\r\nby a tool\r\n";
/// Engines may die under one command, and a start that never acted is asked for anew.
pub(super) const TRIES_MAX: usize = 8;

fn house(exe: &Path) -> Result<House, Broken> {
    let house = House::new(exe, "", Tenant::Us)?;
    for name in ["patched.txt", "deleted.txt"] {
        fs::write(house.work.join(name), OLD)?;
    }
    house.ask(&["workspace", "trust"])?;
    Ok(house)
}

/// The tools with their arguments, in order.
fn steps() -> [(&'static str, Value); 3] {
    let sha256 = kernel::hash::sha256_hex(OLD.as_bytes());
    [
        ("write", serde_json::json!({ "path": "new/made.txt", "text": NEW, "mode": "create" })),
        (
            "apply_patch",
            serde_json::json!({
                "path": "patched.txt", "old": "two", "new": "2",
                "expect": { "patched.txt": sha256 },
            }),
        ),
        ("delete", serde_json::json!({ "path": "deleted.txt", "expect": sha256 })),
    ]
}

/// Runs each tool until one call of it has happened. Answers the call that patched.
fn begin(house: &House) -> Result<String, Broken> {
    let mut patched = None;
    for (name, args) in steps() {
        let call = happened(house, name, &args)?;
        if name == "apply_patch" {
            patched = Some(call);
        }
    }
    patched.ok_or_else(|| Broken("nothing was patched".into()))
}

/// Runs a tool until one call of it has happened.
pub(super) fn happened(house: &House, name: &str, args: &Value) -> Result<String, Broken> {
    for _ in 0..TRIES_MAX {
        let ended = ended(house, name)?;
        if let Some(call) = ended.iter().find(|call| did(call)) {
            return Ok(id(call));
        }
        if let Some(failed) = ended.iter().find(|call| !is_harmless(call)) {
            return Err(Broken(format!("{name}: {failed}")));
        }
        house.run(&["tool", "run", name, "--args", &args.to_string(), "--headless", "--json"])?;
    }
    Err(Broken(format!("{name} never happened: {:?}", calls(house, name)?)))
}

/// Whether it happened, even if its answer could not be kept.
fn did(call: &Value) -> bool {
    let changed = call["result"]["artifacts"]["files_changed"].as_array();
    call["outcome"] == "ok" || changed.is_some_and(|paths| !paths.is_empty())
}

/// A call that is proven to have done nothing, or that the disk refused, may be asked for anew.
/// Where the disk is whole, the proof itself looks for such refusals.
fn is_harmless(call: &Value) -> bool {
    let error = &call["result"]["error"];
    let refused = error["code"] == "E_IO" || error["details"]["kind"] == "not_applied";
    refused || call["outcome"] == "stopped"
}

/// The calls of a tool, once each of them has ended.
pub(super) fn ended(house: &House, name: &str) -> Result<Vec<Value>, Broken> {
    let give_up = std::time::Instant::now() + PATIENCE;
    loop {
        let all = calls(house, name)?;
        if all.iter().all(|call| call["ended"] == true) {
            return Ok(all);
        }
        ensure(std::time::Instant::now() < give_up, || format!("{name} never ends: {all:?}"))?;
        // Somebody has to ask for an engine if the last one died.
        house.run(&["engine", "status"])?;
        house.run(&["tool", "run", "list", "--headless"])?;
        std::thread::sleep(LOOK_EVERY);
    }
}

/// The calls of a tool.
pub(super) fn calls(house: &House, name: &str) -> Result<Vec<Value>, Broken> {
    let all = house.ask(&["call", "list"])?;
    let all = all.as_array().cloned().unwrap_or_default();
    Ok(all.into_iter().filter(|call| call["name"] == name).collect())
}

/// The id of a call.
pub(super) fn id(call: &Value) -> String {
    call["run_id"].as_str().unwrap_or_default().to_owned()
}

/// Takes the patch back.
fn go_on(house: &House, id: &str) -> Result<(), Broken> {
    let mut last = None;
    for _ in 0..TRIES_MAX {
        let shown = house.ask(&["call", "show", id])?;
        if shown["state"] == "Undone" {
            return Ok(());
        }
        last = Some(house.run(&["undo", id])?);
        ended(house, "undo")?;
    }
    Err(Broken(format!("it is not taken back: {last:?}")))
}

fn story(house: &House, _: &str) -> Result<Story, Broken> {
    let mut ends = Vec::new();
    for name in ["new/made.txt", "patched.txt", "deleted.txt"] {
        let text = fs::read_to_string(house.work.join(name)).ok();
        ends.push(format!("{name}: {text:?}"));
    }
    for (name, _) in steps() {
        let may = |call: &&Value| call["outcome"] != "failed" || did(call);
        let happened = calls(house, name)?.iter().filter(may).count();
        ends.push(format!("{name} happened {happened} times"));
    }
    Ok(Story { facts: Vec::new(), ends })
}

fn holds(house: &House, id: &str, expected: &Story) -> Result<(), Broken> {
    let told = story(house, id)?;
    ensure(told == *expected, || format!("{told:?} instead of {expected:?}"))?;
    left_beside(house, &["", "new"])?;
    let verified = house.run(&["journal", "verify"])?;
    ensure(verified.code == 0, || format!("{verified:?}"))
}

/// Nothing of ours is left in these directories of the tree.
pub(super) fn left_beside(house: &House, dirs: &[&str]) -> Result<(), Broken> {
    let left: Vec<String> = dirs
        .iter()
        .flat_map(|dir| fs::read_dir(house.work.join(dir)).into_iter().flatten().flatten())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(".lw-"))
        .collect();
    ensure(left.is_empty(), || format!("left beside the files: {left:?}"))
}
