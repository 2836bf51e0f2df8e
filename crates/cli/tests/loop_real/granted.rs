//! What a word is bound to: the program that was there when it was given. Another one in its place
//! is asked about and never just run.

use serde_json::{Value, json};

use crate::kit::{House, until};

/// Waits for a file, and gives up by itself.
const HOLD: &str =
    "n=0\nwhile [ ! -e $1 ] && [ $n -lt 2400 ]; do sleep 0.05; n=$((n+1)); done\necho $1 >> held\n";

/// A program of the work tree that tells who it is.
fn put(house: &House, version: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    house.write("x.sh", &format!("#!/bin/sh\necho {version} >> ran\n"));
    let path = house.work.join("x.sh");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn house() -> House {
    let house = House::new();
    house.write("hold.sh", HOLD);
    put(&house, "one");
    house
}

/// The call that asks, once one does.
fn asked(house: &House) -> String {
    let mut found = None;
    until("a call asks", || {
        let calls = house.data(&["call", "list", "--state", "Asked"]);
        found = calls[0]["run_id"].as_str().map(str::to_owned);
        found.is_some()
    });
    found.unwrap()
}

/// Everything that ran so far, in order.
fn ran(house: &House) -> String {
    house.read("ran").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn grants(house: &House) -> Vec<Value> {
    house.data(&["grant", "list", "--all"]).as_array().unwrap().clone()
}

fn stand(house: &House, grant: &str) -> (String, u64) {
    let all = grants(house);
    let one = all.iter().find(|one| one["grant_id"] == grant).unwrap_or_else(|| panic!("{all:?}"));
    (one["state"].as_str().unwrap().to_owned(), one["uses"].as_u64().unwrap())
}

#[test]
fn what_a_start_lists_is_for_the_program_that_was_there() {
    let house = house();
    let id = house.started(&["./x.sh", "sh hold.sh go1", "./x.sh", "touch proof"]);
    until("the first runs unasked", || ran(&house) == "one");
    put(&house, "two");
    house.write("go1", "");
    let call = asked(&house);
    assert_eq!(ran(&house), "one", "nothing ran before the yes");
    put(&house, "three");
    let stale = house.run(&["call", "allow", &call, "--json"]);
    let code = stale.json()["error"]["code"].clone();
    assert_eq!((stale.code, code), (7, json!("call.stale_approval")), "a yes to another program");
    put(&house, "two");
    house.data(&["call", "allow", &call]);
    house.until_status(&id, "completed");
    assert_eq!(ran(&house), "one two");
}

#[test]
fn grants_are_a_persons_and_not_a_files() {
    let house = house();
    let id = house.started(&["sh hold.sh go1", "touch proof"]);
    house.data(&["loop", "task", "add", &id, "--command", "touch person"]);
    let name = format!(".loop/{id}.tasks.jsonl");
    until("the person's is drawn", || house.read(&name).contains("touch person"));
    let line = r#"{"description":"x","tool":"bash","command":"touch filed"}"#;
    house.write(&name, &format!("{}{line}\n", house.read(&name)));
    until("the file's is taken in", || {
        house.data(&["loop", "task", "list", &id])["total"] == json!(4)
    });
    house.write("go1", "");
    let call = asked(&house);
    assert!(house.has("proof") && house.has("person"), "what a person gave runs unasked");
    assert!(!house.has("filed"));
    let shown = house.data(&["call", "show", &call]);
    assert!(shown.to_string().contains("filed"), "{shown}");
    house.data(&["call", "allow", &call]);
    house.until_status(&id, "completed");
    assert!(house.has("filed"));
}

#[test]
fn a_program_exchanged_after_the_yes_is_not_started() {
    let house = house();
    let id = house.started(&["sh hold.sh go1", "./x.sh", "touch proof"]);
    put(&house, "two");
    house.write("go1", "");
    let call = asked(&house);
    house.data(&["loop", "pause", &id]);
    house.data(&["call", "allow", &call]);
    put(&house, "three");
    house.data(&["loop", "resume", &id]);
    until("it is not started", || house.data(&["call", "show", &call])["outcome"] == "failed");
    let shown = house.data(&["call", "show", &call]);
    let error = &shown["result"]["error"];
    assert_eq!(
        (&error["code"], &error["details"]["kind"]),
        (&json!("E_CONFLICT"), &json!("changed_since_read")),
        "{shown}"
    );
    assert_eq!(ran(&house), "");
    house.data(&["loop", "stop", &id]);
}

#[test]
fn a_grant_for_a_flow_serves_until_its_program_changes_or_the_flow_ends() {
    let house = house();
    let id = house.started(&[
        "sh hold.sh go1",
        "./x.sh",
        "./x.sh",
        "sh hold.sh go2",
        "./x.sh",
        "./x.sh",
        "touch proof",
    ]);
    put(&house, "two");
    house.write("go1", "");
    let first = asked(&house);
    house.data(&["call", "allow", &first, "--scope", "session"]);
    until("the second needs no word", || ran(&house) == "two two");
    let grant = format!("gr-{}", first.trim_start_matches("call-"));
    assert_eq!(stand(&house, &grant), ("live".to_owned(), 1));
    let given = grants(&house).into_iter().find(|one| one["grant_id"] == grant.as_str()).unwrap();
    assert_eq!((&given["scope"], &given["bound"]["run"]), (&json!("session"), &json!(id)));
    assert!(given["bound"]["program_sha256"].is_string(), "{given}");
    put(&house, "three");
    house.write("go2", "");
    let second = asked(&house);
    assert_eq!(stand(&house, &grant).0, "void", "its program is gone");
    house.data(&["call", "allow", &second, "--scope", "session"]);
    house.until_status(&id, "completed");
    assert_eq!(ran(&house), "two two three three");
    let grant = format!("gr-{}", second.trim_start_matches("call-"));
    assert_eq!(stand(&house, &grant), ("void".to_owned(), 1), "its flow is over");
    let again = house.started(&["./x.sh", "touch proof"]);
    house.until_status(&again, "completed");
    assert_eq!(stand(&house, &grant), ("void".to_owned(), 1));
}
