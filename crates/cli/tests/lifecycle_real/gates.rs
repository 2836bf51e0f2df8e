//! What nobody talks round: a check that was made to mean something else, a way back to nowhere;
//! and what a person did by hand counts as much as what an agent did.

use super::exits::settings;
use super::stuck::{WRONG, blocked};
use super::*;

/// One task without a check of its own.
const BARE: &str = "# One file\n- [ ] T-1: Write a (`a.txt`)\n";

/// An agent that makes the check say yes.
const CHEATS: &str = r#"
[[rule]]
steps = [ { session = "auto" }, { write = { path = "ci.mk", text = "ci:\n\ttrue\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

/// An agent that says that it is done, and does something else.
const ELSEWHERE: &str = r#"
[[rule]]
steps = [ { session = "auto" }, { write = { path = "other.txt", text = "x\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

/// An agent that plans one step.
fn planner() -> String {
    let plan = serde_json::json!({
        "type": "FullPlan", "goal": "Say hello",
        "steps": [{
            "id": "s1", "description": "Write it", "runner": "agent",
            "verify": ["grep -q hello made.txt"],
            "expected_artifacts": [{ "type": "file", "value": "made.txt" }],
        }],
        "verification":
            { "mode": "none", "commands": [], "required": false, "stop_on_fail": false },
    });
    format!("[[rule]]\nsteps = [ {{ session = \"auto\" }}, {{ say = '{plan}' }}, \"end\" ]\n")
}

#[test]
fn a_check_of_the_settings_that_was_redefined_is_no_pass() {
    let house = house(CHEATS, BARE);
    house.write("ci.mk", "ci:\n\tgrep -q one a.txt\n");
    // Another build file beside it: nothing would detect this check.
    house.write("go.mod", "module a\n");
    settings(&house, "[verify]\ncommands = [[\"make\", \"-f\", \"ci.mk\", \"ci\"]]\n");
    let id = blocked(&house);
    let stands = status(&house, &id);
    assert_eq!(stands["blocked"]["why"], "definition_changed", "{stands}");
    let (code, exit, _) = refused(&house, &["lifecycle", "fix", &id, "--fixed"]);
    assert_eq!((code.as_str(), exit), ("lifecycle.definition_changed", 7));
    // The way on that is shown is one that is possible: a person accepts what it means now.
    let why = house.run(&["lifecycle", "why", &id]).out;
    let way = format!("loopwright lifecycle fix {id} --fixed --accept-definition ");
    let hash = why
        .lines()
        .find_map(|line| Some(line.split_once(&way)?.1.trim_end_matches('`').to_owned()));
    let hash = hash.unwrap_or_else(|| panic!("no way on: {why}"));
    let args = ["lifecycle", "fix", &id, "--fixed", "--accept-definition", &hash];
    let ran = house.run(&[&args[..], &["--wait", "--headless", "--json"]].concat());
    assert_eq!((ran.code, ran.json()["result"].as_str()), (0, Some("completed")), "{ran:?}");
}

#[test]
fn a_way_back_to_a_checkpoint_that_is_not_there_is_refused() {
    let house = house(WRONG, PRD);
    let id = blocked(&house);
    for to in ["chk-209901010000", "../../HEAD", "yesterday"] {
        let (code, exit, _) = refused(&house, &["lifecycle", "rollback", &id, "--to", to]);
        assert_eq!((code.as_str(), exit), ("lifecycle.no_checkpoint", 3), "{to}");
    }
    let stands = status(&house, &id);
    assert_eq!(stands["blocked"]["why"], "fix_limit", "nothing was changed by it: {stands}");
}

#[test]
fn a_file_that_a_person_made_is_as_good_as_an_agents_and_another_file_is_not() {
    let house = house(ELSEWHERE, BARE);
    settings(&house, "[fix]\nlimit = 0\n");
    house.write("a.txt", "as it was\n");
    let id = blocked(&house);
    assert!(house.has("other.txt"), "it did something");
    assert_eq!(status(&house, &id)["blocked"]["why"], "fix_limit", "but not what it said");
    house.write("a.txt", "one\n");
    let ran = house.run(&["lifecycle", "fix", &id, "--fixed", "--wait", "--headless", "--json"]);
    assert_eq!((ran.code, ran.json()["result"].as_str()), (0, Some("completed")), "{ran:?}");
}

#[test]
fn a_plan_can_be_read_before_it_is_answered() {
    let house = house(&planner(), BARE);
    let data = house.data(&["lifecycle", "start", "Say hello in a file"]);
    let id = data["run_id"].as_str().unwrap().to_owned();
    let stands = until_state(&house, &id, "CONFIRMING");
    let path = stands["plan"]["path"].as_str().unwrap_or_else(|| panic!("no path: {stands}"));
    until("its document is drawn", || house.read(path).contains("s1: Write it"));
}
