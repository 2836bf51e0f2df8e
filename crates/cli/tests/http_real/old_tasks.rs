//! Tasks by the old routes, as the page of the older clients uses them.

use serde_json::{Value, json};

use crate::kit::House;

const V2: &str = "/api/loops/v2";

#[test]
fn reg_ui_a_page_can_work_with_tasks() {
    let house = House::new();
    let id = house.create(&[]);
    let all = format!("{V2}/{id}/tasks");
    let plain = json!({ "description": "do it", "tool": "codex", "mode": "write" });
    let added = house.ask("POST", &all, &plain).json();
    assert_eq!(
        (&added["success"], &added["data"]["prompt_template"]),
        (&json!(true), &json!("do it"))
    );
    let first = added["data"]["task_id"].as_str().unwrap().to_owned();
    let line = json!({ "description": "run", "tool": "bash", "mode": "write", "command": "true" });
    let second = house.ask("POST", &all, &line).json()["data"]["task_id"].clone();
    let list = house.get(&all).json();
    assert_eq!((&list["total"], &list["loop_id"]), (&json!(2), &json!(id)), "{list}");
    for path in [
        format!("{all}/{first}"),
        format!("{all}/task-001"),
        format!("{V2}/tasks/{first}"),
        format!("{V2}/tasks/{first}?loop_id={id}"),
    ] {
        let one = house.get(&path).json();
        assert_eq!(one["data"]["task_id"], json!(first), "{path}: {one}");
        assert_eq!(one["loop_id"], json!(id), "{path}");
    }
    let put = json!({ "loop_id": id, "description": "new", "prompt_template": null });
    let put = house.ask("PUT", &format!("{V2}/tasks/{first}"), &put).json();
    assert_eq!(
        (&put["data"]["description"], &put["data"]["prompt_template"]),
        (&json!("new"), &json!("new"))
    );
    let put = house.ask("PUT", &format!("{all}/task-002"), &json!({ "mode": "review" })).json();
    assert_eq!(put["data"]["mode"], "review", "{put}");
    let order = json!({ "ordered_task_ids": [second] });
    let ordered = house.ask("PUT", &format!("{all}/reorder"), &order).json();
    assert_eq!(ordered["data"][0]["task_id"], second, "{ordered}");
    let out = house.ask("DELETE", &format!("{V2}/tasks/{first}?loop_id={id}"), &Value::Null).json();
    assert_eq!(out, json!({ "success": true, "message": "Task deleted" }));
    let left = house.get(&all).json();
    assert_eq!((&left["total"], &left["data"][0]["order"]), (&json!(1), &json!(0)), "{left}");
    assert_eq!(house.ask("DELETE", &format!("{all}/task-002"), &Value::Null).status, 200);
}

#[test]
fn every_text_about_tasks() {
    let house = House::new();
    let id = house.create(&["true"]);
    let all = format!("{V2}/{id}/tasks");
    let one = format!("{all}/task-001");
    let task = |name: &str, value: Value| {
        let mut body = json!({ "description": "x", "tool": "codex", "mode": "write" });
        body[name] = value;
        body
    };
    let modes = "mode must be one of: analysis, write, review";
    let tools = "tool must be one of enabled tools: bash, claude, codex, gemini";
    let table: Vec<(&str, String, Value, u16, &str)> = vec![
        ("POST", all.clone(), task("description", json!("")), 400, "description is required"),
        ("POST", all.clone(), task("tool", Value::Null), 400, "tool is required"),
        ("POST", all.clone(), task("tool", json!("none")), 400, tools),
        ("POST", all.clone(), task("mode", json!("odd")), 400, modes),
        ("POST", all.clone(), task("mode", Value::Null), 400, modes),
        (
            "POST",
            all.clone(),
            task("prompt_template", json!("")),
            400,
            "prompt_template is required",
        ),
        (
            "POST",
            all.clone(),
            task("tool", json!("bash")),
            400,
            "command is required for tool bash",
        ),
        ("PUT", one.clone(), json!({ "description": "" }), 400, "description is required"),
        ("PUT", one.clone(), json!({ "mode": "odd" }), 400, modes),
        ("PUT", one.clone(), json!({ "command": null }), 400, "command is required for tool bash"),
        ("GET", format!("{all}/task-009"), Value::Null, 404, "Task not found"),
        ("PUT", format!("{all}/task-009"), json!({}), 404, "Task not found"),
        ("DELETE", format!("{all}/task-009"), Value::Null, 404, "Task not found"),
        ("GET", format!("{V2}/tasks/task-9-x"), Value::Null, 404, "Task not found"),
        ("PUT", format!("{V2}/tasks/task-001"), json!({}), 400, "loop_id is required"),
        (
            "PUT",
            format!("{V2}/tasks/task-001"),
            json!({ "loop_id": "../x" }),
            400,
            "Invalid loop_id format",
        ),
        (
            "DELETE",
            format!("{V2}/tasks/task-001"),
            Value::Null,
            400,
            "loop_id query parameter is required",
        ),
        (
            "DELETE",
            format!("{V2}/tasks/task-001?loop_id=x"),
            Value::Null,
            400,
            "Invalid loop_id format",
        ),
        ("GET", format!("{V2}/loop-none/tasks"), Value::Null, 404, "Loop not found"),
        ("POST", format!("{V2}/x/tasks"), Value::Null, 400, "Invalid loop ID format"),
    ];
    for (method, path, body, status, text) in table {
        let answer = house.ask(method, &path, &body);
        let told = answer.json();
        let error = told["error"].as_str().unwrap_or_default();
        assert!(
            answer.status == status && error.starts_with(text),
            "{method} {path} {body}: {told}"
        );
        assert_eq!(told["success"], false);
    }
    let left = house.get(&all).json();
    assert_eq!(left["total"], 1, "nothing of it was taken: {left}");
}
