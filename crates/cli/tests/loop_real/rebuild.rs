//! Files of loops that were lost, and loops that another program left: drawn anew, taken in, never
//! run by themselves.

use serde_json::{Value, json};

use crate::kit::House;

fn ended(house: &House) -> String {
    let id = house.started(&["touch proof", "echo hello"]);
    house.until_status(&id, "completed");
    id
}

/// Every file below a directory, with its bytes.
fn tree(dir: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(tree(&path));
        } else {
            let bytes = std::fs::read(&path).unwrap();
            all.push((path, bytes));
        }
    }
    all.sort();
    all
}

fn views(id: &str) -> Vec<String> {
    let pages = ["develop.md", "debug.md", "validate.md", "changes.log", "summary.md"];
    let pages = pages.iter().map(|page| format!(".loop/{id}.progress/{page}"));
    let own = [format!(".loop/{id}.json"), format!(".loop/{id}.tasks.jsonl")];
    own.into_iter().chain(pages).collect()
}

#[test]
fn each_view_that_is_lost_is_drawn_again_byte_for_byte() {
    let house = House::new();
    let id = ended(&house);
    // The end may be read before its pages are drawn.
    house.data(&["loop", "rebuild", &id]);
    let before: Vec<String> = views(&id).iter().map(|name| house.read(name)).collect();
    for (name, text) in views(&id).iter().zip(&before) {
        std::fs::remove_file(house.work.join(name)).unwrap();
        house.data(&["loop", "rebuild", &id]);
        assert_eq!(house.read(name), *text, "{name}");
    }
    std::fs::remove_file(house.work.join(format!(".loop/{id}.json"))).unwrap();
    // The engine may be drawing into it again at this very moment.
    let _ = std::fs::remove_dir_all(house.work.join(format!(".loop/{id}.progress")));
    house.data(&["loop", "rebuild", &id]);
    for (name, text) in views(&id).iter().zip(&before) {
        assert_eq!(house.read(name), *text, "{name}");
    }
}

#[test]
fn a_lost_journal_leaves_what_the_files_tell() {
    for lost in [None, Some(".json")] {
        let house = House::new();
        let id = ended(&house);
        let before = house.show(&id);
        house.run(&["engine", "stop"]);
        std::fs::remove_dir_all(house.work.join(".loop/journal")).unwrap();
        if let Some(end) = lost {
            std::fs::remove_file(house.work.join(format!(".loop/{id}{end}"))).unwrap();
        }
        let ran = house.run(&["loop", "rebuild", &id]);
        assert_eq!(ran.code, 2, "the journal knows it no more: {ran:?}");
        let ran = house.run(&["loop", "rebuild", &id, "--from-progress", "--json"]);
        assert_eq!(ran.code, 0, "{lost:?}: {ran:?}");
        let defaulted = &ran.json()["data"]["rebuilt"]["defaulted"];
        let expected = if lost.is_none() { json!([]) } else { json!(["title", "max_iterations"]) };
        assert_eq!(*defaulted, expected, "{lost:?}: what no file says is told");
        let now = house.show(&id);
        assert_eq!(
            (&now["status"], &now["ext"]["pause"]["reason"]),
            (&json!("paused"), &json!("rebuilt"))
        );
        for part in ["/description", "/created_at", "/skill_state/develop/completed"] {
            assert_eq!(now.pointer(part), before.pointer(part), "{lost:?}: {part}");
        }
        let tasks = |shown: &Value| -> Vec<Value> {
            let all = shown["skill_state"]["develop"]["tasks"].as_array().unwrap();
            all.iter()
                .map(|task| json!([task["id"], task["description"], task["status"]]))
                .collect()
        };
        assert_eq!(tasks(&now), tasks(&before), "{lost:?}");
        let again = house.run(&["loop", "rebuild", &id, "--from-progress", "--json"]);
        assert_eq!(again.json()["error"]["code"], "loop.id_taken", "{again:?}");
    }
}

#[test]
fn reg_two_dirs_both_layouts_and_the_files_beside_them() {
    let house = House::new();
    let state = json!({ "session_id": "one", "task_description": "First", "status": "user_exit",
        "created_at": "2026-01-22T10:00:00Z", "updated_at": "2026-01-22T02:00:00Z" });
    let place = ".workflow/.loop";
    for dir in ["one/develop", "one/debug", "one/validate", "loop-two"] {
        std::fs::create_dir_all(house.work.join(place).join(dir)).unwrap();
    }
    let put = |name: &str, text: &str| house.write(&format!("{place}/{name}"), text);
    put("one/state.json", &state.to_string());
    put("one/develop/tasks.json", r#"{"tasks":[{"id":"task-001","description":"One"}]}"#);
    put("one/debug/hypotheses.json", r#"[{"id":"H1","description":"Null","status":"rejected"}]"#);
    put(
        "one/validate/test-results.json",
        r#"{"test_results":[{"test_name":"t","suite":"s","status":"failed"}]}"#,
    );
    put("loop-two.json", r#"{"loop_id":"loop-two","description":"Second","status":"created"}"#);
    put("loop-two/tasks.jsonl", "{\"description\":\"Listed\",\"mode\":\"write\"}\n");
    put("broken.json", "not JSON");
    let before = tree(&house.work.join(place));
    readable(&house);
    let taken = house.data(&["loop", "migrate", "--all"]);
    let rows: Vec<Value> = taken["loops"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!([row["loop_id"], row["outcome"], row["raised"]]))
        .collect();
    assert_eq!(
        rows,
        [
            json!(["broken", "unread", []]),
            json!(["loop-one", "taken", ["updated_at"]]),
            json!(["loop-two", "taken", []]),
        ]
    );
    let one = house.show("loop-one");
    assert_eq!(one["ext"]["pause"]["reason"], "user_exit", "{one}");
    let skill = &one["skill_state"];
    assert_eq!(skill["develop"]["tasks"][0]["description"], "One");
    assert_eq!(skill["debug"]["hypotheses"][0]["status"], "rejected");
    assert_eq!(skill["validate"]["test_results"][0]["test_name"], "t");
    let source = one["ext"]["imported_from"].as_str().unwrap();
    assert!(source.contains("one/state.json sha256:"), "{source}");
    assert_eq!(house.show("loop-two")["status"], "created");
    assert_eq!(house.data(&["loop", "task", "list", "loop-two"])["total"], 1);
    let again = house.data(&["loop", "migrate", "--all"]);
    let known = |row: &&Value| row["outcome"] == "known";
    assert_eq!(again["loops"].as_array().unwrap().iter().filter(known).count(), 2, "{again}");
    assert_eq!(tree(&house.work.join(place)), before, "never written");
}

/// A loop that lies only in the older place is shown as it stands there, and nothing of it is ours.
fn readable(house: &House) {
    let shown = house.show("loop-one");
    assert_eq!((&shown["status"], &shown["description"]), (&json!("user_exit"), &json!("First")));
    assert_eq!(shown["skill_state"]["develop"]["tasks"][0]["description"], "One");
    assert_eq!(shown["ext"]["foreign"]["file"], ".workflow/.loop/one/state.json");
    let page = house.run(&["loop", "show", "loop-two"]);
    assert!(page.out.contains("[ ] -  -  Listed"), "{page:?}");
    assert!(page.out.contains("loopwright loop migrate loop-two"), "{page:?}");
    let odd = json!(["Inconsistent: completed mismatch", "Inconsistent: total mismatch"]);
    let found = house.run(&["loop", "check", "loop-two", "--json"]);
    assert_eq!((found.code, &found.json()["data"]["errors"]), (1, &odd), "it says no numbers");
    assert_eq!(house.run(&["loop", "show", "broken"]).code, 2, "what can't be read is not there");
    let other = house.run(&["loop", "pause", "loop-one", "--json"]);
    assert_eq!(other.json()["error"]["code"], "loop.no_such", "it is only read: {other:?}");
    assert_eq!(house.data(&["loop", "list"])["total"], 0);
}

/// An id that another loop has in other letters is taken, and the rest is migrated all the same.
#[test]
fn ids_that_differ_by_case_alone_are_one_id() {
    let house = House::new();
    for id in ["loop-Auth", "loop-auth", "loop-next"] {
        let dir = format!(".workflow/.loop/{id}");
        std::fs::create_dir_all(house.work.join(&dir)).unwrap();
        let state = json!({ "session_id": id, "task_description": id, "status": "paused" });
        house.write(&format!("{dir}/state.json"), &state.to_string());
    }
    let taken = house.data(&["loop", "migrate", "--all"]);
    let rows = taken["loops"].as_array().unwrap();
    let told: Vec<Value> =
        rows.iter().map(|row| json!([row["loop_id"], row["outcome"], row["code"]])).collect();
    let expected = [
        json!(["loop-Auth", "taken", null]),
        json!(["loop-auth", "refused", "loop.id_taken"]),
        json!(["loop-next", "taken", null]),
    ];
    assert_eq!(told, expected);
    let alone = house.run(&["loop", "migrate", "loop-auth", "--json"]);
    assert_eq!(alone.json()["error"]["code"], "loop.id_taken", "{alone:?}");
}

/// What does not agree with itself is said when it is taken in, as `loop check` would.
#[test]
fn a_document_is_checked_when_it_is_taken_in() {
    let house = House::new();
    let dir = ".workflow/.loop/loop-odd";
    std::fs::create_dir_all(house.work.join(dir)).unwrap();
    let odd = json!({ "session_id": "loop-odd", "task_description": "Odd", "status": "completed",
        "develop": { "completed_count": 2, "tasks": [
            { "id": "task-001", "description": "One", "status": "completed" }] },
        "validate": { "passed": false } });
    house.write(&format!("{dir}/state.json"), &odd.to_string());
    let errors = json!([
        "Inconsistent: completed but validation not passed",
        "Inconsistent: completed_at",
        "Inconsistent: completed mismatch",
        "Inconsistent: total mismatch"
    ]);
    for args in [&["loop", "migrate", "--all", "--dry-run"][..], &["loop", "migrate", "loop-odd"]] {
        assert_eq!(house.data(args)["loops"][0]["errors"], errors, "{args:?}");
    }
    let found = house.run(&["loop", "check", &format!("{dir}/state.json"), "--json"]);
    assert_eq!((found.code, &found.json()["data"]["errors"]), (1, &errors));
}

#[test]
fn reg_two_dirs_the_older_place_is_read_and_never_written() {
    let house = House::new();
    let state = json!({
        "session_id": "loop-old-1", "task_description": "Count them", "status": "running",
        "created_at": "2026-01-22T10:00:00+08:00", "updated_at": "2026-01-22T03:00:00Z",
        "max_iterations": 7, "current_iteration": 2,
        "skill_state": { "mode": "auto", "develop": { "tasks": [
            { "id": "task-001", "description": "One", "tool": "ai", "mode": "read",
              "status": "completed" },
            { "id": "task-002", "description": "Two", "tool": "bash", "mode": "write",
              "status": "in_progress" },
        ] } },
    });
    std::fs::create_dir_all(house.work.join(".workflow/.loop/loop-old-1")).unwrap();
    std::fs::create_dir_all(house.work.join(".workflow/.loop/rubbish")).unwrap();
    let file = ".workflow/.loop/loop-old-1/state.json";
    house.write(file, &state.to_string());
    house.write(".workflow/.loop/rubbish/state.json", "not JSON");
    let would = house.data(&["loop", "migrate", "--all", "--dry-run"]);
    assert_eq!(would["loops"][0]["outcome"], "would", "{would}");
    assert_eq!(house.data(&["loop", "list"])["total"], 0);
    let taken = house.data(&["loop", "migrate", "loop-old-1"]);
    assert_eq!(taken["loops"][0]["outcome"], "taken", "{taken}");
    let again = house.data(&["loop", "migrate", "--all"]);
    let told = |n: usize| again["loops"][n]["outcome"].as_str().unwrap();
    assert_eq!((told(0), told(1)), ("known", "unread"), "{again}");
    let shown = house.show("loop-old-1");
    assert_eq!(
        (&shown["status"], &shown["ext"]["pause"]["reason"]),
        (&json!("paused"), &json!("imported"))
    );
    assert_eq!(
        shown["created_at"], "2026-01-22T02:00:00.000Z",
        "any offset is read, UTC is written"
    );
    assert_eq!((&shown["max_iterations"], &shown["current_iteration"]), (&json!(7), &json!(2)));
    let tasks = &shown["skill_state"]["develop"]["tasks"];
    assert_eq!(
        (&tasks[0]["status"], &tasks[1]["status"]),
        (&json!("completed"), &json!("pending"))
    );
    assert_eq!(house.read(file), state.to_string(), "never written");
    let none = house.run(&["loop", "migrate", "loop-nobody", "--json"]);
    assert_eq!((none.code, none.json()["error"]["code"].clone()), (2, json!("loop.no_such")));
}
