//! The door of a turn with the real binary and a real engine: who may say what, what an answer is
//! bound to, and that a refusal changes nothing.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

#[expect(dead_code, reason = "loops need more of it")]
#[path = "../loop_real/kit.rs"]
mod kit;
#[path = "../loop_real/seat.rs"]
mod seat;
#[path = "../reads/turned.rs"]
mod turned;
mod whole;

use kit::{House, Ran};
use serde_json::{Value, json};
use turned::TURNS;

const PLAN: &str = r#"goal = "Make a file"
[[steps]]
title = "Write it"
tool_calls = [{ name = "write", args_hint = { path = "made", content = "x", mode = "create" } }]
"#;

/// A house with turns, and an engine that has found them.
fn house() -> House {
    let house = House::new();
    turned::fill(&house.work.join(".loop/journal"));
    house.create(&["true"]);
    house.write("plan.toml", PLAN);
    house.write("patch.toml", "remove_steps = [\"s2\"]\n");
    house
}

/// The same command from a process that carries the mark of a call.
fn marked(house: &House, args: &[&str]) -> Ran {
    let mut command = house.command(args);
    command.env("LOOPWRIGHT_CALL_ID", "call-of-an-agent");
    let child = command.stdout(std::process::Stdio::piped());
    Ran::of(child.stderr(std::process::Stdio::piped()).spawn().unwrap())
}

fn code(ran: &Ran) -> (i32, Value) {
    (ran.code, ran.json()["error"]["code"].clone())
}

fn seq(house: &House, id: &str) -> Value {
    house.data(&["turn", "show", id])["seq"].clone()
}

#[test]
fn invariant_nothing_below_a_shim_speaks_to_a_turn() {
    let house = house();
    let (asks, waits) = (TURNS[2], TURNS[1]);
    let open = house.data(&["questions", "--run", waits])[0]["id"].as_str().unwrap().to_owned();
    let before = (seq(&house, asks), seq(&house, waits));
    let table: [&[&str]; 11] = [
        &["turn", "start", "do it", "--no-wait"],
        &["turn", "start", "--plan", "plan.toml", "--no-wait"],
        &["turn", "answer", asks, "the list", "--question", "clarify/0/1"],
        &["turn", "answer", asks, "--proceed"],
        &["turn", "confirm", waits, "yes"],
        &["turn", "edit", waits, "patch.toml"],
        &["turn", "skip", waits, "s1", "--reason", "x"],
        &["turn", "pause", waits],
        &["turn", "cancel", waits],
        &["turn", "continue", TURNS[0], "--no-wait"],
        &["answer", &open, "yes"],
    ];
    for args in table {
        let ran = marked(&house, &[args, &["--json"]].concat());
        assert_eq!(code(&ran), (6, json!("turn.needs_person")), "{args:?}: {ran:?}");
    }
    assert_eq!((seq(&house, asks), seq(&house, waits)), before, "nothing was recorded");
    assert_eq!(house.data(&["turn", "list"]).as_array().unwrap().len(), TURNS.len());
    assert!(!house.has("made"));
}

#[test]
fn a_word_is_bound_to_what_was_shown() {
    let house = house();
    let (waits, asks, done) = (TURNS[1], TURNS[2], TURNS[0]);
    let before = seq(&house, waits);
    let table: [(&[&str], i32, &str); 10] = [
        (&["turn", "answer", asks, "x"], 2, "turn.ambiguous_command"),
        (&["turn", "confirm", waits, "yes", "--prompt", "confirm/99"], 7, "turn.stale_approval"),
        (&["turn", "confirm", waits, "yes", "--scope", "workspace"], 6, "turn.scope_too_wide"),
        (&["turn", "answer", waits, "x"], 3, "turn.not_now"),
        (&["turn", "answer", asks, "x", "--question", "clarify/9/1"], 3, "turn.question_closed"),
        (&["turn", "resume", waits], 3, "turn.not_held"),
        (&["turn", "skip", waits, "s9", "--reason", "x"], 2, "turn.no_such"),
        (&["turn", "cancel", done], 3, "turn.ended"),
        (&["turn", "continue", done, "--no-wait"], 3, "turn.not_continuable"),
        (&["turn", "start", "", "--no-wait"], 3, "turn.empty_message"),
    ];
    for (args, exit, name) in table {
        let ran = house.run(&[args, &["--json"]].concat());
        assert_eq!(code(&ran), (exit, json!(name)), "{args:?}: {ran:?}");
    }
    assert_eq!(seq(&house, waits), before, "a refusal changes nothing");
    let told = house.run(&["turn", "answer", waits, "x"]).err;
    for verb in ["confirm", "cancel", "pause", "edit", "skip"] {
        assert!(told.contains(verb), "what is possible is named as it is typed: {told}");
    }
}

#[test]
fn a_held_turn_is_shown_as_held_and_goes_on() {
    let house = house();
    let held = house.data(&["turn", "pause", TURNS[1]]);
    assert_eq!((&held["hold"]["keep"], &held["questions"]), (&json!("after_current"), &json!([])));
    let again = house.run(&["turn", "pause", TURNS[1], "--json"]);
    assert_eq!(code(&again), (3, json!("turn.held")), "{again:?}");
    let open = house.data(&["turn", "resume", TURNS[1]]);
    assert_eq!((&open["hold"], &open["waiting"]), (&Value::Null, &json!(true)));
    let watched = house.run(&["turn", "watch", TURNS[1], "--json"]);
    assert_eq!((watched.code, &watched.json()["result"]), (4, &json!("waiting")), "{watched:?}");
}

#[test]
fn a_held_turn_takes_the_answer_to_what_it_shows() {
    let house = house();
    house.data(&["turn", "pause", TURNS[1]]);
    let agreed = house.run(&["turn", "confirm", TURNS[1], "yes", "--json"]);
    assert_eq!(agreed.code, 0, "{agreed:?}");
    let view = house.data(&["turn", "show", TURNS[1]]);
    assert_eq!((&view["prompt"], &view["hold"]["by"]), (&Value::Null, &json!("person")));
    house.data(&["turn", "pause", TURNS[2]]);
    let answered = house.run(&["turn", "answer", TURNS[2], "--proceed", "--json"]);
    assert_eq!(answered.code, 0, "{answered:?}");
    assert_eq!(house.data(&["turn", "show", TURNS[2]])["state"], "CONTEXT_BUILDING");
}

#[test]
fn no_secret_is_planned() {
    let house = house();
    let secret = "canary-secret-value";
    house.write("plan.toml", &PLAN.replace("content = \"x\"", &format!("content = \"{secret}\"")));
    let mut command = house.command(&["engine", "stop"]);
    command.output().unwrap();
    let mut command = house.command(&["turn", "start", "--plan", "plan.toml", "--json"]);
    command.env("MY_TOKEN", secret);
    let child = command.stdout(std::process::Stdio::piped());
    let ran = Ran::of(child.stderr(std::process::Stdio::piped()).spawn().unwrap());
    assert_eq!(code(&ran), (2, json!("turn.invalid_args")), "{ran:?}");
    assert!(!ran.out.contains(secret) && !ran.err.contains(secret), "{ran:?}");
}
