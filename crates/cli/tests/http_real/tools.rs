//! Tools of the MCP server beyond loops: what any client may do, what only a person's own may, and
//! what a process below a shim may, which is to look.

use serde_json::{Value, json};

use crate::client::Client;
use crate::kit::{House, until};

#[test]
fn a_guest_looks_and_what_it_changes_asks() {
    let house = House::new();
    house.write("a.txt", "hello\n");
    let mut guest = Client::start(&house, &[]);
    let read = guest.done("read_file", &json!({ "path": "a.txt" }));
    assert_eq!((&read["result"], &read["payload"]["text"]), (&json!("ok"), &json!("hello\n")));
    let call = json!({ "id": read["call"] });
    assert_eq!(guest.done("call_get", &call)["state"], "Settled");
    assert_eq!(guest.done("call_output", &call)["text"], "");
    let judged = guest.done("policy_check", &json!({ "argv": ["git", "push", "--force"] }));
    assert_eq!(judged["verdict"], "ask", "{judged}");
    assert!(!guest.done("agent_list", &json!({}))["data"].as_array().unwrap().is_empty());
    guest.done("create_checkpoint", &json!({ "label": "x" }));
    let plan = guest.done("rollback_plan", &json!({}));
    let write = json!({ "path": "b.txt", "text": "x", "mode": "create" });
    let asked = guest.done("write_file", &write);
    assert_eq!(asked["state"], "Asked", "{asked}");
    assert!(!house.work.join("b.txt").exists());
    let id = json!({ "id": asked["run_id"] });
    let settle = json!({ "id": asked["run_id"], "how": "happened", "note": "x" });
    let way = json!({ "plan_hash": plan["plan_hash"] });
    let table = [
        ("call_allow", &id, "call.needs_person"),
        ("undo", &call, "call.needs_person"),
        ("rollback", &way, "workspace.needs_person"),
        ("trust", &json!({}), "workspace.needs_person"),
        ("adopt", &json!({}), "workspace.needs_person"),
        ("gc", &json!({}), "workspace.needs_person"),
        ("grants", &json!({}), "policy.needs_person"),
        ("grant_revoke", &json!({ "id": "gr-1" }), "policy.needs_person"),
    ];
    for (name, args, code) in table {
        assert_eq!(guest.code(name, args), code, "{name}");
    }
    assert!(guest.code("call_settle", &settle).starts_with("call."));
    assert_eq!(guest.done("call_get", &id)["state"], "Asked", "nothing of it was taken");
    let mut person = Client::start(&house, &["--person"]);
    let listed = person.ask("tools/list", &json!({})).to_string();
    for name in ["call_allow", "call_settle", "undo", "rollback", "trust", "adopt", "gc"] {
        assert!(listed.contains(&format!("\"{name}\"")), "{name}: {listed}");
    }
    person.done("call_allow", &id);
    until("it is written", || house.work.join("b.txt").exists());
    until("it is settled", || person.done("call_get", &id)["state"] == "Settled");
    assert_eq!(person.done("undo", &id)["call"], asked["run_id"]);
    assert!(!house.work.join("b.txt").exists());
    let own = person.done("write_file", &write);
    assert_eq!(own["result"], "ok", "a person's own word is enough: {own}");
    assert_eq!(person.code("read_file", &json!({ "path": "../x" })), "E_POLICY_DENIED");
    let plan = person.done("rollback_plan", &json!({}));
    let back = person.done("rollback", &json!({ "plan_hash": plan["plan_hash"] }));
    assert_eq!(back["result"], "ok", "{back}");
    assert!(!house.work.join("b.txt").exists());
    assert_eq!(person.done("trust", &json!({}))["trust"], "trusted");
    person.done("grants", &json!({ "all": true }));
    assert_eq!(person.done("gc", &json!({ "dry_run": true }))["done"], Value::Null);
    person.leave();
    guest.leave();
}

/// A loop whose later task cannot be taken is not made at all, whoever asks for it.
#[test]
fn a_loop_is_made_whole_or_not_at_all() {
    let house = House::new();
    let long = "x".repeat(10_001);
    let tasks = json!([{ "command": "true" }, { "description": long, "command": "true" }]);
    let body = json!({ "title": "half", "tasks": tasks });
    for args in [&[][..], &["--person"][..]] {
        let mut client = Client::start(&house, args);
        assert_eq!(client.code("loop_create", &body), "loop.invalid_args", "{args:?}");
        assert_eq!(client.done("loop_list", &json!({}))["total"], 0, "{args:?}");
        client.leave();
    }
    assert_eq!(house.ask("POST", "/api/v1/loops", &body).status, 422);
    assert_eq!(house.get("/api/v1/loops").json()["total"], 0);
    assert_eq!(house.get("/api/v1/runs").json(), json!([]), "not even a deleted one");
}

/// What a client below a shim says, one message a line; what comes back is kept.
const BELOW: &str = "BIN mcp --person < says > told.new\nmv told.new told\n";

#[test]
fn a_server_below_a_shim_only_reads() {
    let house = House::with("[sandbox]\nmode = \"off\"\n");
    let bin = env!("CARGO_BIN_EXE_loopwright");
    house.write("below.sh", &BELOW.replace("BIN", bin));
    let id = house.create(&["sh below.sh"]);
    let says = [
        ("loop_get", json!({ "id": id })),
        ("loop_list", json!({})),
        ("loop_pause", json!({ "id": id })),
        ("loop_create", json!({ "title": "mine" })),
        ("call_allow", json!({ "id": "call" })),
        ("undo", json!({ "id": "call" })),
        ("trust", json!({})),
        ("gc", json!({})),
        ("grants", json!({})),
        ("write_file", json!({ "path": "x", "text": "x", "mode": "create" })),
        ("loop_task_add", json!({ "id": id, "description": "more", "tool": "codex" })),
    ];
    let mut lines = vec![json!({ "jsonrpc": "2.0", "id": 0, "method": "tools/list" }).to_string()];
    for (at, (name, args)) in says.iter().enumerate() {
        let params = json!({ "name": name, "arguments": args });
        let message =
            json!({ "jsonrpc": "2.0", "id": at + 1, "method": "tools/call", "params": params });
        lines.push(message.to_string());
    }
    house.write("says", &(lines.join("\n") + "\n"));
    house.ask("POST", &format!("/api/v1/loops/{id}/start"), &Value::Null);
    let file = house.work.join("told");
    until("it was told", || file.exists());
    let text = std::fs::read_to_string(file).unwrap();
    let told: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!text.lines().next().unwrap().contains("call_allow"), "it is no person's connection");
    let codes: Vec<&str> = told[1..]
        .iter()
        .map(|one| one["result"]["structuredContent"]["error"]["code"].as_str().unwrap_or("ok"))
        .collect();
    let expected = [
        "ok",
        "ok",
        "loop.needs_person",
        "loop.needs_person",
        "call.needs_person",
        "call.needs_person",
        "workspace.needs_person",
        "workspace.needs_person",
        "policy.needs_person",
        "call.needs_person",
        "ok",
    ];
    assert_eq!(codes, expected, "{text}");
    assert!(!house.work.join("x").exists());
}
