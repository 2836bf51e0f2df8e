//! The task commands. They keep the phase: a list can be edited while an action runs, only a task
//! that has begun can't.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::bounds::{self, TASKS_MAX};
use super::command::{Command, NewTask, TaskPatch};
use super::draft::{Decision, Draft};
use super::event::{Event, Place};
use super::refusal::{Refusal, Wrong};
use super::state::{Body, Life, Progress};
use super::task::{Origin, Run, Task, TaskStatus};
use crate::machine::{At, By, Said};

/// A pending task with the next number.
pub(super) fn fresh_task(body: &Body, new: &NewTask, origin: Origin, at: At) -> Task {
    Task {
        id: format!("task-{:03}", body.next_task),
        task_id: new.task_id.clone(),
        description: new.description.clone(),
        tool: new.tool.clone(),
        mode: new.mode,
        prompt_template: new.prompt_template.clone(),
        command: new.command.clone(),
        run: new.run.clone(),
        on_error: new.on_error,
        status: TaskStatus::Pending,
        files_changed: vec![],
        created_at: at,
        updated_at: at,
        origin,
        fixes: None,
        granted: false,
        pin: new.pin.clone(),
    }
}

/// The same for a batch in the making.
pub(super) fn make(draft: &Draft<'_>, new: &NewTask, origin: Origin) -> Task {
    fresh_task(&draft.life.body, new, origin, draft.at)
}

/// Whether the list has room for a task of this id.
pub(super) fn room(body: &Body, task: &NewTask) -> Result<(), Refusal> {
    bounds::new_task(task)?;
    if body.tasks.len() >= TASKS_MAX {
        let wrong = Wrong::TooMany { max: TASKS_MAX };
        return Err(Refusal::InvalidArgs { field: String::from("tasks"), wrong });
    }
    match body.task(&task.task_id) {
        Some(known) => Err(Refusal::IdTaken { id: known.task_id.clone() }),
        None => Ok(()),
    }
}

/// Whether a speaker's word covers a command: a person's, for words, once the loop has begun.
/// Before that it is Start that lists and grants; scripts are asked each time.
fn covers(by: &By, body: &Body, run: Option<&Run>) -> bool {
    let begun = match body.progress {
        Progress::Fresh => false,
        Progress::Begun { .. } | Progress::Ready { .. } => true,
    };
    by.may_approve() && begun && matches!(run, Some(Run::Argv(_)))
}

pub(super) fn add(life: &Life, said: &Said<Command>, new: &NewTask, place: Place) -> Decision {
    room(&life.body, new)?;
    let origin = match said.by {
        By::Agent { .. } | By::File => Origin::Outside,
        By::Person | By::Guest | By::Parent { .. } | By::Timer | By::Engine => new.origin,
    };
    let mut task = fresh_task(&life.body, new, origin, said.at);
    task.granted = covers(&said.by, &life.body, task.run.as_ref());
    Ok(vec![Event::TaskAdded { task: Box::new(task), place }])
}

/// The task of either id, if it is pending.
fn pending<'a>(body: &'a Body, id: &str) -> Result<&'a Task, Refusal> {
    let task = known(body, id)?;
    match task.status {
        TaskStatus::Pending => Ok(task),
        TaskStatus::InProgress | TaskStatus::Completed { .. } | TaskStatus::Failed { .. } => {
            Err(begun(task))
        }
    }
}

fn begun(task: &Task) -> Refusal {
    let status = task.status.word();
    Refusal::TaskStarted { task: task.id.clone(), status, allowed: vec![] }
}

fn known<'a>(body: &'a Body, id: &str) -> Result<&'a Task, Refusal> {
    body.task(id).ok_or_else(|| Refusal::NoSuch { what: "task", id: String::from(id) })
}

pub(super) fn edit(life: &Life, said: &Said<Command>, id: &str, patch: &TaskPatch) -> Decision {
    let task = pending(&life.body, id)?;
    bounds::patch(patch)?;
    let tool = patch.tool.as_ref().unwrap_or(&task.tool);
    let run = match &patch.command {
        Some(command) => command.as_ref().map(|(_, run)| run),
        None => task.run.as_ref(),
    };
    if tool == "bash" && run.is_none() {
        return Err(Refusal::InvalidArgs { field: String::from("command"), wrong: Wrong::Empty });
    }
    let granted = match &patch.command {
        Some(_) => covers(&said.by, &life.body, run),
        None => task.granted,
    };
    Ok(vec![Event::TaskEdited { task: task.id.clone(), patch: patch.clone(), granted }])
}

pub(super) fn remove(life: &Life, id: &str) -> Decision {
    let task = pending(&life.body, id)?;
    Ok(vec![Event::TaskRemoved { task: task.id.clone() }])
}

/// Listed tasks come first in the given order, the others follow as they were.
pub(super) fn reorder(life: &Life, ids: &[String]) -> Decision {
    let field = || String::from("ordered_task_ids");
    if ids.is_empty() {
        return Err(Refusal::InvalidArgs { field: field(), wrong: Wrong::Empty });
    }
    let mut tasks: Vec<String> = Vec::with_capacity(ids.len());
    for id in ids {
        let task = known(&life.body, id)?;
        if tasks.contains(&task.id) {
            return Err(Refusal::InvalidArgs { field: field(), wrong: Wrong::Twice });
        }
        tasks.push(task.id.clone());
    }
    Ok(vec![Event::TasksReordered { tasks }])
}

pub(super) fn requeue(life: &Life, id: &str) -> Decision {
    let task = known(&life.body, id)?;
    match task.status {
        TaskStatus::Failed { .. } => Ok(vec![Event::TaskRequeued { task: task.id.clone() }]),
        TaskStatus::Pending | TaskStatus::InProgress | TaskStatus::Completed { .. } => {
            Err(begun(task))
        }
    }
}
