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
    assert_eq!(house.show(&id)["ext"]["waiting"]["question_id"], json!(format!("{call}/ask")));
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

/// A risk is asked about even where the start lists its command; once accepted, not again in the
/// same loop.
const RISKY: [&str; 5] =
    ["rm -r junk", "sh gate.sh one", "mkdir junk", "rm -r junk", "touch proof"];

/// A loop that has been allowed its first risk and stands at the gate.
fn risky(house: &House) -> (String, String) {
    std::fs::create_dir(house.work.join("junk")).unwrap();
    let id = house.started(&RISKY);
    until("it asks", || !house.data(&["questions"]).as_array().unwrap().is_empty());
    let question = house.data(&["questions"])[0].clone();
    let text = question["about"].as_str().unwrap();
    assert_eq!(text, "rm -r junk [destructive, high, files]");
    assert!(house.has("junk"), "nothing ran before the yes");
    house.data(&["call", "allow", &asked(house)]);
    house.until_began("one");
    let live = house.data(&["grant", "list"]);
    let grant = live.as_array().unwrap().iter().find(|grant| grant["bound"]["run"] == id.as_str());
    let risks = |grant: &&Value| grant["subject"]["risks"].as_array().is_some();
    let all = live.as_array().unwrap();
    let grant = all.iter().find(risks).or(grant).unwrap_or_else(|| panic!("none: {live}"));
    (id, grant["grant_id"].as_str().unwrap().to_owned())
}

#[test]
fn an_accepted_risk_is_not_asked_again_not_even_after_a_restart() {
    let house = House::new();
    let (id, grant) = risky(&house);
    assert!(grant.starts_with("gr-"), "{grant}");
    assert_eq!(house.run(&["engine", "stop"]).code, 0);
    house.write("go", "");
    assert_eq!(house.run(&["loop", "watch", &id]).code, 0);
    house.until_status(&id, "completed");
    assert!(!house.has("junk") && house.has("proof"));
    let all = house.data(&["grant", "list", "--all"]);
    let mine = all.as_array().unwrap().iter().find(|one| one["grant_id"] == grant.as_str());
    assert_eq!(mine.unwrap()["state"], "void", "it ended with its loop");
}

#[test]
fn a_grant_that_is_taken_back_counts_no_more() {
    let house = House::new();
    let (id, grant) = risky(&house);
    assert_eq!(house.data(&["grant", "revoke", &grant])["state"], "revoked");
    let again = house.run(&["grant", "revoke", &grant, "--json"]);
    assert_eq!((again.code, &again.json()["error"]["code"]), (3, &json!("policy.not_now")));
    house.write("go", "");
    until("it asks again", || {
        house
            .data(&["call", "list", "--state", "Asked"])
            .as_array()
            .is_some_and(|all| !all.is_empty())
    });
    assert!(house.has("junk"));
    house.data(&["loop", "stop", &id]);
    let none = house.run(&["grant", "revoke", "gr-none", "--json"]);
    assert_eq!((none.code, &none.json()["error"]["code"]), (2, &json!("policy.no_such")));
}
