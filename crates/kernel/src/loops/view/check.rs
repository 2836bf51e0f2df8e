//! Checks a document against itself: what is missing, inconsistent or out of range. Old field
//! names are read too. It repairs nothing.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

/// What is wrong with a document; empty = valid.
#[must_use]
pub fn check(document: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    missing(document, &mut errors);
    consistent(document, &mut errors);
    counted(document, &mut errors);
    ranges(document, &mut errors);
    errors
}

/// A field by its name or the name it had in older files.
fn field<'a>(object: &'a Value, name: &str, old: &str) -> &'a Value {
    match object.get(name) {
        Some(value) => value,
        None => &object[old],
    }
}

/// A part of the skill's state; the oldest files have it beside the loop's own fields.
fn part<'a>(document: &'a Value, name: &str) -> &'a Value {
    match document.get("skill_state") {
        Some(skill) if skill.is_object() => &skill[name],
        Some(_) | None => &document[name],
    }
}

fn status(document: &Value) -> &str {
    match document["status"].as_str().unwrap_or_default() {
        "pending" => "created",
        word => word,
    }
}

fn missing(document: &Value, errors: &mut Vec<String>) {
    let blank = |value: &Value| value.as_str().is_none_or(|text| text.trim().is_empty());
    if blank(field(document, "loop_id", "session_id")) {
        errors.push("Missing loop_id".into());
    }
    if blank(field(document, "description", "task_description")) {
        errors.push("Missing description".into());
    }
}

fn consistent(document: &Value, errors: &mut Vec<String>) {
    let status = status(document);
    let initialised = document["skill_state"].is_object() || document["initialized"] == true;
    if initialised && status == "created" {
        errors.push("Inconsistent: initialized but status is created".into());
    }
    let how = document["ext"]["completion"]["how"].as_str();
    let excused = matches!(how, Some("forced" | "imported"));
    if status == "completed" && part(document, "validate")["passed"] != true && !excused {
        errors.push("Inconsistent: completed but validation not passed".into());
    }
    let ended = matches!(status, "completed" | "failed");
    if ended == document["completed_at"].is_null() {
        errors.push("Inconsistent: completed_at".into());
    }
    if (status == "failed") == document["failure_reason"].is_null() {
        errors.push("Inconsistent: failure_reason".into());
    }
}

fn counted(document: &Value, errors: &mut Vec<String>) {
    let develop = part(document, "develop");
    let debug = part(document, "debug");
    if let Some(tasks) = develop["tasks"].as_array() {
        let done = tasks.iter().filter(|task| task["status"] == "completed").count();
        if differs(field(develop, "completed", "completed_count"), done) {
            errors.push("Inconsistent: completed mismatch".into());
        }
        if differs(field(develop, "total", "total_count"), tasks.len()) {
            errors.push("Inconsistent: total mismatch".into());
        }
    }
    let none = Vec::new();
    let hypotheses = debug["hypotheses"].as_array().unwrap_or(&none);
    if !debug["hypotheses_count"].is_null() && differs(&debug["hypotheses_count"], hypotheses.len())
    {
        errors.push("Inconsistent: hypotheses_count mismatch".into());
    }
    let confirmed = &debug["confirmed_hypothesis"];
    let names = |h: &&Value| h["id"] == *confirmed && h["status"] == "confirmed";
    if !confirmed.is_null() && !hypotheses.iter().any(|h| names(&h)) {
        errors.push("Inconsistent: confirmed_hypothesis".into());
    }
}

fn differs(value: &Value, count: usize) -> bool {
    value.as_u64() != u64::try_from(count).ok()
}

fn ranges(document: &Value, errors: &mut Vec<String>) {
    let validate = part(document, "validate");
    for name in ["pass_rate", "coverage"] {
        let value = validate[name].as_f64();
        if value.is_some_and(|value| !(0.0..=100.0).contains(&value)) {
            errors.push(format!("Out of range: {name}"));
        }
    }
    let bound = document["max_iterations"].as_u64();
    let now = document["current_iteration"].as_u64();
    if let (Some(now), Some(bound)) = (now, bound)
        && now > bound
    {
        errors.push("Out of range: current_iteration".into());
    }
}
