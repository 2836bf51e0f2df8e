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

const EDITS: &str = r#"
[[policy.rule]]
id = "our-edits"
tool = "apply_patch"
paths = ["a.txt"]
verdict = "allow"
reason = { en = "ours", zh = "我们的" }
match = ["a.txt"]
"#;

/// What an agent read of a file is its ticket for changing it; without one it changes nothing.
#[test]
fn what_an_agent_last_read_is_what_it_expects() {
    let house = house(
        "[[rule]]\nsteps = [ { session = \"auto\" }, { run = [\"sh\", \"ask.sh\"] }, \
         { say = '{\"control\":\"step_done\"}' }, \"end\" ]\n",
    );
    let config = house.home.join("config/loopwright/config.toml");
    let said = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, said + EDITS).unwrap();
    let edit = |old: &str, new: &str| format!(r#"{{"path":"a.txt","old":"{old}","new":"{new}"}}"#);
    let asks = [
        message("apply_patch", &edit("one", "two")),
        message("read_file", r#"{"path":"a.txt"}"#),
        message("apply_patch", &edit("one", "two")),
        message("apply_patch", &edit("two", "three")),
        message("run_command", r#"{"argv":["cat","a.txt"]}"#),
    ];
    let (bin, asks) = (env!("CARGO_BIN_EXE_loopwright"), asks.concat());
    let script = format!("{{\n{asks}}} | {bin} mcp --call \"$LOOPWRIGHT_CALL_ID\" > told.jsonl\n");
    house.write("ask.sh", &script);
    house.write("a.txt", "one\n");
    house.write("plan.toml", PLAN);
    let id = started(&house, &["--plan", "plan.toml", "--fixes", "0", "--replans", "0"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    confirm(&house, &id);
    done(&house, &id);
    let told = told(&house);
    assert_eq!(told.len(), 5, "{told:?}");
    assert_eq!(told[0]["error"]["kind"], "changed_since_read", "{told:?}");
    let oks: Vec<&Value> = told[1..].iter().map(|one| &one["ok"]).collect();
    assert_eq!(oks, [true, true, true, true], "{told:?}");
    assert_eq!(told[4]["payload"]["stdout_tail"], "three\n", "{told:?}");
    assert_eq!(house.read("a.txt"), "three\n");
}

/// One message to the server of our tools.
fn message(name: &str, args: &str) -> String {
    format!(
        "echo '{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":\
         {{\"name\":\"{name}\",\"arguments\":{args}}}}}'\n"
    )
}

/// What its answers say.
fn told(house: &House) -> Vec<Value> {
    let told = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = line["result"]["content"][0]["text"].as_str().unwrap_or_default();
        serde_json::from_str(text).unwrap_or_default()
    };
    house.read("told.jsonl").lines().map(told).collect()
}

/// The agent of a step asks what it may, and is told at once: neither is a call.
#[test]
fn an_agent_looks_at_the_policy_and_the_way_back() {
    let house = house(
        "[[rule]]\nsteps = [ { session = \"auto\" }, { run = [\"sh\", \"ask.sh\"] }, \
         { say = '{\"control\":\"step_done\"}' }, \"end\" ]\n",
    );
    let asks = [
        message("policy_check", "{\"argv\":[\"git\",\"push\",\"--force\"]}"),
        message("policy_check", "{}"),
        message("create_checkpoint", "{}"),
        message("rollback_plan", "{}"),
    ];
    let (bin, asks) = (env!("CARGO_BIN_EXE_loopwright"), asks.concat());
    let script = format!("{{\n{asks}}} | {bin} mcp --call \"$LOOPWRIGHT_CALL_ID\" > told.jsonl\n");
    house.write("ask.sh", &script);
    house.write("plan.toml", PLAN);
    let id = started(&house, &["--plan", "plan.toml", "--fixes", "0", "--replans", "0"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    confirm(&house, &id);
    done(&house, &id);
    let text = house.read("told.jsonl");
    let told = told(&house);
    assert_eq!(told.len(), 4, "{text}");
    assert_eq!(told[0]["payload"]["verdict"], "ask", "{text}");
    assert_eq!(told[1]["error"]["code"], "policy.invalid_args", "{text}");
    assert_eq!(told[2]["ok"], true, "{text}");
    assert!(told[3]["payload"]["plan_hash"].is_string(), "{text}");
    let calls = house.data(&["call", "list"]);
    let names: Vec<&str> =
        calls.as_array().unwrap().iter().filter_map(|call| call["name"].as_str()).collect();
    assert!(!names.contains(&"policy_check") && !names.contains(&"rollback"), "{names:?}");
}
