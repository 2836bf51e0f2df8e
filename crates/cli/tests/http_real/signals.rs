//! Whether an outside skill may go on, asked over HTTP: every row of the table.

use serde_json::{Value, json};

use crate::kit::House;

#[test]
fn signal_every_row() {
    let house = House::new();
    let verb = |id: &str, verb: &str, body: &Value| {
        let answer = house.ask("POST", &format!("/api/v1/loops/{id}/{verb}"), body);
        assert_eq!(answer.status, 200, "{verb}: {answer:?}");
        answer.json()
    };
    let row = |id: &str, runner: Option<&str>| {
        let path = format!("/api/v1/loops/{id}/signal");
        let answer = match runner {
            None => house.get(&path),
            Some(runner) => house.ask("POST", &path, &json!({ "runner": runner })),
        };
        assert_eq!(answer.status, 200, "{answer:?}");
        let told = answer.json();
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let next = text(&told["ext"]["next_action"]);
        (told["continue"] == true, text(&told["action"]), text(&told["reason"]), next)
    };
    let is = |found: (bool, String, String, String), expected: (bool, &str, &str, &str)| {
        let (go, action, reason, next) = &found;
        assert_eq!((*go, &**action, &**reason, &**next), expected);
    };
    let stop = |reason: &'static str| (false, "stop_exit", reason, "STOPPED");
    is(row("loop-none", None), stop("state_not_found"));
    is(row("loop-none", Some("me")), stop("state_not_found"));
    let id = house.create(&["true"]);
    is(row(&id, None), stop("not_started"));
    verb(&id, "start", &json!({ "external": true, "runner": "me" }));
    is(row(&id, None), (true, "continue", "running", "-"));
    is(row(&id, Some("me")), (true, "continue", "running", "-"));
    is(row(&id, Some("other")), stop("not_owner"));
    let report = json!({ "runner": "other", "action": "develop", "result": "success",
        "message": "x" });
    let owned = house.ask("POST", &format!("/api/v1/loops/{id}/report"), &report);
    assert_eq!((owned.status, &owned.json()["code"]), (409, &json!("loop.owned")), "{owned:?}");
    verb(&id, "pause", &json!({}));
    is(row(&id, Some("me")), (false, "pause_exit", "paused", "PAUSED"));
    is(row(&id, None), (false, "pause_exit", "paused", "PAUSED"));
    verb(&id, "stop", &json!({}));
    is(row(&id, None), stop("stopped"));
    is(row(&id, Some("me")), stop("stopped"));
    let driven = house.create(&["sh gate.sh one"]);
    verb(&driven, "start", &json!({}));
    house.until_began("one");
    is(row(&driven, None), (true, "continue", "running", "-"));
    is(row(&driven, Some("me")), stop("not_owner"));
    house.write("proof", "");
    house.write("go", "");
    house.until_status(&driven, "completed");
    is(row(&driven, None), stop("completed"));
    // What is there and can't be read tells a skill to stop, and people why.
    house.data(&["engine", "stop"]);
    std::fs::write(house.work.join(".loop/journal/journal.db"), "none ".repeat(4000)).unwrap();
    is(row(&driven, None), stop("unknown_status"));
    is(row(&driven, Some("me")), stop("unknown_status"));
    let told = house.get(&format!("/api/v1/loops/{driven}/signal")).json();
    assert_eq!(told["ext"]["code"], "E_JOURNAL", "{told}");
}

#[test]
fn signal_when_the_lease_is_over() {
    let house = House::with("[loop.external]\nlease = \"1s\"\n");
    let id = house.create(&["true", "true"]);
    let path = |part: &str| format!("/api/v1/loops/{id}/{part}");
    let start = json!({ "external": true, "runner": "me" });
    assert_eq!(house.ask("POST", &path("start"), &start).status, 200);
    house.until_status(&id, "paused");
    let shown = house.get(&path("")[..path("").len() - 1]).json();
    assert_eq!(shown["ext"]["pause"]["reason"], "runner_lost", "{shown}");
    let told = house.ask("POST", &path("signal"), &json!({ "runner": "me" })).json();
    assert_eq!((&told["action"], &told["reason"]), (&json!("pause_exit"), &json!("paused")));
    let late = |runner: &str| {
        let done = json!({ "runner": runner, "action": "develop", "result": "success",
            "message": "late", "files_changed": ["a.rs"], "skill_state": { "develop": {
                "tasks": [{ "id": "task-001", "status": "completed" }] } } });
        house.ask("POST", &path("report"), &done)
    };
    let other = late("other");
    assert_eq!((other.status, &other.json()["code"]), (409, &json!("loop.owned")), "{other:?}");
    let kept = late("me");
    assert_eq!((kept.status, &kept.json()["status"]), (200, &json!("paused")), "{kept:?}");
    let task = &kept.json()["skill_state"]["develop"]["tasks"][0];
    assert_eq!((&task["status"], &task["files_changed"]), (&json!("completed"), &json!(["a.rs"])));
}
