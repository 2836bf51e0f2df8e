//! The session of a branch, packages and the knowledge base over HTTP and MCP: the same words and
//! the same answers as on the command line.

use serde_json::{Value, json};

use crate::client::Client;
use crate::kit::{House, until};

fn house() -> House {
    let house = House::with(
        "[verify]\ncommands = [{ argv = [\"test\", \"-f\", \"proof\"], parser = \"exit\", \
         level = \"test\" }]\n",
    );
    house.write("main.sh", "echo one\n");
    house.write("proof", "");
    house
}

fn show(house: &House) -> Value {
    house.get("/api/v1/session").json()
}

#[test]
fn a_command_is_given_and_its_end_is_seen() {
    let house = house();
    let fresh = show(&house);
    assert_eq!(fresh["state"], "Idle", "{fresh}");
    assert_eq!(house.get("/api/v1/sessions").json(), json!([]), "looking opens none");
    let body = json!({ "command": "test", "args": [], "input_id": "in-1" });
    let said = house.ask("POST", "/api/v1/session/commands", &body);
    assert_eq!(said.status, 200, "{said:?}");
    until("the tests have run", || {
        let now = show(&house);
        now["state"] == "Idle" && now["last"]["unit"] == "~test"
    });
    assert_eq!(show(&house), house.data(&["status"]), "one session at every door");
    assert_eq!(house.get("/api/v1/session/vars").json(), house.data(&["status", "--vars"]));
    assert_eq!(house.get("/api/v1/sessions").json().as_array().unwrap().len(), 1);
    let typed = house.ask("POST", "/api/v1/session/input", &json!({ "text": "~status" }));
    assert_eq!(typed.json()["last"]["unit"], "~test", "{typed:?}");
    let other = house.get("/api/v1/session?branch=other").json();
    assert_ne!(other["session_id"], show(&house)["session_id"]);
}

#[test]
fn what_cannot_be_said_is_told_with_its_status() {
    let house = house();
    let table = [
        ("commands", json!({ "command": "dance" }), 422, "session.unknown_command"),
        ("commands", json!({}), 422, "session.invalid_args"),
        (
            "commands",
            json!({ "command": "test", "answers": { "dance": "x" } }),
            422,
            "session.invalid_args",
        ),
        ("input", json!({}), 422, "session.invalid_args"),
        ("input", json!({ "text": "~dance" }), 422, "session.unknown_command"),
        ("cancel", json!({}), 409, "session.not_now"),
    ];
    for (part, body, status, code) in table {
        let path = format!("/api/v1/session/{part}");
        let answer = house.ask("POST", &path, &body);
        let problem = answer.json();
        assert_eq!((answer.status, &problem["code"]), (status, &json!(code)), "{part}: {problem}");
        let chinese = [("Accept-Language", "zh-CN")];
        let other = house.ask_with("POST", &path, &chinese, &body.to_string()).json();
        assert_ne!(other["title"], problem["title"], "both languages: {problem}");
    }
    for flow in ["1", "x", "..%2Fx"] {
        let none = house.get(&format!("/api/v1/session/reports/{flow}"));
        assert_eq!((none.status, &none.json()["code"]), (404, &json!("session.no_such")));
    }
}

#[test]
fn invariant_nothing_below_a_shim_speaks_to_a_session() {
    let house = house();
    house.create(&["true"]);
    let post = |part: &str, body: Value| ("POST", format!("/api/v1/session/{part}"), body);
    let table = [
        post("input", json!({ "text": "make it better" })),
        post("commands", json!({ "command": "test" })),
        post("cancel", json!({})),
    ];
    for (asked, answer) in table.iter().zip(house.asked_by_an_agent(&table)) {
        assert_eq!(answer, (403, "session.needs_person".to_owned()), "{asked:?}");
    }
    let mut below = Client::marked(&house, &["--person"]);
    assert_eq!(
        below.code("session_command", &json!({ "command": "test" })),
        "session.needs_person"
    );
    assert_eq!(below.done("session_status", &json!({}))["state"], "Idle");
    below.leave();
    let mut guest = Client::start(&house, &[]);
    let names = guest.tools();
    for name in
        ["session_say", "session_command", "session_status", "session_cancel", "session_answer"]
    {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    assert_eq!(guest.done("session_status", &json!({}))["state"], "Idle");
    // What asks a person before it acts may be started; what is a yes by itself may not.
    for name in ["test", "exec", "init"] {
        let command = json!({ "command": name });
        assert_eq!(guest.code("session_command", &command), "session.needs_person", "{name}");
    }
    let wish =
        json!({ "command": "auto", "args": ["优化代码"], "answers": { "clarify": "proceed" } });
    let begun = guest.done("session_command", &wish);
    assert_eq!(begun["questions"][0]["kind"], "session.clarify", "{begun}");
    assert_eq!(begun["reply_state"], "waiting", "{begun}");
    let waive = json!({ "question": begun["questions"][0]["id"], "key": "proceed" });
    assert_eq!(guest.code("session_answer", &waive), "session.needs_person");
    assert_eq!(guest.code("session_cancel", &json!({ "undo": true })), "session.needs_person");
    assert_eq!(guest.done("session_cancel", &json!({}))["state"], "Idle");
    guest.leave();
    let mut person = Client::start(&house, &["--person"]);
    person.done("session_command", &json!({ "command": "test" }));
    person.leave();
    until("the tests have run", || show(&house)["last"]["unit"] == "~test");
}

/// A guest answers what the settings let guests answer, and nothing of a turn's where they name
/// none.
#[test]
fn a_guest_answers_only_what_the_settings_name() {
    for (kinds, expected) in [("[\"clarify\"]", true), ("[]", false)] {
        let house = House::with(&format!("[session]\nmcp_may_answer = {kinds}\n"));
        crate::turned::fill(&house.work.join(".loop/journal"));
        house.create(&["true"]);
        let asks = crate::turned::TURNS[2];
        let mut guest = Client::start(&house, &[]);
        let open = house.get(&format!("/api/v1/questions?run={asks}")).json()[0]["id"].clone();
        let answer = json!({ "question": open, "key": "the list" });
        if expected {
            guest.done("session_answer", &answer);
        } else {
            assert_eq!(guest.code("session_answer", &answer), "turn.needs_person");
        }
        guest.leave();
    }
}

#[test]
fn packages_are_made_checked_and_archived() {
    let house = house();
    let kb = house.get("/api/v1/kb").json();
    assert_eq!(kb, house.data(&["kb", "status"]), "one base at every door");
    let body = json!({ "feature": "login" });
    let refused = house.asked_by_an_agent(&[("POST", "/api/v1/packages".to_owned(), body.clone())]);
    assert_eq!(refused[0].0, 403, "{refused:?}");
    let made = house.ask("POST", "/api/v1/packages", &body);
    assert_eq!(made.status, 201, "{made:?}");
    let all = house.get("/api/v1/packages").json();
    assert_eq!(all, house.data(&["package", "list"]));
    let name = all[0]["name"].as_str().unwrap_or_else(|| panic!("{all}")).to_owned();
    assert!(name.ends_with("_login"), "{name}");
    let one = format!("/api/v1/packages/{name}");
    assert_eq!(house.get(&one).json(), house.data(&["package", "show", &name]));
    let checked = house.get(&format!("{one}/check")).json();
    assert_eq!(checked["total"], 1, "{checked}");
    let mut guest = Client::start(&house, &[]);
    assert_eq!(guest.done("package_list", &json!({}))["data"][0]["name"], json!(name));
    assert_eq!(guest.done("package_check", &json!({ "names": [name] }))["total"], 1);
    guest.leave();
    let odd = house.ask("POST", "/api/v1/packages", &json!({ "feature": "x", "type": "dance" }));
    assert_eq!((odd.status, &odd.json()["class"]), (422, &json!("E_INVALID_ARGS")), "{odd:?}");
    assert_eq!(house.get("/api/v1/packages/none").status, 404);
    let archive = format!("{one}/archive");
    let done = house.ask("POST", &archive, &json!({ "status": "skipped" }));
    assert_eq!(done.status, 200, "{done:?}");
    assert_eq!(house.get("/api/v1/packages").json(), json!([]));
}
