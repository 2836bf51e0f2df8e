//! Loops that debug: a red check is looked into, instrumented, run again and judged by agents; what
//! was instrumented is put back to the byte, and a word without evidence confirms nothing.

use rustix::process::Signal;
use serde_json::Value;

use crate::kit::{House, signal, until};
use crate::{scripted, settle};

/// A program that subtracts where it should add.
const WRONG: &str = "#!/bin/sh\nadd() {\n  echo $(( $1 - $2 ))\n}\nadd \"$1\" \"$2\"\n";
const RIGHT: &str = "#!/bin/sh\nadd() {\n  echo $(( $1 + $2 ))\n}\nadd \"$1\" \"$2\"\n";
/// The same wrong program with a line that logs.
const LOGGED: &str = r#"#!/bin/sh
add() {
  log=$LOOPWRIGHT_DEBUG_LOG
  [ -n "$log" ] && echo '{"hid":"H1","ts":1,"func":"add","data":-1}' >> "$log"
  echo $(( $1 - $2 ))
}
add "$1" "$2"
"#;
/// No quotes.
const NONE: Value = Value::Array(Vec::new());
const CHECK: &str = "[ \"$(sh prog.sh 2 3)\" = 5 ]\n";

/// The agent: it explores, instruments with `logged`, judges with `verdict`, fixes with `fixed`.
fn agent(point: &str, logged: &str, verdict: &str, fixed: &str) -> String {
    let guess = serde_json::json!({ "hypotheses": [{
        "description": "it subtracts", "testable_condition": "the operator", "likelihood": 1,
        "logging_point": point, "evidence_criteria": { "confirm": "-1", "reject": "5" },
    }] });
    let rule = |when: &str, effect: &str, step: &str, said: &str| {
        format!(
            "[[rule]]\nwhen = {when:?}\nsteps = [ {{ session = \"auto\" }}, \
             {{ effect = {effect:?} }}, {step} {{ say = {said:?} }}, \"end\" ]\n"
        )
    };
    let write = |text: &str| format!("{{ write = {{ path = \"prog.sh\", text = {text:?} }} }},");
    [
        "effects = \"${CWD}/../effects.jsonl\"\n".to_owned(),
        rule("Something is wrong with the work", "explore", "", &guess.to_string()),
        rule("Add logging for the hypotheses", "instrument", &write(logged), "logged"),
        rule("Judge each hypothesis below", "analyze", "", verdict),
        rule("Fix", "fix", &write(fixed), "fixed"),
    ]
    .concat()
}

fn verdict(status: &str, quotes: &Value) -> String {
    serde_json::json!({ "verdicts": [
        { "id": "H1", "status": status, "reason": "seen", "quotes": quotes }
    ] })
    .to_string()
}

/// A house with the wrong program, in which this agent is the default.
fn house(agent: &str, check: &str) -> House {
    let house = House::new();
    let agent = scripted(&house, "mine", agent);
    settle(&house, &format!("[loop.develop]\ndefault_tool = \"mine\"\n{agent}"));
    house.write("check.sh", check);
    let commands = r#"commands = [{ argv = ["sh", "check.sh"], parser = "exit" }]"#;
    house.write("loopwright.toml", &format!("[loop.validate]\n{commands}\n"));
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    house.write("prog.sh", WRONG);
    house
}

fn started(house: &House) -> String {
    house.started(&["true"])
}

fn effects(house: &House) -> Vec<String> {
    let text = std::fs::read_to_string(house.home.join("../effects.jsonl")).unwrap_or_default();
    let what = |line: &str| serde_json::from_str::<Value>(line).unwrap()["what"].clone();
    let words = text.lines().map(|line| what(line).as_str().unwrap_or_default().to_owned());
    words.filter(|word| word != "prog.sh").collect()
}

#[test]
fn a_red_check_is_explored_instrumented_judged_put_back_and_fixed() {
    let agent = agent("prog.sh:add:3", LOGGED, &verdict("confirmed", &NONE), RIGHT);
    let house = house(&agent, CHECK);
    let id = started(&house);
    house.until_status(&id, "completed");
    assert_eq!(effects(&house), ["explore", "instrument", "analyze", "fix"]);
    assert_eq!(house.read("prog.sh"), RIGHT);
    let debug = &house.show(&id)["skill_state"]["debug"];
    assert_eq!(debug["confirmed_hypothesis"], "H1", "{debug}");
    let evidence = &debug["hypotheses"][0]["evidence"];
    assert_eq!(evidence["lines"], 1, "{evidence}");
    let log = house.read(&format!(".loop/{id}.progress/debug.log"));
    assert_eq!(log.lines().count(), 1, "{log}");
    // The end may be read before its pages are drawn.
    until("the page", || {
        house.read(&format!(".loop/{id}.progress/debug.md")).contains("**H1**: CONFIRMED")
    });
    refilled(&house, &id, &log);
    let changes = house.read(&format!(".loop/{id}.progress/changes.log"));
    let told = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        format!("{} {}", line["ext"]["action"].as_str().unwrap(), line["files_changed"])
    };
    let told: Vec<String> = changes.lines().map(told).collect();
    let expected = [
        "develop []",
        r#"instrument ["prog.sh"]"#,
        r#"restore ["prog.sh"]"#,
        r#"develop ["prog.sh"]"#,
    ];
    assert_eq!(told, expected);
    let history = house.data(&["loop", "history", &id]);
    let rows = history["history"].as_array().unwrap();
    let worked =
        |row: &&Value| ["develop", "debug", "validate"].contains(&row["action"].as_str().unwrap());
    assert!(rows.iter().filter(worked).all(|row| row["child"].is_string()), "{history}");
}

/// A log that is lost is filled again from what its call collected; when that is gone too, from the
/// samples of the journal, and people are told.
fn refilled(house: &House, id: &str, log: &str) {
    let name = format!(".loop/{id}.progress/debug.log");
    std::fs::remove_file(house.work.join(&name)).unwrap();
    house.data(&["loop", "rebuild", id]);
    assert_eq!(house.read(&name), log, "the same lines");
    assert_eq!(house.show(id)["notices"], serde_json::json!([]));
    let line: Value = serde_json::from_str(log.trim()).unwrap();
    let call = line["ext"]["call"].as_str().unwrap();
    std::fs::remove_dir_all(house.work.join(format!(".loop/calls/{call}/collected"))).unwrap();
    std::fs::remove_file(house.work.join(&name)).unwrap();
    house.data(&["loop", "rebuild", id]);
    assert_eq!(house.read(&name), log, "the sample is the line");
    let told = house.show(id)["notices"].to_string();
    assert!(told.contains("samples"), "{told}");
}

#[test]
fn a_quote_that_stands_there_is_evidence_and_one_that_does_not_is_none() {
    let quote = |text: &str| serde_json::json!([{ "path": "prog.sh", "line": 3, "text": text }]);
    let table =
        [("echo $(( $1 - $2 ))", "confirmed", "completed"), ("echo 7", "inconclusive", "paused")];
    for (text, status, end) in table {
        let fixed = if status == "confirmed" { RIGHT } else { WRONG };
        let house = house(&agent("", "", &verdict("confirmed", &quote(text)), fixed), CHECK);
        let id = started(&house);
        house.until_status(&id, end);
        let shown = house.show(&id);
        let found = &shown["skill_state"]["debug"]["hypotheses"][0];
        assert_eq!(found["status"], status, "{found}");
        if status == "inconclusive" {
            assert_eq!(found["verdict_reason"], "no evidence");
            assert_eq!(shown["ext"]["pause"]["reason"], "stuck", "{shown}");
            // Looked into three times, fixed twice, then a person is asked.
            let expected = ["explore", "analyze", "analyze", "analyze", "fix", "fix"];
            assert_eq!(effects(&house), expected);
        }
    }
}

#[test]
fn invariant_user_tree_is_put_back_to_the_byte_whatever_is_judged() {
    let agent = agent("prog.sh:add:3", LOGGED, &verdict("rejected", &NONE), WRONG);
    let house = house(&agent, CHECK);
    let config = house.home.join("config/loopwright/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    let once = "[loop.debug]\nmax_rounds = 1\nmax_fix_tasks = 0\n";
    std::fs::write(&config, format!("{text}{once}")).unwrap();
    let id = started(&house);
    house.until_status(&id, "paused");
    assert_eq!(house.show(&id)["ext"]["pause"]["reason"], "stuck");
    assert_eq!(effects(&house), ["explore", "instrument", "analyze"]);
    let text = house.read("prog.sh");
    assert_eq!(text, WRONG);
}

#[test]
fn debug_that_was_stopped_is_put_back_before_anything_else() {
    let good = agent("prog.sh:add:3", LOGGED, &verdict("confirmed", &NONE), RIGHT);
    let judging = agent("prog.sh:add:3", LOGGED, "JUDGING", RIGHT);
    let hanging = judging.replace("{ say = \"JUDGING\" }, \"end\"", "\"hang\"");
    let house = house(&hanging, CHECK);
    let id = started(&house);
    until("it judges", || effects(&house).iter().any(|done| done == "analyze"));
    house.data(&["loop", "stop", &id]);
    until("nothing of it lives", || house.show(&id)["ext"]["action"].is_null());
    assert_eq!(house.read("prog.sh"), LOGGED, "what stopped it takes nothing back");
    std::fs::write(house.home.join("mine.toml"), good).unwrap();
    house.data(&["loop", "retry", &id]);
    house.until_status(&id, "completed");
    let expected = ["explore", "instrument", "analyze", "instrument", "analyze", "fix"];
    assert_eq!(effects(&house), expected);
    assert_eq!(house.read("prog.sh"), RIGHT);
    house.data(&["loop", "rebuild", &id]);
    let changes = house.read(&format!(".loop/{id}.progress/changes.log"));
    let action = |line: &str| serde_json::from_str::<Value>(line).unwrap()["ext"]["action"].clone();
    let actions: Vec<Value> = changes.lines().map(action).collect();
    let expected = ["develop", "instrument", "restore", "instrument", "restore", "develop"];
    assert_eq!(actions, expected);
}

/// A file that is instrumented beside the program, and how it is then.
const BESIDE: [(&str, &str); 2] = [("lib.sh", "# nothing\n"), ("new.sh", "")];

/// The agent that instruments `lib.sh` too and makes a file of its own.
fn thorough(agent: &str) -> String {
    let more = "{ write = { path = \"lib.sh\", text = \"# logs to LOOPWRIGHT_DEBUG_LOG\\n\" } }, \
        { write = { path = \"new.sh\", text = \"# logs too\\n\" } }, { say = \"logged\" }";
    agent.replace("{ say = \"logged\" }", more)
}

#[test]
fn invariant_user_tree_a_conflict_in_one_file_keeps_no_other_from_being_put_back() {
    let agent = thorough(&agent("prog.sh:add:3", LOGGED, &verdict("confirmed", &NONE), RIGHT));
    let check = format!("grep -q hid prog.sh && echo '# mine' >> prog.sh; {CHECK}");
    let house = house(&agent, &check);
    house.write(BESIDE[0].0, BESIDE[0].1);
    let id = started(&house);
    house.until_status(&id, "paused");
    let shown = house.show(&id);
    assert_eq!(shown["ext"]["pause"]["code"], "E_CONFLICT", "{shown}");
    assert!(house.read("prog.sh").contains("# mine"), "it is kept as it is");
    assert_eq!(house.read("lib.sh"), BESIDE[0].1, "to the byte");
    assert!(!house.has("new.sh"), "what was made is gone");
    until("it is named", || house.show(&id)["notices"].to_string().contains("prog.sh"));
    let told = house.show(&id)["notices"].to_string();
    assert!(!told.contains("lib.sh") && !told.contains("new.sh"), "{told}");
    // The person takes it from there: what was found is fixed and proven.
    house.write("prog.sh", WRONG);
    house.data(&["loop", "resume", &id]);
    house.until_status(&id, "completed");
    assert_eq!(house.read("prog.sh"), RIGHT);
}

#[test]
fn who_completes_a_loop_by_force_is_told_what_debugging_left_in_the_tree() {
    let judging = agent("prog.sh:add:3", LOGGED, "JUDGING", RIGHT);
    let hanging = judging.replace("{ say = \"JUDGING\" }, \"end\"", "\"hang\"");
    let house = house(&hanging, CHECK);
    let id = started(&house);
    until("it judges", || effects(&house).iter().any(|done| done == "analyze"));
    house.data(&["loop", "pause", &id, "--now"]);
    until("nothing of it lives", || house.show(&id)["ext"]["action"].is_null());
    let page = house.run(&["loop", "show", &id]).out;
    assert!(page.contains("logging in: prog.sh"), "{page}");
    house.data(&["loop", "complete", &id, "--force", "--why", "seen by eye"]);
    assert_eq!(house.read("prog.sh"), LOGGED, "nobody asked for it");
    until("it is named", || house.show(&id)["notices"].to_string().contains("prog.sh"));
    let summary = format!(".loop/{id}.progress/summary.md");
    until("its page", || house.has(&summary) && house.read(&summary).contains("prog.sh"));
    let deleted = house.run(&["loop", "delete", &id]);
    assert!(deleted.out.contains("logging in: prog.sh"), "{deleted:?}");
}

#[test]
fn what_others_changed_since_is_left_to_them() {
    let agent = agent("prog.sh:add:3", LOGGED, &verdict("confirmed", &NONE), RIGHT);
    // Whoever runs it while it logs leaves a line of his own in it.
    let check = format!("grep -q hid prog.sh && echo '# mine' >> prog.sh; {CHECK}");
    let house = house(&agent, &check);
    let id = started(&house);
    house.until_status(&id, "paused");
    let shown = house.show(&id);
    assert_eq!(shown["ext"]["pause"]["reason"], "blocked", "{shown}");
    assert_eq!(shown["ext"]["pause"]["code"], "E_CONFLICT", "{shown}");
    let text = house.read("prog.sh");
    assert!(text.contains("# mine") && text.contains("hid"), "it is kept as it is: {text}");
    let page = house.run(&["loop", "show", &id]).out;
    let named = |line: &str| line.contains("E_CONFLICT") && line.contains("prog.sh");
    assert!(page.lines().any(named), "the person is told which file: {page}");
}

#[test]
fn invariant_a_killed_engine_debugs_on_and_nothing_is_done_twice() {
    for word in ["explore", "instrument", "analyze", "fix"] {
        let verdict = verdict("confirmed", &NONE);
        let house = house(&agent("prog.sh:add:3", LOGGED, &verdict, RIGHT), CHECK);
        let id = started(&house);
        until(word, || effects(&house).iter().any(|done| done == word));
        signal(house.engine_pid(), Signal::KILL);
        let ran = house.run(&["loop", "watch", &id]);
        assert_eq!(ran.code, 0, "killed at {word}: {ran:?}");
        assert_eq!(effects(&house), ["explore", "instrument", "analyze", "fix"], "at {word}");
        assert_eq!(house.read("prog.sh"), RIGHT, "at {word}");
        let log = house.read(&format!(".loop/{id}.progress/debug.log"));
        assert_eq!(log.lines().count(), 1, "at {word}: {log}");
    }
}
