//! Loops whose breakdown and analysis are made by an agent: a real process that is asked, read,
//! corrected, and given up.

use serde_json::Value;

use crate::kit::House;
use crate::{scripted, settle};

/// Breaks work down, answers tasks that only read.
const WORKER: &str = r#"
effects = "${CWD}/../effects.jsonl"
[[rule]]
when = "Break the work below down"
steps = [ { session = "auto" }, { effect = "breakdown" },
          { say = '{"tasks":[{"description":"Count the files","mode":"analysis"}]}' }, "end" ]
[[rule]]
when = "by reading only"
steps = [ { session = "auto" }, { effect = "analysis" }, { say = "There is one: gate.sh" },
          { usage = { input_tokens = 3, output_tokens = 2 } }, "end" ]
"#;

/// Does tasks that change files; says it did where it did not; waits where it is told to.
const WRITER: &str = r#"
effects = "${CWD}/../effects.jsonl"
[[rule]]
when = "Pretend"
steps = [ { session = "auto" }, { say = '{"control":"step_done"}' }, "end" ]
[[rule]]
when = "Wait"
steps = [ { session = "auto" }, { effect = "waiting" }, { run = ["sh", "gate.sh"] },
          { write = { path = "waited.txt", text = "late\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
[[rule]]
steps = [ { session = "auto" }, { effect = "writing" },
          { write = { path = "made.txt", text = "hello\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

/// Has no idea first; once corrected it knows.
const CORRECTED: &str = r#"
[[rule]]
when = "has not the form that was asked for"
steps = [ { session = "auto" },
          { say = 'So: {"tasks":[{"description":"Look around","mode":"analysis"}]}' }, "end" ]
[[rule]]
when = "Break the work below down"
steps = [ { session = "auto" }, { say = "no idea" }, "end" ]
[[rule]]
steps = [ { session = "auto" }, { say = "looked" }, "end" ]
"#;

/// Never has an idea.
const HOPELESS: &str = r#"
effects = "${CWD}/../effects.jsonl"
[[rule]]
steps = [ { session = "auto" }, { effect = "asked" }, { say = '{"tasks": []}' }, "end" ]
"#;

/// A house whose loops are worked on by this agent.
fn house(scenario: &str, limit: u32) -> House {
    let house = House::new();
    let agent = scripted(&house, "mine", scenario);
    let tool = format!("[loop]\nerror_limit = {limit}\n[loop.develop]\ndefault_tool = \"mine\"\n");
    settle(&house, &format!("{tool}{agent}"));
    house.write("proof", "");
    house
}

fn effects(house: &House, word: &str) -> usize {
    let text = std::fs::read_to_string(house.home.join("../effects.jsonl")).unwrap_or_default();
    text.lines().filter(|line| line.contains(word)).count()
}

/// Makes a loop without tasks, starts it and waits for its end.
fn worked(house: &House, status: &str) -> Value {
    let made = ["loop", "create", "--title", "Count", "--description", "How many files?"];
    let id = house.data(&made)["loop_id"].as_str().unwrap().to_owned();
    house.data(&["loop", "start", &id, "--auto", "--detach"]);
    house.until_status(&id, status);
    house.show(&id)
}

fn calls_of_agents(house: &House) -> Vec<Value> {
    let runs = house.data(&["call", "list"]);
    let of = |run: &Value| house.data(&["call", "show", run["run_id"].as_str().unwrap()]);
    runs.as_array().unwrap().iter().map(of).filter(|call| call["name"] == "agent").collect()
}

#[test]
fn an_agent_makes_the_tasks_and_does_what_only_reads() {
    let house = house(WORKER, 3);
    let shown = worked(&house, "completed");
    let tasks = &shown["skill_state"]["develop"]["tasks"];
    assert_eq!(tasks.as_array().unwrap().len(), 1, "{shown}");
    assert_eq!(tasks[0]["description"], "Count the files", "{tasks}");
    assert_eq!((&tasks[0]["tool"], &tasks[0]["mode"]), (&"mine".into(), &"analysis".into()));
    assert_eq!(tasks[0]["status"], "completed", "{tasks}");
    assert_eq!((effects(&house, "breakdown"), effects(&house, "analysis")), (1, 1));
    let calls = calls_of_agents(&house);
    assert_eq!(calls.len(), 2);
    for call in &calls {
        let asked = &call["args"]["agent"];
        assert_eq!((&asked["name"], &asked["access"]), (&"mine".into(), &"read".into()), "{call}");
    }
    let text = house.run(&["loop", "show", shown["loop_id"].as_str().unwrap()]);
    assert!(text.out.contains("Count the files"), "{text:?}");
    let page =
        house.read(&format!(".loop/{}.progress/develop.md", shown["loop_id"].as_str().unwrap()));
    assert!(page.contains("There is one: gate.sh"), "{page}");
}

/// Agents are spoken to in the language of whoever starts the loop, whoever started the engine.
#[test]
fn reg_a_loop_speaks_the_language_of_its_start() {
    let house = house(WORKER, 1);
    let id = house.data(&["loop", "create", "--title", "x", "--lang", "zh-CN"])["loop_id"].clone();
    let id = id.as_str().unwrap();
    house.data(&["loop", "start", id, "--auto", "--detach", "--lang", "en"]);
    house.until_status(id, "completed");
    assert_eq!(effects(&house, "breakdown"), 1, "the English words were understood");
    let other = house.data(&["loop", "create", "--title", "y"])["loop_id"].clone();
    let ran = house.run(&["loop", "start", other.as_str().unwrap(), "--auto", "--lang", "zh-CN"]);
    assert_eq!(ran.code, 1, "the Chinese ones fit no rule: {ran:?}");
    assert_eq!(effects(&house, "breakdown"), 1);
}

#[test]
fn a_task_may_name_any_agent_that_is_configured() {
    let house = house(WORKER, 3);
    let line = r#"{"description":"Count them","tool":"mine","mode":"analysis"}"#;
    house.write("tasks.jsonl", line);
    let made = house.data(&["loop", "create", "--title", "x", "--tasks", "tasks.jsonl"]);
    let id = made["loop_id"].as_str().unwrap().to_owned();
    house.data(&["loop", "start", &id, "--auto", "--detach"]);
    house.until_status(&id, "completed");
    assert_eq!((effects(&house, "breakdown"), effects(&house, "analysis")), (0, 1));
    house.write("tasks.jsonl", &line.replace("mine", "nobody"));
    let ran = house.run(&["loop", "create", "--title", "x", "--tasks", "tasks.jsonl", "--json"]);
    assert_eq!(ran.code, 2, "{ran:?}");
}

#[test]
fn one_bad_answer_is_corrected() {
    let house = house(CORRECTED, 3);
    let shown = worked(&house, "completed");
    let tasks = &shown["skill_state"]["develop"]["tasks"];
    assert_eq!(tasks[0]["description"], "Look around", "{shown}");
    let calls = calls_of_agents(&house);
    let resumed = calls.iter().filter(|call| !call["args"]["agent"]["resume"].is_null());
    assert_eq!((calls.len(), resumed.count()), (3, 1), "asked, corrected, analysed: {calls:?}");
}

#[test]
fn two_bad_answers_are_an_error_of_the_model() {
    let house = house(HOPELESS, 1);
    let shown = worked(&house, "failed");
    assert_eq!(effects(&house, "asked"), 2, "once and once more");
    assert!(shown.to_string().contains("E_MODEL"), "{shown}");
    assert!(shown["skill_state"]["develop"]["tasks"].as_array().is_none_or(Vec::is_empty));
}

/// A loop with one task that changes files, started by a person.
fn writing(house: &House, task: &str) -> String {
    let line = format!(r#"{{"description":"{task}","tool":"mine","mode":"write"}}"#);
    house.write("tasks.jsonl", &line);
    let made = house.data(&["loop", "create", "--title", "x", "--tasks", "tasks.jsonl"]);
    let id = made["loop_id"].as_str().unwrap().to_owned();
    house.data(&["loop", "start", &id, "--auto", "--detach"]);
    id
}

fn turns(house: &House) -> Vec<Value> {
    let list = house.data(&["turn", "list"]);
    let of = |run: &Value| house.data(&["turn", "show", run["run_id"].as_str().unwrap()]);
    list.as_array().unwrap().iter().map(of).collect()
}

#[test]
fn a_task_that_changes_files_is_a_turn_below_the_loop() {
    let house = house(WRITER, 3);
    let id = writing(&house, "Make a file");
    house.until_status(&id, "completed");
    assert_eq!((house.read("made.txt").as_str(), effects(&house, "writing")), ("hello\n", 1));
    let task = &house.show(&id)["skill_state"]["develop"]["tasks"][0];
    assert_eq!(task["files_changed"], serde_json::json!(["made.txt"]), "{task}");
    let turns = turns(&house);
    assert_eq!(turns.len(), 1, "{turns:?}");
    let turn = &turns[0];
    assert_eq!(
        (&turn["parent"]["id"], &turn["outcome"]),
        (&id.as_str().into(), &"completed".into())
    );
    assert_eq!(turn["verified"], "skipped", "the loop validates: {turn}");
    let log = house.data(&["log", turn["run_id"].as_str().unwrap()]).to_string();
    assert!(!log.contains("confirmation_asked"), "the loop's start approved it: {log}");
}

/// Says that its limit is reached, and until when.
const LIMITED: &str = r#"
effects = "${CWD}/../effects.jsonl"
[[rule]]
steps = [ { session = "auto" }, { effect = "limited" },
          { error = { kind = "quota", status = 429, message = "limit", retry_after_ms = 4000 } } ]
"#;

#[test]
fn quota() {
    for wakes in [false, true] {
        let house = house(LIMITED, 3);
        let config = house.home.join("config/loopwright/config.toml");
        let text = std::fs::read_to_string(&config).unwrap();
        std::fs::write(&config, format!("{text}resume_at_reset = {wakes}\n")).unwrap();
        let id = writing(&house, "Make a file");
        house.until_status(&id, "paused");
        let pause = house.show(&id)["ext"]["pause"].clone();
        assert_eq!((&pause["reason"], &pause["code"]), (&"blocked".into(), &"E009".into()));
        assert!(pause["reset_at"].is_string(), "the time is shown: {pause}");
        assert_eq!(effects(&house, "limited"), 1);
        let task = house.show(&id)["skill_state"]["develop"]["tasks"][0]["status"].clone();
        assert_eq!(task, "pending", "it was not its fault");
        std::fs::write(house.home.join("mine.toml"), WRITER).unwrap();
        if !wakes {
            house.data(&["loop", "resume", &id]);
        }
        house.until_status(&id, "completed");
        assert_eq!((effects(&house, "limited"), effects(&house, "writing")), (1, 1), "{wakes}");
        let log = house.data(&["log", &id]).to_string();
        assert_eq!(log.contains("\"timer\""), wakes, "{log}");
    }
}

/// Has to ask before it can do anything.
const ASKER: &str = r#"
[[rule]]
steps = [ { session = "auto" },
          { say = '{"control":"ask","questions":[{"text":"What shall it say?"}]}' }, "end" ]
"#;

/// What waited below a turn was seen by nobody who followed the loop.
#[test]
fn reg_a_question_below_a_turn_is_the_loops_to_show() {
    let house = house(ASKER, 3);
    let id = writing(&house, "Make a file");
    let ran = house.run(&["loop", "watch", &id]);
    assert_eq!(ran.code, 4, "whoever is not there is not waited for: {ran:?}");
    assert!(ran.out.contains("What shall it say?"), "{ran:?}");
    let waiting = house.show(&id)["ext"]["waiting"].clone();
    assert!(waiting["text"].as_str().unwrap().contains("What shall it say?"), "{waiting}");
    assert_eq!(house.status(&id), "running", "the loop lives on");
    let page = house.run(&["loop", "show", &id]);
    assert!(page.out.contains("What shall it say?"), "{page:?}");
    house.data(&["loop", "stop", &id]);
}

#[test]
fn a_turn_that_fails_below_a_loop_repairs_nothing() {
    let house = house(WRITER, 1);
    let id = writing(&house, "Pretend to make a file");
    house.until_status(&id, "failed");
    let turns = turns(&house);
    assert_eq!(turns.len(), 1, "{turns:?}");
    assert_eq!(turns[0]["outcome"], "blocked");
    assert_eq!(turns[0]["ledger"]["fixes"], 0, "{}", turns[0]);
}

#[test]
fn a_loop_holds_and_stops_its_turn() {
    let house = house(WRITER, 3);
    let id = writing(&house, "Wait for it");
    crate::kit::until("the agent waits", || effects(&house, "waiting") == 1);
    house.data(&["loop", "pause", &id]);
    crate::kit::until("the turn is held", || !turns(&house)[0]["hold"].is_null());
    house.data(&["loop", "resume", &id]);
    crate::kit::until("the turn goes on", || turns(&house)[0]["hold"].is_null());
    house.data(&["loop", "stop", &id]);
    crate::kit::until("the turn is over", || turns(&house)[0]["outcome"] == "cancelled");
    assert!(!house.has("waited.txt"));
}
