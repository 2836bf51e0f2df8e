//! What can be read of turns and plans without an engine: a plan file is looked at, schemas are
//! shown, a turn tells how it stands, what it asks and what it recorded.

use serde_json::{Value, json};

use crate::kit::{House, LOOPS, SECRET};
use crate::turned::TURNS;

const GOOD: &str = r#"goal = "Add --json to list"
constraints = ["no public API change"]
verification = { mode = "custom", commands = ["echo fine"], required = true, stop_on_fail = true }

[[steps]]
step_id = "s1"
title = "Write the flag"
intent = "machine-readable output"
runner = "tools"
tool_calls = [{name = "write", args_hint = {path = "src/list.rs", content = "", mode = "create"}}]

[[steps]]
title = "Look"
depends_on = ["s1"]
tool_calls = [{ name = "read", args_hint = { path = "src/list.rs" } }]
"#;

fn write(house: &House, name: &str, text: &str) {
    std::fs::write(house.work.join(name), text).unwrap();
}

#[test]
fn a_plan_is_looked_at_without_an_engine() {
    let house = House::new();
    write(&house, "plan.toml", GOOD);
    let untrusted = house.run(&["turn", "check", "plan.toml", "--json"]);
    let gate = untrusted.json()["data"]["gate"].clone();
    assert_eq!(untrusted.code, 6, "nothing runs here before somebody trusts it");
    assert_eq!(gate, json!({ "decision": "DENY", "rule": "untrusted" }));
    assert!(!house.state().exists(), "a look makes nothing");
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    let ran = house.run(&["turn", "check", "plan.toml", "--json"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let data = ran.json()["data"].clone();
    assert_eq!(data["valid"], true);
    assert_eq!(data["gate"]["decision"], "REQUIRE_CONFIRMATION", "{data}");
    assert_eq!(data["risk_level"], "high", "a command that is no check of this tree");
    assert_eq!(data["reach"]["paths"], json!(["src/list.rs"]));
    assert_eq!(data["plan"]["steps"][1]["step_id"], "s2");
    for (lang, part) in [("en", "The plan holds together: 2 steps."), ("zh", "计划成立：2 步。")]
    {
        let ran = house.run(&["turn", "check", "plan.toml", "--lang", lang]);
        assert!(ran.out.contains(part) && ran.out.contains("src/list.rs"), "{}", ran.out);
    }
}

#[test]
fn a_plan_that_does_not_hold_is_named_by_line_and_reason() {
    let house = House::new();
    let turned = |from: &str, to: &str| GOOD.replace(from, to);
    let table = [
        (turned("name = \"read\"", "name = \"format_disk\""), 15, "unknown_tool", "format_disk"),
        (turned("depends_on = [\"s1\"]", "depends_on = [\"s9\"]"), 14, "unknown_dependency", "s9"),
        (turned("depends_on = [\"s1\"]", "depends_on = [\"s2\"]"), 14, "cycle", "s2"),
        (
            turned("title = \"Look\"", "title = \"Look\"\nstep_id = \"s1\""),
            14,
            "duplicate_id",
            "s1",
        ),
        (turned("title = \"Look\"", "titel = \"Look\""), 13, "schema", "titel"),
        (turned("echo fine", "echo fine; rm -rf /"), 3, "bad_command", "rm -rf"),
        (turned("path = \"src/list.rs\" }", "path = 7 }"), 15, "bad_args", "path"),
        (turned("runner = \"tools\"", "runner = \"agent\""), 5, "no_agent", "agent"),
        (turned("[[steps]]\ntitle", "[[steps]\ntitle"), 12, "syntax", "plan.toml"),
    ];
    for (text, line, what, part) in table {
        write(&house, "plan.toml", &text);
        for args in
            [vec!["turn", "check", "plan.toml"], vec!["turn", "start", "--plan", "plan.toml"]]
        {
            let json = house.run(&[args.clone(), vec!["--json"]].concat());
            assert_eq!(json.code, 2, "{what}: {}", json.out);
            let error = json.json()["error"].clone();
            assert_eq!(error["code"], "E_INVALID_ARGS", "{error}");
            let details = &error["details"];
            assert_eq!((&details["kind"], &details["what"]), (&json!("bad_plan"), &json!(what)));
            assert_eq!(details["line"], line, "{error}");
            let told = house.run(&args).err;
            assert!(told.contains(&format!("plan.toml:{line}")), "{told}");
            assert!(told.contains(part), "{told}");
        }
    }
    assert!(!house.state().exists(), "what does not hold starts nothing");
    let gone = house.run(&["turn", "check", "gone.toml", "--json"]);
    assert_eq!((gone.code, &gone.json()["error"]["details"]["what"]), (2, &json!("unreadable")));
    let told = gone.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("does not exist") && !told.contains("os error"), "{told}");
}

#[test]
fn schemas_are_listed_and_shown() {
    let house = House::new();
    let names = house.run(&["schema", "--json"]).json()["data"].clone();
    let names: Vec<&str> = names.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for name in ["plan", "plan-patch", "context-pack", "summary", "audit-log-entry", "turn"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for name in names {
        let ran = house.run(&["schema", name]);
        let schema: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
    }
    assert_eq!(house.run(&["schema", "PlanPatch"]).out, house.run(&["schema", "plan-patch"]).out);
    for lang in ["en", "zh"] {
        let unknown = house.run(&["schema", "plam", "--lang", lang]);
        assert!(unknown.code == 2 && unknown.err.contains("plan"), "{}", unknown.err);
    }
}

#[test]
fn a_turn_tells_how_it_stands() {
    let house = House::turned();
    let list = house.run(&["turn", "list", "--json"]).json()["data"].clone();
    assert_eq!(list.as_array().unwrap().len(), TURNS.len());
    let table = [
        (TURNS[0], "DONE", false, json!("completed")),
        (TURNS[1], "AWAITING_CONFIRMATION", true, Value::Null),
        (TURNS[2], "CLARIFYING", true, Value::Null),
    ];
    for (id, state, waiting, outcome) in table {
        for command in [vec!["turn", "show", id], vec!["show", id]] {
            let data = house.run(&[command, vec!["--json"]].concat()).json()["data"].clone();
            assert_eq!((&data["state"], &data["waiting"]), (&json!(state), &json!(waiting)));
            assert_eq!((&data["outcome"], &data["run_id"]), (&outcome, &json!(id)));
        }
        for lang in ["en", "zh"] {
            let page = house.run(&["turn", "show", id, "--lang", lang]);
            assert!(page.code == 0 && page.out.contains(state), "{}{}", page.out, page.err);
        }
    }
    let asks = house.run(&["turn", "show", TURNS[1]]).out;
    for part in ["s1", "cargo test", "hash:", "Risk:", "yes", "no"] {
        assert!(asks.contains(part), "{part}: {asks}");
    }
    let plan = house.run(&["turn", "plan", TURNS[1], "--json"]).json()["data"].clone();
    assert_eq!(plan["goal"], "Add --json to list");
    let summary = house.run(&["turn", "summary", TURNS[0], "--json"]).json()["data"].clone();
    assert_eq!(summary["outcome"], "completed");
    for (args, command) in
        [(["turn", "plan", TURNS[2]], "plan"), (["turn", "summary", TURNS[1]], "summary")]
    {
        let ran = house.run(&[&args[..], &["--json"]].concat());
        let error = ran.json()["error"].clone();
        assert_eq!((ran.code, &error["code"]), (3, &json!("turn.not_now")), "{error}");
        assert_eq!(error["details"]["command"], command);
    }
}

#[test]
fn questions_of_turns_are_in_the_one_list() {
    let house = House::turned();
    let open = house.run(&["questions", "--json"]).json()["data"].clone();
    let of = |run: &str| -> Vec<Value> {
        let all = open.as_array().unwrap().iter();
        all.filter(|question| question["run_id"] == run).cloned().collect()
    };
    let confirm = of(TURNS[1]).remove(0);
    assert_eq!(confirm["kind"], "turn.confirm_plan");
    assert!(confirm["hash"].is_string(), "{confirm}");
    assert_eq!(confirm["options"][0], json!({ "key": "yes", "label": "Run it" }));
    let clarify = of(TURNS[2]);
    assert!(!clarify.is_empty() && clarify.iter().all(|q| q["kind"] == "turn.clarify"));
    let id = confirm["id"].as_str().unwrap();
    let table = [
        (vec!["answer", id, "maybe"], 2, "turn.unknown_option"),
        (vec!["answer", id, "yes", "--hash", "other"], 7, "turn.stale_approval"),
        (vec!["answer", "turn-0001aaaa/confirm/1", "yes"], 3, "turn.question_closed"),
        (vec!["turn", "show", "turn-9"], 2, "turn.no_such"),
        (vec!["turn", "cancel", LOOPS[0]], 2, "turn.no_such"),
        (vec!["turn", "confirm", TURNS[1], "perhaps"], 2, "E_INVALID_ARGS"),
        (vec!["turn", "answer", TURNS[1]], 2, "E_INVALID_ARGS"),
        (vec!["turn", "start"], 2, "E_INVALID_ARGS"),
        (vec!["turn", "start", "x", "--risk-max", "none"], 2, "E_INVALID_ARGS"),
        (vec!["turn", "start", "x", "--deadline", "soon"], 2, "E_INVALID_ARGS"),
        (vec!["turn", "start", "x", "--budget-usd", "a lot"], 2, "E_INVALID_ARGS"),
        (vec!["turn", "edit", TURNS[1], "gone.toml"], 2, "E_INVALID_ARGS"),
        (vec!["turn", "skip", TURNS[1], "s1"], 2, "E_INVALID_ARGS"),
    ];
    for (args, code, name) in table {
        let ran = house.run(&[args.clone(), vec!["--json"]].concat());
        assert_eq!(ran.code, code, "{args:?}: {}", ran.out);
        assert_eq!(ran.json()["error"]["code"], name, "{args:?}");
    }
}

#[test]
fn a_turn_is_logged_in_the_words_of_its_audit_log_and_folds_again() {
    let house = House::turned();
    let log = house.run(&["log", TURNS[0], "--json"]).json()["data"].clone();
    let events: Vec<&str> =
        log.as_array().unwrap().iter().filter_map(|entry| entry["event"].as_str()).collect();
    assert_eq!(events[..2], ["asked", "intake_assessed"], "{events:?}");
    for event in ["plan_accepted", "step_done", "verification_passed", "ended"] {
        assert!(events.contains(&event), "{events:?}");
    }
    assert!(log[0]["session_id"].is_string() && log[0]["run_id"] == TURNS[0]);
    let since = house.run(&["log", TURNS[0], "--since", "3", "--json"]).json()["data"].clone();
    assert_eq!(since[0]["seq"], 4);
    let steps = house.run(&["replay", TURNS[0], "--step"]);
    assert!(steps.code == 0 && steps.out.contains("step_done"), "{}{}", steps.out, steps.err);
}

#[test]
fn a_report_tells_a_run_in_both_forms_and_languages() {
    let house = House::turned();
    for id in [TURNS[0], TURNS[1], LOOPS[0]] {
        for (lang, none) in [("en", "## Calls"), ("zh", "## 调用")] {
            let md = house.run(&["report", id, "--lang", lang]);
            assert_eq!(md.code, 0, "{}", md.err);
            assert!(md.out.contains(id) && md.out.contains(none), "{}", md.out);
            let html = house.run(&["report", id, "--format", "html", "--lang", lang]);
            assert!(html.out.starts_with("<!doctype html>"), "{}", html.out);
            assert!(html.out.contains("class=\"box now\""), "where it stands is marked");
            for page in [md.out, html.out] {
                assert!(!page.contains(SECRET), "{page}");
            }
        }
    }
    let told = house.run(&["report", LOOPS[0], "--json"]).json()["data"].clone();
    assert_eq!(told["machine"], "loop");
    assert_eq!(told["calls"].as_array().unwrap().len(), 2, "{told}");
    assert_eq!(told["changed"][0]["path"], "src/a.rs", "{told}");
    assert_eq!(told["open"][0]["id"], "call-0002bbbb/ask", "{told}");
    let told = house.run(&["report", TURNS[0], "--json"]).json()["data"].clone();
    assert_eq!((&told["outcome"], &told["state"]), (&json!("completed"), &json!("DONE")));
    assert_eq!(told["passed"][0], "INTAKE", "{told}");
    assert!(!told["checks"].as_array().unwrap().is_empty(), "{told}");
    assert_eq!(house.run(&["report", "none"]).code, 2);
}
