//! What each dialect prints has the form of what the program prints: every event and every key of
//! ours is listed from recorded streams (the lists mark the few that are not), and what readers
//! take from them is where it is there. Order and values are not compared with the recordings.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::kit::{Agent, Ran};

/// Says and does a bit of everything.
const BUSY: &str = r#"
    { session = "auto" }, { note = "careful" },
    { retry = { attempt = 1, max = 5, delay_ms = 500, status = 503, why = "busy" } },
    { delta = "first " }, { delta = "thoughts" },
    { write = { path = "a/new.txt", text = "made\n" } },
    { run = ["sh", "-c", "echo out; exit 3"] },
    { file = { path = "claimed.txt", kind = "update" } },
    { tool = { name = "grep", kind = "search", status = "ok" } },
    { tool = { name = "shell", kind = "execute", status = "denied" } },
    { delete = "a/new.txt" },
    { say = "all done ${SESSION}" }, "end""#;
const BAD: &str =
    r#"{ say = "half" }, { error = { kind = "auth", status = 401, message = "bad key" } }"#;
/// The ones whose lines are JSON and were recorded.
const RECORDED: [&str; 4] = ["codex", "gemini", "claude", "qwen"];

/// Values below these are free in form.
const FREE: [&str; 6] =
    ["modelUsage", "models", "model_usage_since_last_result", "input", "parameters", "tool_input"];

fn keys(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let path = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                found.insert(path.clone());
                if !FREE.contains(&key.as_str()) {
                    keys(inner, &path, found);
                }
            }
        }
        Value::Array(all) => all.iter().for_each(|item| keys(item, &format!("{at}[]"), found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The name of an event's form, as the recordings list them.
fn form(event: &Value) -> String {
    let kind = event["type"].as_str().unwrap_or("none");
    let mut parts = vec![kind];
    let result = kind == "result";
    parts.extend(event["subtype"].as_str().filter(|_| !result));
    parts.extend((result && event["is_error"] == true).then_some("error"));
    parts.extend((result && event.get("errors").is_some()).then_some("resume"));
    parts.extend(event["status"].as_str().filter(|_| result));
    parts.extend(event["item"]["type"].as_str());
    parts.extend(event["message"]["content"][0]["type"].as_str());
    parts.extend(event["role"].as_str());
    parts.join("/")
}

fn recorded(dialect: &str) -> BTreeMap<String, BTreeSet<String>> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/forms");
    let text = std::fs::read_to_string(format!("{dir}/{dialect}.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let parsed = lines.filter_map(|line| line.split_once(": "));
    parsed.map(|(form, keys)| (form.into(), keys.split(' ').map(str::to_owned).collect())).collect()
}

fn assert_listed(dialect: &str, ran: &Ran) {
    let known = recorded(dialect);
    for event in ran.events() {
        let form = form(&event);
        let known =
            known.get(&form).unwrap_or_else(|| panic!("{dialect}: no form {form}: {event}"));
        let mut ours = BTreeSet::new();
        keys(&event, "", &mut ours);
        let strange: Vec<_> = ours.difference(known).collect();
        assert!(strange.is_empty(), "{dialect} {form}: {strange:?}");
    }
}

#[test]
fn invariant_every_event_and_key_is_listed() {
    for dialect in RECORDED {
        for steps in [BUSY, BAD] {
            let ran = Agent::steps(dialect, steps).run();
            assert!(ran.events().len() >= 3, "{dialect}: {ran:?}");
            assert_listed(dialect, &ran);
        }
        let unknown = Agent::steps(dialect, BUSY).resume("0d9e1b1a-0000-4000-8000-000000000000");
        assert_listed(dialect, &unknown.run());
    }
}

/// The types of a whole stream, in order.
fn types(ran: &Ran) -> Vec<String> {
    ran.events().iter().map(form).collect()
}

#[test]
fn plain_answers_have_the_recorded_order() {
    let table: [(&str, &[&str]); 4] = [
        (
            "codex",
            &["thread.started", "turn.started", "item.completed/agent_message", "turn.completed"],
        ),
        ("gemini", &["init", "message/user", "message/assistant", "result/success"]),
        ("claude", &["system/init", "assistant/text", "result"]),
        ("qwen", &["system/init", "stream_event", "assistant/text", "result"]),
    ];
    for (dialect, expected) in table {
        let ran = Agent::steps(dialect, r#"{ say = "hi" }, "end""#).run();
        assert_eq!(types(&ran), expected, "{dialect}");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{dialect}");
    }
}

/// Session, answer and usage, each from where readers of that CLI take it.
#[test]
fn readers_find_what_they_look_for() {
    let table: [(&str, usize, &str, isize, &str, isize, &str); 4] = [
        ("codex", 0, "/thread_id", -2, "/item/text", -1, "/usage/input_tokens"),
        ("gemini", 0, "/session_id", -2, "/content", -1, "/stats/input_tokens"),
        ("claude", 0, "/session_id", -1, "/result", -1, "/usage/input_tokens"),
        ("qwen", 0, "/session_id", -1, "/result", -1, "/usage/input_tokens"),
    ];
    for (dialect, id_at, id, text_at, text, usage_at, usage) in table {
        let steps = r#"
            { say = "hi ${SESSION} ${LAUNCH} ${CALL}" }, { usage = { input_tokens = 7 } }, "end""#;
        let agent = Agent::steps(dialect, steps);
        let events = agent.run().events();
        let at = |n: isize| &events[usize::try_from(n).unwrap_or(events.len() - n.unsigned_abs())];
        let id = events[id_at].pointer(id).unwrap().as_str().unwrap();
        let said = format!("hi {id} 1 {}", agent.call);
        assert_eq!(id, runtime::agents::script::drive::derived_id(&agent.call), "{dialect}");
        assert_eq!(at(text_at).pointer(text).unwrap(), &said, "{dialect}");
        assert_eq!(at(usage_at).pointer(usage).unwrap(), 7, "{dialect}");
    }
}

#[test]
fn failures_look_like_theirs() {
    let table = [
        ("stream/1", 1, r#"{"t":"error","kind":"auth","status":401,"message":"bad key"}"#),
        ("codex", 1, "unexpected status 401 Unauthorized: bad key"),
        ("gemini", 145, r#"[API Error: {\"error\":{\"code\":401,\"message\":\"bad key\""#),
        ("claude", 1, "Failed to authenticate. API Error: 401 bad key"),
        ("qwen", 1, "[API Error: 401 bad key]"),
    ];
    for (dialect, code, words) in table {
        let ran = Agent::steps(dialect, BAD).run();
        assert_eq!(ran.code, Some(code), "{dialect}");
        assert!(ran.stdout.lines().last().unwrap().contains(words), "{dialect}: {ran:?}");
    }
    let claude = Agent::steps("claude", BAD).run().events();
    let result = claude.last().unwrap();
    assert_eq!((&result["subtype"], &result["is_error"]), (&"success".into(), &true.into()));
    let wrapper = Agent::steps("wrapper", BAD).run();
    assert_eq!((wrapper.stdout.as_str(), wrapper.code), ("", Some(1)));
    assert!(wrapper.stderr.contains("status 401: bad key"), "{wrapper:?}");
    let codes = [(429, 173), (500, 244), (503, 247), (404, 148)];
    for (status, code) in codes {
        let step = format!("{{ error = {{ status = {status}, message = \"no\" }} }}");
        assert_eq!(Agent::steps("gemini", &step).run().code, Some(code), "{status}");
    }
}

#[test]
fn claude_names_the_type_of_its_result_late() {
    let ran = Agent::steps("claude", r#"{ say = "hi" }, "end""#).run();
    let last = ran.stdout.lines().last().unwrap();
    assert!(last.find("\"type\":\"result\"") > last.find("\"num_turns\""), "{last}");
    let codex = Agent::steps("codex", r#"{ say = "hi" }, "end""#).run();
    assert!(codex.stdout.lines().all(|line| line.starts_with("{\"type\":")), "{codex:?}");
}

#[test]
fn stream1_is_our_own_form() {
    let steps = r#"
        { session = "auto" }, { delta = "a" }, { retry = { attempt = 2, why = "busy" } },
        { note = "n" }, { write = { path = "x.txt", text = "1" } },
        { write = { path = "x.txt", text = "2" } }, { delete = "x.txt" },
        { tool = { id = "q", name = "grep", kind = "search", status = "open" } },
        { tool = { id = "q", name = "grep", kind = "search", status = "failed" } },
        { usage = { output_tokens = 5, cost_usd = 0.0125 } }, { say = "b" }, "end""#;
    let agent = Agent::steps("stream/1", steps);
    let expected = r#"{"t":"session","id":"ID"}
{"t":"delta","text":"a"}
{"t":"retry","attempt":2,"max":5,"delay_ms":0,"why":"busy"}
{"t":"note","text":"n"}
{"t":"tool","id":"000001","name":"write","kind":"edit","status":"open"}
{"t":"tool","id":"000001","name":"write","kind":"edit","status":"ok"}
{"t":"file","path":"x.txt","kind":"add"}
{"t":"tool","id":"000002","name":"write","kind":"edit","status":"open"}
{"t":"tool","id":"000002","name":"write","kind":"edit","status":"ok"}
{"t":"file","path":"x.txt","kind":"update"}
{"t":"tool","id":"000003","name":"delete","kind":"delete","status":"open"}
{"t":"tool","id":"000003","name":"delete","kind":"delete","status":"ok"}
{"t":"file","path":"x.txt","kind":"delete"}
{"t":"tool","id":"q","name":"grep","kind":"search","status":"open"}
{"t":"tool","id":"q","name":"grep","kind":"search","status":"failed"}
USAGE
{"t":"text","text":"b"}
{"t":"end","ok":true}
"#;
    let id = runtime::agents::script::drive::derived_id(&agent.call);
    let usage = concat!(
        r#"{"t":"usage","input_tokens":null,"output_tokens":5,"cached_tokens":null,"#,
        r#""reasoning_tokens":null,"cost_usd":0.0125}"#
    );
    assert_eq!(agent.run().stdout, expected.replace("ID", &id).replace("USAGE", usage));
}

#[test]
fn the_wrapper_says_nothing_before_the_end_and_names_the_session_last() {
    let ran =
        Agent::steps("wrapper", r#"{ session = "s-1" }, { delta = "a" }, { delta = "b" }, "end""#);
    assert_eq!(ran.run().stdout, "ab\n\n---\nSESSION_ID: s-1\n");
    let nameless = Agent::steps("wrapper", r#"{ session = "none" }, { say = "a" }, "end""#).run();
    assert_eq!(nameless.stdout, "a\n");
    let half = Agent::steps("wrapper", r#"{ session = "s-1" }, { say = "a" }"#).run();
    assert_eq!((half.stdout.as_str(), half.code), ("", Some(0)));
}

#[test]
fn a_nameless_conversation_is_named_nowhere() {
    for dialect in RECORDED {
        let ran = Agent::steps(dialect, r#"{ session = "none" }, { say = "hi" }, "end""#).run();
        for event in ran.events() {
            let named = event.get("session_id").or_else(|| event.get("thread_id"));
            assert_eq!(named, None, "{dialect}: {event}");
        }
    }
}

#[test]
fn raw_bytes_pass_as_they_are() {
    let agent = Agent::steps("codex", r#"{ raw = "no newline {" }, { raw = [255, 0, 10] }"#);
    let output = agent.command().output().unwrap();
    assert_eq!(output.stdout, b"no newline {\xff\0\n");
}
