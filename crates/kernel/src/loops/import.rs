//! A loop found in a file, taken in. Nothing of it is believed: no grant, no fresh validation, no
//! action under way, and nothing runs before someone starts it.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::bounds::{self, TASKS_MAX};
use super::command::{Import, ImportedAs};
use super::draft::Decision;
use super::event::Event;
use super::phase::{FailKind, How, PauseReason, Paused, Phase};
use super::refusal::{Refusal, Wrong};
use super::state::{Body, Life, Progress};
use super::task::{Task, TaskStatus};
use crate::machine::At;

/// Takes a found loop in, or names the field that is wrong.
pub(super) fn take_in(found: &Import) -> Decision {
    let bad = |field: &str, wrong| Refusal::InvalidArgs { field: String::from(field), wrong };
    if !bounds::valid_id(&found.id) {
        return Err(bad("loop_id", Wrong::Form));
    }
    bounds::title(&found.title)?;
    bounds::description(&found.description)?;
    if found.tasks.len() > TASKS_MAX {
        return Err(bad("tasks", Wrong::TooMany { max: TASKS_MAX }));
    }
    for (i, task) in found.tasks.iter().enumerate() {
        let same = |other: &Task| other.id == task.id || other.task_id == task.task_id;
        if found.tasks.iter().take(i).any(same) {
            return Err(bad("tasks", Wrong::Twice));
        }
    }
    Ok(vec![Event::LoopImported(Box::new(found.clone()))])
}

/// The loop that a found one becomes.
pub(super) fn life(found: &Import, at: At) -> Life {
    let tasks: Vec<Arc<Task>> = found.tasks.iter().cloned().map(unapproved).map(Arc::new).collect();
    let numbers = tasks.iter().filter_map(|task| task.id.strip_prefix("task-")?.parse().ok());
    let next_task = numbers.max().unwrap_or(0u32).saturating_add(1);
    let body = Body {
        id: found.id.clone(),
        title: found.title.clone(),
        description: found.description.clone(),
        // A file may count more than its own bound allows; the count is what happened.
        max_iterations: found.max_iterations.max(found.iteration).max(1),
        tasks,
        iteration: found.iteration,
        next_n: 1,
        next_task,
        errors_in_row: 0,
        rounds: BTreeMap::new(),
        progress: progress(found),
        parent: None,
        created_at: found.created_at,
        updated_at: at.max(found.created_at),
        records: Vec::new(),
        imported_from: Some(found.source.clone()),
        mode_wanted: None,
        labels: found.labels.clone(),
        head: None,
    };
    Life { body, phase: phase(found, at) }
}

/// Imported tasks carry no approval, and nobody is at them.
fn unapproved(mut task: Task) -> Task {
    task.granted = false;
    if task.status == TaskStatus::InProgress {
        task.status = TaskStatus::Pending;
    }
    task
}

fn progress(found: &Import) -> Progress {
    let mut course = found.course.clone();
    course.grants.clear();
    match (&found.found, &found.work) {
        (ImportedAs::Created, _) => Progress::Fresh,
        (_, None) => Progress::Begun { course, errors: Vec::new() },
        (_, Some(work)) => {
            let mut work = work.clone();
            work.debug.restore_owed = None;
            work.debug.instrumented.clear();
            work.debug.kept.clear();
            if let Some(validation) = &mut work.validation {
                validation.fresh = false;
            }
            Progress::Ready { course, work }
        }
    }
}

fn phase(found: &Import, now: At) -> Phase {
    match &found.found {
        ImportedAs::Created => Phase::Created,
        ImportedAs::Paused { reason } => Phase::Paused(Paused {
            reason: match reason {
                PauseReason::UserExit | PauseReason::Rebuilt => *reason,
                PauseReason::User
                | PauseReason::Parent
                | PauseReason::TaskFailed
                | PauseReason::Blocked
                | PauseReason::Stuck
                | PauseReason::Unverified
                | PauseReason::TreeMoving
                | PauseReason::IterationLimit
                | PauseReason::RunnerLost
                | PauseReason::ChildCancelled
                | PauseReason::Imported => PauseReason::Imported,
            },
            by: String::from("file"),
            at: now,
            code: None,
            detail: found.source.clone(),
            held: None,
            q: None,
            reset: None,
        }),
        ImportedAs::Completed { at } => {
            Phase::Completed { at: *at, how: How::Imported { source: found.source.clone() } }
        }
        ImportedAs::Failed { at, reason } => {
            Phase::Failed { at: *at, kind: FailKind::Imported, reason: reason.clone(), tail: None }
        }
    }
}
