//! The old routes: every success shape and every error text of their table.

use serde_json::{Value, json};

use crate::kit::House;

const V2: &str = "/api/loops/v2";

#[test]
fn shapes_are_as_the_old_clients_know_them() {
    let house = House::new();
    let made = house.ask("POST", V2, &json!({ "title": "one", "max_iterations": 3 }));
    let body = made.json();
    assert_eq!((made.status, &body["success"]), (200, &json!(true)), "{made:?}");
    let id = body["data"]["loop_id"].as_str().unwrap().to_owned();
    assert_eq!(body["data"]["description"], "one", "an omitted description is the title");
    for (limit, offset, more) in [(1, 0, false), (50, 0, false), (1, 1, false)] {
        let list = house.get(&format!("{V2}/?limit={limit}&offset={offset}&status=all")).json();
        assert_eq!((&list["success"], &list["total"]), (&json!(true), &json!(1)), "{list}");
        assert_eq!((&list["hasMore"], &list["limit"]), (&json!(more), &json!(limit)), "{list}");
        assert!(list["timestamp"].is_string() && list["data"].is_array(), "{list}");
    }
    house.ask("POST", V2, &json!({ "title": "two" }));
    let list = house.get(&format!("{V2}?limit=1")).json();
    assert_eq!((&list["hasMore"], &list["data"][0]["title"]), (&json!(true), &json!("two")));
    let at = format!("{V2}/{id}");
    let derived = house.get(&format!("{at}?derived=1")).json();
    assert_eq!(derived["data"]["derived"]["overall_progress"], 0.0, "{derived}");
    let put = json!({ "title": "new", "tags": ["x"], "priority": "high", "notes": "n" });
    let put = house.ask("PUT", &at, &put).json();
    assert_eq!((&put["data"]["title"], &put["data"]["priority"]), (&json!("new"), &json!("high")));
    let stopped = house.ask("POST", &format!("{at}/stop"), &Value::Null).json();
    assert_eq!(
        (&stopped["message"], &stopped["data"]["status"]),
        (&json!("Loop stopped"), &json!("failed"))
    );
    let signal = house.get(&format!("{at}/signal")).json();
    assert_eq!(signal["data"]["reason"], "stopped", "{signal}");
    let history = house.get(&format!("{at}/history")).json();
    assert_eq!((&history["data"], &history["total"]), (&json!([]), &json!(0)), "{history}");
    let gone = house.ask("DELETE", &at, &Value::Null).json();
    assert_eq!(gone, json!({ "success": true, "message": "Loop deleted" }));
    let none = house.get(&at);
    assert_eq!((none.status, &none.json()["error"]), (404, &json!("Loop not found")));
}

#[test]
fn every_text_of_the_table() {
    let house = House::new();
    let id = house.create(&["sh gate.sh one"]);
    let running = format!("{V2}/{id}");
    house.ask("POST", &format!("{running}/start"), &Value::Null);
    house.until_began("one");
    let idle = format!("{V2}/{}", house.create(&[]));
    let title = "title is required and must be non-empty";
    let bound = "max_iterations must be a positive number";
    let on = |name: &str| format!("{running}/{name}");
    let off = |name: &str| format!("{idle}/{name}");
    let table: Vec<(&str, String, Value, &str, &str)> = vec![
        ("POST", V2.into(), json!({}), title, "loop.invalid_args"),
        ("POST", V2.into(), json!({ "title": " " }), title, "loop.invalid_args"),
        ("POST", V2.into(), json!({ "title": 1 }), title, "loop.invalid_args"),
        (
            "POST",
            V2.into(),
            json!({ "title": "x", "description": 1 }),
            "description must be a string",
            "loop.invalid_args",
        ),
        (
            "POST",
            V2.into(),
            json!({ "title": "x", "max_iterations": 0 }),
            bound,
            "loop.invalid_args",
        ),
        (
            "POST",
            V2.into(),
            json!({ "title": "x", "max_iterations": 1.5 }),
            bound,
            "loop.invalid_args",
        ),
        (
            "POST",
            V2.into(),
            json!({ "title": "x", "max_iterations": 1001 }),
            bound,
            "loop.invalid_args",
        ),
        (
            "GET",
            format!("{V2}?status=odd"),
            Value::Null,
            "Invalid status: odd",
            "loop.invalid_args",
        ),
        ("GET", format!("{V2}?limit=0"), Value::Null, "limit must be 1..500", "loop.invalid_args"),
        (
            "GET",
            format!("{V2}?limit=501"),
            Value::Null,
            "limit must be 1..500",
            "loop.invalid_args",
        ),
        (
            "DELETE",
            running.clone(),
            Value::Null,
            "Cannot delete running loop. Stop it first.",
            "loop.not_now",
        ),
        (
            "PUT",
            running.clone(),
            json!({ "title": "x" }),
            "Cannot update loop with status: running",
            "loop.not_now",
        ),
        (
            "PUT",
            idle.clone(),
            json!({ "title": "" }),
            "title must be a non-empty string",
            "loop.invalid_args",
        ),
        (
            "PUT",
            idle.clone(),
            json!({ "tags": "x" }),
            "tags must be an array of strings",
            "loop.invalid_args",
        ),
        (
            "PUT",
            idle.clone(),
            json!({ "priority": "x" }),
            "priority must be one of: low, medium, high",
            "loop.invalid_args",
        ),
        ("PUT", idle.clone(), json!({ "notes": 1 }), "notes must be a string", "loop.invalid_args"),
        ("PATCH", off("status"), json!({}), "status is required", "loop.invalid_args"),
        (
            "PATCH",
            off("status"),
            json!({ "status": "odd" }),
            "Invalid status: odd",
            "loop.invalid_args",
        ),
        (
            "POST",
            on("start"),
            Value::Null,
            "Cannot start loop with status: running",
            "loop.not_now",
        ),
        (
            "POST",
            off("pause"),
            Value::Null,
            "Cannot pause loop with status: created",
            "loop.not_now",
        ),
        (
            "POST",
            off("resume"),
            Value::Null,
            "Cannot resume loop with status: created",
            "loop.not_now",
        ),
        (
            "POST",
            off("retry"),
            Value::Null,
            "Can only retry paused or failed loops",
            "loop.not_now",
        ),
        (
            "POST",
            off("reopen"),
            Value::Null,
            "Cannot reopen loop with status: created",
            "loop.not_now",
        ),
        (
            "PUT",
            off("tasks/reorder"),
            json!({}),
            "ordered_task_ids must be an array",
            "loop.invalid_args",
        ),
        (
            "PUT",
            off("tasks/reorder"),
            json!({ "ordered_task_ids": [] }),
            "ordered_task_ids cannot be empty",
            "loop.invalid_args",
        ),
        (
            "PUT",
            off("tasks/reorder"),
            json!({ "ordered_task_ids": ["x"] }),
            "Task not found: x",
            "loop.invalid_args",
        ),
    ];
    for (method, path, body, text, code) in table {
        let answer = house.ask(method, &path, &body);
        let told = answer.json();
        assert_eq!((answer.status, &told["error"]), (400, &json!(text)), "{path} {body}: {told}");
        assert_eq!((&told["success"], &told["code"]), (&json!(false), &json!(code)), "{told}");
        assert_eq!(told["trace_id"], answer.header("x-trace-id"));
        if code == "loop.not_now" {
            assert!(!told["allowed"].as_array().unwrap().is_empty(), "{told}");
        }
    }
    let bad = house.ask_with("POST", V2, &[], "{");
    assert_eq!((bad.status, &bad.json()["error"]), (400, &json!("Invalid JSON body")));
    assert_eq!(house.ask_with("POST", V2, &[], "[]").json()["error"], "Invalid JSON body");
    assert_eq!(house.ask_with("POST", V2, &[], "").json()["error"], title, "an empty body is {{}}");
    let stopped = house.ask("POST", &on("stop"), &Value::Null).json();
    assert_eq!(stopped["message"], "Loop stopped", "{stopped}");
    let twice = house.ask("POST", &on("stop"), &Value::Null).json();
    assert_eq!(twice["error"], "Cannot stop loop with status: failed", "{twice}");
}

#[test]
fn a_bound_is_not_below_what_was_done() {
    let house = House::new();
    let id = house.create(&["true", "touch proof"]);
    let at = format!("{V2}/{id}");
    house.ask("POST", &format!("{at}/start"), &Value::Null);
    house.until_status(&id, "completed");
    let told = house.ask("PUT", &at, &json!({ "max_iterations": 1 }));
    let text = "max_iterations must be at least current_iteration (3)";
    assert_eq!((told.status, &told.json()["error"]), (400, &json!(text)), "{told:?}");
    assert_eq!(house.ask("PUT", &at, &json!({ "max_iterations": 3 })).status, 200);
}
