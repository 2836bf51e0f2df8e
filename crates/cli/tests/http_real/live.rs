//! Live streams: what is told, in which form, and that nothing is missed: not by a client that
//! comes back, not when the engine dies.

use serde_json::{Value, json};

use crate::kit::{House, until};

fn types(all: &[(Option<u64>, Value)]) -> Vec<String> {
    all.iter().map(|(_, object)| object["type"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_loop_is_told_as_flat_objects_to_its_end() {
    let house = House::new();
    let id = house.create(&["touch proof"]);
    let mut stream = house.stream(&format!("/api/v1/loops/{id}/events"), None);
    let (_, first) = stream.next();
    assert_eq!(
        (&first["type"], &first["status"]),
        (&json!("LOOP_STATE_UPDATE"), &json!("created"))
    );
    let added = json!({ "command": "echo hello" });
    house.ask("POST", &format!("/api/v1/loops/{id}/tasks"), &added);
    let told = stream.until("TASK_ADDED").pop().unwrap().1;
    assert_eq!((&told["loop_id"], &told["task"]["command"]), (&json!(id), &json!("echo hello")));
    house.ask("POST", &format!("/api/v1/loops/{id}/start"), &Value::Null);
    let all = stream.until("LOOP_COMPLETED");
    let end = &all.last().unwrap().1;
    assert_eq!((&end["final_status"], &end["total_iterations"]), (&json!("completed"), &json!(3)));
    let steps: Vec<&Value> = all
        .iter()
        .map(|(_, object)| object)
        .filter(|object| object["type"] == "LOOP_STEP_COMPLETED")
        .collect();
    let spoke = steps.iter().find(|step| step["output"] == "hello\n");
    let spoke = spoke.unwrap_or_else(|| panic!("{steps:?}"));
    assert_eq!(spoke["exit_code"], 0, "{spoke}");
    assert!(spoke["step_id"].as_str().unwrap().ends_with("/work"), "{spoke}");
    assert!(types(&all).contains(&"TASK_UPDATED".to_owned()), "{all:?}");
    let updates: Vec<&Value> = all
        .iter()
        .map(|(_, object)| object)
        .filter(|object| object["type"] == "LOOP_STATE_UPDATE")
        .collect();
    for word in ["running", "completed"] {
        assert!(updates.iter().any(|update| update["status"] == word), "{word}: {updates:?}");
    }
    for name in ["updated_at", "current_iteration", "current_action", "timestamp"] {
        assert!(updates.iter().all(|update| update.get(name).is_some()), "{name}: {updates:?}");
    }
    house.ask("DELETE", &format!("/api/v1/loops/{id}"), &Value::Null);
    assert_eq!(stream.until("LOOP_DELETED").pop().unwrap().1["loop_id"], json!(id));
}

#[test]
fn who_comes_back_is_told_what_it_missed() {
    let house = House::new();
    let mut before = house.stream("/api/loops/v2/events", None);
    let id = house.create(&["true"]);
    let place = before.until("TASK_ADDED").pop().unwrap().0.expect("it has a place");
    drop(before);
    house.ask("POST", &format!("/api/v1/loops/{id}/stop"), &json!({ "why": "enough" }));
    for path in ["/api/v1/events".to_owned(), format!("/api/v1/loops/{id}/events")] {
        let all = house.stream(&path, Some(place)).until("LOOP_COMPLETED");
        let end = &all.last().unwrap().1;
        assert_eq!((&end["final_status"], &end["loop_id"]), (&json!("failed"), &json!(id)));
        assert!(end["reason"].as_str().unwrap().ends_with("enough"), "{end}");
        assert!(!types(&all).contains(&"TASK_ADDED".to_owned()), "that was told before: {all:?}");
    }
    let all = house.stream("/api/v1/events", Some(0)).until("LOOP_COMPLETED");
    assert!(types(&all).contains(&"TASK_ADDED".to_owned()), "{all:?}");
}

#[test]
fn a_stream_outlives_an_engine() {
    let mut house = House::new();
    let id = house.create(&["sh gate.sh one", "touch proof"]);
    let mut stream = house.stream(&format!("/api/v1/loops/{id}/events"), None);
    house.ask("POST", &format!("/api/v1/loops/{id}/start"), &Value::Null);
    house.until_began("one");
    let pid = house.data(&["engine", "status"])["pid"].as_i64().unwrap();
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    until("the engine is gone", || {
        !house.data(&["engine", "status"])["running"].as_bool().unwrap()
    });
    assert_eq!(house.status(&id), "running", "reading needs no engine");
    house.write("go", "");
    // Whatever is said next starts another engine, which goes on.
    house.ask("POST", &format!("/api/v1/loops/{id}/tasks"), &json!({ "command": "true" }));
    let all = stream.until("LOOP_COMPLETED");
    assert_eq!(all.last().unwrap().1["final_status"], "completed", "{all:?}");
    let ids: Vec<u64> = all.iter().filter_map(|(id, _)| *id).collect();
    assert!(ids.is_sorted() && !ids.is_empty(), "{ids:?}");
    // The server ends when it is told to, and its streams with it.
    let server = house.server();
    let own = rustix::process::Pid::from_child(server);
    rustix::process::kill_process(own, rustix::process::Signal::INT).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn a_notice_reaches_the_streams_of_all_loops() {
    let house = House::new();
    let id = house.create(&["true"]);
    let paths = ["/api/v1/events", "/api/loops/v2/events"];
    let streams = paths.map(|path| house.stream(path, None));
    // Nothing is recorded of the loop while these look on: its file is refused and redrawn.
    house.write(&format!(".loop/{id}.json"), "no JSON at all");
    for mut stream in streams {
        let told = stream.until("LOOP_NOTICE").pop().unwrap().1;
        assert_eq!(told["loop_id"], json!(id), "{told}");
        assert!(!told["text"].as_str().unwrap().is_empty(), "{told}");
    }
}
