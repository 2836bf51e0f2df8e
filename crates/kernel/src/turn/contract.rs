//! What a planner is told its answer must look like, as JSON Schema, and how the text of one is
//! read. Finding the one object among an agent's words is done before this.

use alloc::format;
use alloc::string::ToString as _;

use serde_json::{Value, json};

use super::answer::{self, Answer, Drafted};
use super::bounds::{QUESTIONS_MAX, STEP_ID_MAX};
use super::valid::{Flaw, Wrong};

/// The schema of a planner's answer, for at most so many steps.
#[must_use]
pub fn planner_schema(steps_max: u32) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "oneOf": [full_plan(steps_max), plan_patch(steps_max), questions()],
    })
}

fn texts() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn id() -> Value {
    json!({ "type": "string", "pattern": format!("^[A-Za-z0-9._-]{{1,{STEP_ID_MAX}}}$") })
}

fn calls() -> Value {
    json!({ "type": "array", "items": {
        "type": "object",
        "required": ["name", "args_hint"],
        "additionalProperties": false,
        "properties": {
            "name": { "type": "string" },
            "args_hint": { "type": "object" },
            "why": { "type": "string" },
        },
    } })
}

fn artifacts() -> Value {
    json!({ "type": "array", "items": {
        "type": "object",
        "required": ["type", "value"],
        "additionalProperties": false,
        "properties": {
            "type": { "enum": ["file", "command", "note"] },
            "value": { "type": "string" },
        },
    } })
}

fn step() -> Value {
    json!({
        "type": "object",
        "required": ["step_id", "title", "intent"],
        "additionalProperties": false,
        "properties": {
            "step_id": id(),
            "title": { "type": "string", "minLength": 1 },
            "intent": { "type": "string" },
            "tool_calls": calls(),
            "expected_artifacts": artifacts(),
            "rollback_hint": { "type": "string" },
            "depends_on": { "type": "array", "items": id() },
            "runner": { "enum": ["tools", "agent", "collab"] },
            "agent": { "type": "string" },
            "verify": texts(),
        },
    })
}

fn verification() -> Value {
    json!({
        "type": "object",
        "required": ["mode", "commands", "required", "stop_on_fail"],
        "additionalProperties": false,
        "properties": {
            "mode": { "enum": ["none", "lint", "test", "build", "custom"] },
            "commands": texts(),
            "required": { "type": "boolean" },
            "stop_on_fail": { "type": "boolean" },
        },
    })
}

fn full_plan(steps_max: u32) -> Value {
    json!({
        "type": "object",
        "required": ["type", "goal", "steps"],
        "additionalProperties": false,
        "properties": {
            "type": { "const": "FullPlan" },
            "goal": { "type": "string", "minLength": 1 },
            "assumptions": texts(),
            "constraints": texts(),
            "risks": texts(),
            "steps": { "type": "array", "minItems": 1, "maxItems": steps_max, "items": step() },
            "verification": verification(),
        },
    })
}

fn plan_patch(steps_max: u32) -> Value {
    let update = json!({
        "type": "object",
        "required": ["step_id"],
        "additionalProperties": false,
        "properties": {
            "step_id": id(),
            "title": { "type": "string", "minLength": 1 },
            "intent": { "type": "string" },
            "depends_on": { "type": "array", "items": id() },
            "tool_calls": calls(),
            "expected_artifacts": artifacts(),
            "runner": { "enum": ["tools", "agent", "collab"] },
            "verify": texts(),
        },
    });
    json!({
        "type": "object",
        "required": ["type"],
        "additionalProperties": false,
        "properties": {
            "type": { "const": "PlanPatch" },
            "title": { "type": "string" },
            "remove_steps": { "type": "array", "items": id() },
            "update_steps": { "type": "array", "items": update },
            "add_steps": { "type": "array", "maxItems": steps_max, "items": step() },
            "reason": { "type": "string" },
            "version": { "type": "integer", "minimum": 1 },
        },
    })
}

fn questions() -> Value {
    let question = json!({
        "type": "object",
        "required": ["text"],
        "additionalProperties": false,
        "properties": { "text": { "type": "string", "minLength": 1 }, "options": texts() },
    });
    json!({
        "type": "object",
        "required": ["type", "questions"],
        "additionalProperties": false,
        "properties": {
            "type": { "const": "Questions" },
            "questions": {
                "type": "array", "minItems": 1, "maxItems": QUESTIONS_MAX, "items": question,
            },
        },
    })
}

/// Reads the text of a planner's one object.
///
/// # Errors
/// Where it stops being JSON, or what is wrong with the answer.
pub fn read_text(text: &str) -> Result<Answer, Flaw> {
    answer::read(&value(text)?)
}

/// Reads the text of a plan file in JSON.
///
/// # Errors
/// Where it stops being JSON, or what is wrong with the plan.
pub fn read_file_text(text: &str) -> Result<Drafted, Flaw> {
    answer::read_file(&value(text)?)
}

fn value(text: &str) -> Result<Value, Flaw> {
    serde_json::from_str(text).map_err(|why| {
        let place = format!("line {}, column {}", why.line(), why.column());
        let words = why.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        Flaw::new(Wrong::NotJson, "", format!("{place}: {words}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_or_say_where_they_break() {
        let plan =
            r#"{"type":"FullPlan","goal":"g","steps":[{"step_id":"s1","title":"t","intent":"i"}]}"#;
        assert!(matches!(read_text(plan), Ok(Answer::Full(_))));
        let patch = r#"{"type":"PlanPatch","remove_steps":["s1"]}"#;
        assert!(matches!(read_text(patch), Ok(Answer::Patch(_))));
        let asked = r#"{"type":"Questions","questions":[{"text":"Which?"}]}"#;
        assert!(matches!(read_text(asked), Ok(Answer::Questions(_))));
        let table = [
            ("{\n \"type\": \"FullPlan\",\n oops }", "line 3, column 2"),
            (r#"{"type":"Questions","questions":[]}"#, "0"),
            (r#"{"type":"FullPlan","goal":"g","steps":[{"titel":"t"}]}"#, "unknown field `titel`"),
            ("[]", "not an object"),
        ];
        for (text, expected) in table {
            let flaw = read_text(text).unwrap_err();
            assert!(flaw.found.starts_with(expected), "{text}: {}", flaw.found);
        }
        let file = r#"{"goal":"g","steps":[{"title":"t"}]}"#;
        assert_eq!(read_file_text(file).map(|plan| plan.steps.len()), Ok(1));
    }

    /// What the schema names is what is read: no field of it is unknown to the reader.
    #[test]
    fn invariant_the_schema_is_what_is_read() {
        let schema = planner_schema(12);
        let step = &schema["oneOf"][0]["properties"]["steps"]["items"]["properties"];
        let mut one = json!({});
        for (name, of) in step.as_object().unwrap() {
            one[name] = match of["type"].as_str() {
                Some("array") => json!([]),
                Some(_) => json!("x"),
                None => of["enum"][0].clone(),
            };
        }
        let plan = json!({ "type": "FullPlan", "goal": "g", "steps": [one] });
        assert!(matches!(answer::read(&plan), Ok(Answer::Full(_))), "{plan}");
    }
}
