//! A loop's document as a loop to take in: our own, one of an older layout, or what is left of one.
//! Old names are read; what is missing or out of form gets its default and is named. Whether the
//! loop may be taken in is the machine's business.

use std::str::FromStr;

use jiff::Timestamp;
use kernel::loops::{
    Course, DESCRIPTION_MAX, Debug, Driver, Hypothesis, HypothesisStatus, Import, ImportedAs, Mode,
    Origin, PauseReason, TITLE_MAX, Task, TaskMode, TaskStatus, Work, cut, valid_id,
};
use kernel::machine::At;
use kernel::policy::grant::Pin;
use serde_json::Value;

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
    /// Fields that were missing or unreadable, and got their default.
    pub defaulted: Vec<String>,
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
    let mut read = Reading { document, defaulted: Vec::new() };
    let id = found_id(document, beside.id)?;
    let created_at = read.moment("created_at").unwrap_or(beside.now);
    // A local time that was stamped as if it were UTC lies before its own beginning.
    let ended_at = read.optional("completed_at").unwrap_or(beside.now).max(created_at);
    let description = read.text(&["description", "task_description"], "description");
    let title = match document["title"].as_str() {
        Some(title) => title.to_owned(),
        None => description.lines().next().unwrap_or_default().to_owned(),
    };
    let title = if title.trim().is_empty() { id.clone() } else { title };
    let skill = &document["skill_state"];
    let work = skill.is_object().then(|| work(skill));
    let import = Import {
        source: beside.source.to_owned(),
        found: standing(document, beside.why, ended_at),
        title: cut(&title, TITLE_MAX),
        description: cut(&description, DESCRIPTION_MAX),
        max_iterations: read.number("max_iterations", MAX_ITERATIONS),
        iteration: read.number("current_iteration", 0),
        created_at,
        tasks: tasks(document, beside.tools, created_at),
        course: Course { driver: Driver::Engine, mode: mode(skill), ..course },
        work,
        id,
    };
    Some(Found { import, defaulted: read.defaulted })
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

struct Reading<'a> {
    document: &'a Value,
    defaulted: Vec<String>,
}

impl Reading<'_> {
    fn text(&mut self, names: &[&str], shown: &str) -> String {
        let found = names.iter().find_map(|name| self.document[*name].as_str());
        if found.is_none() {
            self.defaulted.push(shown.to_owned());
        }
        found.unwrap_or_default().to_owned()
    }

    fn number(&mut self, name: &str, default: u64) -> u32 {
        let found = self.document[name].as_u64();
        if found.is_none() {
            self.defaulted.push(name.to_owned());
        }
        u32::try_from(found.unwrap_or(default)).unwrap_or(u32::MAX)
    }

    fn moment(&mut self, name: &str) -> Option<At> {
        let found = self.optional(name);
        if found.is_none() {
            self.defaulted.push(name.to_owned());
        }
        found
    }

    fn optional(&self, name: &str) -> Option<At> {
        moment(&self.document[name])
    }
}

/// An instant, whatever its offset.
fn moment(value: &Value) -> Option<At> {
    let at = Timestamp::from_str(value.as_str()?).ok()?;
    u64::try_from(at.as_millisecond()).ok().map(At)
}

fn tasks(document: &Value, tools: &Tools, created_at: At) -> Vec<Task> {
    let listed = document["skill_state"]["develop"]["tasks"].as_array();
    let mut all: Vec<Task> = Vec::new();
    for (n, value) in listed.into_iter().flatten().enumerate() {
        let Some(task) = task(value, n, tools, created_at) else { continue };
        if !all.iter().any(|known| known.id == task.id || known.task_id == task.task_id) {
            all.push(task);
        }
    }
    all
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
        description: cut(&description, DESCRIPTION_MAX),
        tool: if known { named.to_owned() } else { tools.default.clone() },
        mode: match value["mode"].as_str() {
            Some("analysis" | "read") => TaskMode::Analysis,
            Some("review") => TaskMode::Review,
            Some(_) | None => TaskMode::Write,
        },
        prompt_template: of("prompt_template").filter(|text| !text.is_empty()),
        command,
        run,
        on_error: None,
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
        origin: Origin::Outside,
        fixes: None,
        granted: false,
        pin: Pin::default(),
    })
}

fn texts(value: &Value) -> Vec<String> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(|one| one.as_str().map(str::to_owned)).collect()
}

/// What a skill kept. Its own tests prove nothing here: they are run again.
fn work(skill: &Value) -> Work {
    let debug = &skill["debug"];
    let hypotheses: Vec<Hypothesis> =
        debug["hypotheses"].as_array().into_iter().flatten().filter_map(hypothesis).collect();
    let confirmed = debug["confirmed_hypothesis"].as_str().map(str::to_owned);
    Work {
        debug: Debug {
            active_bug: debug["active_bug"].as_str().map(str::to_owned),
            confirmed: confirmed.filter(|id| hypotheses.iter().any(|h| h.id == *id)),
            hypotheses,
            iteration: whole(&debug["iteration"]),
            last_analysis_at: moment(&debug["last_analysis_at"]),
            restore_owed: None,
        },
        claimed_passed: skill["validate"]["passed"] == true,
        last_progress_at: moment(&skill["develop"]["last_progress_at"]),
        last_run_at: moment(&skill["validate"]["last_run_at"]),
        ..Work::default()
    }
}

fn whole(value: &Value) -> u32 {
    value.as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
}

fn hypothesis(value: &Value) -> Option<Hypothesis> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Some(Hypothesis {
        id: value["id"].as_str()?.to_owned(),
        description: text(&value["description"]),
        testable_condition: text(&value["testable_condition"]),
        logging_point: text(&value["logging_point"]),
        confirm: text(&value["evidence_criteria"]["confirm"]),
        reject: text(&value["evidence_criteria"]["reject"]),
        likelihood: whole(&value["likelihood"]),
        status: match value["status"].as_str() {
            Some("confirmed") => HypothesisStatus::Confirmed,
            Some("rejected") => HypothesisStatus::Rejected,
            Some("inconclusive") => HypothesisStatus::Inconclusive,
            Some(_) | None => HypothesisStatus::Pending,
        },
        evidence: Some(value["evidence"].clone()).filter(|evidence| !evidence.is_null()),
        verdict_reason: value["verdict_reason"].as_str().map(str::to_owned),
        problem: text(&value["ext"]["problem"]),
        round: whole(&value["ext"]["round"]),
    })
}
