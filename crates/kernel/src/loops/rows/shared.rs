//! Answers that several columns give in the same words. No column is decided here.

use alloc::string::String;
use alloc::vec;

use super::super::command::Command;
use super::super::draft::Decision;
use super::super::people::{self, Given};
use super::super::phase::{PauseReason, Paused, Phase};
use super::super::refusal::Refusal;
use super::super::state::Life;
use super::super::steer::{self, Start};
use super::super::tasks;
use crate::machine::Said;

/// The command does not fit the state.
pub(super) fn not_now(life: &Life, command: &Command) -> Decision {
    Err(Refusal::NotNow { command: command.name(), state: life.phase.variant(), allowed: vec![] })
}

/// What it reports is not awaited any more.
pub(super) fn not_owed(command: &Command) -> Decision {
    let what = if let Command::LegBegan { n, leg, .. } | Command::LegEnded { n, leg, .. } = command
    {
        alloc::format!("a{n}/{}", leg.word())
    } else if let Command::Timeout { slot } = command {
        slot.clone()
    } else {
        String::from(command.name())
    };
    Err(Refusal::NotOwed { what })
}

pub(super) fn id_taken(life: &Life) -> Decision {
    Err(Refusal::IdTaken { id: life.body.id.clone() })
}

pub(super) fn still_closing(life: &Life) -> Decision {
    let child = life.phase.action().and_then(|action| action.child.clone());
    Err(Refusal::StillClosing { child: child.unwrap_or_default(), allowed: vec![] })
}

pub(super) fn action_running(life: &Life) -> Decision {
    let (n, kind) = life.phase.action().map_or((0, "-"), |action| (action.n, action.kind.word()));
    Err(Refusal::ActionRunning { n, kind, allowed: vec![] })
}

/// The five task commands, which keep the state.
pub(super) fn task(life: &Life, said: &Said<Command>) -> Decision {
    if let Command::AddTask { task, place } = &said.command {
        tasks::add(life, said, task, *place)
    } else if let Command::EditTask { task, patch } = &said.command {
        tasks::edit(life, said, task, patch)
    } else if let Command::RemoveTask { task } = &said.command {
        tasks::remove(life, task)
    } else if let Command::ReorderTasks { tasks: ids } = &said.command {
        tasks::reorder(life, ids)
    } else if let Command::RequeueTask { task } = &said.command {
        tasks::requeue(life, task)
    } else {
        not_now(life, &said.command)
    }
}

pub(super) fn edit(life: &Life, command: &Command) -> Decision {
    let Command::Edit { title, description, max_iterations, max_iterations_ceiling, labels } =
        command
    else {
        return not_now(life, command);
    };
    let words = (title.as_ref(), description.as_ref());
    steer::edit(life, words, (*max_iterations, *max_iterations_ceiling), labels)
}

/// Start's data, once more as one thing.
pub(super) fn start(command: &Command) -> Option<Start<'_>> {
    let Command::Start { driver, mode, settings, checks, programs, busy_with } = command else {
        return None;
    };
    let (mode, busy_with) = (*mode, busy_with.as_deref());
    Some(Start { driver, mode, settings, checks, programs, busy_with })
}

/// An answer to the question that is open, if this is the one.
pub(super) fn answer(life: &Life, said: &Said<Command>, open: Option<u32>) -> Decision {
    let Command::Answer { q, key, text, hash, task_id } = &said.command else {
        return not_now(life, &said.command);
    };
    if open != Some(*q) {
        return Err(people::closed(*q));
    }
    let (text, hash) = (text.as_deref(), hash.as_deref());
    let given = Given { q: *q, key, text, hash, task_id };
    match &life.phase {
        Phase::Choosing { .. } => people::menu(life, said, &given),
        Phase::Paused(Paused { reason: PauseReason::Unverified, .. }) => {
            people::unverified(life, said, &given)
        }
        Phase::Paused(Paused { q: Some(_), .. }) => people::standing_still(life, said, &given),
        Phase::Created
        | Phase::Acting(_)
        | Phase::Lent { .. }
        | Phase::Paused(_)
        | Phase::Completed { .. }
        | Phase::Failed { .. } => Err(people::closed(*q)),
    }
}
