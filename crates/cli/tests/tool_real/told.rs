//! What tools, undo and rollback say when they do not do it: where it happened, and a next step
//! that is possible. And the way back to a checkpoint, from its plan to its report.

use std::fs;

use serde_json::{Value, json};
use sim::real::house::House;

use super::{house, id, sha256, tool};

fn error(house: &House, args: &[&str]) -> Value {
    let ran = house.run(&[args, &["--json"]].concat()).unwrap();
    assert_ne!(ran.code, 0, "{args:?}: {ran:?}");
    ran.json()["error"].clone()
}

#[test]
fn reg_a_next_step_is_one_that_can_be_taken() {
    let house = house("");
    fs::hard_link(house.work.join("a.txt"), house.work.join("twin")).unwrap();
    let overwrite = format!("expect={}", sha256(super::OLD));
    let table: [(&[&str], &str); 8] = [
        (&["tool", "run", "nope"], "loopwright tool list"),
        (&["tool", "run", "read", "path=../x"], "below the workspace"),
        (
            &["tool", "run", "write", "path=twin", "text=x", "mode=overwrite", &overwrite],
            "policy.break_hardlinks",
        ),
        (&["checkpoint", "show", "chk-1"], "loopwright checkpoint list"),
        (&["rollback", "--to", "chk-1"], "no checkpoint is named chk-1"),
        (&["grant", "revoke", "gr-1"], "loopwright grant list"),
        (&["policy", "test", "nowhere.toml"], "a file of rules expected at nowhere.toml"),
        (&["loop", "check", "a.txt"], "a JSON object expected at a.txt"),
    ];
    for (args, part) in table {
        let told = error(&house, args).to_string();
        assert!(told.contains(part), "{args:?}: {told}");
        assert!(!told.contains("approve the request once"), "{args:?}: {told}");
    }
}

#[test]
fn what_went_wrong_in_a_call_names_it() {
    let house = house("");
    let told = error(&house, &["tool", "run", "read", "path=nowhere"]);
    let call = told["call_id"].as_str().unwrap();
    assert!(call.starts_with("call-"), "{told}");
    assert_eq!((&told["run_id"], &told["machine"]), (&json!(call), &json!("call")));
    let made = tool(&house, "write", &json!({ "path": "new", "text": "x", "mode": "create" }));
    fs::write(house.work.join("new"), "edited").unwrap();
    let told = error(&house, &["undo", id(&made)]);
    assert_eq!(told["details"]["kind"], "undo_conflict");
    assert!(told["message"].as_str().unwrap().starts_with("new "), "{told}");
    let ran = house.run(&["call", "stop", id(&made)]).unwrap();
    assert!(ran.code == 3 && ran.err.contains("allowed: undo"), "{ran:?}");
}

#[test]
fn a_rollback_is_shown_approved_and_told_by_one_kind_of_id() {
    let house = house("");
    let chk = house.ask(&["checkpoint", "create"]).unwrap()["payload"]["name"].clone();
    assert_eq!(
        house.ask(&["checkpoint", "verify"]).unwrap(),
        json!([{ "name": chk, "state": "made" }])
    );
    let to = chk.as_str().unwrap();
    let nothing = house.run(&["rollback", "--to", to, "--json"]).unwrap();
    assert_eq!((nothing.code, &nothing.json()["data"]["actions"]), (0, &json!([])));
    let write = json!({
        "path": "a.txt", "text": "ours", "mode": "overwrite", "expect": sha256(super::OLD),
    });
    tool(&house, "write", &write);
    fs::write(house.work.join("a.txt"), "theirs").unwrap();
    let waits = house.run(&["rollback", "--to", to, "--json"]).unwrap();
    assert_eq!(waits.code, 4, "nobody approved it: {waits:?}");
    let hash = waits.json()["data"]["plan_hash"].as_str().unwrap().to_owned();
    let other = error(&house, &["rollback", "--approve", &"0".repeat(64)]);
    assert_eq!(other["commands"], json!(["loopwright rollback --dry-run"]), "{other}");
    let done = house.ask(&["rollback", "--approve", &hash]).unwrap();
    let report = done["payload"].clone();
    let rollback = report["rollback_id"].as_str().unwrap();
    assert!(rollback.starts_with("rb-"), "{report}");
    assert_eq!(fs::read_to_string(house.work.join("a.txt")).unwrap(), super::OLD);
    let aside = house.state().join("aside").join(rollback).join("a.txt");
    assert_eq!(fs::read_to_string(aside).unwrap(), "theirs");
    assert_eq!(fs::read_to_string(house.work.join("a.txt")).unwrap(), super::OLD);
    // It is taken back as any call is, by the checkpoint that it made first.
    let shown = house.ask(&["call", "show", id(&done)]).unwrap();
    assert_eq!(shown["undo"]["level"], "exact", "{shown}");
    let would = house.ask(&["undo", id(&done), "--dry-run"]).unwrap();
    assert_eq!((&would["level"], &would["conflicts"]), (&json!("exact"), &json!([])), "{would}");
    let undone = house.ask(&["undo", id(&done)]).unwrap();
    assert_eq!(undone["level"], "exact", "{undone}");
    assert_eq!(fs::read_to_string(house.work.join("a.txt")).unwrap(), "theirs");
}
