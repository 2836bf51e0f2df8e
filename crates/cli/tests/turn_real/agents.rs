//! Scripted agents that are real processes: a planner, one that does a step, one that only says it
//! did.

use super::*;

/// A house whose agent acts by this scenario.
fn house(scenario: &str) -> House {
    let house = House::new();
    let file = house.home.join("alpha.toml");
    std::fs::write(&file, scenario).unwrap();
    let config = format!(
        "[agents.alpha]\nkind = \"script\"\nscenario = {:?}\n[turn]\nagents = [\"alpha\"]\n",
        file.to_str().unwrap()
    );
    let dir = house.home.join("config/loopwright");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("config.toml"), config).unwrap();
    house
}

const PHANTOM: &str = r#"
[[rule]]
steps = [ { session = "auto" }, { say = '{"control":"step_done"}' }, "end" ]
"#;

const PLAN: &str = r#"goal = "An agent's step"
verification = { mode = "none", commands = [], required = false, stop_on_fail = false }
on_failure = "stop"
[[steps]]
title = "Do it"
runner = "agent"
agent = "alpha"
"#;

#[test]
fn an_agent_that_only_says_so_has_done_nothing() {
    let house = house(PHANTOM);
    house.write("plan.toml", PLAN);
    let id = started(&house, &["--plan", "plan.toml", "--fixes", "0", "--replans", "0"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    confirm(&house, &id);
    let end = done(&house, &id);
    assert_eq!(end["outcome"], "blocked", "{end}");
    assert_eq!(end["error"]["detail"], "turn.phantom_completion", "{end}");
}

/// A planner that is told of a plan makes one; the agent of a step writes; both are one agent.
const BOTH: &str = r#"
[[rule]]
when = "Plan the request"
steps = [ { session = "auto" }, { say = """{"type":"FullPlan","goal":"g","steps":[
  {"id":"s1","description":"Write","runner":"agent",
   "expected_artifacts":[{"type":"file","value":"made.txt"}]}],
  "verification":{"mode":"custom","commands":["grep -q made made.txt"],"required":true,
  "stop_on_fail":true}}""" }, "end" ]
[[rule]]
steps = [ { session = "auto" }, { write = { path = "made.txt", text = "made\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

#[test]
fn a_request_is_planned_done_and_checked() {
    let house = house(BOTH);
    let id = started(&house, &["Add a file made.txt"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    assert!(!house.has("made.txt"));
    confirm(&house, &id);
    let end = done(&house, &id);
    assert_eq!(
        (&end["outcome"], &end["verified"]),
        (&"completed".into(), &"passed".into()),
        "{end}"
    );
    assert_eq!(house.read("made.txt"), "made\n");
}
