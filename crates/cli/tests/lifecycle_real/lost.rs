//! Checks that are lost half-way: nobody can tell what became of them, so they are never run again
//! by themselves, and a run can be left all the same.

use super::*;

/// A check that says that it began, and takes its time, until somebody says that it is quick. It
/// stays the same script throughout: another one would be another check.
const SLOW: &str = "test -f quick || { echo x >> ran; sleep 60; }\ntest -f a.txt\n";

fn slow(prd: &str) -> House {
    let house = house(BOTH, prd);
    house.write("slow.sh", SLOW);
    house
}

fn confirmed(house: &House) -> String {
    let id = started(house);
    until_state(house, &id, "CONFIRMING");
    assert_eq!(house.run(&["lifecycle", "confirm", &id]).code, 0);
    until("the check runs", || house.has("ran"));
    id
}

/// Kills the shim of the call that is at work, and what it runs.
fn kill_shim(house: &House) -> String {
    let calls = house.data(&["call", "list"]);
    let all = calls.as_array().unwrap();
    let live = all.iter().find(|call| call["state"] == "Started").expect("a call is at work");
    let id = live["run_id"].as_str().unwrap_or_else(|| panic!("no id: {live}")).to_owned();
    let dir = house.work.join(".loop/calls").join(&id);
    let words = |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/cmdline"));
    let names = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = names.filter_map(|entry| entry.file_name().into_string().ok());
    let own = |pid: &String| {
        words(pid).is_ok_and(|line| line.contains("shim") && line.contains(dir.to_str().unwrap()))
    };
    let shims: Vec<i32> = pids.filter(own).filter_map(|pid| pid.parse().ok()).collect();
    assert!(!shims.is_empty(), "the shim of {id} is there");
    for pid in shims {
        kit::signal(pid, rustix::process::Signal::KILL);
    }
    id
}

#[test]
fn a_check_that_was_lost_waits_for_a_person_and_is_not_run_again() {
    // What is claimed to be done is checked by the run itself.
    let house = slow("# One\n- [x] T-1: Write a (`a.txt`)\n  - Verify: `sh slow.sh`\n");
    let id = confirmed(&house);
    let call = kill_shim(&house);
    let stands = until_state(&house, &id, "BLOCKED");
    assert_eq!(stands["blocked"]["why"], "outcome_unknown", "{stands}");
    for args in
        [vec!["lifecycle", "fix", &id, "--fixed"], vec!["lifecycle", "update", "T-1", "DONE"]]
    {
        let (code, exit, _) = refused(&house, &args);
        assert_eq!((code.as_str(), exit), ("lifecycle.unsettled", 3), "{args:?}");
    }
    let settle = ["call", "settle", &call, "did-not-happen", "--note", "looked"];
    assert_eq!(house.run(&settle).code, 0);
    house.write("quick", "");
    house.write("a.txt", "one\n");
    assert_eq!(house.run(&["lifecycle", "update", "T-1", "DONE"]).code, 0);
    assert_eq!(until_state(&house, &id, "IDLE")["outcome"], "completed");
    assert_eq!(house.read("ran"), "x\n", "what was lost was not run again");
}

#[test]
fn a_run_with_a_lost_check_can_be_left_and_its_record_names_the_call() {
    let house = slow("# One\n- [ ] T-1: Write a (`a.txt`)\n  - Verify: `sh slow.sh`\n");
    let id = confirmed(&house);
    let call = kill_shim(&house);
    // A child's question changes no state; the view shows it, and how to answer it.
    until("the question is shown", || {
        status(&house, &id)["waiting"]["question"] == format!("{call}/settle")
    });
    assert_eq!(house.data(&["show", &id])["waiting"]["call"], call);
    let page = house.run(&["lifecycle", "status", &id]);
    assert!(page.out.contains(&format!("loopwright answer {call}/settle KEY")), "{page:?}");
    let next = house.run(&["lifecycle", "next", &id]);
    assert!(next.out.contains(&format!("{call}/settle")), "{next:?}");
    assert_eq!(status(&house, &id)["task_status"], "EXECUTING");
    let args = ["lifecycle", "abort", &id, "--wait", "--headless", "--json"];
    let ran = house.run(&args);
    assert_eq!((ran.code, ran.json()["result"].as_str()), (130, Some("aborted")), "{ran:?}");
    let history = house.data(&["lifecycle", "history"]);
    let record = house.read(history[0]["archive"].as_str().unwrap());
    let record: Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["unknown_calls"][0], call, "{record}");
    let months = std::fs::read_dir(house.work.join(".loop/history")).unwrap().flatten();
    let page: String = months.map(|one| std::fs::read_to_string(one.path()).unwrap()).collect();
    assert!(page.contains("Result: in_progress (aborted)"), "why it is not done: {page}");
    assert_eq!(house.read("ran"), "x\n");
}
