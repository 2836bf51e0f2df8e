//! An engine that is killed in the middle: whoever follows notices, and nothing happens twice.

use rustix::process::Signal;

use crate::kit::{House, Ran, signal, until};

#[test]
fn a_killed_engine_comes_back_and_each_task_runs_once() {
    let house = House::new();
    let lines = ["sh gate.sh one", "sh gate.sh two", "touch proof"];
    let id = house.create(&lines);
    let follower = house.spawn(&["loop", "start", &id, "--auto"]);
    house.until_began("one");
    let first = house.engine_pid();
    signal(first, Signal::KILL);
    // The follower alone brings it back: asking how the engine is starts none.
    until("another engine", || {
        let status = house.run(&["engine", "status", "--json"]);
        status.out.contains("\"running\":true") && house.engine_pid() != first
    });
    house.write("go", "");
    let ran = Ran::of(follower);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("the engine had gone away"), "{ran:?}");
    assert_eq!(house.read("log"), "one began\none ended\ntwo began\ntwo ended\n");
    assert_eq!(house.status(&id), "completed");
}

#[test]
fn a_task_that_ends_without_an_engine_is_found() {
    let house = House::new();
    let id = house.started(&["sh gate.sh one", "touch proof"]);
    house.until_began("one");
    signal(house.engine_pid(), Signal::KILL);
    house.write("go", "");
    until("the task ends", || house.read("log").contains("one ended"));
    assert_eq!(house.status(&id), "running", "nobody has looked yet");
    let ran = house.run(&["loop", "watch", &id]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(house.read("log"), "one began\none ended\n");
}

/// Paused with its task still at work, then killed: whoever goes on goes on with that very task.
#[test]
fn reg_resume_after_a_kill_while_paused() {
    for go_on in [&["resume"][..], &["start", "--auto", "--detach"]] {
        let house = House::new();
        let id = house.started(&["sh gate.sh one", "touch proof"]);
        house.until_began("one");
        house.data(&["loop", "pause", &id]);
        signal(house.engine_pid(), Signal::KILL);
        assert_eq!(house.status(&id), "paused", "nobody goes on by himself");
        house.data(&[&["loop", go_on[0], &id][..], &go_on[1..]].concat());
        house.write("go", "");
        house.until_status(&id, "completed");
        assert_eq!(house.read("log"), "one began\none ended\n", "{go_on:?}: one child");
        assert_eq!(house.show(&id)["current_iteration"], 3, "{go_on:?}");
    }
}
