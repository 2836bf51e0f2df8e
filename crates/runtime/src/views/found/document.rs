//! A loop's document as a loop to take in: our own, one of an older layout, or what is left of one.
//! Old names are read; what is missing or out of form gets its default and is named. Whether the
//! loop may be taken in is the machine's business.

use std::str::FromStr;

use jiff::Timestamp;
use kernel::loops::{
    Course, DESCRIPTION_MAX, Driver, Import, ImportedAs, Labels, Mode, OnError, Origin,
    PauseReason, Priority, TAG_MAX, TAGS_MAX, TITLE_MAX, Task, TaskMode, TaskStatus, valid_id,
};
use kernel::machine::At;
use kernel::policy::grant::Pin;
use serde_json::Value;

use super::pages::unused;
use super::work::work;
use crate::ids;
use crate::tasks::{Tools, split_command};

/// Why a loop is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It lies in an older place.
    Migrated,
    /// The journal that knew it is lost.
    Rebuilt,
}

/// A loop that was found.
#[derive(Debug)]
pub struct Found {
    /// What is taken in.
    pub import: Import,
    /// What its document does not say rightly.
    pub lacks: Lacks,
}

/// What a document does not say rightly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lacks {
    /// Fields that were missing or unreadable, and get their default.
    pub defaulted: Vec<String>,
    /// Times before their own beginning, which are raised to it.
    pub raised: Vec<String>,
}

/// What is there besides the document.
#[derive(Clone, Copy, Debug)]
pub struct Beside<'a> {
    /// The id by its place; the document's own wins if it is one.
    pub id: &'a str,
    /// Where it lies, with its digest.
    pub source: &'a str,
    /// Why it is taken in.
    pub why: Why,
    /// Who can do tasks.
    pub tools: &'a Tools,
    /// Now.
    pub now: At,
}

/// The bound of a loop that says none.
const MAX_ITERATIONS: u64 = 10;

/// Reads a document. None if it names no id that could be a loop's.
#[must_use]
pub fn found(document: &Value, beside: Beside<'_>, course: Course) -> Option<Found> {
    let document = &modern(document.clone());
    let id = found_id(document, beside.id)?;
    let number = |name: &str, default: u64| {
        let found = document[name].as_u64().unwrap_or(default);
        u32::try_from(found).unwrap_or(u32::MAX)
    };
    let created_at = moment(&document["created_at"]).unwrap_or(beside.now);
    // A local time that was stamped as if it were UTC lies before its own beginning.
    let ended_at = moment(&document["completed_at"]).unwrap_or(beside.now).max(created_at);
    let description = document["description"].as_str().unwrap_or_default();
    let title = document["title"].as_str().or_else(|| description.lines().next());
    let title = title.filter(|title| !title.trim().is_empty()).unwrap_or(&id);
    let description = if description.trim().is_empty() { title } else { description };
    let skill = &document["skill_state"];
    let import = Import {
        source: beside.source.to_owned(),
        found: standing(document, beside.why, ended_at),
        title: first(title, TITLE_MAX),
        description: first(description, DESCRIPTION_MAX),
        max_iterations: number("max_iterations", MAX_ITERATIONS),
        iteration: number("current_iteration", 0),
        created_at,
        tasks: tasks(document, beside.tools, created_at),
        course: Course { driver: Driver::Engine, mode: mode(skill), ..course },
        work: skill.is_object().then(|| work(skill)),
        labels: labels(document),
        id,
    };
    Some(Found { import, lacks: lacks(document) })
}

/// What a document lacks, and what of it can't be so.
#[must_use]
pub fn lacks(document: &Value) -> Lacks {
    let document = &modern(document.clone());
    let mut lacks = Lacks::default();
    for name in ["title", "description"] {
        if document[name].as_str().is_none_or(|text| text.trim().is_empty()) {
            lacks.defaulted.push(name.to_owned());
        }
    }
    for name in ["max_iterations", "current_iteration"] {
        if document[name].as_u64().is_none() {
            lacks.defaulted.push(name.to_owned());
        }
    }
    let made = moment(&document["created_at"]);
    if made.is_none() {
        lacks.defaulted.push("created_at".to_owned());
    }
    for name in ["develop", "debug", "validate"] {
        if !document["skill_state"].is_null() && document["skill_state"][name].is_null() {
            lacks.defaulted.push(format!("skill_state.{name}"));
        }
    }
    for name in ["updated_at", "completed_at"] {
        if moment(&document[name]).is_some_and(|at| made.is_some_and(|made| at < made)) {
            lacks.raised.push(name.to_owned());
        }
    }
    lacks
}

/// A document by the names of today.
#[must_use]
pub fn modern(mut document: Value) -> Value {
    let Some(fields) = document.as_object_mut() else { return document };
    for (old, name) in [("session_id", "loop_id"), ("task_description", "description")] {
        if let (None, Some(value)) = (fields.get(name), fields.get(old).cloned()) {
            fields.insert(name.to_owned(), value);
        }
    }
    // The older layout has the parts of the skill beside the loop's own fields.
    let parts: Vec<(String, Value)> = PARTS
        .iter()
        .filter_map(|name| fields.remove(*name).map(|part| ((*name).to_owned(), part)))
        .collect();
    let begun = fields.remove("initialized") == Some(Value::Bool(true)) || !parts.is_empty();
    if begun && !fields.get("skill_state").is_some_and(Value::is_object) {
        fields.insert("skill_state".to_owned(), Value::Object(parts.into_iter().collect()));
    }
    document
}

/// What a skill keeps of a loop.
const PARTS: [&str; 8] = [
    "develop",
    "debug",
    "validate",
    "errors",
    "mode",
    "current_action",
    "last_action",
    "completed_actions",
];

/// The first characters of a text.
fn first(text: &str, max: usize) -> String {
    text.chars().take(max).collect()
}

fn labels(document: &Value) -> Labels {
    let mut tags = Vec::new();
    for tag in texts(&document["tags"]).iter().map(|tag| first(tag.trim(), TAG_MAX)) {
        if !tag.is_empty() && !tags.contains(&tag) && tags.len() < TAGS_MAX {
            tags.push(tag);
        }
    }
    let notes = document["notes"].as_str().filter(|notes| !notes.trim().is_empty());
    Labels {
        tags,
        priority: document["priority"].as_str().and_then(Priority::named),
        notes: notes.map(|notes| first(notes, DESCRIPTION_MAX)),
    }
}

/// The id of a document that lies in a place of this name.
#[must_use]
pub fn found_id(document: &Value, place: &str) -> Option<String> {
    let own = document["loop_id"].as_str().or_else(|| document["session_id"].as_str());
    [own.unwrap_or_default(), place].into_iter().find_map(loop_id)
}

/// The id itself, or as a loop's.
fn loop_id(text: &str) -> Option<String> {
    let lower = text.strip_prefix("LOOP-").map(|rest| format!("loop-{rest}"));
    [lower.unwrap_or_else(|| text.to_owned()), format!("loop-{text}")]
        .into_iter()
        .find(|id| valid_id(id))
}

fn mode(skill: &Value) -> Mode {
    match skill["mode"].as_str() {
        Some("auto") => Mode::Auto,
        Some(_) | None => Mode::Interactive,
    }
}

/// How it stood. Nothing of it is believed to run.
fn standing(document: &Value, why: Why, at: At) -> ImportedAs {
    let reason = match why {
        Why::Migrated => PauseReason::Imported,
        Why::Rebuilt => PauseReason::Rebuilt,
    };
    match (document["status"].as_str(), why) {
        (Some("created" | "pending"), Why::Migrated) => ImportedAs::Created,
        (Some("completed"), Why::Migrated) => ImportedAs::Completed { at },
        (Some("failed"), Why::Migrated) => {
            let reason = document["failure_reason"].as_str().unwrap_or("unknown").to_owned();
            ImportedAs::Failed { at, reason }
        }
        (Some("user_exit"), Why::Migrated) => ImportedAs::Paused { reason: PauseReason::UserExit },
        (_, Why::Migrated | Why::Rebuilt) => ImportedAs::Paused { reason },
    }
}

/// An instant, whatever its offset.
pub(super) fn moment(value: &Value) -> Option<At> {
    let at = Timestamp::from_str(value.as_str()?).ok()?;
    u64::try_from(at.as_millisecond()).ok().map(At)
}

fn tasks(document: &Value, tools: &Tools, created_at: At) -> Vec<Task> {
    let listed = document["skill_state"]["develop"]["tasks"].as_array();
    let mut all: Vec<Task> = Vec::new();
    for (n, value) in listed.into_iter().flatten().enumerate() {
        let Some(mut task) = task(value, n, tools, created_at) else { continue };
        let own = |known: &Task| known.id == task.id && known.description == task.description;
        if all.iter().any(|known| known.task_id == task.task_id || own(known)) {
            continue;
        }
        // Two tasks of one number are two tasks.
        if all.iter().any(|known| known.id == task.id) {
            let said = listed.into_iter().flatten().filter_map(|task| task["id"].as_str());
            let mut used: Vec<String> = said.map(str::to_owned).collect();
            used.extend(all.iter().map(|known| known.id.clone()));
            task.id = unused(&mut used);
        }
        all.push(task);
    }
    all
}

/// What a failure does, also by its older words.
fn on_error(word: &str) -> Option<OnError> {
    match word {
        "continue" => Some(OnError::Continue),
        "pause" | "stop" => Some(OnError::Pause),
        "fail_fast" | "abort" => Some(OnError::FailFast),
        _ => None,
    }
}

fn origin(word: &str) -> Origin {
    let all = [Origin::Queue, Origin::Breakdown, Origin::Fix, Origin::Tests];
    all.into_iter().find(|origin| origin.word() == word).unwrap_or(Origin::Outside)
}

fn task(value: &Value, n: usize, tools: &Tools, created_at: At) -> Option<Task> {
    let description = value["description"].as_str()?.trim().to_owned();
    let ext = &value["ext"];
    let of = |name: &str| value[name].as_str().or_else(|| ext[name].as_str()).map(str::to_owned);
    let made = moment(&value["created_at"]).unwrap_or(created_at);
    let ended = moment(&value["completed_at"]).unwrap_or(made);
    let command = of("command");
    let run = command.as_deref().and_then(|text| split_command(text).ok());
    let named = value["tool"].as_str().unwrap_or_default();
    let known = named == "bash" && run.is_some() || tools.agents.iter().any(|name| name == named);
    Some(Task {
        id: of("id").filter(|id| id.starts_with("task-")).unwrap_or(format!("task-{:03}", n + 1)),
        task_id: of("task_id").unwrap_or_else(|| ids::task_id(made)),
        description: first(&description, DESCRIPTION_MAX),
        tool: if known { named.to_owned() } else { tools.default.clone() },
        mode: match value["mode"].as_str() {
            Some("analysis" | "read") => TaskMode::Analysis,
            Some("review") => TaskMode::Review,
            Some(_) | None => TaskMode::Write,
        },
        // The list of tasks says the description where there is no prompt of its own.
        prompt_template: of("prompt_template")
            .filter(|text| !text.is_empty() && *text != description),
        command,
        run,
        on_error: of("on_error").as_deref().and_then(on_error),
        status: match value["status"].as_str() {
            Some("completed") => TaskStatus::Completed { at: ended },
            Some("failed") => {
                let error = of("error").unwrap_or_default();
                TaskStatus::Failed { at: ended, error }
            }
            Some(_) | None => TaskStatus::Pending,
        },
        files_changed: texts(&value["files_changed"]),
        created_at: made,
        updated_at: ended.max(made),
        origin: of("origin").as_deref().map_or(Origin::Outside, origin),
        fixes: of("fixes"),
        granted: false,
        pin: Pin::default(),
    })
}

pub(super) fn texts(value: &Value) -> Vec<String> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(|one| one.as_str().map(str::to_owned)).collect()
}
