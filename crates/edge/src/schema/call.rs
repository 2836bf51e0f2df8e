//! One call as it is shown: the facts every run has, and its own.

use serde_json::{Value, json};

use super::list::{count, moment, moment_or_null, object, root, text_or_null, texts, word};

/// The schema of a shown call.
pub fn schema() -> Value {
    let parent = json!({ "id": { "type": "string" }, "key": { "type": "string" } });
    let mut parent = object(&["id", "key"], parent);
    parent["type"] = json!(["object", "null"]);
    let undo = json!({
        "level": word(&["exact", "best_effort", "none"]),
        "reason": text_or_null(),
    });
    let states =
        ["Asked", "Denied", "Allowed", "Started", "Settled", "Unknown", "Undoing", "Undone"];
    let members = json!({
        "run_id": { "type": "string" },
        "machine": word(&["call"]),
        "parent": parent,
        "seq": count(),
        "created_at": moment(),
        "updated_at": moment(),
        "trace_id": { "type": "string" },
        "key": { "type": "string" },
        "name": { "type": "string" },
        "class": word(&["read", "converge", "guarded", "once"]),
        "state": word(&states),
        "attempt": count(),
        "args": { "type": "object" },
        "rule": { "type": "string" },
        "prompt": text_or_null(),
        "deadline_at": moment_or_null(),
        "outcome": text_or_null(),
        "result": { "type": ["object", "null"] },
        "undo": object(&["level"], undo),
        "evidence": { "type": "array" },
        "allowed": texts(),
    });
    root("Call", object(&NAMES, members))
}

/// Every member; all of them are always there.
const NAMES: [&str; 21] = [
    "run_id",
    "machine",
    "parent",
    "seq",
    "created_at",
    "updated_at",
    "trace_id",
    "key",
    "name",
    "class",
    "state",
    "attempt",
    "args",
    "rule",
    "prompt",
    "deadline_at",
    "outcome",
    "result",
    "undo",
    "evidence",
    "allowed",
];
