//! What is left of a loop whose journal is lost: its document, or as much of one as its other files
//! tell. Comment lines are read before headings, because nothing is lost in them.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::super::names::View;
use super::pages;

/// No file of a loop comes near this size.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// The document of a loop, or as much of it as its other files tell.
#[must_use]
pub fn left(dir: &Path, id: &str) -> Option<Value> {
    if let Some(document) = document(&View::Json.path(dir, id)) {
        return Some(document);
    }
    let page = |view: View| text(&view.path(dir, id));
    let found = [
        ("develop", page(View::Develop)),
        ("debug", page(View::Debug)),
        ("validate", page(View::Validate)),
    ];
    let listed = page(View::Tasks).map(|text| lines(&text));
    if listed.is_none() && found.iter().all(|(_, page)| page.is_none()) {
        return None;
    }
    let mut document = json!({ "loop_id": id });
    let mut skill = Map::new();
    for (name, page) in &found {
        let Some(page) = page else { continue };
        for (field, label) in [("created_at", "Started"), ("description", "Task")] {
            if let Some(value) = pages::field(page, label) {
                document[field] = Value::from(value);
            }
        }
        let part = comment(page, name).or_else(|| pages::part(name, page, &mut skill));
        skill.insert((*name).to_owned(), part.unwrap_or_default());
    }
    let told = found.iter().filter_map(|(name, page)| Some((*name, page.as_deref()?)));
    document["current_iteration"] = Value::from(pages::iterations(told));
    if let Some(listed) = listed {
        let known = skill.get("develop").map(|part| part["tasks"].clone()).unwrap_or_default();
        let tasks: Vec<Value> = listed.into_iter().map(|line| joined(line, &known)).collect();
        let develop = skill.entry("develop").or_insert_with(|| json!({}));
        if develop.is_null() {
            *develop = json!({});
        }
        develop["tasks"] = Value::from(tasks);
    }
    document["skill_state"] = Value::Object(skill);
    Some(document)
}

/// A document in a file, if there is one.
pub(super) fn document(path: &Path) -> Option<Value> {
    serde_json::from_str::<Value>(&text(path)?).ok().filter(Value::is_object)
}

/// A file's text, whatever ends its lines, without what some editors put before it.
pub(super) fn text(path: &Path) -> Option<String> {
    let meta = std::fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > FILE_BYTES_MAX {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    Some(text.trim_start_matches('\u{feff}').replace("\r\n", "\n"))
}

/// The tasks of a list with one a line; a line that can't be read is passed over.
pub(super) fn lines(text: &str) -> Vec<Value> {
    let all = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    all.filter(Value::is_object).collect()
}

/// A line of the task list, with what only the page about development knows of its task.
fn joined(mut line: Value, known: &Value) -> Value {
    for name in ["id", "status"] {
        line[name] = line["ext"][name].clone();
    }
    let same =
        |task: &&Value| task["id"] == line["id"] || task["ext"]["task_id"] == line["task_id"];
    let Some(mut task) = known.as_array().and_then(|all| all.iter().find(same)).cloned() else {
        return line;
    };
    // The list is drawn at each change of a task, the page when an action has ended.
    if let (Some(task), Some(line)) = (task.as_object_mut(), line.as_object()) {
        for (name, value) in line.iter().filter(|(name, _)| *name != "ext") {
            task.insert(name.clone(), value.clone());
        }
    }
    task
}

/// The part of the document that the last line of a page carries.
fn comment(page: &str, name: &str) -> Option<Value> {
    let prefix = format!("<!-- loopwright:{name} ");
    let line = page.lines().rev().find(|line| line.starts_with(&prefix))?;
    let part: Value =
        serde_json::from_str(line.strip_prefix(&prefix)?.strip_suffix(" -->")?).ok()?;
    part.is_object().then_some(part)
}
