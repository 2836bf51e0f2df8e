//! `OpenAI` chat completions, as qwen speaks them.

use serde_json::{Value, json};

use super::dialect::{halves, texts};
use super::scenario::Step;
use super::talk::Said;

/// What was said so far.
pub fn said(body: &Value) -> Vec<Said> {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    messages.iter().flat_map(message).collect()
}

fn message(message: &Value) -> Vec<Said> {
    let texts = || texts(&message["content"]).into_iter();
    match message["role"].as_str() {
        Some("user") => texts().map(Said::User).collect(),
        Some("assistant") => texts().map(Said::Model).collect(),
        Some("tool") => vec![Said::Tool(texts().collect())],
        _ => Vec::new(),
    }
}

fn call(step: &Step, id: u64) -> Option<Value> {
    let (name, arguments) = match step {
        Step::Text(_) => return None,
        Step::Write { path, text } | Step::Ours { path, text } => {
            ("write_file", json!({"file_path": path, "content": text}))
        }
        Step::Shell(command) => (
            "run_shell_command",
            json!({"command": command, "description": "as scripted", "is_background": false}),
        ),
    };
    Some(json!({"index": 0, "id": format!("call_{id}"), "type": "function",
        "function": {"name": name, "arguments": arguments.to_string()}}))
}

fn usage() -> Value {
    json!({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110,
        "prompt_tokens_details": {"cached_tokens": 20}})
}

/// Why the model stops after a step.
fn stop(step: &Step) -> &'static str {
    match step {
        Step::Text(_) => "stop",
        Step::Write { .. } | Step::Ours { .. } | Step::Shell(_) => "tool_calls",
    }
}

/// A step in one piece.
pub fn whole(step: &Step, id: u64) -> Value {
    let mut said = json!({"role": "assistant", "content": null});
    match (step, call(step, id)) {
        (_, Some(call)) => said["tool_calls"] = json!([call]),
        (Step::Text(text), None) => said["content"] = json!(text),
        (Step::Write { .. } | Step::Ours { .. } | Step::Shell(_), None) => {}
    }
    json!({"id": format!("chatcmpl-{id}"), "object": "chat.completion", "created": 0,
        "model": "scripted", "usage": usage(),
        "choices": [{"index": 0, "message": said, "finish_reason": stop(step)}]})
}

/// A step as events.
pub fn events(step: &Step, id: u64) -> Vec<String> {
    let chunk = |delta: Value, stop: Value| {
        json!({"id": format!("chatcmpl-{id}"), "object": "chat.completion.chunk", "created": 0,
            "model": "scripted",
            "choices": [{"index": 0, "delta": delta, "finish_reason": stop}]})
    };
    let mut all = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
    match step {
        Step::Text(text) => {
            all.extend(halves(text).map(|half| chunk(json!({"content": half}), Value::Null)));
        }
        Step::Write { .. } | Step::Ours { .. } | Step::Shell(_) => {
            all.push(chunk(json!({"tool_calls": [call(step, id)]}), Value::Null));
        }
    }
    all.push(chunk(json!({}), json!(stop(step))));
    let mut last = chunk(json!({}), Value::Null);
    last["choices"] = json!([]);
    last["usage"] = usage();
    all.push(last);
    let mut all: Vec<String> = all.iter().map(|data| format!("data: {data}\n\n")).collect();
    all.push("data: [DONE]\n\n".to_owned());
    all
}
