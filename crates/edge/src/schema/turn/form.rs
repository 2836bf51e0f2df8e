//! What a person asks of a turn, before settings have filled the gaps.

use serde_json::{Value, json};

use super::super::list::{object, root, text_or_null, texts};

/// A request; everything may be left out.
pub fn form() -> Value {
    let count = || json!({ "type": ["integer", "null"], "minimum": 0 });
    let word = |words: &[&str]| {
        let words = words.iter().map(|word| json!(word)).chain([Value::Null]);
        json!({ "enum": words.collect::<Vec<_>>() })
    };
    let members = json!({
        "request": { "type": "string" },
        "constraints": texts(),
        "expected_output": text_or_null(),
        "mode": word(&["write", "analysis", "plan"]),
        "plan": text_or_null(),
        "answer_schema": text_or_null(),
        "risk_max": word(&["low", "medium", "high"]),
        "planner": text_or_null(),
        "agents": { "type": ["array", "null"], "items": { "type": "string" } },
        "verify": texts(),
        "verify_mode": word(&["none", "lint", "test", "build", "custom"]),
        "fixes": count(),
        "replans": count(),
        "deadline_ms": count(),
        "budget_micros": count(),
        "budget_tokens": count(),
        "git": word(&["off", "message", "commit"]),
        "on_failure": word(&["stop", "continue"]),
        "checkpoint": word(&["turn", "step", "off"]),
        "conversation": text_or_null(),
        "continues": text_or_null(),
        "lang": text_or_null(),
    });
    root("TurnForm", object(&[], members))
}
