//! Calls that need a person's word: allowed, denied, stopped.

use serde_json::{Value, json};

use crate::kit::{House, until};

/// The call that waits.
fn asked(house: &House) -> String {
    let calls = house.data(&["call", "list", "--state", "Asked"]);
    calls[0]["run_id"].as_str().unwrap_or_else(|| panic!("none waits: {calls}")).to_owned()
}

/// A script is asked about each time.
const SCRIPT: &str = "echo hi > proof";

#[test]
fn a_script_waits_for_a_yes() {
    let house = House::new();
    let ran = house.run(&["loop", "run", "x", "--auto", "--task", SCRIPT]);
    assert_eq!(ran.code, 4, "{ran:?}");
    let call = asked(&house);
    assert!(ran.out.contains(&format!("loopwright call allow {call}")), "{}", ran.out);
    assert!(ran.out.contains("asks   echo hi > proof"), "{}", ran.out);
    let id = house.data(&["loop", "list"])["loops"][0]["loop_id"].as_str().unwrap().to_owned();
    assert_eq!(house.show(&id)["ext"]["waiting"]["question_id"], json!(call));
    assert!(!house.has("proof"), "nothing ran before the yes");
    let allowed = house.run(&["call", "allow", &call, "--json"]);
    assert_eq!(allowed.code, 0, "{allowed:?}");
    house.until_status(&id, "completed");
    assert!(house.has("proof"));
    let late = house.run(&["call", "allow", &call, "--json"]);
    assert_eq!(late.code, 3, "{late:?}");
}

#[test]
fn a_no_blocks_the_loop() {
    let house = House::new();
    assert_eq!(house.run(&["loop", "run", "x", "--auto", "--task", SCRIPT]).code, 4);
    let call = asked(&house);
    house.data(&["call", "deny", &call, "--note", "not here"]);
    let id = house.data(&["loop", "list"])["loops"][0]["loop_id"].as_str().unwrap().to_owned();
    house.until_status(&id, "paused");
    let ran = house.run(&["loop", "watch", &id]);
    assert_eq!(ran.code, 6, "denied by policy: {ran:?}");
    assert!(!house.has("proof"));
}

#[test]
fn a_stopped_call_pauses_its_loop() {
    let house = House::new();
    let id = house.started(&["sh gate.sh one", "touch proof"]);
    house.until_began("one");
    let child = house.show(&id)["ext"]["action"]["child"].as_str().unwrap().to_owned();
    house.data(&["call", "stop", &child]);
    house.until_status(&id, "paused");
    assert_eq!(house.show(&id)["ext"]["pause"]["reason"], "child_cancelled");
    until("the task is pending again", || {
        house.show(&id)["skill_state"]["develop"]["tasks"][0]["status"] == "pending"
    });
    let settle = ["call", "settle", &child, "happened", "--note", "seen", "--json"];
    let refused: Value = house.run(&settle).json();
    assert_eq!(refused["ok"], false, "its outcome is known: {refused}");
    assert!(!house.read("log").contains("ended"));
}
