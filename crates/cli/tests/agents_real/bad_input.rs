//! What nobody should ask one agent for, and agents that cannot be asked: each is told by its code,
//! what was wrong and what to do, in both languages.

use crate::kit::House;
use crate::{scripted, settle};

const SCENARIO: &str = r#"
[[rule]]
when = "hang"
steps = [ { session = "auto" }, "hang" ]
[[rule]]
when = "quota"
steps = [ { session = "auto" }, { error = { kind = "quota", status = 429, message = "resets at 18:00" } } ]
[[rule]]
steps = [ { session = "auto" }, { say = "no idea" }, "end" ]
"#;
const STRANGER: &str = "11111111-2222-4333-8444-555555555555";

/// Words after `agent run`, exit and code, and what message and next step name.
type Row = (&'static [&'static str], i32, &'static str, [&'static str; 2]);

const TABLE: [Row; 9] = [
    (&["gone", "x"], 1, "E001", ["gone", "npm install -g @openai/codex"]),
    (&["nobody", "x"], 2, "agent.no_such", ["nobody", "[agents.NAME]"]),
    (&["one", ""], 2, "call.invalid_args", ["/args/agent/prompt", ""]),
    (&["one", "x", "--resume", "bad"], 2, "agent.invalid_args", ["/resume", ""]),
    (&["one", "x", "--access", "root"], 2, "agent.invalid_args", ["/access", ""]),
    (&["one", "x", "--resume", STRANGER], 2, "E002", [STRANGER, ""]),
    (&["one", "quota"], 1, "E009", ["18:00", ""]),
    (&["one", "hang", "--wall", "1s"], 8, "E004", ["one", "agents.one.wall"]),
    (&["one", "prose", "--schema", "SCHEMA"], 1, "E_MODEL", ["", ""]),
];

#[test]
fn what_one_agent_cannot_be_asked_is_told() {
    let house = House::new();
    let gone = "[agents.gone]\nkind = \"codex\"\nbin = \"/nowhere/codex\"\n";
    settle(&house, &format!("{}{gone}", scripted(&house, "one", SCENARIO)));
    let schema = house.home.join("schema.json");
    std::fs::write(&schema, r#"{"type":"object"}"#).unwrap();
    for (words, exit, code, named) in TABLE {
        let words: Vec<&str> = words
            .iter()
            .map(|word| if *word == "SCHEMA" { schema.to_str().unwrap() } else { word })
            .collect();
        for lang in ["en", "zh-CN"] {
            let ask = ["agent", "run", "--headless", "--json", "--lang", lang];
            let ran = house.run(&[&ask[..], &words].concat());
            let error = &ran.json()["error"];
            assert_eq!((ran.code, &error["code"]), (exit, &code.into()), "{words:?} {ran:?}");
            let [message, next] = ["message", "next_step"].map(|key| error[key].as_str().unwrap());
            assert!(message.contains(named[0]), "{words:?} {ran:?}");
            assert!(next.contains(named[1]) && !next.is_empty(), "{words:?} {ran:?}");
            assert!(!error["commands"].as_array().unwrap().is_empty(), "{words:?} {ran:?}");
            // What was made can be looked at; what was not is not named.
            if let Some(call) = error["call_id"].as_str() {
                assert_eq!(house.data(&["call", "show", call])["run_id"], call);
            } else {
                assert_eq!((ran.code, &error["run_id"]), (2, &serde_json::Value::Null), "{ran:?}");
            }
        }
    }
}
