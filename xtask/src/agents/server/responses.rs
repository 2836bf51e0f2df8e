//! `OpenAI` responses, as codex speaks them. Its one tool is a command line, so a file is written
//! by a command too; tools of a server have that server's name before them.

use serde_json::{Value, json};

use super::dialect::{halves, named, texts};
use super::scenario::Step;
use super::talk::Said;

/// What was said so far. Instructions and reasoning are nobody's words.
pub fn said(body: &Value) -> Vec<Said> {
    let items = body["input"].as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().flat_map(item).collect()
}

fn item(item: &Value) -> Vec<Said> {
    let texts = || texts(&item["content"]).into_iter();
    match (item["type"].as_str().unwrap_or("message"), item["role"].as_str()) {
        ("message", Some("user")) => texts().map(Said::User).collect(),
        ("message", Some("assistant")) => texts().map(Said::Model).collect(),
        ("function_call_output" | "custom_tool_call_output", _) => {
            let output = &item["output"];
            vec![Said::Tool(output.as_str().map_or_else(|| output.to_string(), str::to_owned))]
        }
        _ => Vec::new(),
    }
}

/// The one item that a step consists of.
fn output(step: &Step, id: u64) -> Value {
    let command = match step {
        Step::Text(text) => {
            return json!({"type": "message", "id": format!("msg_{id}"), "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}]});
        }
        Step::Write { path, text } => format!("printf '%s' '{text}' > '{path}'"),
        Step::Shell(command) => command.clone(),
        Step::Ours { path, text } => {
            return json!({"type": "function_call", "id": format!("fc_{id}"),
                "call_id": format!("call_{id}"), "namespace": "mcp__loopwright",
                "name": "write_file", "status": "completed",
                "arguments": json!({"path": path, "text": text, "mode": "create"}).to_string()});
        }
    };
    json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": format!("call_{id}"),
        "name": "exec_command", "status": "completed",
        "arguments": json!({"cmd": command}).to_string()})
}

/// A step in one piece.
pub fn whole(step: &Step, id: u64) -> Value {
    json!({"id": format!("resp_{id}"), "object": "response", "status": "completed",
        "model": "scripted", "output": [output(step, id)],
        "usage": {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 20},
            "output_tokens": 10, "output_tokens_details": {"reasoning_tokens": 3},
            "total_tokens": 110}})
}

/// A step as events.
pub fn events(step: &Step, id: u64) -> Vec<String> {
    let item = output(step, id);
    let begun = json!({"id": format!("resp_{id}"), "object": "response", "status": "in_progress",
        "model": "scripted", "output": []});
    let mut all = vec![("response.created", json!({"response": begun}))];
    let mut opened = item.clone();
    opened["status"] = json!("in_progress");
    if let Step::Text(text) = step {
        opened["content"] = json!([]);
        all.push(("response.output_item.added", json!({"output_index": 0, "item": opened})));
        for delta in halves(text) {
            let event = json!({"item_id": item["id"], "output_index": 0, "content_index": 0,
                "delta": delta});
            all.push(("response.output_text.delta", event));
        }
    }
    all.push(("response.output_item.done", json!({"output_index": 0, "item": item})));
    all.push(("response.completed", json!({"response": whole(step, id)})));
    let write = |(at, (name, mut data)): (usize, (&str, Value))| {
        data["type"] = json!(name);
        data["sequence_number"] = json!(at);
        named(name, &data)
    };
    all.into_iter().enumerate().map(write).collect()
}
