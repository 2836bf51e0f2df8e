//! The scripted life of packages every crash is tried on: one is archived beside one of its name,
//! then a layout of old is moved. Nothing is lost or overwritten, and each happens once.

use std::fs;
use std::path::Path;

use kernel::packages::Tongue;
use runtime::packages::{find, upgrade_plan};
use serde_json::{Value, json};

use super::broken::{Broken, ensure};
use super::changes::{TRIES_MAX, calls, ended, id};
use super::house::{House, Tenant};
use super::play::{Play, Story, Whose};

/// Packages as a play.
pub const PACKAGES: Play = Play { whose: Whose::AnyHand, house, begin, go_on, story, holds };

const TOOL: &str = "package";
const AT: &str = "2026-01-22 11:00";
/// What is there before.
const FILES: [(&str, &str); 9] = [
    ("plan/202601221030_x/proposal.md", "# p\r\n"),
    ("plan/202601221030_x/tasks.md", "\u{feff}# t\r\n- [√] 1 a\r\n- [~] 2 b"),
    ("archive/2026-01/202601221030_x/proposal.md", "older"),
    ("wiki/auth.md", "auth"),
    ("project.md", "# mine\r\n"),
    ("history/2025-01/202501011200_old/why.md", "why\n"),
    ("history/2025-01/202501011200_old/how.md", "how"),
    ("history/2025-01/202501011200_old/task.md", "- [√] 1 a\n"),
    ("notes.txt", "?"),
];

fn house(exe: &Path) -> Result<House, Broken> {
    let house = House::new(exe, "", Tenant::Us)?;
    for (name, text) in FILES {
        let path = house.work.join("loopwright").join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(&path, text)?;
    }
    house.ask(&["workspace", "trust"])?;
    Ok(house)
}

fn archive(_: &House) -> Result<Value, Broken> {
    Ok(json!({ "operation": "archive", "root": "loopwright", "lang": "zh",
        "name": "202601221030_x", "status": null, "at": AT }))
}

fn upgrade(house: &House) -> Result<Value, Broken> {
    let told = |why: runtime::packages::Refusal| Broken(why.to_string());
    let base = find(&house.work, "", &[]).map_err(told)?.root;
    let plan = upgrade_plan(&house.work, &base, AT, Tongue::Zh).map_err(told)?;
    Ok(json!({ "operation": "upgrade", "root": "loopwright", "lang": "zh",
        "plan_hash": plan.plan_hash, "at": AT, "stamp": "20260122110000" }))
}

/// Asks for it until so many such calls have happened. The answer is the newest of them.
fn happened(
    house: &House,
    count: usize,
    args: fn(&House) -> Result<Value, Broken>,
) -> Result<String, Broken> {
    for _ in 0..TRIES_MAX {
        let all = ended(house, TOOL)?;
        let ok: Vec<&Value> = all.iter().filter(|call| call["outcome"] == "ok").collect();
        ensure(ok.len() == all.len(), || format!("one failed: {all:?}"))?;
        if ok.len() >= count {
            return Ok(ok.first().map(|call| id(call)).unwrap_or_default());
        }
        let args = args(house)?.to_string();
        house.run(&["tool", "run", TOOL, "--args", &args, "--headless", "--json"])?;
    }
    Err(Broken(format!("it never happened: {:?}", calls(house, TOOL)?)))
}

fn begin(house: &House) -> Result<String, Broken> {
    happened(house, 1, archive)
}

fn go_on(house: &House, _: &str) -> Result<(), Broken> {
    happened(house, 2, upgrade).map(drop)
}

/// Every file of the tree but the engine's own.
fn tree(dir: &Path, below: &str, told: &mut Vec<String>) -> Result<(), Broken> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{below}{name}");
        if entry.file_type()?.is_dir() {
            if path != ".loop" && path != ".git" {
                told.push(format!("{path}/"));
                tree(&entry.path(), &format!("{path}/"), told)?;
            }
        } else {
            told.push(format!("{path}: {}", kernel::hash::sha256_hex(&fs::read(entry.path())?)));
        }
    }
    Ok(())
}

fn story(house: &House, _: &str) -> Result<Story, Broken> {
    let mut ends = Vec::new();
    tree(&house.work, "", &mut ends)?;
    ends.sort();
    ends.push(format!("happened {} times", calls(house, TOOL)?.len()));
    Ok(Story { facts: Vec::new(), ends })
}

fn holds(house: &House, id: &str, expected: &Story) -> Result<(), Broken> {
    let told = story(house, id)?;
    ensure(told == *expected, || format!("{told:?} instead of {expected:?}"))?;
    for (name, text) in FILES.iter().skip(2) {
        // What was there before the upgrade is in its copy, byte for byte.
        let copy = house.work.join("loopwright_backup_20260122110000").join(name);
        ensure(fs::read(&copy).is_ok_and(|bytes| bytes == text.as_bytes()), || {
            format!("{} is not what it was", copy.display())
        })?;
    }
    let verified = house.run(&["journal", "verify"])?;
    ensure(verified.code == 0, || format!("{verified:?}"))
}
