//! Turns with the real binary, the real engine and the real shim: from a plan file or a scripted
//! agent to a verified change. What the machine decides is the kernel's table; here it is seen to
//! happen.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod agents;
mod files;
mod kills;
#[path = "../loop_real/kit.rs"]
#[expect(dead_code, reason = "the house is shared with the loops' tests, which use more of it")]
mod kit;

use kit::{House, until};
use serde_json::Value;

/// Starts a turn from these words and answers its id.
fn started(house: &House, args: &[&str]) -> String {
    let all = [&["turn", "start"], args, &["--no-wait"]].concat();
    house.data(&all)["run_id"].as_str().unwrap().to_owned()
}

fn show(house: &House, id: &str) -> Value {
    house.data(&["turn", "show", id])
}

/// Waits until a turn stands there.
fn until_state(house: &House, id: &str, state: &str) {
    let mut last = Value::Null;
    let over = std::time::Instant::now() + kit::PATIENCE;
    while last["state"] != state {
        last = show(house, id);
        assert!(std::time::Instant::now() < over, "never {state}: {last}");
        let ended = last["state"] == "DONE" && state != "DONE";
        assert!(!ended, "ended before {state}: {last}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// Says yes to what a turn asks, bound to what is shown.
fn confirm(house: &House, id: &str) {
    let ran = house.run(&["turn", "confirm", id, "yes", "--json"]);
    assert_eq!(ran.json()["ok"], true, "{ran:?}");
}

fn git(house: &House, args: &[&str]) -> String {
    let mut command = std::process::Command::new("git");
    command.args(args).current_dir(&house.work).env("HOME", &house.home);
    let out = command.output().unwrap();
    assert!(out.status.success(), "git {args:?}: {out:?}");
    String::from_utf8(out.stdout).unwrap()
}

/// The end of a turn.
fn done(house: &House, id: &str) -> Value {
    until_state(house, id, "DONE");
    show(house, id)
}
