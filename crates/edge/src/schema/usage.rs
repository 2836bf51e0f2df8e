//! What runs cost, as it is shown: sums that are null where a part of them is not known.

use serde_json::{Value, json};

use super::list::{count, moment, object, root, text_or_null};

/// The schema of the answer.
pub fn schema() -> Value {
    let run = json!({
        "run_id": { "type": "string" },
        "machine": { "type": "string" },
        "state": { "type": "string" },
        "created_at": moment(),
    });
    let agent = json!({ "agent": { "type": "string" }, "model": text_or_null() });
    let run = spent(&["run_id", "machine", "state", "created_at"], run);
    let members = json!({
        "run_id": text_or_null(),
        "runs": { "type": "array", "items": run },
        "total": spent(&[], json!({})),
        "by_agent": { "type": "array", "items": spent(&["agent", "model"], agent) },
    });
    root("Usage", object(&["run_id", "runs", "total", "by_agent"], members))
}

/// The sums, and what names them.
fn spent(names: &[&str], mut members: Value) -> Value {
    let told = json!({
        "tokens_in": count(), "tokens_out": count(), "cached": count(), "reasoning": count(),
        "cost_usd": { "type": "number", "minimum": 0 },
    });
    let told_names = ["tokens_in", "tokens_out", "cached", "reasoning", "cost_usd"];
    let sums = json!({
        "calls": count(), "attempts": count(), "retries": count(),
        "tokens_in": known(), "tokens_out": known(), "cached": known(), "reasoning": known(),
        "cost_usd": { "type": ["number", "null"], "minimum": 0 },
        "unpriced": count(),
        "active_ms": count(),
        "told": object(&told_names, told),
    });
    let required = [names, &SUMS].concat();
    if let (Some(all), Value::Object(sums)) = (members.as_object_mut(), sums) {
        all.extend(sums);
    }
    object(&required, members)
}

/// A count, or null while a part of it was not told.
fn known() -> Value {
    json!({ "type": ["integer", "null"], "minimum": 0 })
}

/// Every sum; all of them are always there.
const SUMS: [&str; 11] = [
    "calls",
    "attempts",
    "retries",
    "tokens_in",
    "tokens_out",
    "cached",
    "reasoning",
    "cost_usd",
    "unpriced",
    "active_ms",
    "told",
];
