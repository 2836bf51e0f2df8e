//! The loop's file `.loop/{loop id}.json`, as its readers know it. What is ours alone sits under
//! members named `ext` and is not described member by member.

use kernel::loops::Priority;
use serde_json::{Value, json};

use super::list::{count, ext, moment, moment_or_null, object, root, text_or_null, texts, word};

/// The schema of the file.
pub fn schema() -> Value {
    let required = [
        "loop_id",
        "title",
        "description",
        "max_iterations",
        "status",
        "current_iteration",
        "created_at",
        "updated_at",
    ];
    let members = json!({
        "loop_id": { "type": "string" },
        "title": { "type": "string", "maxLength": 100 },
        "description": { "type": "string", "maxLength": 10_000 },
        "max_iterations": { "type": "integer", "minimum": 1 },
        "status": word(&["created", "running", "paused", "completed", "failed"]),
        "current_iteration": count(),
        "created_at": moment(),
        "updated_at": moment(),
        "completed_at": moment(),
        "failure_reason": { "type": "string" },
        "skill_state": skill(),
        "tags": texts(),
        "priority": word(&Priority::ALL.map(Priority::word)),
        "notes": { "type": "string" },
        "ext": ext(),
    });
    root("Loop state", object(&required, members))
}

fn skill() -> Value {
    let required = [
        "current_action",
        "last_action",
        "completed_actions",
        "mode",
        "develop",
        "debug",
        "validate",
        "errors",
    ];
    let entry = json!({
        "action": { "type": "string" },
        "message": { "type": "string" },
        "timestamp": moment(),
    });
    let entry = object(&["action", "message", "timestamp"], entry);
    let actions = json!(["init", "develop", "debug", "validate", "complete", null]);
    let members = json!({
        "current_action": { "enum": actions },
        "last_action": text_or_null(),
        "completed_actions": texts(),
        "mode": word(&["interactive", "auto"]),
        "develop": develop(),
        "debug": debug(),
        "validate": validate(),
        "errors": { "type": "array", "items": entry },
        "ext": ext(),
    });
    object(&required, members)
}

fn develop() -> Value {
    let members = json!({
        "total": count(),
        "completed": count(),
        "current_task": text_or_null(),
        "tasks": { "type": "array", "items": task() },
        "last_progress_at": moment_or_null(),
    });
    object(&["total", "completed", "tasks", "last_progress_at"], members)
}

fn task() -> Value {
    let required = [
        "id",
        "description",
        "tool",
        "mode",
        "status",
        "files_changed",
        "created_at",
        "completed_at",
    ];
    let members = json!({
        "id": { "type": "string" },
        "description": { "type": "string" },
        "tool": { "type": "string" },
        "mode": word(&["analysis", "write"]),
        "status": word(&["pending", "in_progress", "completed", "failed"]),
        "files_changed": texts(),
        "created_at": moment(),
        "completed_at": moment_or_null(),
        "ext": ext(),
    });
    object(&required, members)
}

fn debug() -> Value {
    let required =
        ["hypotheses_count", "hypotheses", "confirmed_hypothesis", "iteration", "last_analysis_at"];
    let members = json!({
        "active_bug": text_or_null(),
        "hypotheses_count": count(),
        "hypotheses": { "type": "array", "items": hypothesis() },
        "confirmed_hypothesis": text_or_null(),
        "iteration": count(),
        "last_analysis_at": moment_or_null(),
    });
    object(&required, members)
}

fn hypothesis() -> Value {
    let required = [
        "id",
        "description",
        "testable_condition",
        "logging_point",
        "evidence_criteria",
        "likelihood",
        "status",
        "evidence",
        "verdict_reason",
    ];
    let criteria = json!({ "confirm": { "type": "string" }, "reject": { "type": "string" } });
    let members = json!({
        "id": { "type": "string" },
        "description": { "type": "string" },
        "testable_condition": { "type": "string" },
        "logging_point": { "type": "string" },
        "evidence_criteria": object(&["confirm", "reject"], criteria),
        "likelihood": { "type": "number" },
        "status": word(&["pending", "confirmed", "rejected", "inconclusive"]),
        "evidence": { "type": ["object", "null"] },
        "verdict_reason": text_or_null(),
        "ext": ext(),
    });
    object(&required, members)
}

fn validate() -> Value {
    let required =
        ["pass_rate", "coverage", "test_results", "passed", "failed_tests", "last_run_at"];
    let result = json!({
        "test_name": { "type": "string" },
        "suite": { "type": "string" },
        "status": word(&["passed", "failed", "skipped"]),
        "duration_ms": { "type": "number", "minimum": 0 },
        "error_message": text_or_null(),
        "stack_trace": text_or_null(),
    });
    let named = ["test_name", "suite", "status", "duration_ms", "error_message", "stack_trace"];
    let members = json!({
        "pass_rate": { "type": "number", "minimum": 0, "maximum": 100 },
        "coverage": { "type": "number", "minimum": 0, "maximum": 100 },
        "test_results": { "type": "array", "items": object(&named, result) },
        "passed": { "type": "boolean" },
        "failed_tests": texts(),
        "last_run_at": moment_or_null(),
    });
    object(&required, members)
}
