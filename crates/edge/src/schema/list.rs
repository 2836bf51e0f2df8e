//! The list of schemas by name, and the pieces that several of them share.

use kernel::errors::{Class, nearest};
use serde_json::{Value, json};

use super::{call, error, loop_state, turn, usage};
use crate::problem::Raised;
use crate::site::class;

/// What makes a schema.
type Make = fn() -> Value;

/// Every schema's name with what makes it, sorted.
const ALL: [(&str, Make); 28] = [
    ("artifact", turn::left),
    ("audit-log-entry", turn::audit_log_entry),
    ("call", call::schema),
    ("check-result", turn::check_result),
    ("code-snippet", turn::code_snippet),
    ("context-pack", turn::context_pack),
    ("error", error::schema),
    ("failure", turn::failure),
    ("intake-report", turn::intake_report),
    ("loop-state", loop_state::schema),
    ("plan", turn::plan),
    ("plan-patch", turn::patch),
    ("planner-answer", turn::planner_answer),
    ("policy-decision", turn::policy_decision),
    ("retrieval-hit", turn::retrieval_hit),
    ("step", turn::whole_step),
    ("step-control", turn::step_control),
    ("step-evidence", turn::step_evidence),
    ("summary", turn::summary),
    ("token-budget", turn::token_budget),
    ("tool-call-request", turn::tool_call_request),
    ("tool-call-result", turn::tool_call_result),
    ("tool-call-template", turn::template),
    ("turn", turn::turn),
    ("turn-form", turn::form),
    ("usage", usage::schema),
    ("verification", turn::verification),
    ("verification-policy", turn::policy),
];

/// Every schema with its name, sorted.
pub fn all() -> Vec<(&'static str, Value)> {
    ALL.into_iter().map(|(name, make)| (name, make())).collect()
}

/// Every name, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.into_iter().map(|(name, _)| name)
}

/// The schema of that name; `PlanPatch`, `plan_patch` and `plan-patch` are one.
pub fn named(name: &str) -> Option<Value> {
    let plain = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
    let asked = plain(name);
    ALL.into_iter().find(|(known, _)| plain(known) == asked).map(|(_, make)| make())
}

/// The same, or that there is none.
///
/// # Errors
/// When there is no such model; the nearest is named.
pub fn find(name: &str) -> Result<Value, Raised> {
    named(name).ok_or_else(|| {
        let details = json!({
            "kind": "unknown_schema", "path": name, "nearest": nearest(name, names()),
            "help": "loopwright schema",
        });
        class(Class::NotFound, details)
    })
}

/// What every schema begins with.
pub(super) fn root(title: &str, body: Value) -> Value {
    let mut whole = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
    });
    if let (Some(whole), Value::Object(body)) = (whole.as_object_mut(), body) {
        whole.extend(body);
    }
    whole
}

/// An object with these members; the names in `required` must be there, others may not.
pub(super) fn object(required: &[&str], members: Value) -> Value {
    json!({
        "type": "object",
        "properties": members,
        "required": required,
        "additionalProperties": false,
    })
}

/// A text, or null.
pub(super) fn text_or_null() -> Value {
    json!({ "type": ["string", "null"] })
}

/// A moment, RFC 3339 in UTC.
pub(super) fn moment() -> Value {
    json!({ "type": "string", "format": "date-time" })
}

/// A moment, or null.
pub(super) fn moment_or_null() -> Value {
    json!({ "type": ["string", "null"], "format": "date-time" })
}

/// One of these words.
pub(super) fn word(words: &[&str]) -> Value {
    json!({ "enum": words })
}

/// A moment that is written as RFC 3339 and may be read from whole seconds.
pub(super) fn moment_or_seconds() -> Value {
    json!({ "type": ["string", "integer"], "format": "date-time" })
}

/// A text.
pub(super) fn text() -> Value {
    json!({ "type": "string" })
}

/// A list of such things.
pub(super) fn list_of(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// A list of texts.
pub(super) fn texts() -> Value {
    list_of(text())
}

/// A whole number that is not negative.
pub(super) fn count() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

/// Anything of ours beyond the documented members; readers leave it alone.
pub(super) fn ext() -> Value {
    json!({ "type": "object" })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first thing that does not fit, by the few keywords these schemas use.
    fn misfit(schema: &Value, value: &Value) -> Option<String> {
        let types: Vec<&str> = match &schema["type"] {
            Value::String(one) => vec![one],
            Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
        };
        let is = |name: &&str| match *name {
            "string" => value.is_string(),
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            "null" => value.is_null(),
            other => panic!("a type nobody wrote: {other}"),
        };
        if !types.is_empty() && !types.iter().any(is) {
            return Some(format!("{value} is not {types:?}"));
        }
        if let Some(words) = schema["enum"].as_array().filter(|words| !words.contains(value)) {
            return Some(format!("{value} is none of {words:?}"));
        }
        let members = value.as_object().and_then(|members| {
            let missing = schema["required"].as_array().into_iter().flatten();
            let missing =
                missing.filter_map(Value::as_str).find(|name| !members.contains_key(*name));
            missing.map(|name| format!("{name} is missing")).or_else(|| {
                members.iter().find_map(|(name, member)| match schema["properties"].get(name) {
                    Some(schema) => misfit(schema, member).map(|what| format!("{name}: {what}")),
                    None if schema["additionalProperties"] == false => {
                        Some(format!("{name} is not known"))
                    }
                    None => None,
                })
            })
        });
        let items = || value.as_array()?.iter().find_map(|item| misfit(&schema["items"], item));
        members.or_else(items)
    }

    fn running() -> Value {
        json!({
            "loop_id": "loop-v2-20260122T020000-1a2b3c4d",
            "title": "Implement user authentication",
            "description": "Add login/logout functionality", "max_iterations": 10,
            "status": "running", "current_iteration": 0,
            "created_at": "2026-01-22T02:00:00.000Z", "updated_at": "2026-01-22T02:00:05.000Z",
            "skill_state": {
                "current_action": "develop", "last_action": "action-init",
                "completed_actions": ["action-init"], "mode": "auto",
                "develop": {
                    "total": 1, "completed": 0, "current_task": "task-001",
                    "last_progress_at": null,
                    "tasks": [{
                        "id": "task-001", "description": "Create auth component", "tool": "gemini",
                        "mode": "write", "status": "in_progress", "files_changed": [],
                        "created_at": "2026-01-22T02:00:05.000Z", "completed_at": null
                    }]
                },
                "debug": {
                    "active_bug": null, "hypotheses_count": 0, "hypotheses": [],
                    "confirmed_hypothesis": null, "iteration": 0, "last_analysis_at": null
                },
                "validate": {
                    "pass_rate": 0, "coverage": 0, "test_results": [], "passed": false,
                    "failed_tests": [], "last_run_at": null
                },
                "errors": []
            },
            "ext": { "rev": 7, "driver": "engine" }
        })
    }

    fn refused() -> Value {
        json!({
            "code": "loop.not_now", "class": "E_REFUSED", "message": "not now",
            "next_step": "Pause it first.", "commands": [], "allowed": ["pause"],
            "retryable": false, "run_id": "loop-1", "machine": "loop", "state": "running",
            "step_id": null, "call_id": null, "details": {}, "trace_id": "trace_5b",
            "at": "2026-11-15T18:14:09Z"
        })
    }

    fn asked() -> Value {
        json!({
            "run_id": "call-1", "machine": "call", "parent": null, "seq": 1,
            "created_at": "2026-11-15T18:14:09Z", "updated_at": "2026-11-15T18:14:09Z",
            "trace_id": "trace_5b", "key": "loop-1/a1/c1", "name": "run", "class": "once",
            "state": "Asked", "attempt": 1, "args": { "argv": ["make"] }, "rule": "ask-run",
            "prompt": "call-1/ask", "deadline_at": null, "outcome": null, "result": null,
            "undo": { "level": "none", "reason": "declared_read" }, "evidence": [],
            "allowed": ["Allow", "Deny", "Stop"]
        })
    }

    fn spent() -> Value {
        json!({
            "run_id": null,
            "runs": [{
                "run_id": "loop-1", "machine": "loop", "state": "running",
                "created_at": "2026-11-15T18:14:09Z",
                "calls": 2, "attempts": 2, "retries": 0, "tokens_in": 1200, "tokens_out": null,
                "cached": 0, "reasoning": null, "cost_usd": null, "unpriced": 1,
                "active_ms": 8300,
                "told": {
                    "tokens_in": 1200, "tokens_out": 40, "cached": 0, "reasoning": 0,
                    "cost_usd": 0.01
                }
            }],
            "total": {
                "calls": 0, "attempts": 0, "retries": 0, "tokens_in": 0, "tokens_out": 0,
                "cached": 0, "reasoning": 0, "cost_usd": 0.0, "unpriced": 0, "active_ms": 0,
                "told": {
                    "tokens_in": 0, "tokens_out": 0, "cached": 0, "reasoning": 0, "cost_usd": 0.0
                }
            },
            "by_agent": []
        })
    }

    #[test]
    fn examples_fit_their_schema() {
        let table = [
            ("loop-state", running()),
            ("error", refused()),
            ("call", asked()),
            ("usage", spent()),
        ];
        for (name, example) in table {
            let schema = named(name).expect("it is in the list");
            assert_eq!(misfit(&schema, &example), None, "{name}");
        }
    }

    #[test]
    fn what_does_not_fit_is_noticed() {
        let table = [
            ("loop-state", running(), "/status", json!("stopped")),
            ("loop-state", running(), "/skill_state/develop/tasks/0/mode", json!("review")),
            ("error", refused(), "/retryable", json!("no")),
            ("error", refused(), "/details", json!([])),
            ("call", asked(), "/class", json!("twice")),
            ("usage", spent(), "/total/unpriced", json!(null)),
        ];
        for (name, mut example, path, wrong) in table {
            *example.pointer_mut(path).expect("the path is in the example") = wrong;
            assert!(misfit(&named(name).expect("listed"), &example).is_some(), "{name} {path}");
        }
    }
}
