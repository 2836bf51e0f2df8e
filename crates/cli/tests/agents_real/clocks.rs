//! Time and an agent that runs: silence counts only while none of its tools is open, what lingers
//! after its answer is ended, and what its program tries again is told.

use std::time::Instant;

use crate::kit::{House, PATIENCE};
use crate::{scripted, settle};

const SCENARIO: &str = r#"
[[rule]]
when = "silent"
steps = [ { session = "auto" }, "hang" ]
[[rule]]
when = "works"
steps = [ { session = "auto" }, { run = ["sleep", "6"] }, { say = "built" }, "end" ]
[[rule]]
when = "lingers"
steps = [ { session = "auto" }, { say = "done" }, "end", "hang" ]
[[rule]]
when = "no more today"
steps = [ { session = "auto" },
          { error = { kind = "quota", status = 429, message = "retry after 3600s" } }, "hang" ]
[[rule]]
steps = [ { session = "auto" },
          { retry = { attempt = 1, max = 3, delay_ms = 5, why = "503 unavailable" } },
          { retry = { attempt = 2, max = 3, delay_ms = 5, why = "503 unavailable" } },
          { sleep_ms = 1000 }, { say = "at last" }, "end" ]
"#;

fn house() -> House {
    let house = House::new();
    let agent = scripted(&house, "alpha", SCENARIO);
    let who = "[collab.participant.codex]\nagent = \"alpha\"\n";
    settle(&house, &format!("{agent}idle = \"3s\"\nwall = \"60s\"\n{who}"));
    house
}

#[test]
fn silence_counts_while_no_tool_is_open_and_an_answer_is_not_waited_after() {
    let house = house();
    let run = |task: &str| house.run(&["agent", "run", "alpha", task, "--headless", "--json"]);
    let silent = run("silent");
    assert_eq!((silent.code, &silent.json()["error"]["code"]), (8, &"E004".into()), "{silent:?}");
    let works = run("works");
    assert_eq!((works.code, &works.json()["data"]["text"]), (0, &"built".into()), "{works:?}");
    let began = Instant::now();
    let lingers = run("lingers");
    assert_eq!((lingers.code, &lingers.json()["data"]["text"]), (0, &"done".into()), "{lingers:?}");
    assert!(began.elapsed() < PATIENCE, "it would have hung for ever");
    let call = house.data(&["call", "list"])[0]["run_id"].as_str().unwrap().to_owned();
    let exit = &house.data(&["call", "show", &call])["result"]["exit"];
    assert_eq!(exit["ended"], "stopped", "{exit}");
    assert_eq!(exit["survivors"], serde_json::json!([]), "{exit}");
}

/// An error is as final as an answer: who lingers after it is ended, and has failed by its own
/// word.
#[test]
fn an_error_is_not_waited_after_and_is_nobody_s_cancel() {
    let house = house();
    let began = Instant::now();
    let ask = ["agent", "run", "alpha", "no more today", "--headless", "--json"];
    let ran = house.run(&ask);
    let error = &ran.json()["error"];
    assert_eq!((ran.code, &error["code"]), (1, &"E009".into()), "{ran:?}");
    assert_eq!(error["details"]["kind"], "quota", "{error}");
    assert!(error["details"]["reset_at"].is_string(), "{error}");
    assert!(began.elapsed() < PATIENCE, "it would have hung for ever");
    let call = house.data(&["call", "list"])[0]["run_id"].as_str().unwrap().to_owned();
    let shown = &house.data(&["call", "show", &call])["result"];
    assert_eq!((&shown["exit"]["ended"], &shown["ok"]), (&"stopped".into(), &false.into()));
    let ask = ["collab", "start", "no more today", "--with", "codex", "--headless", "--json"];
    let result = &house.run(&ask).json()["data"];
    let error = &result["ext"]["errors"][0];
    assert_eq!((&result["ext"]["error_code"], &error["code"]), (&"E009".into(), &"E009".into()));
    assert_eq!(result["ext"]["participants"]["codex"]["status"], "failed", "{result}");
}

#[test]
fn what_a_program_tries_again_is_told() {
    let house = house();
    let result = house.data(&["collab", "start", "how?", "--with", "codex", "--headless"]);
    assert_eq!(result["status"], "SUCCESS", "{result}");
    let id = result["ext"]["run_id"].as_str().unwrap();
    for (lang, words) in [("en", "asks its provider again"), ("zh-CN", "再次请求其服务方")]
    {
        let page = house.run(&["collab", "show", id, "--lang", lang]).out;
        assert_eq!(page.matches(words).count(), 2, "each once: {page}");
        assert!(page.contains("2/3") && page.contains("503 unavailable"), "{page}");
    }
}
