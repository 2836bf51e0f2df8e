//! The MCP server: loops as tools, errors as results, and whose word counts.

use serde_json::{Value, json};

use crate::client::Client;
use crate::kit::House;

#[test]
fn loops_are_tools() {
    let house = House::new();
    let mut client = Client::start(&house, &[]);
    let listed = client.ask("tools/list", &json!({}));
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    let expected = [
        "loop_create",
        "loop_list",
        "loop_get",
        "loop_start",
        "loop_pause",
        "loop_resume",
        "loop_stop",
        "loop_retry",
        "loop_signal",
        "loop_report",
        "loop_task_add",
        "loop_history",
        "explain_error",
        "call_get",
        "call_output",
        "rollback_plan",
        "policy_check",
        "agent_list",
        "read_file",
        "list_dir",
        "search",
        "search_semantic",
        "apply_patch",
        "write_file",
        "delete_file",
        "run_command",
        "create_checkpoint",
    ];
    assert_eq!(names[..expected.len()], expected);
    let made = client.done("loop_create", &json!({ "title": "one", "tasks": [] }));
    let id = made["loop_id"].as_str().unwrap().to_owned();
    let me = json!({ "id": id });
    client.done("loop_task_add", &json!({ "id": id, "description": "x", "tool": "codex" }));
    assert_eq!(client.done("loop_get", &me)["status"], "created");
    assert_eq!(client.done("loop_list", &json!({}))["total"], 1);
    assert_eq!(client.done("loop_signal", &me)["reason"], "not_started");
    client.done("loop_start", &json!({ "id": id, "runner": "skill" }));
    let signal = client.done("loop_signal", &json!({ "id": id, "runner": "skill" }));
    assert_eq!(signal["continue"], true, "{signal}");
    let report = json!({ "id": id, "runner": "skill", "action": "develop", "result": "success",
        "message": "did it",
        "skill_state": { "develop": { "tasks": [{ "id": "task-001", "status": "completed" }] } } });
    assert_eq!(client.done("loop_report", &report)["current_iteration"], 1);
    assert_eq!(client.done("loop_history", &me)["total"], 1);
    assert_eq!(client.done("loop_pause", &me)["status"], "paused");
    assert_eq!(client.done("loop_resume", &me)["status"], "running");
    assert_eq!(client.done("loop_stop", &json!({ "id": id, "why": "x" }))["status"], "failed");
    assert_eq!(client.done("loop_retry", &me)["status"], "running");
    client.done("loop_stop", &me);
    assert_eq!(client.code("loop_pause", &me), "loop.not_now");
    assert_eq!(client.code("loop_get", &json!({ "id": "loop-none" })), "loop.no_such");
    assert_eq!(client.code("loop_get", &json!({ "id": "../x" })), "loop.invalid_args");
    assert_eq!(client.code("loop_get", &json!({})), "loop.invalid_args");
    assert_eq!(client.done("explain_error", &json!({ "code": "e004" }))["code"], "E004");
    assert_eq!(client.code("explain_error", &json!({ "code": "E4" })), "E_NOT_FOUND");
    let unknown = client.ask("tools/call", &json!({ "name": "loop_dance" }));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert_eq!(unknown["error"]["data"]["error"]["code"], "door.unknown_tool", "{unknown}");
    client.leave();
}

/// A guest's start carries no grant, so that its command asks; a person's runs.
#[test]
fn a_guest_starts_and_a_person_approves() {
    for (args, expected) in [(&[][..], "waits"), (&["--person"][..], "completed")] {
        let house = House::new();
        let id = house.create(&["touch proof"]);
        let mut client = Client::start(&house, args);
        client.done("loop_start", &json!({ "id": id }));
        if expected == "completed" {
            house.until_status(&id, "completed");
        } else {
            crate::kit::until("it asks", || {
                house.get("/api/v1/questions").json()[0]["kind"] == "call.ask"
            });
            assert!(!house.work.join("proof").exists());
        }
        client.leave();
        house.ask("POST", &format!("/api/v1/loops/{id}/stop"), &Value::Null);
    }
}
