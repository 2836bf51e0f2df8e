//! Gemini contents, as gemini speaks them.

use serde_json::{Value, json};

use super::dialect::halves;
use super::scenario::Step;
use super::talk::Said;

/// What was said so far.
pub fn said(body: &Value) -> Vec<Said> {
    let contents = body["contents"].as_array().map(Vec::as_slice).unwrap_or_default();
    contents.iter().flat_map(content).collect()
}

fn content(content: &Value) -> Vec<Said> {
    let user = content["role"] != "model";
    let parts = content["parts"].as_array().map(Vec::as_slice).unwrap_or_default();
    let part = |part: &Value| {
        if let Some(answer) = part.get("functionResponse") {
            let answer = &answer["response"];
            let text = answer["output"].as_str().map(str::to_owned);
            return Some(Said::Tool(text.unwrap_or_else(|| answer.to_string())));
        }
        let text = part["text"].as_str().filter(|_| part["thought"] != json!(true))?.to_owned();
        Some(if user { Said::User(text) } else { Said::Model(text) })
    };
    parts.iter().filter_map(part).collect()
}

fn parts(step: &Step) -> Vec<Value> {
    let tool =
        |name: &str, args: Value| vec![json!({"functionCall": {"name": name, "args": args}})];
    match step {
        Step::Text(text) => halves(text).map(|half| json!({"text": half})).to_vec(),
        Step::Write { path, text } | Step::Ours { path, text } => {
            tool("write_file", json!({"file_path": path, "content": text}))
        }
        Step::Shell(command) => {
            tool("run_shell_command", json!({"command": command, "description": "as scripted"}))
        }
    }
}

fn usage() -> Value {
    json!({"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110,
        "cachedContentTokenCount": 20})
}

/// A step in one piece.
pub fn whole(step: &Step) -> Value {
    json!({"candidates": [{"index": 0, "finishReason": "STOP",
            "content": {"role": "model", "parts": parts(step)}}],
        "usageMetadata": usage(), "modelVersion": "scripted"})
}

/// A step as events; the last one has only the reason to stop.
pub fn events(step: &Step) -> Vec<String> {
    let mut all: Vec<Value> = parts(step)
        .into_iter()
        .map(|part| {
            json!({"candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}}],
                "modelVersion": "scripted"})
        })
        .collect();
    all.push(json!({"candidates": [{"index": 0, "finishReason": "STOP",
            "content": {"role": "model", "parts": [{"text": ""}]}}],
        "usageMetadata": usage(), "modelVersion": "scripted"}));
    all.iter().map(|data| format!("data: {data}\n\n")).collect()
}

/// The body of a refusal.
pub fn error(status: u16, message: &str) -> Value {
    let word = match status {
        401 => "UNAUTHENTICATED",
        429 => "RESOURCE_EXHAUSTED",
        _ => "INTERNAL",
    };
    json!({"error": {"code": status, "message": message, "status": word}})
}
