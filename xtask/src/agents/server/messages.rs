//! Anthropic messages, as claude speaks them.

use serde_json::{Value, json};

use super::dialect::{halves, named, texts};
use super::scenario::Step;
use super::talk::Said;

/// What was said so far.
pub fn said(body: &Value) -> Vec<Said> {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    messages.iter().flat_map(message).collect()
}

fn message(message: &Value) -> Vec<Said> {
    let user = message["role"] == "user";
    let speak = |text: String| if user { Said::User(text) } else { Said::Model(text) };
    let Some(blocks) = message["content"].as_array() else {
        return texts(&message["content"]).into_iter().map(speak).collect();
    };
    let block = |block: &Value| match block["type"].as_str() {
        Some("tool_result") => Some(Said::Tool(texts(&block["content"]).concat())),
        Some("text") => block["text"].as_str().map(|text| speak(text.to_owned())),
        _ => None,
    };
    blocks.iter().filter_map(block).collect()
}

/// The one block that a step consists of, and why the model stops after it.
fn block(step: &Step, id: u64) -> (Value, &'static str) {
    let id = format!("toolu_{id}");
    let tool = |name: &str, input: Value| {
        (json!({"type": "tool_use", "id": id, "name": name, "input": input}), "tool_use")
    };
    match step {
        Step::Text(text) => (json!({"type": "text", "text": text}), "end_turn"),
        Step::Write { path, text } => tool("Write", json!({"file_path": path, "content": text})),
        Step::Ours { path, text } => tool(
            "mcp__loopwright__write_file",
            json!({"path": path, "text": text, "mode": "create"}),
        ),
        Step::Shell(command) => {
            tool("Bash", json!({"command": command, "description": "as scripted"}))
        }
    }
}

/// A step in one piece.
pub fn whole(step: &Step, id: u64) -> Value {
    let (block, stop) = block(step, id);
    json!({"id": format!("msg_{id}"), "type": "message", "role": "assistant",
        "model": "claude-sonnet-4-5", "content": [block], "stop_reason": stop,
        "stop_sequence": null, "usage": {"input_tokens": 100, "output_tokens": 10,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": 20}})
}

/// A step as events.
pub fn events(step: &Step, id: u64) -> Vec<String> {
    let (block, stop) = block(step, id);
    let mut begun = whole(step, id);
    begun["content"] = json!([]);
    begun["stop_reason"] = Value::Null;
    begun["usage"]["output_tokens"] = json!(1);
    let mut opened = block.clone();
    let deltas = match step {
        Step::Text(text) => {
            opened["text"] = json!("");
            halves(text).map(|half| json!({"type": "text_delta", "text": half})).to_vec()
        }
        Step::Write { .. } | Step::Ours { .. } | Step::Shell(_) => {
            opened["input"] = json!({});
            let input = block["input"].to_string();
            vec![json!({"type": "input_json_delta", "partial_json": input})]
        }
    };
    let mut all = vec![
        json!({"type": "message_start", "message": begun}),
        json!({"type": "content_block_start", "index": 0, "content_block": opened}),
    ];
    all.extend(
        deltas
            .into_iter()
            .map(|delta| json!({"type": "content_block_delta", "index": 0, "delta": delta})),
    );
    all.push(json!({"type": "content_block_stop", "index": 0}));
    all.push(json!({"type": "message_delta", "usage": {"output_tokens": 10},
        "delta": {"stop_reason": stop, "stop_sequence": null}}));
    all.push(json!({"type": "message_stop"}));
    all.iter().map(|data| named(data["type"].as_str().unwrap_or_default(), data)).collect()
}

/// The body of a refusal.
pub fn error(status: u16, message: &str) -> Value {
    let kind = match status {
        401 => "authentication_error",
        429 => "rate_limit_error",
        _ => "api_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": message}})
}
