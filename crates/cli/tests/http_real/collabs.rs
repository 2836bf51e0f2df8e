//! Collabs over HTTP and MCP: asked, followed, judged and ended by the same words as on the command
//! line, and decided by a person only.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::client::Client;
use crate::kit::{House, until};

const ANSWERS: &str = r#"
[[rule]]
steps = [ { session = "auto" }, { say = "use a queue" }, "end" ]
"#;
const REFUSED: &str = r#"
[[rule]]
steps = [ { session = "auto" },
          { error = { kind = "auth", status = 401, message = "status 401" } } ]
"#;
const HANGS: &str = r#"
[[rule]]
steps = [ { session = "auto" }, "hang" ]
"#;

/// A house whose codex and gemini act by these scenarios.
fn house(codex: &str, gemini: &str) -> House {
    let house = House::new();
    let mut config = String::new();
    for (name, agent, scenario) in [("codex", "alpha", codex), ("gemini", "beta", gemini)] {
        let file = house.home.join(format!("{agent}.toml"));
        std::fs::write(&file, scenario).unwrap();
        writeln!(
            config,
            "[agents.{agent}]\nkind = \"script\"\nscenario = {:?}\n\
             [collab.participant.{name}]\nagent = \"{agent}\"",
            file.to_str().unwrap()
        )
        .unwrap();
    }
    let dir = house.home.join("config/loopwright");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("config.toml"), config).unwrap();
    house
}

fn path(id: &str, part: &str) -> String {
    format!("/api/v1/collabs/{id}{}{part}", if part.is_empty() { "" } else { "/" })
}

fn asked(house: &House) -> String {
    let made = house.ask("POST", "/api/v1/collabs", &json!({ "task": "how?" }));
    assert_eq!(made.status, 201, "{made:?}");
    made.json()["ext"]["run_id"].as_str().unwrap().to_owned()
}

fn until_state(house: &House, id: &str, state: &str) {
    until(state, || house.get(&path(id, "")).json()["state"] == state);
}

fn code(house: &House, method: &str, path: &str, body: &Value) -> (u16, String) {
    let answer = house.ask(method, path, body);
    (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn both_answer_and_the_result_is_the_same_at_every_door() {
    let house = house(ANSWERS, ANSWERS);
    let id = asked(&house);
    let mut stream = house.stream(&path(&id, "events"), Some(0));
    until_state(&house, &id, "SUCCESS");
    let mut states = Vec::new();
    while states.last().map(String::as_str) != Some("SUCCESS") {
        let (_, told) = stream.next();
        if told["type"] == "RUN_STATE" {
            states.push(told["state"].as_str().unwrap_or_default().to_owned());
        }
    }
    assert!(states.iter().any(|state| state == "RUNNING"), "{states:?}");
    let result = house.get(&path(&id, "result")).json();
    assert_eq!(result["codex_output"], "use a queue", "{result}");
    assert_eq!(result, house.data(&["collab", "result", &id]));
    assert_eq!(house.get(&path(&id, "gate")).json()["gate"], "pass");
    let output = house.get(&path(&id, "output/gemini")).json();
    assert_eq!(output["output"], "use a queue", "{output}");
    let none = path(&id, "output/nobody");
    assert_eq!(code(&house, "GET", &none, &Value::Null), (404, "collab.no_such".into()));
    let none = path(&id, "takeover");
    assert_eq!(code(&house, "GET", &none, &Value::Null), (409, "collab.not_now".into()));
    let other = asked(&house);
    until_state(&house, &other, "SUCCESS");
    let ids = |query: &str| -> Vec<String> {
        let all = house.get(&format!("/api/v1/collabs{query}")).json();
        let id = |one: &Value| one["run_id"].as_str().unwrap().to_owned();
        all.as_array().unwrap().iter().map(id).collect()
    };
    assert_eq!(ids(""), [other.clone(), id.clone()], "the newest first");
    assert_eq!(ids("?limit=1"), std::slice::from_ref(&other));
    assert_eq!(ids(&format!("?after={other}")), [id]);
    assert_eq!(ids("?state=FAILED"), Vec::<String>::new());
    for query in ["?state=dancing", "?limit=0", "?limit=x"] {
        let asked = format!("/api/v1/collabs{query}");
        let refused = (422, "collab.invalid_args".to_owned());
        assert_eq!(code(&house, "GET", &asked, &Value::Null), refused, "{query}");
    }
}

/// Who follows hears of what is in no record too: a silence, and how far it is by now.
#[test]
fn a_follower_is_told_of_silences_and_of_how_far_it_is() {
    let house = house(HANGS, HANGS);
    let file = house.home.join("config/loopwright/config.toml");
    let config = std::fs::read_to_string(&file).unwrap();
    let pace = "[collab]\ntimeout = \"20s\"\nmax_retries = 0\nheartbeat = \"1s\"\n\
                warning_threshold = 1500\nprogress_interval = \"1s\"\n";
    std::fs::write(&file, format!("{pace}{config}")).unwrap();
    let id = asked(&house);
    let mut stream = house.stream(&path(&id, "events"), None);
    let (mut silences, mut progress) = (Vec::new(), Vec::new());
    while silences.len() < 2 || progress.last().is_none_or(|percent| *percent < 15) {
        let (at, told) = stream.next();
        match told["type"].as_str().unwrap() {
            "RUN_NOTICE" => {
                assert_eq!((&told["run_id"], at), (&json!(id), None), "{told}");
                assert!(told["next_step"].as_str().unwrap().contains("cancel"), "{told}");
                silences.push(told["text"].as_str().unwrap().to_owned());
            }
            "RUN_STATE" if at.is_none() => progress.push(told["ext"]["percent"].as_u64().unwrap()),
            _ => {}
        }
    }
    assert!(progress.is_sorted() && progress.len() > 2, "{progress:?}");
    let shown = house.get(&path(&id, "")).json()["ext"]["percent"].as_u64().unwrap();
    assert!(Some(&shown) >= progress.last(), "{shown} {progress:?}");
    let cancelled = house.ask("POST", &path(&id, "cancel"), &json!({}));
    assert_eq!(cancelled.status, 200, "{cancelled:?}");
}

#[test]
fn a_degraded_result_is_a_persons_to_decide() {
    let house = house(ANSWERS, REFUSED);
    let id = asked(&house);
    until_state(&house, &id, "DEGRADED");
    let open = house.get("/api/v1/questions").json()[0].clone();
    assert_eq!(house.get(&path(&id, "gate")).json()["gate"], "confirm");
    assert_eq!(house.get(&path(&id, "result")).status, 200, "a degraded one has a result");
    let word = |hash: &Value| {
        let (id, choice) = (&open["id"], "accept");
        json!({ "question": id, "hash": hash, "choice": choice, "note": "fine" })
    };
    let answer = ("POST", path(&id, "answer"), word(&open["hash"]));
    let extend = ("POST", path(&id, "extend"), json!({ "by": "1m" }));
    let cancel = ("POST", path(&id, "cancel"), json!({}));
    let start = ("POST", "/api/v1/collabs".to_owned(), json!({ "task": "how?" }));
    for answered in house.asked_by_an_agent(&[answer, extend, cancel, start]) {
        assert_eq!(answered, (403, "collab.needs_person".to_owned()));
    }
    let mut guest = Client::start(&house, &[]);
    assert!(guest.lacks("collab_answer"), "a guest decides nothing");
    guest.leave();
    let stale = code(&house, "POST", &path(&id, "answer"), &word(&json!("0000")));
    assert_eq!(stale, (409, "collab.stale_approval".into()));
    let odd = json!({ "question": open["id"], "hash": open["hash"], "choice": "dance" });
    let odd = code(&house, "POST", &path(&id, "answer"), &odd);
    assert_eq!(odd, (422, "collab.invalid_args".into()));
    let lacking = code(&house, "POST", &path(&id, "answer"), &json!({ "choice": "accept" }));
    assert_eq!(lacking, (422, "collab.invalid_args".into()));
    until_state(&house, &id, "DEGRADED");
    let mut person = Client::start(&house, &["--person"]);
    let mut args = word(&open["hash"]);
    args["id"] = json!(id);
    args["choice"] = json!("override");
    person.done("collab_answer", &args);
    assert_eq!(person.done("collab_result", &json!({ "id": id }))["status"], "SUCCESS");
    person.leave();
}

#[test]
fn one_that_runs_has_no_result_yet_and_can_be_cancelled() {
    let house = house(HANGS, HANGS);
    let mut guest = Client::start(&house, &[]);
    let made = guest.done("collab_start", &json!({ "task": "how?" }));
    let id = made["ext"]["run_id"].as_str().unwrap().to_owned();
    let me = json!({ "id": id });
    assert_eq!(guest.code("collab_result", &me), "collab.not_now");
    let early = house.get(&path(&id, "result"));
    assert_eq!((early.status, &early.json()["code"]), (409, &json!("collab.not_now")));
    assert!(!early.json()["allowed"].as_array().unwrap().is_empty(), "{early:?}");
    let odd = house.ask("POST", &path(&id, "extend"), &json!({ "by": "soon" }));
    assert_eq!((odd.status, &odd.json()["code"]), (422, &json!("collab.invalid_args")));
    guest.done("collab_cancel", &me);
    until_state(&house, &id, "FAILED");
    // A guest's start carries no grant, so that its agents would have asked; a person's run.
    let id = asked(&house);
    let me = json!({ "id": id });
    until_state(&house, &id, "RUNNING");
    guest.done("collab_extend", &json!({ "id": id, "by": "1m" }));
    guest.done("collab_cancel", &me);
    until_state(&house, &id, "FAILED");
    assert_eq!(guest.done("collab_status", &me)["state"], "FAILED");
    assert_eq!(house.get(&path(&id, "takeover")).json()["run_id"], json!(id));
    let mut preset = json!({ "task": "how?", "accept": "acceptable" });
    assert_eq!(guest.code("collab_start", &preset), "collab.needs_person", "that accepts");
    preset["accept"] = json!("dance");
    assert_eq!(guest.code("collab_start", &preset), "collab.invalid_args");
    guest.leave();
}

/// Older words, times as people write them, a schema as the object it is; two words for one thing
/// are refused.
#[test]
fn a_question_may_be_asked_in_older_words() {
    let house = house(ANSWERS, ANSWERS);
    let made = house.ask(
        "POST",
        "/api/v1/collabs",
        &json!({ "task": "how?", "backend": "gemini", "parallel": false, "timeout": "20s",
                 "confirm_timeout": "1m", "schema": { "type": "string" } }),
    );
    let made = made.json();
    let ext = &made["ext"];
    let said = (&ext["mode"], &ext["participants"]);
    assert_eq!(said, (&json!("serial"), &json!(["gemini"])), "{made}");
    let id = ext["run_id"].as_str().unwrap().to_owned();
    until_state(&house, &id, "FAILED");
    let result = house.get(&path(&id, "result")).json();
    assert_eq!(result["ext"]["error_code"], "E_MODEL", "the schema was asked for: {result}");
    let session = "11111111-2222-4333-8444-555555555555";
    for body in [
        json!({ "task": "how?", "backend": "codex", "with": ["codex"] }),
        json!({ "task": "how?", "backend": "claude" }),
        json!({ "task": "how?", "parallel": "yes" }),
        json!({ "task": "how?", "parallel": true, "mode": "serial" }),
        json!({ "task": "how?", "timeout": "soon" }),
        json!({ "task": "how?", "resume": session }),
        json!({ "task": "how?", "resume": [session] }),
    ] {
        let refused = (422, "collab.invalid_args".to_owned());
        assert_eq!(code(&house, "POST", "/api/v1/collabs", &body), refused, "{body}");
    }
    let mut guest = Client::start(&house, &[]);
    let args = json!({ "task": "how?", "backend": "both", "parallel": true, "timeout": "30s" });
    let made = guest.done("collab_start", &args);
    assert_eq!(made["ext"]["participants"], json!(["codex", "gemini"]), "{made}");
    guest.leave();
}

/// What was asked under a key is asked once, of several agents or of one, also by the next server.
#[test]
fn a_key_asks_once() {
    let mut house = house(ANSWERS, ANSWERS);
    let ask = |house: &House, path: &str, key: &str, task: &str| {
        let body = json!({ "task": task }).to_string();
        house.ask_with("POST", path, &[("Idempotency-Key", key)], &body)
    };
    let (collabs, agent) = ("/api/v1/collabs", "/api/v1/agents/alpha/calls");
    let first = ask(&house, collabs, "k", "how?");
    let one = ask(&house, agent, "a", "how?");
    assert_eq!((first.status, one.status), (201, 202), "{first:?} {one:?}");
    let id = first.json()["ext"]["run_id"].as_str().unwrap().to_owned();
    let call = one.json()["run_id"].clone();
    for _ in 0..2 {
        let again = ask(&house, collabs, "k", "how?");
        assert_eq!((again.status, &again.json()["ext"]["run_id"]), (201, &json!(id)), "{again:?}");
        let again = ask(&house, agent, "a", "how?");
        assert_eq!((again.status, &again.json()["run_id"]), (202, &call), "{again:?}");
        assert_eq!(again.json()["args"]["agent"]["name"], "alpha", "{again:?}");
        let other = ask(&house, collabs, "k", "why?");
        assert_eq!((other.status, &other.json()["code"]), (409, &json!("door.key_reused")));
        until_state(&house, &id, "SUCCESS");
        house.serve_again();
    }
    assert_eq!(house.get(collabs).json().as_array().unwrap().len(), 1);
    let calls = house.get("/api/v1/calls").json();
    assert_eq!(calls.as_array().unwrap().len(), 3, "two of the collab, one alone: {calls}");
}
