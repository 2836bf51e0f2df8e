//! The plan, its change, and how planners and agents answer.

use kernel::turn::{PLAN_STEPS_CEILING, STEP_ID_MAX, control_schema, planner_schema};
use serde_json::{Value, json};

use super::super::list::{count, list_of, moment_or_seconds, object, root, text, texts, word};
use super::seen;

/// The words of who does a step.
const RUNNERS: [&str; 3] = ["tools", "agent", "collab"];

/// A plan as it is kept.
pub fn plan() -> Value {
    let members = json!({
        "plan_id": text(),
        "goal": { "type": "string", "minLength": 1 },
        "constraints": texts(),
        "steps": {
            "type": "array", "minItems": 1, "maxItems": PLAN_STEPS_CEILING, "items": step(),
        },
        "verification": verification_policy(),
        "risk_level": word(&["low", "medium", "high"]),
        "created_at": moment_or_seconds(),
        "version": { "type": "integer", "minimum": 1 },
        "title": text(),
        "assumptions": texts(),
        "risks": texts(),
        "source": word(&["planner", "file", "direct"]),
        "on_failure": word(&["stop", "continue"]),
    });
    let required = [
        "plan_id",
        "goal",
        "constraints",
        "steps",
        "verification",
        "risk_level",
        "created_at",
        "version",
        "assumptions",
        "risks",
        "source",
        "on_failure",
    ];
    root("Plan", object(&required, members))
}

/// A step as it is kept.
pub fn whole_step() -> Value {
    root("Step", step())
}

/// A call that a step makes.
pub fn template() -> Value {
    root("ToolCallTemplate", tool_call_template())
}

/// What a step leaves behind.
pub fn left() -> Value {
    root("Artifact", artifact())
}

/// How a plan is checked.
pub fn policy() -> Value {
    root("VerificationPolicy", verification_policy())
}

fn step_id() -> Value {
    json!({ "type": "string", "pattern": format!("^[A-Za-z0-9._-]{{1,{STEP_ID_MAX}}}$") })
}

/// A step as it is kept.
fn step() -> Value {
    let error = json!({ "code": text(), "kind": text(), "detail": text() });
    let members = json!({
        "step_id": step_id(),
        "title": { "type": "string", "minLength": 1 },
        "intent": text(),
        "tool_calls": list_of(tool_call_template()),
        "expected_artifacts": list_of(artifact()),
        "status": word(&["pending", "in_progress", "done", "blocked", "skipped"]),
        "rollback_hint": text(),
        "depends_on": list_of(step_id()),
        "runner": word(&RUNNERS),
        "agent": text(),
        "verify": texts(),
        "attempt": count(),
        "error": object(&["code"], error),
        "skip_reason": word(&["person", "dependency", "already_done"]),
        "evidence": seen::evidence(),
    });
    object(&["step_id", "title", "intent"], members)
}

fn tool_call_template() -> Value {
    let members = json!({ "name": text(), "args_hint": { "type": "object" }, "why": text() });
    object(&["name"], members)
}

fn artifact() -> Value {
    let members = json!({ "type": word(&["file", "command", "note"]), "value": text() });
    object(&["type", "value"], members)
}

/// How the whole is checked at the end.
pub(super) fn verification_policy() -> Value {
    let members = json!({
        "mode": word(&["none", "lint", "test", "build", "custom"]),
        "commands": texts(),
        "required": { "type": "boolean" },
        "stop_on_fail": { "type": "boolean" },
    });
    object(&["mode", "commands", "required", "stop_on_fail"], members)
}

/// A change of a plan, as people and planners write it.
pub fn patch() -> Value {
    let change = json!({
        "step_id": step_id(),
        "title": { "type": "string", "minLength": 1 },
        "intent": text(),
        "depends_on": list_of(step_id()),
        "tool_calls": list_of(tool_call_template()),
        "expected_artifacts": list_of(artifact()),
        "runner": word(&RUNNERS),
        "verify": texts(),
    });
    let members = json!({
        "title": text(),
        "remove_steps": list_of(step_id()),
        "update_steps": list_of(object(&["step_id"], change)),
        "add_steps": list_of(new_step()),
        "reason": text(),
        "version": { "type": "integer", "minimum": 1 },
    });
    root("PlanPatch", object(&[], members))
}

/// A step before it is part of a plan. What only we can know of it is read and not believed, so
/// that a step of a plan we wrote can be given back.
fn new_step() -> Value {
    let mut new = step();
    if let Some(members) = new["properties"].as_object_mut() {
        members.insert("expected_output".to_owned(), text());
        members.insert("tools_expected".to_owned(), texts());
    }
    new["required"] = json!(["title"]);
    new
}

/// What a planner answers.
pub fn planner_answer() -> Value {
    root("PlannerAnswer", planner_schema(PLAN_STEPS_CEILING))
}

/// How an agent ends its step.
pub fn step_control() -> Value {
    root("StepControl", control_schema())
}
