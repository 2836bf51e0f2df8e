//! A checkpoint, changes after it, and the rollback to it, as every crash is tried on them: the
//! checkpoint is whole or not there, and a rollback that was cut off goes on to its end.

use std::fs;
use std::path::Path;

use runtime::rollback::rollback_id;
use serde_json::{Value, json};

use super::broken::{Broken, ensure};
use super::changes::{TRIES_MAX, calls, ended, happened, id, left_beside};
use super::house::{House, Tenant};
use super::play::{Play, Story, Whose};

/// Making a checkpoint and going back to it, as a play.
pub const SAVES: Play = Play { whose: Whose::AnyHand, house, begin, go_on, story, holds };

const OLD: &str = "one\r\ntwo\n";
const FILES: [&str; 4] = ["patched.txt", "deleted.txt", "deep/er/kept.txt", "made/new.txt"];

fn house(exe: &Path) -> Result<House, Broken> {
    let house = House::new(exe, "", Tenant::Us)?;
    fs::create_dir_all(house.work.join("deep/er"))?;
    for name in &FILES[..3] {
        fs::write(house.work.join(name), OLD)?;
    }
    house.ask(&["workspace", "trust"])?;
    Ok(house)
}

/// Makes a checkpoint, then changes what it holds. Answers the checkpoint's name.
fn begin(house: &House) -> Result<String, Broken> {
    for _ in 0..TRIES_MAX {
        let ended = ended(house, "checkpoint")?;
        if ended.iter().any(|call| call["outcome"] == "ok") {
            break;
        }
        house.run(&["checkpoint", "create", "--json"])?;
    }
    let sha256 = kernel::hash::sha256_hex(OLD.as_bytes());
    let made = json!({ "path": FILES[3], "text": "made later", "mode": "create" });
    happened(house, "write", &made)?;
    happened(house, "delete", &json!({ "path": FILES[1], "expect": sha256 }))?;
    let expect = json!({ (FILES[0]): sha256 });
    let patch = json!({ "path": FILES[0], "old": "two", "new": "2", "expect": expect });
    happened(house, "apply_patch", &patch)?;
    let listed = house.ask(&["checkpoint", "list"])?;
    let name = listed[0]["name"].as_str().map(str::to_owned);
    name.ok_or_else(|| Broken(format!("no checkpoint: {listed}")))
}

/// Goes back to it.
fn go_on(house: &House, name: &str) -> Result<(), Broken> {
    let mut last = None;
    for _ in 0..TRIES_MAX {
        let all = ended(house, "rollback")?;
        if all.iter().any(|call| call["outcome"] == "ok") {
            return Ok(());
        }
        let plan = house.ask(&["rollback", "--to", name, "--dry-run"])?;
        let hash = plan["plan_hash"].as_str().unwrap_or_default();
        last = Some(house.run(&["rollback", "--to", name, "--approve", hash, "--json"])?);
    }
    Err(Broken(format!("it is not brought back: {last:?}")))
}

fn story(house: &House, _: &str) -> Result<Story, Broken> {
    let mut ends = Vec::new();
    for name in FILES {
        let text = fs::read_to_string(house.work.join(name)).ok();
        ends.push(format!("{name}: {text:?}"));
    }
    for name in ["checkpoint", "rollback"] {
        let ok = calls(house, name)?.iter().filter(|call| call["outcome"] == "ok").count();
        ends.push(format!("{name} happened {ok} times"));
    }
    Ok(Story { facts: Vec::new(), ends })
}

fn holds(house: &House, name: &str, expected: &Story) -> Result<(), Broken> {
    let told = story(house, name)?;
    ensure(told == *expected, || format!("{told:?} instead of {expected:?}"))?;
    left_beside(house, &["", "deep", "deep/er", "made"])?;
    let whole: Value = house.ask(&["checkpoint", "verify"])?;
    let whole = whole.as_array().is_some_and(|all| all.iter().all(|one| one["state"] == "made"));
    ensure(whole, || "a checkpoint is damaged".into())?;
    let rolled = calls(house, "rollback")?.iter().map(id).collect::<Vec<_>>();
    let kept = rolled.iter().any(|call| {
        let aside = house.state().join("aside").join(rollback_id(call)).join(FILES[3]);
        fs::read_to_string(aside).is_ok_and(|text| text == "made later")
    });
    ensure(kept, || format!("what gave way is not in aside: {rolled:?}"))?;
    let verified = house.run(&["journal", "verify"])?;
    ensure(verified.code == 0, || format!("{verified:?}"))
}
