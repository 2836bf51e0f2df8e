//! Lifecycles over HTTP and MCP: started, approved and read by the same words as on the command
//! line; an agent may say how far it is and nothing else.

use serde_json::{Value, json};

use crate::client::Client;
use crate::kit::{House, until};

/// Two tasks, the second after the first, each with a check of its own.
const PRD: &str = "# Two files\n\n## 3. Atomic Task List (任务清单)\n\
    - [ ] T-1: [P0] Write a (`a.txt`)\n  - Verify: `grep -q one a.txt`\n\
    - [ ] T-2: Write b (`b.txt`)\n  - 依赖：T-1\n  - 验证：`grep -q two b.txt`\n";

const BOTH: &str = r#"
[[rule]]
when = "Write a"
steps = [ { session = "auto" }, { write = { path = "a.txt", text = "one\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
[[rule]]
when = "Write b"
steps = [ { session = "auto" }, { write = { path = "b.txt", text = "two\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

fn house() -> House {
    let house = House::new();
    let file = house.home.join("alpha.toml");
    std::fs::write(&file, BOTH).unwrap();
    let config = format!(
        "[agents.alpha]\nkind = \"script\"\nscenario = {:?}\n[turn]\nagents = [\"alpha\"]\n",
        file.to_str().unwrap()
    );
    let dir = house.home.join("config/loopwright");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("config.toml"), config).unwrap();
    house.write("prd.md", PRD);
    house
}

fn path(id: &str, part: &str) -> String {
    format!("/api/v1/lifecycles/{id}{}{part}", if part.is_empty() { "" } else { "/" })
}

fn show(house: &House, id: &str) -> Value {
    house.get(&path(id, "")).json()
}

fn until_state(house: &House, id: &str, state: &str) {
    until(state, || show(house, id)["task_status"] == state);
}

/// A run whose plan waits for a yes.
fn waiting(house: &House) -> String {
    let made = house.ask("POST", "/api/v1/lifecycles", &json!({ "prd": "prd.md" }));
    assert_eq!(made.status, 201, "{made:?}");
    let id = made.json()["run_id"].as_str().unwrap().to_owned();
    until_state(house, &id, "CONFIRMING");
    id
}

fn said(house: &House, id: &str, command: &str, args: &Value) -> (u16, Value) {
    let body = json!({ "command": command, "args": args });
    let answer = house.ask("POST", &path(id, "commands"), &body);
    (answer.status, answer.json())
}

#[test]
fn a_plan_document_is_approved_done_and_read() {
    let house = house();
    let id = waiting(&house);
    let now = show(&house, &id);
    let old = json!({ "command": "confirm", "expected_seq": 1 });
    let old = house.ask("POST", &path(&id, "commands"), &old);
    assert_eq!((old.status, &old.json()["code"]), (412, &json!("lifecycle.conflict")), "{old:?}");
    let (status, stale) = said(&house, &id, "USER_CONFIRM", &json!({ "hash": "0000" }));
    assert_eq!((status, &stale["code"]), (409, &json!("lifecycle.plan_changed")), "{stale}");
    let tasks = house.get(&path(&id, "tasks")).json();
    assert_eq!(tasks[1]["id"], "T-2", "{tasks}");
    let body = json!({ "command": "USER_CONFIRM", "expected_seq": now["seq"] });
    let yes = house.ask("POST", &path(&id, "commands"), &body);
    assert_eq!(yes.status, 200, "{yes:?}");
    until_state(&house, &id, "IDLE");
    let end = show(&house, &id);
    assert_eq!(end["outcome"], "completed", "{end}");
    assert_eq!(house.data(&["lifecycle", "status", &id])["outcome"], "completed");
    let evidence = house.get(&path(&id, "evidence")).json();
    assert_eq!(evidence, house.data(&["lifecycle", "evidence", &id]), "one proof at every door");
    assert!(evidence.as_array().unwrap().iter().any(|one| one["verdict"] == "pass"), "{evidence}");
    let errors = house.get(&path(&id, "errors")).json();
    assert_eq!(errors, house.data(&["lifecycle", "errors", &id]), "{errors}");
    let mut context = house.get(&path(&id, "context")).json();
    let typed = house.data(&["lifecycle", "context", &id]);
    assert!(context["pointer"][0].as_str().unwrap().contains(&id), "{context}");
    assert_eq!(context["page"], typed["page"]);
    assert_eq!(context["view"].take(), typed["view"]);
    assert_eq!(house.get("/api/v1/lifecycles").json()[0]["run_id"], json!(id));
    let back = house.get(&path(&id, "rollback-plan"));
    assert_eq!(back.status, 200, "{back:?}");
    let typed_back = house.data(&["lifecycle", "rollback", &id, "--dry-run"]);
    assert_eq!(back.json()["checkpoint"], typed_back["checkpoint"], "{typed_back}");
    assert_eq!(back.json()["actions"], typed_back["actions"], "{typed_back}");
    let mut guest = Client::start(&house, &[]);
    let read = guest.done("read_context", &json!({ "id": id }));
    assert_eq!(read["page"], typed["page"]);
    guest.leave();
}

#[test]
fn every_command_answers_as_its_machine_does() {
    let house = house();
    let id = waiting(&house);
    let seq = show(&house, &id)["seq"].clone();
    let table = [
        ("dance", json!({}), 422, "lifecycle.unknown_command"),
        ("SKIP_TASK", json!({}), 409, "lifecycle.not_now"),
        ("SKIP_TASK", json!({ "dependants": "run" }), 409, "lifecycle.not_now"),
        ("SKIP_TASK", json!({ "dependants": "all" }), 422, "lifecycle.invalid_args"),
        ("USER_INPUT_REQUIREMENT", json!({ "text": "Add more" }), 409, "lifecycle.busy"),
        (
            "update_progress",
            json!({ "task_id": "T-1", "status": "DONE" }),
            409,
            "lifecycle.not_now",
        ),
        ("ERROR_DETECTED", json!({}), 409, "lifecycle.derived"),
        ("ARCHIVE_COMPLETE", json!({}), 409, "lifecycle.derived"),
        ("HUMAN_INTERVENTION", json!({ "kind": "fixed" }), 409, "lifecycle.not_now"),
        ("fix", json!({ "fixed": true, "add_cost_usd": "much" }), 422, "lifecycle.invalid_args"),
        ("USER_CONFIRM", json!({ "plan_hash": "another" }), 409, "lifecycle.plan_changed"),
        ("pause", json!({}), 409, "lifecycle.not_now"),
        ("resume", json!({}), 409, "lifecycle.not_held"),
        ("modify", json!({}), 422, "lifecycle.invalid_args"),
        ("fix", json!({}), 422, "lifecycle.invalid_args"),
        ("confirm", json!({ "scope": "world" }), 422, "lifecycle.invalid_args"),
        ("amend", json!({ "add": 3 }), 422, "E_INVALID_ARGS"),
        ("rollback", json!({ "conflicts": "burn" }), 422, "lifecycle.invalid_args"),
    ];
    for (command, args, status, code) in table {
        let (found, problem) = said(&house, &id, command, &args);
        assert_eq!((found, &problem["code"]), (status, &json!(code)), "{command}: {problem}");
        let body = json!({ "command": command, "args": args }).to_string();
        let chinese = [("Accept-Language", "zh-CN")];
        let other = house.ask_with("POST", &path(&id, "commands"), &chinese, &body).json();
        assert_ne!(other["title"], problem["title"], "both languages: {problem}");
    }
    assert_eq!(show(&house, &id)["seq"], seq, "a refusal changes nothing");
    for part in ["errors", "decisions"] {
        let later = house.ask("POST", &path(&id, part), &json!({ "type": "Rule" }));
        assert_eq!((later.status, &later.json()["details"]["kind"]), (422, &json!("unsupported")));
    }
    let none = house.get("/api/v1/lifecycles/lc-none");
    assert_eq!((none.status, &none.json()["code"]), (404, &json!("lifecycle.no_such")), "{none:?}");
    let outside = house.ask("POST", "/api/v1/lifecycles", &json!({ "prd": "../prd.md" }));
    assert_eq!(outside.json()["code"], "lifecycle.invalid_args", "{outside:?}");
    assert_eq!(said(&house, &id, "cancel", &json!({})).0, 200);
    until_state(&house, &id, "IDLE");
}

#[test]
fn invariant_nobody_but_a_person_approves_a_plan() {
    let house = house();
    let id = waiting(&house);
    let seq = show(&house, &id)["seq"].clone();
    let open = house.get("/api/v1/questions").json()[0].clone();
    let command = |name: &str| ("POST", path(&id, "commands"), json!({ "command": name }));
    let question = open["id"].as_str().unwrap().replace('/', "%2F");
    let table = [
        ("POST", "/api/v1/lifecycles".to_owned(), json!({ "prd": "prd.md" })),
        command("confirm"),
        command("cancel"),
        command("pause"),
        command("RETRY_PLAN"),
        ("POST", path(&id, "progress"), json!({ "task": "T-1", "status": "DONE" })),
        ("POST", format!("/api/v1/questions/{question}/answer"), json!({ "key": "go" })),
    ];
    for (asked, answer) in table.iter().zip(house.asked_by_an_agent(&table)) {
        assert_eq!(answer, (403, "lifecycle.needs_person".to_owned()), "{asked:?}");
    }
    let mut guest = Client::start(&house, &[]);
    let answer = json!({ "question": open["id"], "key": "go" });
    assert_eq!(guest.code("session_answer", &answer), "lifecycle.needs_person");
    guest.leave();
    let mut below = Client::marked(&house, &["--person"]);
    assert_eq!(below.code("session_answer", &answer), "lifecycle.needs_person");
    let claim = json!({ "id": id, "task_id": "T-1", "status": "DONE" });
    assert_eq!(below.code("update_progress", &claim), "lifecycle.needs_person", "not its own run");
    below.leave();
    assert_eq!(show(&house, &id)["seq"], seq, "nothing was recorded");
    let mut person = Client::start(&house, &["--person"]);
    person.done("session_answer", &answer);
    person.leave();
    until_state(&house, &id, "IDLE");
    assert_eq!(show(&house, &id)["outcome"], "completed");
}
