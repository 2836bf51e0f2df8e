//! Loops in the older place below the work tree, in either of its two layouts, with the files that
//! lay beside them. Read and never written.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::document::found_id;
use super::left;

/// The older place, below the work tree.
const PLACE: &str = ".workflow/.loop";
/// The document of a loop that has a directory of its own.
const STATE: &str = "state.json";

/// One loop of the older place.
#[derive(Debug)]
pub struct Old {
    /// Its id, or the name of its place where no id can be read.
    pub id: String,
    /// Its document's file.
    pub path: PathBuf,
    /// What it says, with what the files beside it add; none if it can't be read.
    pub document: Option<Value>,
}

/// The loops of the older place, by id. One that is there in both layouts is told once.
#[must_use]
pub fn old(root: &Path) -> Vec<Old> {
    let entries = std::fs::read_dir(root.join(PLACE)).into_iter().flatten().flatten();
    let mut all: Vec<Old> = entries.filter_map(|entry| one(&entry.path())).collect();
    all.sort_by(|a, b| (&a.id, &a.path).cmp(&(&b.id, &b.path)));
    all.dedup_by(|later, first| later.id == first.id);
    all
}

fn one(entry: &Path) -> Option<Old> {
    let name = entry.file_name()?.to_str()?;
    let (place, path, beside) = match name.strip_suffix(".json") {
        Some(id) => (id, entry.to_owned(), entry.with_file_name(id)),
        None => (name, entry.join(STATE), entry.to_owned()),
    };
    if !path.is_file() {
        return None;
    }
    let document = left::document(&path).map(|document| with(document, &beside));
    let id = document.as_ref().map_or_else(|| None, |document| found_id(document, place));
    let document = document.filter(|_| id.is_some());
    Some(Old { id: id.unwrap_or_else(|| place.to_owned()), path, document })
}

/// A document with what the files beside it say and it does not.
fn with(mut document: Value, dir: &Path) -> Value {
    // The older layout has the parts of the skill beside the loop's own fields.
    let inner = document["skill_state"].is_object();
    let list = |value: Value, name: &str| match value {
        Value::Array(_) => Some(value),
        Value::Object(mut all) => all.remove(name).filter(Value::is_array),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    let any = |path: &str| {
        let text = left::text(&dir.join(path))?;
        serde_json::from_str::<Value>(&text).ok()
    };
    let beside = [
        ("develop", "tasks", any("develop/tasks.json").and_then(|all| list(all, "tasks"))),
        (
            "debug",
            "hypotheses",
            any("debug/hypotheses.json").and_then(|all| list(all, "hypotheses")),
        ),
        (
            "validate",
            "test_results",
            any("validate/test-results.json").and_then(|all| list(all, "test_results")),
        ),
        (
            "develop",
            "tasks",
            left::text(&dir.join("tasks.jsonl")).map(|text| Value::from(left::lines(&text))),
        ),
    ];
    for (part, name, found) in beside {
        let Some(found) = found else { continue };
        let skill = if inner { &mut document["skill_state"] } else { &mut document };
        if skill[part].is_null() {
            skill[part] = json!({});
        }
        let place = &mut skill[part][name];
        if place.as_array().is_none_or(Vec::is_empty) {
            *place = found;
        }
    }
    document
}
