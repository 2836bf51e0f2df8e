//! Turns over HTTP and MCP: started, shown, changed, answered, confirmed and ended by the same
//! words as on the command line, and by nobody below a shim.

use serde_json::{Value, json};

use crate::client::Client;
use crate::kit::{House, until};
use crate::turned::{self, TURNS};

const PLAN: &str = r#"goal = "Make a file"
verification = { commands = ["test -f made"] }
[[steps]]
title = "Write it"
tool_calls = [{ name = "write", args_hint = { path = "made", content = "x", mode = "create" } }]
[[steps]]
title = "Write another"
tool_calls = [{ name = "write", args_hint = { path = "more", content = "y", mode = "create" } }]
"#;

fn path(id: &str, part: &str) -> String {
    format!("/api/v1/turns/{id}{}{part}", if part.is_empty() { "" } else { "/" })
}

/// A turn that waits for its plan to be confirmed.
fn waiting(house: &House) -> String {
    house.write("plan.toml", PLAN);
    let made = house.ask("POST", "/api/v1/turns", &json!({ "plan": "plan.toml" }));
    assert_eq!(made.status, 201, "{made:?}");
    let id = made.json()["run_id"].as_str().unwrap().to_owned();
    until_state(house, &id, "AWAITING_CONFIRMATION");
    id
}

fn show(house: &House, id: &str) -> Value {
    house.get(&path(id, "")).json()
}

fn until_state(house: &House, id: &str, state: &str) {
    until(state, || show(house, id)["state"] == state);
}

#[test]
fn a_plan_is_changed_approved_and_carried_out() {
    let house = House::new();
    let id = waiting(&house);
    let early = house.get(&path(&id, "summary"));
    assert_eq!((early.status, &early.json()["code"]), (409, &json!("turn.not_now")), "{early:?}");
    let plan = house.get(&path(&id, "plan"));
    let tag = plan.header("etag").to_owned();
    assert_eq!(tag.trim_matches('"'), show(&house, &id)["plan_hash"], "{plan:?}");
    let patch = json!({ "remove_steps": ["s2"], "reason": "one is enough" }).to_string();
    let edit =
        |tag: &str| house.ask_with("PATCH", &path(&id, "plan"), &[("If-Match", tag)], &patch);
    let old = edit("\"0000\"");
    assert_eq!((old.status, &old.json()["code"]), (412, &json!("turn.conflict")), "{old:?}");
    let edited = edit(&tag);
    assert_eq!(edited.status, 200, "{edited:?}");
    assert_ne!(edited.json()["plan_hash"], tag.trim_matches('"'));
    let shown = edited.json()["prompt"].clone();
    let confirm = |hash: &Value| {
        let body = json!({ "word": "yes", "prompt": shown["id"], "hash": hash });
        house.ask("POST", &path(&id, "confirm"), &body)
    };
    let stale = confirm(&json!(tag.trim_matches('"')));
    let code = &stale.json()["code"];
    assert_eq!((stale.status, code), (409, &json!("turn.stale_approval")), "{stale:?}");
    assert!(!house.work.join("made").exists(), "nothing runs before a yes");
    assert_eq!(confirm(&shown["hash"]).status, 200);
    until_state(&house, &id, "DONE");
    let end = show(&house, &id);
    assert_eq!((&end["outcome"], &end["verified"]), (&json!("completed"), &json!("passed")));
    assert!(house.work.join("made").exists() && !house.work.join("more").exists());
    let summary = house.get(&path(&id, "summary")).json();
    assert_eq!(summary["changed"][0]["path"], "made", "{summary}");
    assert_eq!(summary, house.data(&["turn", "summary", &id]), "one summary at every door");
    let log = house.get(&path(&id, "log")).json();
    assert_eq!(log, house.data(&["log", &id]), "one log at every door");
    let last = log.as_array().unwrap().len() as u64 - 1;
    let rest = house.get(&path(&id, &format!("log?after={last}"))).json();
    assert_eq!(rest.as_array().unwrap().len(), 1, "{rest}");
    let late = house.ask("POST", &path(&id, "cancel"), &Value::Null);
    assert_eq!((late.status, &late.json()["code"]), (409, &json!("turn.ended")), "{late:?}");
}

#[test]
fn a_turn_shows_its_context_and_goes_on_as_another() {
    let house = House::new();
    let id = waiting(&house);
    let context = house.get(&path(&id, "context"));
    assert_eq!(context.status, 200, "{context:?}");
    let pack = context.json();
    assert!(pack["workspace_summary"].as_str().unwrap().contains("plan.toml"), "{pack}");
    let budget = &pack["token_budget"];
    assert!(budget["used_estimate"].as_u64() <= budget["total_estimate"].as_u64(), "{pack}");
    house.ask("POST", &path(&id, "confirm"), &json!({ "word": "no" }));
    until_state(&house, &id, "DONE");
    let next = house.ask("POST", &path(&id, "continue"), &json!({}));
    assert_eq!((next.status, &next.json()["continues"]), (201, &json!(id)), "{next:?}");
    let next = next.json()["run_id"].as_str().unwrap().to_owned();
    assert_ne!(next, id, "the one that ended stays as it is");
    until_state(&house, &next, "AWAITING_CONFIRMATION");
    house.ask("POST", &path(&next, "confirm"), &json!({ "word": "yes" }));
    until_state(&house, &next, "DONE");
    assert_eq!(show(&house, &next)["outcome"], "completed");
    assert!(house.work.join("made").exists() && house.work.join("more").exists());
}

/// A file that holds no plan is refused with its line and the reason, and no turn is made of it.
#[test]
fn a_plan_that_goes_round_in_circles_begins_nothing() {
    let house = House::new();
    house.write("plan.toml", &PLAN.replace("[[steps]]", "[[steps]]\ndepends_on = [\"s1\"]"));
    let made = house.ask("POST", "/api/v1/turns", &json!({ "plan": "plan.toml" }));
    let problem = made.json();
    assert_eq!((made.status, &problem["code"]), (422, &json!("E_INVALID_ARGS")), "{made:?}");
    assert!(problem["details"]["line"].is_u64(), "{problem}");
    assert!(house.get("/api/v1/turns").json().as_array().unwrap().is_empty());
}

#[test]
fn a_request_under_a_key_is_made_once() {
    let house = House::new();
    house.write("plan.toml", PLAN);
    let body = json!({ "plan": "plan.toml" }).to_string();
    let ask = || house.ask_with("POST", "/api/v1/turns", &[("Idempotency-Key", "k1")], &body);
    let (first, again) = (ask(), ask());
    assert_eq!((first.status, again.status), (201, 201), "{first:?}");
    assert_eq!(first.json()["run_id"], again.json()["run_id"]);
    assert_eq!(house.get("/api/v1/turns").json().as_array().unwrap().len(), 1);
}

#[test]
fn every_verb_answers_as_its_machine_does() {
    let house = House::new();
    turned::fill(&house.work.join(".loop/journal"));
    let (done, waits, asks) = (TURNS[0], TURNS[1], TURNS[2]);
    house.create(&["true"]);
    let table = [
        (waits, "answer", json!({ "text": "x" }), 409, "turn.not_now"),
        (waits, "answer", json!({}), 422, "turn.invalid_args"),
        (asks, "answer", json!({ "text": "x" }), 422, "turn.ambiguous_command"),
        (
            asks,
            "answer",
            json!({ "text": "x", "question": "clarify/9/1" }),
            409,
            "turn.question_closed",
        ),
        (waits, "confirm", json!({ "word": "maybe" }), 422, "turn.invalid_args"),
        (
            waits,
            "confirm",
            json!({ "word": "yes", "prompt": "confirm/99" }),
            409,
            "turn.stale_approval",
        ),
        (
            waits,
            "confirm",
            json!({ "word": "yes", "scope": "workspace" }),
            403,
            "turn.scope_too_wide",
        ),
        (waits, "resume", json!({}), 409, "turn.not_held"),
        (waits, "skip", json!({ "step": "s9", "reason": "x" }), 404, "turn.no_such"),
        (waits, "skip", json!({ "step": "s1" }), 422, "turn.invalid_args"),
        (waits, "calls", json!({ "name": "read", "args": { "path": "a" } }), 409, "turn.not_now"),
        (waits, "dance", json!({}), 422, "turn.unknown_command"),
        (done, "cancel", json!({}), 409, "turn.ended"),
        (done, "continue", json!({}), 409, "turn.not_continuable"),
        ("turn-9999", "cancel", json!({}), 404, "turn.no_such"),
    ];
    let before = show(&house, waits)["seq"].clone();
    for (id, verb, body, status, code) in table {
        let answer = house.ask("POST", &path(id, verb), &body);
        let problem = answer.json();
        assert_eq!((answer.status, &problem["code"]), (status, &json!(code)), "{verb}: {problem}");
        let chinese = [("Accept-Language", "zh-CN")];
        let other = house.ask_with("POST", &path(id, verb), &chinese, &body.to_string()).json();
        assert_eq!(other["code"], problem["code"]);
        assert_ne!(other["detail"], problem["detail"], "both languages: {problem}");
    }
    assert_eq!(show(&house, waits)["seq"], before, "a refusal changes nothing");
    let held = house.ask("POST", &path(waits, "pause"), &json!({})).json();
    assert_eq!(held["hold"]["by"], "person", "{held}");
    assert_eq!(house.ask("POST", &path(waits, "resume"), &json!({})).json()["hold"], Value::Null);
    let body = json!({ "text": "it", "question": "clarify/0/1" });
    let answered = house.ask("POST", &path(asks, "answer"), &body);
    assert_eq!(answered.status, 200, "{answered:?}");
    let cancelled = house.ask("POST", &path(waits, "cancel"), &json!({}));
    assert_eq!(cancelled.status, 200, "{cancelled:?}");
    until_state(&house, waits, "DONE");
    assert_eq!(show(&house, waits)["outcome"], "cancelled");
    let bad = [
        (json!({ "plan": "../plan.toml" }), 422, "turn.invalid_args"),
        (json!({ "plan": "/etc/passwd" }), 422, "turn.invalid_args"),
        (json!({ "plan": "none.toml" }), 422, "E_INVALID_ARGS"),
        (json!({ "requets": "x" }), 422, "turn.invalid_args"),
        (json!({ "request": "" }), 409, "turn.empty_message"),
    ];
    for (body, status, code) in bad {
        let answer = house.ask("POST", "/api/v1/turns", &body);
        assert_eq!((answer.status, &answer.json()["code"]), (status, &json!(code)), "{answer:?}");
    }
    let schema = house.get("/api/v1/schemas/turn-form").json();
    assert_eq!(schema["title"], "TurnForm", "{schema}");
    assert_eq!(house.get("/api/v1/schemas/turn-fork").status, 404);
}

/// What approves, answers or starts is not for one below a shim, with whatever token.
#[test]
fn invariant_nothing_below_a_shim_speaks_to_a_turn() {
    let house = House::new();
    turned::fill(&house.work.join(".loop/journal"));
    house.create(&["true"]);
    house.write("plan.toml", PLAN);
    let (waits, asks) = (TURNS[1], TURNS[2]);
    let before = (show(&house, waits)["seq"].clone(), show(&house, asks)["seq"].clone());
    let one = |id: &str, verb: &str, body: Value| ("POST", path(id, verb), body);
    let table = [
        ("POST", "/api/v1/turns".to_owned(), json!({ "plan": "plan.toml" })),
        one(waits, "confirm", json!({ "word": "yes" })),
        one(waits, "confirm", json!({ "word": "no" })),
        one(asks, "answer", json!({ "proceed": true })),
        one(waits, "skip", json!({ "step": "s1", "reason": "x" })),
        one(waits, "pause", json!({})),
        one(waits, "cancel", json!({})),
        one(TURNS[0], "continue", json!({})),
        one(waits, "calls", json!({ "name": "read", "args": { "path": "plan.toml" } })),
        ("PATCH", path(waits, "plan"), json!({ "remove_steps": ["s1"] })),
    ];
    for (asked, answer) in table.iter().zip(house.asked_by_an_agent(&table)) {
        assert_eq!(answer, (403, "turn.needs_person".to_owned()), "{asked:?}");
    }
    let reads = [("GET", path(waits, ""), Value::Null), ("GET", path(waits, "plan"), Value::Null)];
    assert!(house.asked_by_an_agent(&reads).iter().all(|(status, _)| *status == 200));
    let mut client = Client::marked(&house, &["--person"]);
    assert!(client.lacks("turn_confirm"));
    let me = json!({ "id": waits });
    assert_eq!(client.code("turn_cancel", &me), "turn.needs_person");
    assert_eq!(client.code("turn_start", &json!({ "request": "x" })), "turn.needs_person");
    let answer = json!({ "id": asks, "proceed": true });
    assert_eq!(client.code("turn_answer", &answer), "turn.needs_person");
    assert_eq!(client.done("turn_get", &me)["run_id"], waits);
    client.leave();
    assert_eq!((show(&house, waits)["seq"].clone(), show(&house, asks)["seq"].clone()), before);
}

#[test]
fn turns_are_tools_and_a_yes_is_a_persons() {
    let house = House::new();
    house.write("plan.toml", PLAN);
    let mut guest = Client::start(&house, &[]);
    let names = guest.tools();
    for name in [
        "turn_start",
        "turn_get",
        "turn_answer",
        "turn_cancel",
        "turn_tool_call",
        "turn_plan_check",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    assert!(guest.lacks("turn_confirm"), "a guest approves nothing");
    let checked = guest.done("turn_plan_check", &json!({ "plan": "plan.toml" }));
    assert_eq!(checked["gate"]["decision"], "REQUIRE_CONFIRMATION", "{checked}");
    let made = guest.done("turn_start", &json!({ "plan": "plan.toml" }));
    let id = made["run_id"].as_str().unwrap().to_owned();
    let me = json!({ "id": id });
    until("it asks", || guest.done("turn_get", &me)["state"] == "AWAITING_CONFIRMATION");
    let call = json!({ "id": id, "name": "read", "args": { "path": "plan.toml" } });
    assert_eq!(guest.code("turn_tool_call", &call), "turn.needs_person");
    let mut person = Client::start(&house, &["--person"]);
    assert!(person.tools().iter().any(|name| name == "turn_confirm"));
    assert_eq!(person.code("turn_tool_call", &call), "turn.not_now");
    person.done("turn_confirm", &json!({ "id": id, "word": "yes" }));
    until_state(&house, &id, "DONE");
    assert_eq!(guest.done("turn_get", &me)["outcome"], "completed");
    guest.leave();
    person.leave();
}

/// An agent that waits before it says that it is done.
const WAITS: &str = r#"
[[rule]]
steps = [ { session = "auto" }, "hang" ]
"#;

const STEP: &str = r#"goal = "An agent's step"
verification = { mode = "none", commands = [], required = false, stop_on_fail = false }
[[steps]]
title = "Do it"
runner = "agent"
agent = "alpha"
"#;

#[test]
fn a_tool_is_asked_for_in_a_step_at_work() {
    let house = House::with("");
    let file = house.home.join("alpha.toml");
    std::fs::write(&file, WAITS).unwrap();
    let dir = house.home.join("config/loopwright");
    std::fs::create_dir_all(&dir).unwrap();
    let agent = format!(
        "[agents.alpha]\nkind = \"script\"\nscenario = {:?}\n[turn]\nagents = [\"alpha\"]\n",
        file.to_str().unwrap()
    );
    std::fs::write(dir.join("config.toml"), agent).unwrap();
    house.write("plan.toml", STEP);
    let made =
        house.ask("POST", "/api/v1/turns", &json!({ "plan": "plan.toml", "checkpoint": "off" }));
    assert_eq!(made.status, 201, "{made:?}");
    let id = made.json()["run_id"].as_str().unwrap().to_owned();
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    house.ask("POST", &path(&id, "confirm"), &json!({ "word": "yes" }));
    until_state(&house, &id, "EXECUTING");
    let mut call = String::new();
    until("the step's agent is at work", || {
        let runs = house.get(&format!("/api/v1/runs?machine=call&state=Started&below={id}")).json();
        runs[0]["run_id"].as_str().unwrap_or_default().clone_into(&mut call);
        !call.is_empty()
    });
    let calls = |name: &str| {
        ("POST", path(&id, "calls"), json!({ "name": name, "args": { "path": "plan.toml" } }))
    };
    let own = house.asked_by(&call, &[calls("read"), calls("dance")]);
    let odd = (422, "turn.bad_request".to_owned());
    assert_eq!(own, [(200, String::new()), odd.clone()], "the agent of the step has its tools");
    let person = house.ask("POST", &path(&id, "calls"), &calls("read").2);
    assert_eq!((person.status, &person.json()["code"]), (422, &json!(odd.1)), "nobody else has");
    house.ask("POST", &path(&id, "cancel"), &json!({}));
    until_state(&house, &id, "DONE");
}
