//! Steering a running loop from other processes, and leaving and coming back to its view.

use rustix::process::Signal;
use serde_json::json;

use crate::kit::{House, Ran, signal, until};

const GATED: [&str; 2] = ["sh gate.sh one", "touch proof"];

#[test]
fn pause_lets_finish_and_resume_goes_on() {
    let house = House::new();
    let id = house.started(&GATED);
    house.until_began("one");
    let paused = house.data(&["loop", "pause", &id]);
    assert_eq!(paused["status"], "paused");
    assert_eq!(paused["ext"]["pause"]["draining"], true);
    let again = house.run(&["loop", "pause", &id, "--json"]);
    assert_eq!((again.code, &again.json()["error"]["code"]), (3, &json!("loop.not_now")));
    house.write("go", "");
    until("the held task ends", || house.show(&id)["ext"]["pause"]["draining"] == false);
    assert!(!house.has("proof"), "nothing new starts while paused");
    house.data(&["loop", "resume", &id]);
    house.until_status(&id, "completed");
    assert_eq!(house.read("log"), "one began\none ended\n");
}

#[test]
fn pause_now_cuts_and_the_task_runs_again() {
    let house = House::new();
    let id = house.started(&GATED);
    house.until_began("one");
    house.data(&["loop", "pause", &id, "--now"]);
    until("the cut task is gone", || house.show(&id)["ext"]["pause"]["draining"] == false);
    assert_eq!(house.read("log"), "one began\n");
    house.write("go", "");
    house.data(&["loop", "resume", &id]);
    house.until_status(&id, "completed");
    assert_eq!(house.read("log"), "one began\none began\none ended\n");
}

#[test]
fn reg_what_narrows_needs_no_trust_and_what_widens_does() {
    let house = House::new();
    let id = house.started(&GATED);
    house.until_began("one");
    house.write("loopwright.toml", "[loop]\nerror_limit = 2\n");
    for args in [
        &["loop", "resume", &id][..],
        &["loop", "task", "add", &id, "--command", "true"],
        &["loop", "create", "--title", "x"],
        &["loop", "run", "x", "--task", "true"],
    ] {
        let ran = house.run(&[args, &["--json"]].concat());
        let error = ran.json()["error"].clone();
        assert_eq!(error["code"], "workspace.untrusted", "{args:?}: {ran:?}");
        assert!(error["message"].as_str().unwrap().contains("changed since"), "{error}");
    }
    let calls = house.data(&["call", "list", "--state", "Started"]);
    let call = calls[0]["run_id"].as_str().unwrap().to_owned();
    for args in [
        &["loop", "mode", &id, "interactive"][..],
        &["loop", "task", "rm", &id, "task-002"],
        &["loop", "pause", &id],
        &["call", "stop", &call],
        &["loop", "stop", &id],
        &["loop", "delete", &id],
    ] {
        // The machine may say that it is busy; nobody asks for trust.
        let ran = house.run(args);
        assert!(!ran.err.contains("untrusted"), "{args:?}: {ran:?}");
    }
}

#[test]
fn reg_a_held_engine_is_named() {
    let house = House::new();
    let id = house.started(&GATED);
    house.until_began("one");
    let pid = house.engine_pid();
    signal(pid, Signal::STOP);
    let table = [&["loop", "pause", &id][..], &["engine", "status"], &["engine", "stop"]];
    let ran: Vec<Ran> = table.iter().map(|args| house.run(args)).collect();
    signal(pid, Signal::CONT);
    for (args, ran) in table.iter().zip(ran) {
        assert!(ran.err.contains("journal.locked"), "{args:?}: {ran:?}");
        assert!(ran.err.contains(&format!("kill -CONT {pid}")), "{args:?}: {ran:?}");
    }
    assert_eq!(house.status(&id), "running");
}

#[test]
fn stop_ends_it_with_a_reason_and_retry_takes_it_up() {
    let house = House::new();
    let id = house.create(&GATED);
    let follower = house.spawn(&["loop", "start", &id, "--auto", "--json"]);
    house.until_began("one");
    house.data(&["loop", "stop", &id, "--why", "enough"]);
    let ran = Ran::of(follower);
    assert_eq!((ran.code, &ran.json()["result"]), (130, &json!("failed")), "{ran:?}");
    let shown = house.show(&id);
    assert_eq!(shown["ext"]["failure_kind"], "stopped");
    assert!(shown["failure_reason"].as_str().unwrap().ends_with(": enough"), "{shown}");
    house.write("go", "");
    until("the stopped task is gone", || house.run(&["loop", "retry", &id]).code == 0);
    house.until_status(&id, "completed");
    assert!(!house.read("log").starts_with("one began\none ended"), "it was stopped");
}

#[test]
fn ctrl_c_leaves_the_view_and_never_the_work() {
    let house = House::new();
    let id = house.create(&GATED);
    let follower = house.spawn(&["loop", "start", &id, "--auto"]);
    house.until_began("one");
    signal(i32::try_from(follower.id()).unwrap(), Signal::INT);
    let ran = Ran::of(follower);
    assert_eq!(ran.code, 130, "{ran:?}");
    for part in [format!("loop watch {id}"), format!("loop stop {id}")] {
        assert!(ran.out.contains(&part), "{part}: {}", ran.out);
    }
    assert_eq!(house.status(&id), "running");
    let watcher = house.spawn(&["loop", "watch", &id, "--json"]);
    house.write("go", "");
    let ran = Ran::of(watcher);
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.last().unwrap();
    assert_eq!((&last["ok"], &last["result"]), (&json!(true), &json!("completed")));
    assert!(lines.iter().any(|line| line["event"] == "ActionEnded"), "{}", ran.out);
    assert_eq!(house.read("log"), "one began\none ended\n");
}

#[test]
fn a_second_loop_waits_for_the_tree_and_nothing_is_half_made() {
    let house = House::new();
    let first = house.started(&GATED);
    house.until_began("one");
    let ran = house.run(&["loop", "run", "y", "--auto", "--task", "true", "--json"]);
    assert_eq!((ran.code, &ran.json()["error"]["code"]), (3, &json!("loop.busy")), "{ran:?}");
    assert_eq!(house.data(&["loop", "list"])["total"], 1);
    house.write("go", "");
    house.until_status(&first, "completed");
}

#[test]
fn reopen_and_complete_by_force() {
    let house = House::new();
    let id = house.started(&["touch proof"]);
    house.until_status(&id, "completed");
    std::fs::remove_file(house.work.join("proof")).unwrap();
    house.data(&["loop", "reopen", &id]);
    house.until_status(&id, "paused");
    let refused = house.run(&["loop", "complete", &id, "--json"]);
    assert_eq!(refused.json()["error"]["code"], "loop.validation_required", "{refused:?}");
    assert_eq!(house.run(&["loop", "complete", &id, "--force"]).code, 2, "a reason is needed");
    let done = house.data(&["loop", "complete", &id, "--force", "--why", "seen by eye"]);
    assert_eq!(done["ext"]["completion"]["how"], "forced");
}

#[test]
fn watching_all_ends_when_nothing_runs() {
    let house = House::new();
    let ran = house.run(&["watch"]);
    assert_eq!((ran.code, ran.out.trim()), (0, "no loop runs now"));
    let id = house.started(&GATED);
    house.until_began("one");
    let watcher = house.spawn(&["watch"]);
    house.write("go", "");
    let ran = Ran::of(watcher);
    let short = &id[id.len() - 8..];
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains(short) && ran.out.contains("completed"), "{}", ran.out);
}
