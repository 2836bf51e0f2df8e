//! What nobody should type, as a table: each is told by code, sentence and next step, with the
//! right exit code, and changes nothing.

use serde_json::Value;

use crate::kit::{CALLS, House};

/// Arguments, exit code, code, and a part of message, next step or commands.
type Row = (&'static [&'static str], i32, &'static str, &'static str);

const USAGE: &[Row] = &[
    (&["rnus"], 2, "E_INVALID_ARGS", "runs"),
    (&["frob"], 2, "E_INVALID_ARGS", "runs, show"),
    (&["runs", "--machin", "loop"], 2, "E_INVALID_ARGS", "--machine"),
    (&["runs", "--machine", "lop"], 2, "E_INVALID_ARGS", "call, loop"),
    (&["runs", "--machine"], 2, "E_INVALID_ARGS", "loopwright help runs"),
    (&["runs", "--state", "sleeping"], 2, "E_INVALID_ARGS", "sleeping"),
    (&["runs", "--lang", "klingon"], 2, "E_INVALID_ARGS", "zh-CN"),
    (&["runs", "extra"], 2, "E_INVALID_ARGS", "extra"),
    (&["runs", "--workspace", "nowhere"], 2, "E_INVALID_ARGS", "nowhere"),
    (&["runs", "--workspace", "/"], 3, "workspace.root_refused", "--workspace"),
    (&["show"], 2, "E_INVALID_ARGS", "RUN"),
    (&["show", ""], 2, "door.no_such", "loopwright runs"),
    (&["show", "call-0003aaaa"], 2, "call.no_such", "call-0001aaaa"),
    (&["show", "turn-1"], 2, "door.no_such", "turn-1"),
    (&["show", "call-0"], 2, "call.ambiguous_command", "call-0002bbbb, call-0001aaaa"),
    (&["show", "loop-v2"], 2, "loop.ambiguous_command", "loop-v2-20260122T030000-5e6f7a8b"),
    (&["show", CALLS[0], "--at", "0"], 2, "E_INVALID_ARGS", "1..4"),
    (&["show", CALLS[0], "--at", "99"], 2, "E_INVALID_ARGS", "99"),
    (&["show", CALLS[0], "--at", "x"], 2, "E_INVALID_ARGS", "--at"),
    (&["call", "show", "loop-v2-20260122T020000"], 2, "call.no_such", "is a loop, not a call"),
    (&["call", "show", "x"], 2, "call.no_such", CALLS[0]),
    (&["loop", "pause", "x"], 2, "loop.no_such", "loop-v2-2026"),
    (&["call", "tail", CALLS[0], "--stream", "stdin"], 2, "E_INVALID_ARGS", "stdout, stderr"),
    (&["call", "list", "--run", "none"], 2, "door.no_such", "none"),
    (&["call"], 2, "E_INVALID_ARGS", "list"),
    (&["log", "none"], 2, "door.no_such", "none"),
    (&["replay", "none"], 2, "door.no_such", "none"),
    (&["diff", "none"], 2, "door.no_such", "none"),
    (&["usage", "none"], 2, "door.no_such", "none"),
    (&["graph", "nothing"], 2, "E_INVALID_ARGS", "call, loop"),
    (&["graph", "loop", "--format", "png"], 2, "E_INVALID_ARGS", "svg"),
    (&["explain", "E4"], 2, "E_NOT_FOUND", "E004"),
    (&["explain", "NOPE"], 2, "E_NOT_FOUND", "explain --list"),
    (&["explain"], 2, "E_INVALID_ARGS", "CODE"),
    (&["config", "show", "loop.eror_limit"], 2, "E_INVALID_ARGS", "loop.error_limit"),
    (&["trace", "x"], 2, "E_INVALID_ARGS", "trace_"),
    (&["trace", "trace_00000000000000000000000000000000"], 2, "door.no_such", "trace_0000"),
    (&["completions", "tcsh"], 2, "E_INVALID_ARGS", "fish"),
    (&["help", "shwo"], 2, "E_INVALID_ARGS", "show"),
    (&["workspace", "mop"], 2, "E_INVALID_ARGS", "map"),
];

#[test]
fn bad_input_is_told_what_to_do() {
    let house = House::filled();
    for (args, code, name, part) in USAGE {
        let all: Vec<&str> = args.iter().chain(&["--json"]).copied().collect();
        let ran = house.run(&all);
        assert_eq!(ran.code, *code, "{args:?}: {}{}", ran.out, ran.err);
        assert_eq!(ran.out.lines().count(), 1, "{args:?}: exactly one value");
        let error = ran.json()["error"].clone();
        assert_eq!(error["code"], *name, "{args:?}: {error}");
        let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        let commands = error["commands"].as_array().into_iter().flatten();
        let commands: Vec<&str> = commands.filter_map(Value::as_str).collect();
        let told = format!("{} {} {}", text("message"), text("next_step"), commands.join(" "));
        assert!(told.contains(part), "{args:?}: {told}");
        assert!(!text("message").is_empty() && !text("next_step").is_empty(), "{args:?}");
    }
}

#[test]
fn bad_input_is_told_on_stderr_in_the_asked_language() {
    let house = House::filled();
    for (args, code, name, _) in USAGE {
        let zh: Vec<&str> = args.iter().chain(&["--lang", "zh"]).copied().collect();
        for (all, label) in [(args.to_vec(), ["error[", "refused["]), (zh, ["错误[", "已拒绝["])]
        {
            let ran = house.run(&all);
            let asked_for_klingon = args.contains(&"klingon") && all.len() > args.len();
            assert!(ran.code == *code || asked_for_klingon, "{all:?}: {}", ran.code);
            assert!(ran.out.is_empty() || asked_for_klingon, "{all:?}: {}", ran.out);
            if !asked_for_klingon && !args.contains(&"--machine") {
                let head = ran.err.lines().next().unwrap_or_default();
                assert!(label.iter().any(|label| head.starts_with(label)), "{all:?}: {}", ran.err);
                assert!(head.contains(name), "{all:?}: {head}");
            }
        }
    }
}

#[test]
fn a_language_nobody_speaks_is_refused_by_variable_too() {
    let house = House::new();
    let ran = house.run_with(&["runs", "--json"], "OUTPUT_LANGUAGE", "fr");
    let error = ran.json()["error"].clone();
    assert_eq!((ran.code, error["code"].as_str()), (2, Some("E_INVALID_ARGS")), "{error}");
    assert_eq!(error["message"], "fr is no value for OUTPUT_LANGUAGE");
}

#[test]
fn a_wrong_type_is_told_what_fits() {
    let house = House::new();
    std::fs::write(house.work.join("loopwright.toml"), "[loop]\nmax_iterations = \"x\"\n").unwrap();
    let ran = house.run(&["config", "check", "--json"]);
    let error = ran.json()["error"].clone();
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("a whole number, 1.."), "{error}");
}

#[test]
fn a_graph_is_data_for_programs() {
    let ran = House::new().run(&["graph", "loop", "--json"]);
    assert!(ran.json()["data"]["states"].is_array(), "{}", ran.out);
}

#[test]
fn a_wrong_settings_file_is_named_with_its_line() {
    let house = House::new();
    std::fs::write(house.work.join("loopwright.toml"), "[loop]\neror_limit = 7\n").unwrap();
    let ran = house.run(&["config", "check", "--json"]);
    let error = ran.json()["error"].clone();
    assert_eq!((ran.code, error["code"].as_str()), (2, Some("E_INVALID_ARGS")));
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("loopwright.toml:2 loop.eror_limit"), "{error}");
    assert!(error["next_step"].as_str().unwrap().contains("loop.error_limit"), "{error}");
}
