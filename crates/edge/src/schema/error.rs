//! The error object: one shape at every door.

use serde_json::{Value, json};

use super::list::{moment, object, root, text_or_null, texts, word};

/// The schema of the object.
pub fn schema() -> Value {
    let classes: Vec<&str> =
        kernel::errors::Class::ALL.into_iter().map(kernel::errors::Class::name).collect();
    let members = json!({
        "code": { "type": "string" },
        "class": word(&classes),
        "message": { "type": "string", "maxLength": 200 },
        "next_step": { "type": "string", "minLength": 1 },
        "commands": texts(),
        "allowed": { "type": ["array", "null"], "items": { "type": "string" } },
        "retryable": { "type": "boolean" },
        "run_id": text_or_null(),
        "machine": text_or_null(),
        "state": text_or_null(),
        "step_id": text_or_null(),
        "call_id": text_or_null(),
        "details": { "type": "object" },
        "trace_id": { "type": "string" },
        "at": moment(),
    });
    let required = [
        "code",
        "class",
        "message",
        "next_step",
        "commands",
        "allowed",
        "retryable",
        "run_id",
        "machine",
        "state",
        "step_id",
        "call_id",
        "details",
        "trace_id",
        "at",
    ];
    root("Error", object(&required, members))
}
