//! Collabs with the real binary, the real shim and scripted agents that are real processes. What
//! the machine decides in each case is the kernel's table; here it is seen to happen.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod kills;
#[path = "../loop_real/kit.rs"]
#[expect(dead_code, reason = "the house is shared with the loops' tests, which use more of it")]
mod kit;

use std::fmt::Write as _;
use std::time::Instant;

use kit::{House, PATIENCE};
use serde_json::Value;

const ANSWERS: &str = r#"
effects = "${CWD}/../effects.jsonl"
[[rule]]
steps = [ { session = "auto" }, { effect = "asked" }, { say = "use a queue" },
          { usage = { input_tokens = 10, output_tokens = 5 } }, "end" ]
"#;
const REFUSED: &str = r#"
[[rule]]
steps = [ { session = "auto" },
          { error = { kind = "auth", status = 401, message = "status 401" } } ]
"#;
const NO_ID: &str = r#"
[[rule]]
steps = [ { session = "none" },
          { say = "SESSION_ID: 01a1e071-b39d-7503-86fc-e537e9e678d6" }, "end" ]
"#;
const HANGS: &str = r#"
[[rule]]
steps = [ { session = "auto" }, "hang" ]
"#;
const WAITS: &str = r#"
effects = "${CWD}/../effects.jsonl"
[[rule]]
steps = [ { session = "auto" }, { effect = "asked" }, { sleep_ms = 4000 }, { say = "late" }, "end" ]
"#;
const LIMITED: &str = r#"
[[rule]]
steps = [ { session = "auto" },
          { error = { kind = "quota", status = 429, message = "limit reached, resets at 18:00" } } ]
"#;
const CORRECTED: &str = r#"
[[rule]]
launch = 1
steps = [ { session = "auto" }, { say = "no idea" }, "end" ]
[[rule]]
steps = [ { session = "auto" }, { say = '{"n": 3}' }, "end" ]
"#;

/// A trusted workspace whose codex and gemini act by these scenarios.
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

const ASK: [&str; 5] = ["collab", "start", "how?", "--headless", "--json"];

/// Asks, with further words; the exit code and the result.
fn asked(house: &House, more: &[&str]) -> (i32, Value) {
    let ran = house.run(&[&ASK[..], more].concat());
    let value = ran.json();
    assert_eq!(value["ok"], true, "{ran:?}");
    (ran.code, value["data"].clone())
}

/// How often an agent of a house was asked.
fn effects(house: &House) -> usize {
    let file = house.home.join("../effects.jsonl");
    std::fs::read_to_string(file).unwrap_or_default().lines().count()
}

fn id(result: &Value) -> String {
    result["ext"]["run_id"].as_str().unwrap().to_owned()
}

#[test]
fn two_answers_are_a_success_with_proven_sessions() {
    let house = house(ANSWERS, ANSWERS);
    let (code, result) = asked(&house, &[]);
    assert_eq!((code, result["status"].as_str()), (0, Some("SUCCESS")), "{result}");
    assert!(result["codex_session"].is_string() && result["gemini_session"].is_string());
    assert_ne!(result["codex_session"], result["gemini_session"]);
    assert_eq!(result["codex_output"], "use a queue");
    let told = &result["ext"]["participants"]["codex"]["usage"];
    assert_eq!((&told["input_tokens"], &told["cost_usd"]), (&10.into(), &Value::Null), "{told}");
    let shown = house.data(&["show", &id(&result)]);
    assert_eq!((&shown["state"], &shown["machine"]), (&"SUCCESS".into(), &"collab".into()));
    assert_eq!(shown["codex"]["status"], "success", "{shown}");
    let file = house.work.join(format!(".loop/collab/{}.json", id(&result)));
    let text = std::fs::read_to_string(file).unwrap();
    let at =
        |key: &str| text.find(&format!("\"{key}\"")).unwrap_or_else(|| panic!("{key}: {text}"));
    let keys = ["state", "degraded_level", "missing_dimensions", "started_at", "codex", "retries"];
    assert!(keys.map(at).is_sorted(), "the seed's order: {text}");
    let usage = house.data(&["usage", &id(&result)]);
    let total = &usage["total"];
    assert_eq!((&total["tokens_in"], &total["tokens_out"]), (&20.into(), &10.into()), "{usage}");
}

#[test]
fn one_answer_is_degraded_and_waits_for_a_person() {
    let house = house(REFUSED, ANSWERS);
    let (code, result) = asked(&house, &["--role", "architect"]);
    assert_eq!((code, result["status"].as_str()), (5, Some("DEGRADED")), "{result}");
    assert_eq!(result["degraded_level"], "UNACCEPTABLE");
    assert_eq!(result["missing_dimensions"], serde_json::json!(["backend"]));
    let id = id(&result);
    assert_eq!(house.run(&["collab", "gate", &id]).code, 5);
    let open = house.data(&["questions"]);
    assert_eq!(open[0]["run_id"], id.as_str(), "{open}");
    let refused = house.run(&["answer", &id, "override", "--json"]);
    assert_eq!(refused.json()["error"]["code"], "collab.note_required", "{refused:?}");
    let refused = house.run(&["collab", "confirm", &id, "--json"]);
    assert_eq!(refused.json()["error"]["code"], "collab.override_required", "{refused:?}");
    let done = house.run(&["collab", "confirm", &id, "--override", "--note", "I know the backend"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(house.run(&["collab", "gate", &id]).code, 0);
    let again = house.run(&["collab", "decline", &id, "--json"]);
    assert_eq!(again.json()["error"]["code"], "collab.ended", "{again:?}");
}

#[test]
fn ends_by_what_the_agents_did() {
    let table = [
        (REFUSED, REFUSED, &[][..], 1, "FAILED", "E009"),
        (NO_ID, NO_ID, &[], 1, "FAILED", "E006"),
        (ANSWERS, REFUSED, &["--gate", "and"], 1, "FAILED", "E009"),
        (HANGS, HANGS, &["--lite"], 5, "DEGRADED", ""),
        (REFUSED, ANSWERS, &["--role", "reviewer", "--accept-degraded"], 0, "SUCCESS", ""),
        (REFUSED, ANSWERS, &["--with", "gemini"], 0, "SUCCESS", ""),
    ];
    for (codex, gemini, more, code, status, error) in table {
        let house = house(codex, gemini);
        let (found, result) = asked(&house, more);
        assert_eq!((found, &result["status"]), (code, &status.into()), "{more:?} {result}");
        let known = result["ext"]["error_code"].as_str().unwrap_or_default();
        assert_eq!(known, error, "{result}");
        let takeover = house.run(&["collab", "takeover", &id(&result), "--json"]);
        let wanted = status == "FAILED" || more.contains(&"--lite");
        assert_eq!(takeover.code == 0, wanted, "{takeover:?}");
    }
}

/// Nobody decided in time: that is no failure of the agents.
#[test]
fn a_degraded_result_that_expires_exits_as_waiting() {
    let house = house(REFUSED, ANSWERS);
    let (code, result) = asked(&house, &["--confirm-timeout", "1s"]);
    assert_eq!((code, &result["status"]), (5, &"DEGRADED".into()), "{result}");
    let ended = || house.data(&["collab", "show", &id(&result)])["state"] == "FAILED";
    kit::until("it expires", ended);
    let ran = house.run(&["collab", "result", &id(&result), "--json"]);
    assert_eq!(ran.json()["data"]["ext"]["cause"], "confirm_expired", "{ran:?}");
    assert_eq!(ran.code, 4, "{ran:?}");
}

#[test]
fn nobody_answers_in_time() {
    let house = house(HANGS, HANGS);
    let began = Instant::now();
    let (code, result) = asked(&house, &["--timeout", "10s", "--retries", "0"]);
    assert!(began.elapsed() < PATIENCE);
    assert_eq!((code, &result["status"]), (8, &"FAILED".into()), "{result}");
    assert_eq!(result["ext"]["error_code"], "E005", "{result}");
}

#[test]
fn an_answer_without_the_wanted_form_is_corrected_once() {
    let house = house(CORRECTED, CORRECTED);
    house.write("schema.json", r#"{"type":"object","required":["n"]}"#);
    let (code, result) = asked(&house, &["--schema", "schema.json"]);
    assert_eq!((code, &result["status"]), (0, &"SUCCESS".into()), "{result}");
    assert_eq!(result["ext"]["participants"]["codex"]["launches"], 2, "{result}");
}

#[test]
fn an_engine_that_is_killed_changes_nothing() {
    let house = house(WAITS, WAITS);
    let started = house.data(&["collab", "start", "how?", "--no-wait"]);
    let id = started["ext"]["run_id"].as_str().unwrap().to_owned();
    kit::until("both agents are asked", || effects(&house) == 2);
    kit::signal(house.engine_pid(), rustix::process::Signal::KILL);
    // Any command that changes something starts another engine, which finds the agents again.
    let more = house.run(&["collab", "extend", &id, "5s", "--json"]);
    assert_eq!(more.code, 0, "{more:?}");
    let ran = house.run(&["collab", "watch", &id, "--json"]);
    let result = &ran.json()["data"];
    assert_eq!((ran.code, &result["status"]), (0, &"SUCCESS".into()), "{ran:?}");
    assert_eq!(effects(&house), 2, "no agent was started twice");
}

#[test]
fn bad_input_is_named() {
    let house = house(ANSWERS, ANSWERS);
    let start = |more: &[&str]| house.run(&[&ASK[..], more].concat());
    let table: [(&[&str], &str, &str); 8] = [
        (&["--with", "nobody"], "agent.no_such", "nobody"),
        (&["--workdir", "../x"], "collab.invalid_args", "/workdir"),
        (&["--workdir", "/nowhere"], "collab.invalid_args", "/workdir"),
        (&["--timeout", "1s"], "collab.invalid_args", "/timeout"),
        (&["--gate", "xor"], "collab.invalid_args", "/gate"),
        (&["--resume", "nobody=1"], "collab.invalid_args", "/resume"),
        (&["--lite", "--gate", "and"], "collab.invalid_args", "/gate"),
        (&["--timeout", "soon"], "E_INVALID_ARGS", "--timeout"),
    ];
    for (more, expected, named) in table {
        let ran = start(more);
        let error = &ran.json()["error"];
        assert_eq!((ran.code, &error["code"]), (2, &expected.into()), "{more:?} {ran:?}");
        assert!(error["message"].as_str().unwrap().contains(named), "{more:?} {ran:?}");
        assert!(error["run_id"].is_null(), "no run was made, so none is named: {ran:?}");
    }
    let ran = start(&["--workdir", "missing"]);
    assert_eq!(ran.json()["data"]["ext"]["error_code"], "E008", "{ran:?}");
    std::fs::create_dir_all(house.work.join(".loop/roles")).unwrap();
    house.write(".loop/roles/developer.md", "be {{WHO}}");
    let ran = start(&[]);
    let error = &ran.json()["error"];
    assert_eq!((ran.code, &error["code"]), (2, &"E002".into()), "{ran:?}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("{{WHO}}") && message.contains("developer.md"), "{ran:?}");
    assert_eq!(house.data(&["collab", "list"]).as_array().unwrap().len(), 1, "one was made");
}

/// Scenarios of the two agents, further words, and what the page says in each language.
type Told = (&'static str, &'static str, &'static [&'static str], [&'static str; 2]);

#[test]
fn an_end_that_is_no_success_says_what_to_do() {
    let table: [Told; 6] = [
        (LIMITED, LIMITED, &[], ["may be asked again at ", "18:00:00Z 之后再问"]),
        (
            CORRECTED,
            REFUSED,
            &["--schema", "BAD"],
            ["E_MODEL schema: .loop/calls/", "schema: .loop/"],
        ),
        (ANSWERS, ANSWERS, &["--workdir", "missing"], ["`start_gate` E008: working", "E008: 工作"]),
        (REFUSED, REFUSED, &[], ["`all_failed` E009: agent failed", "E009: 代理执行失败"]),
        (ANSWERS, REFUSED, &[], ["E_DEGRADED: not usable: frontend", "E_DEGRADED: "]),
        (ANSWERS, ANSWERS, &["--resume", "codex=bad"], ["E002 codex: bad_session bad", "E002 "]),
    ];
    for (codex, gemini, more, words) in table {
        let house = house(codex, gemini);
        let schema = house.home.join("schema.json");
        std::fs::write(&schema, r#"{"type":"object","required":["other"]}"#).unwrap();
        let more: Vec<&str> = more
            .iter()
            .map(|word| if *word == "BAD" { schema.to_str().unwrap() } else { word })
            .collect();
        for (lang, words) in ["en", "zh-CN"].into_iter().zip(words) {
            let ask = ["collab", "start", "how?", "--headless", "--lang", lang];
            let ran = house.run(&[&ask[..], &more].concat());
            assert!(ran.out.contains(words), "{lang} {more:?}: {}", ran.out);
            let id = house.data(&["collab", "list"])[0]["run_id"].as_str().unwrap().to_owned();
            let next = match ran.code {
                5 => format!("- `loopwright collab confirm {id} --override --note NOTE`\n"),
                _ => format!("- `loopwright collab takeover {id}`\n"),
            };
            assert!(ran.out.contains(&next), "{lang} {more:?}: {}", ran.out);
        }
    }
}

#[test]
fn a_result_that_is_not_there_yet_says_what_is_possible() {
    let house = house(WAITS, WAITS);
    house.data(&["collab", "start", "how?", "--no-wait"]);
    let id = house.data(&["collab", "list"])[0]["run_id"].as_str().unwrap().to_owned();
    for verb in ["result", "gate", "takeover"] {
        let ran = house.run(&["collab", verb, &id, "--json"]);
        let error = &ran.json()["error"];
        assert_eq!((ran.code, &error["code"]), (3, &"collab.not_now".into()), "{verb} {ran:?}");
        assert_eq!(error["run_id"], id.as_str(), "{verb} {ran:?}");
        let allowed = error["allowed"].as_array().unwrap();
        assert!(allowed.contains(&"Cancel".into()), "{verb} {ran:?}");
    }
    house.data(&["collab", "cancel", &id]);
}
