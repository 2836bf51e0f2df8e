//! One list of open questions and one command that answers any of them; and that nothing below a
//! shim can give an answer, whatever it does to its own environment.

use serde_json::{Value, json};

use crate::kit::{House, until};

/// A script is asked about each time.
const SCRIPT: &str = "echo hi > proof";

/// A loop whose checks prove nothing, so that a person has to judge it.
fn unverified(house: &House) -> String {
    house.write(
        "loopwright.toml",
        "[loop.validate]\ncommands = [{ argv = [\"true\"], parser = \"auto\" }]\n",
    );
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    let id = house.started(&["true"]);
    house.until_status(&id, "paused");
    until("a question", || house.data(&["questions", "--run", &id])[0].is_object());
    id
}

fn code(ran: &crate::kit::Ran) -> (i32, Value) {
    (ran.code, ran.json()["error"]["code"].clone())
}

#[test]
fn a_call_is_asked_about_and_answered_by_its_loop() {
    let house = House::new();
    assert_eq!(house.data(&["questions"]), json!([]));
    assert_eq!(house.run(&["loop", "run", "x", "--auto", "--task", SCRIPT]).code, 4);
    let listed = house.data(&["questions"]);
    let question = &listed[0];
    let (id, call) = (question["id"].as_str().unwrap(), question["run_id"].as_str().unwrap());
    assert_eq!(id, format!("{call}/ask"));
    let expected = json!([
        { "key": "allow", "label": "Allow it" }, { "key": "deny", "label": "Deny it" },
    ]);
    assert_eq!((&question["kind"], &question["options"]), (&json!("call.ask"), &expected));
    for known in ["hash", "asked_at", "expires_at"] {
        assert!(question[known].is_string(), "{known}: {question}");
    }
    let owner = question["above"][0].as_str().unwrap();
    assert_eq!(house.data(&["questions", "--run", owner]), listed);
    let page = house.run(&["questions", "--lang", "zh-CN"]).out;
    assert!(page.contains("可以运行这条命令吗？") && page.contains("1. allow  允许"), "{page}");
    for (args, expected) in [
        (vec!["answer", id, "9"], (2, json!("call.unknown_option"))),
        (vec!["answer", id, "allow it"], (2, json!("call.unknown_option"))),
        (vec!["answer", id, "allow", "--hash", "x"], (7, json!("call.stale_approval"))),
        (vec!["answer", id, "allow", "--text", "once"], (2, json!("E_INVALID_ARGS"))),
        (vec!["answer", "call-none/ask", "allow"], (2, json!("door.no_such"))),
        (vec!["answer", &format!("{call}/settle"), "1"], (3, json!("call.question_closed"))),
    ] {
        let ran = house.run(&[&args[..], &["--json"]].concat());
        assert_eq!(code(&ran), expected, "{args:?}: {ran:?}");
    }
    let wrong = house.run(&["answer", id, "perhaps"]);
    for part in ["allow (Allow it), deny (Deny it)", "allowed: allow", "next:"] {
        assert!(wrong.err.contains(part), "{part}: {}", wrong.err);
    }
    assert!(!house.has("proof"), "nothing ran before the yes");
    let hash = question["hash"].as_str().unwrap();
    let answered = house.data(&["answer", owner, "Allow it", "--hash", hash]);
    assert_eq!((&answered["key"], &answered["question_id"]), (&json!("allow"), &json!(id)));
    house.until_status(owner, "completed");
    assert!(house.has("proof"));
    let late = house.run(&["answer", id, "deny", "--json"]);
    assert_eq!(code(&late), (3, json!("call.question_closed")), "{late:?}");
    assert_eq!(house.data(&["questions"]), json!([]));
}

#[test]
fn a_menu_is_answered_by_number_key_or_label() {
    let house = House::new();
    let ran = house.run(&["loop", "run", "x", "--task", "true", "--task", "touch proof"]);
    assert_eq!(ran.code, 4, "{ran:?}");
    let id = house.data(&["loop", "list"])["loops"][0]["loop_id"].as_str().unwrap().to_owned();
    let open = || {
        until("the menu", || house.data(&["questions", "--run", &id])[0].is_object());
        house.data(&["questions", "--run", &id])[0]["id"].as_str().unwrap().to_owned()
    };
    let first = open();
    let looked = house.run(&["answer", &id, "status"]);
    assert!(looked.out.contains("Develop: 0/2"), "{looked:?}");
    assert_eq!(open(), first, "a look closes nothing");
    house.data(&["answer", &id, "继续开发"]);
    let second = open();
    assert_ne!(first, second);
    let stale = house.run(&["answer", &first, "develop", "--json"]);
    assert_eq!(code(&stale), (3, json!("loop.question_closed")), "{stale:?}");
    house.data(&["answer", &second, "1"]);
    open();
    house.data(&["answer", &id, "validate"]);
    open();
    house.data(&["answer", &id, "complete_forced", "--note", "seen by eye"]);
    house.until_status(&id, "completed");
}

#[test]
fn the_judgement_is_bound_to_what_was_shown() {
    let house = House::new();
    let id = unverified(&house);
    let question = house.data(&["questions", "--run", &id])[0].clone();
    assert_eq!(question["kind"], "loop.unverified");
    let other = house.run(&["answer", &id, "accept", "--hash", "0000", "--json"]);
    assert_eq!(code(&other), (7, json!("loop.stale_approval")), "{other:?}");
    house.data(&["answer", &id, "1", "--hash", question["hash"].as_str().unwrap()]);
    house.until_status(&id, "completed");
}

/// Tries to answer in every way a process below a shim might think of, and writes down each exit
/// code and refusal.
const AGENT: &str = "try() { \"$@\" answer \"$question\" accept --json > said.$n 2>&1; \
    echo $? >> codes; n=$((n+1)); }\nn=0\ntry \"$bin\"\n\
    try env -u LOOPWRIGHT_CALL_ID -u LOOPWRIGHT_RUN_ID \"$bin\"\n\
    try setsid \"$bin\"\n\
    (setsid sh -c 'exec env -u LOOPWRIGHT_CALL_ID \"$0\" answer \"$1\" accept --json \
    > said.3 2>&1' \"$bin\" \"$question\" &)\nsleep 2\n";

#[test]
fn invariant_nothing_below_a_shim_answers() {
    let house = House::new();
    let judged = unverified(&house);
    let id = house.data(&["questions"])[0]["id"].as_str().unwrap().to_owned();
    let seq = house.show(&judged)["seq"].clone();
    let bin = env!("CARGO_BIN_EXE_loopwright");
    house.write("agent.sh", &format!("bin='{bin}'\nquestion='{id}'\n{AGENT}"));
    let worker = house.started(&["sh agent.sh"]);
    house.until_status(&worker, "paused");
    assert_eq!(house.read("codes"), "6\n6\n6\n", "{}", house.read("said.0"));
    for n in 0..4 {
        let said: Value = serde_json::from_str(&house.read(&format!("said.{n}"))).unwrap();
        assert_eq!(said["error"]["code"], "loop.needs_person", "{n}: {said}");
    }
    assert_eq!(house.show(&judged)["seq"], seq, "nothing was recorded");
    assert_eq!(house.data(&["questions", "--run", &judged])[0]["id"], json!(id));
    house.data(&["answer", &id, "accept"]);
}

#[test]
fn invariant_the_mark_of_a_call_is_enough_to_be_an_agent() {
    let house = House::new();
    assert_eq!(house.run(&["loop", "run", "x", "--auto", "--task", SCRIPT]).code, 4);
    let question = house.data(&["questions"])[0].clone();
    let (id, call) = (question["id"].as_str().unwrap(), question["run_id"].as_str().unwrap());
    let seq = house.data(&["show", call])["seq"].clone();
    let marked = |args: &[&str]| {
        let mut command = house.command(args);
        command.env("LOOPWRIGHT_CALL_ID", "call-of-an-agent");
        let child = command.stdout(std::process::Stdio::piped());
        crate::kit::Ran::of(child.stderr(std::process::Stdio::piped()).spawn().unwrap())
    };
    for key in ["allow", "deny"] {
        let ran = marked(&["answer", id, key, "--json"]);
        assert_eq!(code(&ran), (6, json!("call.needs_person")), "{key}: {ran:?}");
    }
    assert_eq!(marked(&["questions", "--json"]).json()["data"][0]["id"], json!(id), "it may read");
    until("the engine leaves", || {
        house.run(&["engine", "stop"]);
        house.run(&["engine", "status", "--json"]).out.contains("\"running\":false")
    });
    let ran = marked(&["answer", id, "deny", "--json"]);
    assert_eq!(code(&ran), (6, json!("door.needs_person")), "{ran:?}");
    assert_eq!(house.data(&["engine", "status"])["running"], json!(false), "none was started");
    assert_eq!(house.data(&["show", call])["seq"], seq, "nothing was recorded");
    assert!(!house.has("proof"));
}
