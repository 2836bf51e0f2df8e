//! A tool call as it is asked for and as it is told: what a planner is shown of the last ones, and
//! what lies beside each call.

use serde_json::{Value, json};

use super::super::list::{
    count, list_of, moment_or_seconds, object, root, text, text_or_null, texts, word,
};
use super::kept::PERMISSIONS;

/// What is asked for.
pub fn tool_call_request() -> Value {
    let members = json!({
        "tool_call_id": text(),
        "name": text(),
        "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$" },
        "args": { "type": "object" },
        "trace_id": text(),
        "timestamp": moment_or_seconds(),
        "requested_permissions": list_of(word(&PERMISSIONS)),
        "key": text(),
        "request_hash": text(),
        "parent": text_or_null(),
        "class": word(&["read", "converge", "guarded", "once"]),
        "access": { "enum": ["read", "edit", "full", null] },
        "deadline_ms": count(),
        "grace_ms": count(),
        "on_unknown": word(&["wait", "tell"]),
        "tree_before": text_or_null(),
    });
    let required = ["tool_call_id", "name", "version", "args", "trace_id", "timestamp"];
    root("ToolCallRequest", object(&required, members))
}

/// What came of it.
pub fn tool_call_result() -> Value {
    root("ToolCallResult", result())
}

/// The same inside a list of the last ones.
pub(super) fn result() -> Value {
    let error = json!({ "code": text(), "message": text(), "details": { "type": "object" } });
    let mut error = object(&["code", "message"], error);
    error["type"] = json!(["object", "null"]);
    let artifacts = json!({ "files_changed": texts(), "commands_run": texts() });
    let mut artifacts = object(&["files_changed", "commands_run"], artifacts);
    artifacts["type"] = json!(["object", "null"]);
    let mut undo = object(&["level"], json!({ "level": text(), "reason": text_or_null() }));
    undo["type"] = json!(["object", "null"]);
    let members = json!({
        "tool_call_id": text(),
        "ok": { "type": "boolean" },
        "payload": { "type": ["object", "null"] },
        "error": error,
        "duration_ms": count(),
        "artifacts": artifacts,
        "exit": { "type": ["object", "null"] },
        "attempts": count(),
        "relaunches": count(),
        "by": { "type": ["string", "object"] },
        "outcome": text_or_null(),
        "late": { "type": "boolean" },
        "undeclared": { "type": ["array", "null"], "items": text() },
        "truncated": { "type": "boolean" },
        "undo": undo,
    });
    object(&["tool_call_id", "ok", "payload", "error", "duration_ms"], members)
}
