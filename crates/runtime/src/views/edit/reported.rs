//! What an outside skill reports by command instead of by an edit of the file: the same rules, with
//! its part of the document laid over the document as it is.

use kernel::loops::view::draw;
use kernel::loops::{ActionResult, Command, EndedAction, Kind, Life, Report};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::notice::Line;
use super::document::document;
use super::scratch::Scratch;
use super::told::Wish;
use crate::tasks::Tools;

/// A skill's report of one action.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillTold {
    /// Which action ended: `develop`, `debug`, `validate`, or the seed's name of it; none ended if
    /// it is left out.
    #[serde(default)]
    pub action: Option<String>,
    /// `success`, `failed` or `needs_input`.
    #[serde(default)]
    pub result: Option<String>,
    /// What it says of it.
    #[serde(default)]
    pub message: String,
    /// Its part of the document, as far as it changed.
    #[serde(default)]
    pub skill_state: Option<Value>,
    /// Paths that it changed.
    #[serde(default)]
    pub files_changed: Vec<String>,
}

/// Why a report is not taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotTold {
    /// A field that has no such value.
    Field {
        /// Its name.
        field: &'static str,
        /// What it says.
        found: String,
        /// What it may say.
        expected: &'static str,
    },
    /// Changes that are not the skill's to make.
    Refused(Vec<Line>),
}

/// The commands of a report.
///
/// # Errors
/// When any part of it is not possible: nothing of it is taken in then.
pub fn reported(
    (life, seq): (&Life, u64),
    tools: &Tools,
    runner: &str,
    told: &SkillTold,
) -> Result<Vec<Command>, NotTold> {
    let ended = ended(told)?;
    let now = draw(life, seq);
    let mut edit = now.clone();
    if let Some(part) = &told.skill_state {
        lay_over(&mut edit["skill_state"], part);
        name_files(&mut edit, part, &told.files_changed);
    }
    let outcome = document(&now, &edit, &now, &mut Scratch::new(life, tools));
    if !outcome.refused.is_empty() {
        return Err(NotTold::Refused(outcome.refused));
    }
    let mut commands: Vec<Command> = outcome.wishes.into_iter().map(said).collect();
    if !commands.iter().any(|command| matches!(command, Command::Report(_))) {
        commands.push(report(Vec::new()));
    }
    if let Some(Command::Report(last)) =
        commands.iter_mut().rev().find(|command| matches!(command, Command::Report(_)))
    {
        // The action that is named is the one that ended; a changed stamp says the same again.
        last.ended = ended.map_or_else(|| std::mem::take(&mut last.ended), |one| vec![one]);
    }
    for command in &mut commands {
        if let Command::Report(report) = command {
            report.runner = Some(runner.to_owned());
        }
    }
    Ok(commands)
}

fn report(ended: Vec<EndedAction>) -> Command {
    Command::Report(Box::new(Report { runner: None, base_rev: None, changes: Vec::new(), ended }))
}

fn said(wish: Wish) -> Command {
    match wish {
        Wish::Command(command) => *command,
        Wish::Complete => Command::Complete { force: None },
        // The document that is laid over has the loop's own status.
        Wish::StartExternal => report(Vec::new()),
    }
}

/// The action that ended.
fn ended(told: &SkillTold) -> Result<Option<EndedAction>, NotTold> {
    const ACTIONS: &str = "init, develop, debug, validate, complete";
    const RESULTS: &str = "success, failed, needs_input";
    let Some(action) = &told.action else { return Ok(None) };
    let bare = action.trim_start_matches("action-").trim_end_matches("-with-file");
    let known = [Kind::Init, Kind::Develop, Kind::Debug, Kind::Validate, Kind::Complete];
    let kind = known.into_iter().find(|kind| kind.word().eq_ignore_ascii_case(bare));
    let kind = kind.ok_or_else(|| NotTold::Field {
        field: "action",
        found: action.clone(),
        expected: ACTIONS,
    })?;
    let message = told.message.clone();
    let result = match told.result.as_deref() {
        None | Some("success") => ActionResult::Ok,
        Some("failed") => ActionResult::Failed { message: message.clone() },
        Some("needs_input") => {
            ActionResult::Blocked { code: "needs_input".to_owned(), message: message.clone() }
        }
        Some(other) => {
            let found = other.to_owned();
            return Err(NotTold::Field { field: "result", found, expected: RESULTS });
        }
    };
    Ok(Some(EndedAction { kind, result, summary: message }))
}

/// Objects by their members, lists of things with an id by that id; all else is replaced.
fn lay_over(to: &mut Value, part: &Value) {
    match (to, part) {
        (Value::Object(to), Value::Object(part)) => {
            for (name, value) in part {
                lay_over(to.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (Value::Array(to), Value::Array(part)) if part.iter().all(|one| one["id"].is_string()) => {
            for one in part {
                match to.iter_mut().find(|known| known["id"] == one["id"]) {
                    Some(known) => lay_over(known, one),
                    None => to.push(one.clone()),
                }
            }
        }
        (to, part) => *to = part.clone(),
    }
}

/// Paths of the report belong to the one task that it speaks of, unless that names its own.
fn name_files(edit: &mut Value, part: &Value, paths: &[String]) {
    let [task] = part["develop"]["tasks"].as_array().map_or(&[][..], Vec::as_slice) else { return };
    if paths.is_empty() || !task["files_changed"].is_null() {
        return;
    }
    let tasks = edit["skill_state"]["develop"]["tasks"].as_array_mut();
    if let Some(known) = tasks.into_iter().flatten().find(|known| known["id"] == task["id"]) {
        known["files_changed"] = Value::from(paths.to_vec());
    }
}
