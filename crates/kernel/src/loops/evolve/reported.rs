//! What an outside skill reported, made true; and the one way a task's fields are changed.

use alloc::format;
use alloc::string::String;

use super::super::command::{Change, TaskPatch};
use super::super::event::Place;
use super::super::state::{Body, Hypothesis, HypothesisStatus};
use super::super::task::{Origin, Task, TaskStatus};
use super::super::tasks::fresh_task;
use super::life::{added, find, ready};
use super::steps::{changed, judged};
use crate::machine::At;

pub(super) fn apply(body: &mut Body, changes: &[Change], at: At) {
    for change in changes {
        one(body, change, at);
    }
}

fn one(body: &mut Body, change: &Change, at: At) {
    match change {
        Change::TaskAdded(new) => {
            let task = fresh_task(body, new, Origin::Outside, at);
            added(body, &task, Place::Last);
        }
        Change::TaskStatus { id, status, files_changed } => {
            if let Some(task) = find(body, id) {
                task.status = status_of(status, at);
                task.updated_at = at;
                changed(&mut task.files_changed, files_changed);
            }
        }
        Change::TaskEdited { id, patch: fields } => {
            if let Some(task) = find(body, id) {
                task.granted = task.granted && fields.command.is_none();
                patch(task, fields, at);
            }
        }
        Change::HypothesisAdded(new) => {
            if let Some(work) = ready(body) {
                let id = format!("H{}", work.debug.hypotheses.len() + 1);
                let status = HypothesisStatus::Pending;
                work.debug.hypotheses.push(Hypothesis { id, status, ..new.clone() });
            }
        }
        Change::HypothesisFound(found) => {
            if let Some(work) = ready(body)
                && let Some(known) = work.debug.hypotheses.iter_mut().find(|h| h.id == found.id)
            {
                judged(known, found);
                if known.status == HypothesisStatus::Confirmed {
                    work.debug.confirmed = Some(found.id.clone());
                }
            }
        }
        Change::ActiveBug(bug) => {
            if let Some(work) = ready(body) {
                work.debug.active_bug.clone_from(bug);
            }
        }
        Change::ClaimedPassed(claimed) => {
            if let Some(work) = ready(body) {
                work.claimed_passed = *claimed;
            }
        }
    }
}

fn status_of(word: &str, at: At) -> TaskStatus {
    match word {
        "in_progress" => TaskStatus::InProgress,
        "completed" => TaskStatus::Completed { at },
        "failed" => TaskStatus::Failed { at, error: String::from("reported") },
        _other => TaskStatus::Pending,
    }
}

/// Changes a task's fields. Whether a person's word still covers its command is said by the fact.
pub(super) fn patch(task: &mut Task, patch: &TaskPatch, at: At) {
    if let Some(text) = &patch.description {
        task.description.clone_from(text);
    }
    if let Some(tool) = &patch.tool {
        task.tool.clone_from(tool);
    }
    if let Some(mode) = patch.mode {
        task.mode = mode;
    }
    if let Some(template) = &patch.prompt_template {
        task.prompt_template.clone_from(template);
    }
    if let Some(command) = &patch.command {
        task.command = command.as_ref().map(|(text, _)| text.clone());
        task.run = command.as_ref().map(|(_, run)| run.clone());
        task.pin.clone_from(&patch.pin);
    }
    if let Some(on_error) = patch.on_error {
        task.on_error = on_error;
    }
    task.updated_at = at;
}
