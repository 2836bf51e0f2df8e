//! The routes of `/api/v1`: the command line's verbs over HTTP, with the same data and the same
//! errors.

use serde_json::{Value, json};

use crate::kit::House;

#[test]
fn a_loop_goes_from_nothing_to_its_end() {
    let house = House::new();
    let made = house.ask(
        "POST",
        "/api/v1/loops",
        &json!({ "title": "one", "description": "d", "max_iterations": 5,
                 "tasks": [{ "command": "touch proof" }] }),
    );
    assert_eq!(made.status, 201, "{made:?}");
    assert!(made.header("x-trace-id").starts_with("trace_"), "{made:?}");
    let document = made.json();
    let id = document["loop_id"].as_str().unwrap();
    let at = format!("/api/v1/loops/{id}");
    assert_eq!(document["status"], "created");
    assert_eq!(house.get(&at).header("etag"), format!("\"{}\"", document["ext"]["rev"]));
    assert_eq!(house.data(&["loop", "show", id])["title"], "one", "the command line sees it");
    let edited = house.ask("PATCH", &at, &json!({ "title": "two", "tags": ["a"] }));
    assert_eq!((edited.status, &edited.json()["title"]), (200, &json!("two")), "{edited:?}");
    let added = house.ask("POST", &format!("{at}/tasks"), &json!({ "command": "true" }));
    assert_eq!((added.status, &added.json()["total"]), (201, &json!(2)), "{added:?}");
    let second = added.json()["tasks"][1]["task_id"].as_str().unwrap().to_owned();
    let order = json!({ "ordered_task_ids": [second] });
    let ordered = house.ask("PUT", &format!("{at}/tasks/reorder"), &order).json();
    assert_eq!(ordered["tasks"][0]["task_id"], json!(second), "{ordered}");
    let one = format!("{at}/tasks/{second}");
    let changed = house.ask("PATCH", &one, &json!({ "description": "new words" }));
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(house.get(&one).json()["description"], "new words");
    assert_eq!(house.ask("DELETE", &one, &Value::Null).json()["total"], 1);
    assert_eq!(house.get(&one).status, 404);
    let signal = house.get(&format!("{at}/signal")).json();
    assert_eq!(
        (&signal["action"], &signal["reason"]),
        (&json!("stop_exit"), &json!("not_started"))
    );
    let started = house.ask("POST", &format!("{at}/start"), &Value::Null);
    assert_eq!(
        (started.status, &started.json()["status"]),
        (200, &json!("running")),
        "{started:?}"
    );
    house.until_status(id, "completed");
    let history = house.get(&format!("{at}/history?limit=1&offset=1")).json();
    assert_eq!(
        (&history["history"][0]["action"], &history["hasMore"]),
        (&json!("develop"), &json!(true))
    );
    assert_eq!(house.get(&format!("{at}/check")).json()["valid"], true);
    assert_eq!(house.ask("POST", &format!("{at}/rebuild"), &Value::Null).status, 200);
    assert_eq!(house.get("/api/v1/runs?machine=loop").json()[0]["run_id"], id);
    assert_eq!(house.ask("DELETE", &at, &Value::Null).json()["deleted"], true);
    let gone = house.get(&at);
    assert_eq!((gone.status, &gone.json()["code"]), (404, &json!("loop.no_such")));
}

#[test]
fn what_is_wrong_is_told_as_a_problem() {
    let house = House::new();
    let id = house.create(&[]);
    let at = format!("/api/v1/loops/{id}");
    let verb = |name: &str| format!("{at}/{name}");
    let table: [(&str, String, Value, u16, &str); 14] = [
        ("POST", "/api/v1/loops".into(), json!({}), 422, "loop.invalid_args"),
        (
            "POST",
            "/api/v1/loops".into(),
            json!({ "title": "x", "titel": 1 }),
            422,
            "loop.invalid_args",
        ),
        ("POST", "/api/v1/loops".into(), json!([]), 422, "loop.invalid_args"),
        ("GET", "/api/v1/loops?status=odd".into(), Value::Null, 422, "loop.invalid_args"),
        ("GET", "/api/v1/loops?limit=501".into(), Value::Null, 422, "loop.invalid_args"),
        ("GET", "/api/v1/loops/loop-none".into(), Value::Null, 404, "loop.no_such"),
        ("POST", verb("pause"), Value::Null, 409, "loop.not_now"),
        ("POST", verb("answer"), json!({ "key": "x" }), 409, "loop.question_closed"),
        ("POST", verb("complete"), json!({ "force": true }), 422, "loop.invalid_args"),
        ("POST", verb("dance"), Value::Null, 422, "loop.unknown_command"),
        ("PATCH", at.clone(), json!({ "max_iterations": 0 }), 422, "loop.invalid_args"),
        (
            "POST",
            verb("tasks"),
            json!({ "description": "x", "tool": "none" }),
            422,
            "loop.invalid_args",
        ),
        ("GET", "/api/v1/nowhere".into(), Value::Null, 404, "door.no_such"),
        ("PUT", at.clone(), json!({}), 400, "door.unknown_command"),
    ];
    for (method, path, body, status, code) in table {
        let answer = house.ask(method, &path, &body);
        let problem = answer.json();
        assert_eq!((answer.status, &problem["code"]), (status, &json!(code)), "{path}: {answer:?}");
        assert_eq!(answer.header("content-type"), "application/problem+json");
        assert_eq!(problem["trace_id"], answer.header("x-trace-id"));
        assert_eq!(problem["status"], status);
        assert_eq!(problem["type"], format!("/api/v1/errors/{code}"));
        assert!(!problem["next_step"].as_str().unwrap().is_empty(), "{problem}");
    }
    let paused = house.ask("POST", &verb("pause"), &Value::Null).json();
    assert!(paused["allowed"].as_array().unwrap().contains(&json!("start")), "{paused}");
    let malformed = house.ask_with("POST", "/api/v1/loops", &[], "{\"title\":");
    assert_eq!((malformed.status, &malformed.json()["code"]), (400, &json!("door.invalid_args")));
    let long = format!("{{\"title\":\"{}\"}}", "x".repeat(1 << 20));
    let large = house.ask_with("POST", "/api/v1/loops", &[], &long);
    assert_eq!(large.status, 413, "{large:?}");
    let zh = house.ask_with("POST", &verb("pause"), &[("Accept-Language", "zh-CN")], "");
    assert!(zh.json()["title"].as_str().unwrap().contains("状态"), "{zh:?}");
}

#[test]
fn codes_are_explained() {
    let house = House::new();
    let all = house.get("/api/v1/errors").json();
    assert!(all.as_array().unwrap().iter().any(|row| row["code"] == "loop.not_now"), "{all}");
    let page = house.get("/api/v1/errors/e004");
    assert_eq!((page.status, &page.json()["code"]), (200, &json!("E004")));
    assert_eq!(house.get("/api/v1/errors/E4").status, 404);
    assert_eq!(house.get("/api/v1/questions").json(), json!([]));
}

#[test]
fn no_id_leads_anywhere_else() {
    let house = House::new();
    let ids = [
        "..%2Fetc%2Fpasswd",
        "..%5Cx",
        "%2E%2Ff",
        "loop-%00",
        "loop-a%2Fb",
        "loop-..",
        "%ff",
        "x",
        "loop-a.json",
    ];
    let long = format!("loop-{}", "a".repeat(140));
    for id in ids.into_iter().chain([long.as_str()]) {
        for (path, status) in [
            (format!("/api/v1/loops/{id}"), 422),
            (format!("/api/v1/loops/{id}/signal"), 422),
            (format!("/api/loops/v2/{id}"), 400),
            (format!("/api/loops/v2/{id}/tasks"), 400),
        ] {
            let answer = house.get(&path);
            let code = answer.json()["code"].clone();
            assert_eq!((answer.status, &code), (status, &json!("loop.invalid_args")), "{path}");
        }
    }
}

#[test]
fn an_answer_stands_on_what_was_seen() {
    let house = House::new();
    let id = house.create(&[]);
    let at = format!("/api/v1/loops/{id}");
    let seen = house.get(&at).header("etag").to_owned();
    let title = |text: &str| json!({ "title": text }).to_string();
    let fits = house.ask_with("PATCH", &at, &[("If-Match", &seen)], &title("first"));
    assert_eq!(fits.status, 200, "{fits:?}");
    let late = house.ask_with("PATCH", &at, &[("If-Match", &seen)], &title("second"));
    assert_eq!((late.status, &late.json()["code"]), (412, &json!("loop.conflict")), "{late:?}");
    let odd = house.ask_with("PATCH", &at, &[("If-Match", "x")], &title("third"));
    assert_eq!(odd.status, 422, "{odd:?}");
    assert_eq!(house.get(&at).json()["title"], "first");
}

#[test]
fn a_key_is_one_request_for_ever() {
    let house = House::new();
    let make = |key: &str, title: &str| {
        let body = json!({ "title": title }).to_string();
        house.ask_with("POST", "/api/v1/loops", &[("Idempotency-Key", key)], &body)
    };
    let first = make("k", "one");
    let again = make("k", "one");
    assert_eq!((first.status, again.status), (201, 201), "{again:?}");
    assert_eq!(first.json()["loop_id"], again.json()["loop_id"]);
    let other = make("k", "two");
    assert_eq!((other.status, &other.json()["code"]), (409, &json!("door.key_reused")));
    assert_eq!(make("l", "two").status, 201);
    assert_eq!(house.get("/api/v1/loops").json()["total"], 2);
}

/// What was done under a key is known to the next server, too: it is in the journal.
#[test]
fn a_key_outlives_its_server() {
    let mut house = House::new();
    let ask = |house: &House, key: &str, path: &str, body: &Value| {
        house.ask_with("POST", path, &[("Idempotency-Key", key)], &body.to_string())
    };
    let loops = "/api/v1/loops";
    let one = json!({ "title": "one" });
    let first = ask(&house, "k", loops, &one);
    assert_eq!(first.status, 201, "{first:?}");
    let id = first.json()["loop_id"].as_str().unwrap().to_owned();
    let tasks = format!("{loops}/{id}/tasks");
    let task = json!({ "command": "true" });
    assert_eq!(ask(&house, "t", &tasks, &task).status, 201);
    let old = ask(&house, "old", "/api/loops/v2", &json!({ "title": "old" })).json();
    let write = json!({ "path": "new.txt", "text": "x", "mode": "create" });
    let wrote = ask(&house, "w", "/api/v1/tools/write", &write).json();
    assert_eq!(wrote["result"], "ok", "{wrote}");
    house.serve_again();
    let again = ask(&house, "k", loops, &one);
    assert_eq!((again.status, &again.json()["loop_id"]), (201, &json!(id)), "{again:?}");
    let other = ask(&house, "k", loops, &json!({ "title": "two" }));
    assert_eq!((other.status, &other.json()["code"]), (409, &json!("door.key_reused")));
    let task_again = ask(&house, "t", &tasks, &task);
    assert_eq!(task_again.status, 200, "{task_again:?}");
    assert_eq!(house.get(&tasks).json()["total"], 1);
    let old_again = ask(&house, "old", "/api/loops/v2", &json!({ "title": "old" })).json();
    assert_eq!(old_again["data"]["loop_id"], old["data"]["loop_id"], "{old_again}");
    let wrote_again = ask(&house, "w", "/api/v1/tools/write", &write).json();
    assert_eq!(wrote_again, wrote, "the same call, not a second one that fails");
    assert_eq!(house.get(loops).json()["total"], 2);
    assert_eq!(ask(&house, "l", loops, &one).status, 201, "another key is another request");
    assert_eq!(house.get(loops).json()["total"], 3);
}

#[test]
fn what_loops_came_to_and_what_they_printed_has_routes() {
    let house = House::new();
    let nothing = house.get("/api/v1/loops/stats").json();
    assert_eq!((&nothing["total"], &nothing["success_rate"]), (&json!(0), &json!(0.0)));
    let id = house.create(&["echo hello", "touch proof"]);
    house.create(&["true"]);
    house.ask("POST", &format!("/api/v1/loops/{id}/start"), &Value::Null);
    house.until_status(&id, "completed");
    let stats = house.get("/api/v1/loops/stats").json();
    assert_eq!((&stats["total"], &stats["active_count"]), (&json!(2), &json!(0)), "{stats}");
    assert_eq!(
        stats["by_status"],
        json!({
            "created": 1, "running": 0, "paused": 0, "completed": 1, "failed": 0
        })
    );
    assert_eq!((&stats["success_rate"], &stats["avg_iterations"]), (&json!(100.0), &json!(1.5)));
    assert_eq!(house.get("/api/loops/v2/stats").json(), json!({ "success": true, "data": stats }));
    let logs = house.get(&format!("/api/v1/loops/{id}/logs")).json();
    let line = &logs["lines"][0];
    assert_eq!((&line["line"], &logs["truncated"]), (&json!("hello"), &json!(false)), "{logs}");
    assert!(line["step_id"].as_str().unwrap().ends_with("/work"), "{logs}");
    let old = house.get(&format!("/api/loops/v2/{id}/logs?limit=1")).json();
    assert_eq!((&old["success"], &old["data"][0]), (&json!(true), line), "{old}");
    let bad = house.get(&format!("/api/v1/loops/{id}/logs?limit=0"));
    assert_eq!((bad.status, &bad.json()["code"]), (422, &json!("loop.invalid_args")));
    assert_eq!(house.get("/api/v1/loops/loop-none/logs").status, 404);
}
