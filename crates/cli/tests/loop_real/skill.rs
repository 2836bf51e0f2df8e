//! An outside skill drives a loop: it takes the lease, reports what it did, and is believed in
//! nothing that the engine can check itself.

use serde_json::{Value, json};

use crate::kit::{House, Ran};

/// Reports as the runner of that name.
fn report(house: &House, id: &str, runner: &str, text: &str) -> Ran {
    std::fs::write(house.home.join("report"), text).unwrap();
    let file = house.home.join("report");
    house.run(&["loop", "report", id, "--runner", runner, file.to_str().unwrap(), "--json"])
}

fn lent(house: &House) -> String {
    let id = house.create(&["true", "true"]);
    house.data(&["loop", "start", &id, "--external", "skill", "--detach"]);
    let signal = house.data(&["loop", "signal", &id, "--runner", "skill"]);
    assert_eq!(signal["continue"], true, "{signal}");
    id
}

fn tasks(house: &House, id: &str) -> Vec<Value> {
    house.show(id)["skill_state"]["develop"]["tasks"].as_array().unwrap().clone()
}

#[test]
fn a_skill_reports_by_json_and_by_its_block() {
    let house = House::new();
    let id = lent(&house);
    let done = json!({ "action": "develop", "result": "success", "message": "did it",
        "files_changed": ["a.rs"],
        "skill_state": { "develop": { "tasks": [{ "id": "task-001", "status": "completed" }] } } });
    let ran = report(&house, &id, "skill", &done.to_string());
    assert_eq!(ran.code, 0, "{ran:?}");
    let block = [
        "I worked.\n\nACTION_RESULT:\n- action: action-develop-with-file\n- status: failed",
        "- message: no luck",
        r#"- state_updates: {"develop":{"tasks":[{"id":"task-002","status":"failed"}]}}"#,
        "\nFILES_UPDATED:\n\nNEXT_ACTION_NEEDED: debug\n",
    ]
    .join("\n");
    let ran = report(&house, &id, "skill", &block);
    assert_eq!(ran.code, 0, "{ran:?}");
    let tasks = tasks(&house, &id);
    assert_eq!((&tasks[0]["status"], &tasks[1]["status"]), (&json!("completed"), &json!("failed")));
    assert_eq!(tasks[0]["files_changed"], json!(["a.rs"]));
    let shown = house.show(&id);
    assert_eq!(shown["current_iteration"], 2, "{shown}");
    let history = house.data(&["loop", "history", &id]);
    let last = history["history"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["action"], &last["result"]), (&json!("develop"), &json!("failed")));
}

#[test]
fn a_claim_is_shown_and_the_engine_validates_itself() {
    let house = House::new();
    let id = lent(&house);
    let all = json!({ "action": "validate", "result": "success", "message": "all green",
        "skill_state": { "validate": { "passed": true },
            "develop": { "tasks": [{ "id": "task-001", "status": "completed" },
                                   { "id": "task-002", "status": "completed" }] } } });
    assert_eq!(report(&house, &id, "skill", &all.to_string()).code, 0);
    assert_ne!(house.status(&id), "completed", "a word completes nothing");
    house.write("proof", "");
    house.data(&["loop", "complete", &id]);
    house.until_status(&id, "completed");
    assert_eq!(house.show(&id)["ext"]["completion"]["how"], "validated");
}

#[test]
fn what_is_not_the_skills_to_say_is_refused_whole() {
    let house = House::new();
    let id = lent(&house);
    let before = house.show(&id)["seq"].clone();
    let other = report(&house, &id, "stranger", "{\"action\":\"develop\"}");
    assert_eq!((other.code, other.json()["error"]["code"].clone()), (7, json!("loop.owned")));
    assert!(other.json()["error"]["message"].as_str().unwrap().starts_with("skill"), "{other:?}");
    let table = [
        ("{\"action\":\"dance\"}", 2),
        ("{\"action\":\"develop\",\"result\":\"perhaps\"}", 2),
        (r#"{"skill_state":{"develop":{"tasks":[{"id":"task-009","status":"completed"}]}}}"#, 2),
        ("no report at all", 2),
    ];
    for (text, code) in table {
        let ran = report(&house, &id, "skill", text);
        assert_eq!(ran.code, code, "{text}: {ran:?}");
    }
    assert_eq!(house.show(&id)["seq"], before, "nothing was recorded");
    house.data(&["loop", "stop", &id]);
    let driven = house.started(&["sh gate.sh one"]);
    house.until_began("one");
    let beside = report(&house, &driven, "skill", "{\"action\":\"develop\"}");
    assert_eq!(beside.json()["error"]["code"], "loop.engine_drives", "{beside:?}");
    house.write("go", "");
}

#[test]
fn a_lease_that_is_over_pauses_and_only_its_holder_is_still_heard() {
    let house = House::new();
    let settings = house.read("loopwright.toml");
    house.write("loopwright.toml", &format!("{settings}[loop.external]\nlease = \"1s\"\n"));
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    let id = house.create(&["true", "true"]);
    house.data(&["loop", "start", &id, "--external", "skill"]);
    house.until_status(&id, "paused");
    assert_eq!(house.show(&id)["ext"]["pause"]["reason"], "runner_lost");
    let asked = house.run(&["loop", "signal", &id, "--runner", "skill", "--exit-code", "--json"]);
    assert_eq!((asked.code, &asked.json()["data"]["action"]), (4, &json!("pause_exit")));
    let done = json!({ "action": "develop", "result": "success", "message": "late",
        "skill_state": { "develop": { "tasks": [{ "id": "task-001", "status": "completed" }] } } });
    let other = report(&house, &id, "stranger", &done.to_string());
    assert_eq!((other.code, other.json()["error"]["code"].clone()), (7, json!("loop.owned")));
    assert_eq!(report(&house, &id, "skill", &done.to_string()).code, 0);
    assert_eq!(tasks(&house, &id)[0]["status"], "completed", "a late report is kept");
    let shown = house.show(&id);
    assert_eq!((&shown["status"], &shown["current_iteration"]), (&json!("paused"), &json!(1)));
}
