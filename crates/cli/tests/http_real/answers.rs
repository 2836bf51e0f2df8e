//! Answers to open questions over HTTP: the same command as at a terminal, and the first valid one
//! wins.

use serde_json::{Value, json};

use crate::kit::{House, until};

/// A call that waits for a yes, and its question.
fn asking(house: &House) -> (String, Value) {
    house.write("old.txt", "x");
    let argv = json!({ "argv": ["rm", "-r", "old.txt"] });
    let asked = house.ask("POST", "/api/v1/tools/run", &argv);
    assert_eq!(asked.status, 202, "{asked:?}");
    let call = asked.json()["run_id"].as_str().unwrap().to_owned();
    let questions = house.get("/api/v1/questions").json();
    let own = questions.as_array().unwrap().iter().find(|one| one["run_id"] == call.as_str());
    (call, own.unwrap_or_else(|| panic!("{questions}")).clone())
}

fn path(id: &str) -> String {
    format!("/api/v1/questions/{id}/answer")
}

#[test]
fn a_yes_is_bound_to_what_was_shown() {
    let house = House::new();
    let (call, question) = asking(&house);
    let id = question["id"].as_str().unwrap();
    let hash = question["hash"].as_str().unwrap();
    let table = [
        (json!({}), 422, "door.invalid_args"),
        (json!({ "key": "maybe" }), 422, "call.unknown_option"),
        (json!({ "key": "allow", "hash": "0".repeat(64) }), 409, "call.stale_approval"),
        (json!({ "key": "allow", "text": "but" }), 422, "E_INVALID_ARGS"),
        (json!({ "key": "allow", "scope": "ever" }), 422, "E_INVALID_ARGS"),
        (json!({ "key": "deny", "scope": "session" }), 422, "E_INVALID_ARGS"),
        (json!({ "key": "allow", "kee": 1 }), 422, "door.invalid_args"),
        (json!({ "key": "allow", "scope": "session" }), 403, "call.scope_too_wide"),
    ];
    for (body, status, code) in table {
        let answer = house.ask("POST", &path(id), &body);
        assert_eq!((answer.status, &answer.json()["code"]), (status, &json!(code)), "{body}");
        assert!(house.work.join("old.txt").exists(), "{body}");
    }
    let wrong = house.ask("POST", &path(id), &json!({ "key": "maybe" })).json();
    assert!(wrong["allowed"].as_array().unwrap().contains(&json!("allow")), "{wrong}");
    // The id has parts; a client may write them either way.
    let encoded = path(&id.replace('/', "%2F"));
    let yes = house.ask("POST", &encoded, &json!({ "key": "allow", "hash": hash }));
    assert_eq!((yes.status, &yes.json()["run_id"]), (200, &json!(call)), "{yes:?}");
    until("it is done", || !house.work.join("old.txt").exists());
    let late = house.ask("POST", &path(id), &json!({ "key": "allow" }));
    assert_eq!((late.status, &late.json()["code"]), (409, &json!("call.question_closed")));
    let none = house.ask("POST", &path("call-none/ask"), &json!({ "key": "allow" }));
    assert_eq!((none.status, &none.json()["code"]), (404, &json!("door.no_such")), "{none:?}");
    let nowhere = house.ask("POST", "/api/v1/questions/x/dance", &json!({ "key": "allow" }));
    assert_eq!((nowhere.status, &nowhere.json()["code"]), (404, &json!("door.no_such")));
}

#[test]
fn the_first_valid_answer_wins() {
    let house = House::new();
    let (call, question) = asking(&house);
    let path = path(question["id"].as_str().unwrap());
    let answers: Vec<(u16, Value)> = std::thread::scope(|scope| {
        let asks = ["allow", "deny", "allow", "deny"].map(|key| {
            let (house, path) = (&house, &path);
            scope.spawn(move || {
                let answer = house.ask("POST", path, &json!({ "key": key }));
                (answer.status, answer.json())
            })
        });
        asks.into_iter().map(|ask| ask.join().unwrap()).collect()
    });
    let won: Vec<&Value> =
        answers.iter().filter(|(status, _)| *status == 200).map(|(_, body)| body).collect();
    assert_eq!(won.len(), 1, "{answers:?}");
    assert!(answers.iter().all(|(status, _)| [200, 409].contains(status)), "{answers:?}");
    let at = format!("/api/v1/calls/{call}");
    until("it ends", || {
        ["Settled", "Denied"].contains(&house.get(&at).json()["state"].as_str().unwrap())
    });
    let gone = !house.work.join("old.txt").exists();
    assert_eq!(gone, won[0]["key"] == "allow", "{won:?}");
}

#[test]
fn a_question_of_a_loop_is_answered_by_its_key() {
    let house = House::new();
    let id = house.create(&["true"]);
    let start = json!({ "mode": "interactive" });
    house.ask("POST", &format!("/api/v1/loops/{id}/start"), &start);
    until("its menu opens", || house.get("/api/v1/questions").json()[0]["kind"] == "loop.menu");
    let answered = house.ask("POST", &path(&id), &json!({ "key": "develop" }));
    assert_eq!((answered.status, &answered.json()["machine"]), (200, &json!("loop")));
    until("it has acted", || {
        house.get(&format!("/api/v1/loops/{id}")).json()["current_iteration"] == 1
    });
}

#[test]
fn an_acceptance_says_what_was_shown() {
    let house = House::new();
    let check = "[loop.validate]\ncommands = [{ argv = [\"true\"], parser = \"auto\" }]\n";
    house.write("loopwright.toml", check);
    assert!(house.command(&["workspace", "trust"]).output().unwrap().status.success());
    let id = house.create(&["true"]);
    let at = format!("/api/v1/loops/{id}");
    house.ask("POST", &format!("{at}/start"), &Value::Null);
    until("it asks", || house.get("/api/v1/questions").json()[0]["kind"] == "loop.unverified");
    let hash = house.get("/api/v1/questions").json()[0]["hash"].clone();
    let answer = |body: Value| {
        let answered = house.ask("POST", &format!("{at}/answer"), &body);
        (answered.status, answered.json()["code"].clone())
    };
    assert_eq!(answer(json!({ "key": "accept" })), (422, json!("loop.invalid_args")));
    let other = json!({ "key": "accept", "hash": "0000" });
    assert_eq!(answer(other).1, json!("loop.stale_approval"));
    let closed = json!({ "key": "accept", "hash": hash, "q": 1 });
    assert_eq!(answer(closed).1, json!("loop.question_closed"));
    assert_eq!(answer(json!({ "key": "accept", "hash": hash })).0, 200);
    house.until_status(&id, "completed");
}
