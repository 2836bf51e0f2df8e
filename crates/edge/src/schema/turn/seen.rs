//! What was seen of steps and checks.

use serde_json::{Value, json};

use super::super::list::{count, list_of, object, root, text, text_or_null, texts, word};

/// What proves a step.
pub fn step_evidence() -> Value {
    root("StepEvidence", evidence())
}

/// The same inside a step.
pub(super) fn evidence() -> Value {
    let call = json!({
        "call_id": text(), "tool": text(), "ok": { "type": "boolean" },
        "exit_code": { "type": "integer" },
    });
    let file = json!({ "path": text(), "before": text_or_null(), "after": text_or_null() });
    let command = json!({
        "argv": texts(), "exit_code": { "type": ["integer", "null"] }, "duration_ms": count(),
    });
    let check = json!({ "artifact": text(), "ok": { "type": "boolean" }, "reason": text() });
    let members = json!({
        "calls": list_of(object(&["call_id", "tool", "ok"], call)),
        "files_changed": list_of(object(&["path", "before", "after"], file)),
        "commands_run": list_of(object(&["argv", "exit_code", "duration_ms"], command)),
        "checks": list_of(object(&["artifact", "ok", "reason"], check)),
        "digest": text(),
        "claim": text_or_null(),
    });
    let required = ["calls", "files_changed", "commands_run", "checks", "digest", "claim"];
    object(&required, members)
}

/// What one command of the verification came to.
pub fn check_result() -> Value {
    root("CheckResult", result())
}

/// The same inside a round.
pub(super) fn result() -> Value {
    let tests = json!({ "passed": count(), "failed": count(), "skipped": count() });
    let mut tests = object(&["passed", "failed", "skipped"], tests);
    tests["type"] = json!(["object", "null"]);
    let members = json!({
        "command": text(),
        "exit_code": { "type": ["integer", "null"] },
        "verdict": word(&["pass", "fail", "empty", "moved", "unavailable", "not_run"]),
        "timed_out": { "type": "boolean" },
        "summary": text(),
        "tests": tests,
        "errors": list_of(check_error()),
        "suggestion": text(),
        "digest": text(),
        "definition_hash": text(),
    });
    let required =
        ["command", "exit_code", "verdict", "timed_out", "summary", "tests", "errors", "digest"];
    object(&required, members)
}

fn check_error() -> Value {
    let members = json!({
        "file": text(), "line": count(), "column": count(), "message": text(), "context": text(),
    });
    object(&["message"], members)
}

/// Why a step or the verification failed.
pub fn failure() -> Value {
    let members = json!({
        "kind": word(&["tool", "verification", "ambiguous", "limit"]),
        "code": text(),
        "detail": text(),
        "signature": text(),
        "step_id": text(),
        "call_id": text(),
        "tool": text(),
        "errors": list_of(check_error()),
    });
    root("Failure", object(&["kind", "code", "signature", "errors"], members))
}
