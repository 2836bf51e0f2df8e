//! A plan file taken to its end by a real engine: asked about, run, checked, told, taken back.

use serde_json::{Value, json};

use crate::kit::House;
use crate::seat::Seat;

const PLAN: &str = r#"goal = "Make a file"
verification = { commands = ["test -f made"] }
[[steps]]
title = "Write it"
tool_calls = [{ name = "write", args_hint = { path = "made", content = "x", mode = "create" } }]
expected_artifacts = [{ type = "file", value = "made" }]
"#;

/// A turn that waits for its plan to be confirmed.
fn waiting(house: &House) -> String {
    house.write("plan.toml", PLAN);
    let ran = house.run(&["turn", "start", "--plan", "plan.toml", "--headless", "--json"]);
    let said = ran.json();
    assert_eq!((ran.code, &said["result"]), (4, &json!("waiting")), "{ran:?}");
    assert_eq!(said["data"]["prompt"]["subject"], "plan", "{said}");
    assert!(!house.has("made"), "nothing runs before a yes");
    said["data"]["run_id"].as_str().unwrap().to_owned()
}

fn watched(house: &House, id: &str) -> (i32, Value) {
    let ran = house.run(&["turn", "watch", id, "--json"]);
    (ran.code, ran.json())
}

#[test]
fn a_plan_file_is_taken_to_its_end() {
    let house = House::new();
    let id = waiting(&house);
    house.data(&["turn", "confirm", &id, "yes"]);
    let (code, said) = watched(&house, &id);
    assert_eq!((code, &said["result"]), (0, &json!("completed")), "{said}");
    assert_eq!(said["data"]["verified"], "passed", "{said}");
    assert_eq!(house.read("made"), "x");
    let summary = house.data(&["turn", "summary", &id]);
    assert_eq!(summary["changed"][0]["path"], "made", "{summary}");
    let report = house.data(&["report", &id]);
    assert_eq!(report["checks"][0]["verdict"], "pass", "{report}");
    let late = house.run(&["turn", "confirm", &id, "yes", "--json"]);
    assert_eq!((late.code, &late.json()["error"]["code"]), (3, &json!("turn.ended")), "{late:?}");
    assert_eq!(house.run(&["undo", &id]).code, 0);
    assert!(!house.has("made"), "a whole turn is taken back");
}

#[test]
fn a_no_and_a_cancel_end_it_with_their_own_words() {
    let house = House::new();
    let table = [
        (vec!["turn", "confirm"], Some("no"), 6, "denied"),
        (vec!["turn", "cancel"], None, 130, "cancelled"),
    ];
    for (verb, word, code, result) in table {
        let id = waiting(&house);
        let args: Vec<&str> = verb.into_iter().chain([id.as_str()]).chain(word).collect();
        house.data(&args);
        let (exit, said) = watched(&house, &id);
        assert_eq!((exit, &said["result"]), (code, &json!(result)), "{said}");
        assert!(!house.has("made"));
    }
}

#[test]
fn the_one_list_answers_a_turn_too() {
    let house = House::new();
    let id = waiting(&house);
    let question = house.data(&["questions", "--run", &id])[0].clone();
    let hash = question["hash"].as_str().unwrap();
    house.data(&["answer", question["id"].as_str().unwrap(), "1", "--hash", hash]);
    assert_eq!(watched(&house, &id).0, 0);
    assert_eq!(house.read("made"), "x");
}

#[test]
fn a_person_at_a_terminal_sees_the_plan_before_the_question() {
    let house = House::new();
    house.write("plan.toml", PLAN);
    let mut seat = Seat::take(&house, &["turn", "start", "--plan", "plan.toml"]);
    for part in ["Steps", "s1 Write it", "write made", "test -f made", "Risk: ", "hash: "] {
        seat.sees(part);
    }
    seat.sees("May this plan run?");
    seat.types("sounds good, also look at x");
    seat.sees("refused[turn.unknown_option]");
    seat.sees("May this plan run?");
    assert!(!house.has("made"), "only a yes is a yes");
    seat.types("yes");
    seat.sees("step s1 is done");
    seat.sees("Outcome: completed");
    assert_eq!(seat.leaves(), 0);
    assert_eq!(house.read("made"), "x");
}
