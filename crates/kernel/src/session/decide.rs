//! The door of the machine: state first, then what was said. The rows hold the rules.

use alloc::vec::Vec;

use super::command::Command;
use super::draft::{Decided, Draft};
use super::event::Event;
use super::refusal::Refusal;
use super::rights;
use super::rows;
use super::state::{Base, Life, State, Unit};
use crate::machine::{By, Said};

/// Accepts a command by naming the facts it makes true, or refuses it.
///
/// # Errors
/// The refusal, with everything that could be said instead.
pub fn decide(state: &State, said: &Said<Command>) -> Decided {
    ask(state, said).map_err(|mut refusal| {
        if let Some(list) = refusal.allowed_mut() {
            *list = allowed(state, &said.by);
        }
        refusal
    })
}

fn ask(state: &State, said: &Said<Command>) -> Decided {
    rights::check(state.life(), &said.by, &said.command)?;
    match state {
        State::New => fresh(said),
        State::Live(life) => match &life.unit {
            Unit::At { .. } => standing(life, said),
            Unit::Ending { .. } => ending(life, said),
        },
    }
}

fn fresh(said: &Said<Command>) -> Decided {
    match &said.command {
        Command::Open { key } => Ok(Vec::from([Event::Opened { key: key.clone() }])),
        Command::Run { .. }
        | Command::Say { .. }
        | Command::Answer { .. }
        | Command::Cancel { .. }
        | Command::ToolOpened { .. } => Err(not_now("New", &said.command)),
        Command::Told { .. }
        | Command::ChildNow { .. }
        | Command::ToolClosed { .. }
        | Command::Timeout { .. }
        | Command::Noticed { .. } => Err(not_owed("New", &said.command)),
    }
}

fn standing(life: &Life, said: &Said<Command>) -> Decided {
    let mut d = Draft::new(life, said.at, &said.by);
    let owed = match &said.command {
        Command::Open { .. } => true,
        Command::Run { name, text, flags, input_id, setup } => {
            if life.body.inputs.iter().any(|known| known == input_id) {
                return Ok(Vec::new());
            }
            let typed = (text.clone(), flags.clone());
            rows::typed(&mut d, *name, input_id);
            rows::run(&mut d, *name, typed, rights::setup(&said.by, setup))?;
            true
        }
        Command::Say { text, input_id, meant, setup } => {
            rows::say(&mut d, (text, meant), input_id, rights::setup(&said.by, setup))?;
            true
        }
        Command::Answer { question, key, text, hash } => {
            rows::answer(&mut d, (question, key), text.as_deref(), hash.as_deref())?;
            true
        }
        Command::Cancel { undo, all } => {
            let idle = matches!(life.base(), Base::Idle { .. }) && life.frames().is_empty();
            if idle {
                return Err(not_now(life.name(), &said.command));
            }
            rows::cancel(&mut d, *undo, *all)?;
            true
        }
        Command::Told { slot, outcome } => rows::told(&mut d, slot, outcome.clone())?,
        Command::ChildNow { slot, asking, held } => {
            rows::child_now(&mut d, slot, asking.clone(), *held)?
        }
        Command::ToolOpened { name, kind, caller, input, call, setup } => {
            let called = rows::Called {
                name: name.clone(),
                kind: kind.clone(),
                caller: *caller,
                input: input.clone(),
                argv: Vec::new(),
                call: call.clone(),
            };
            rows::opened(&mut d, called, (**setup).clone())?;
            true
        }
        Command::ToolClosed { name, ok, cancelled } => rows::closed(&mut d, name, *ok, *cancelled)?,
        Command::Timeout { slot } => rows::timeout(&mut d, slot)?,
        Command::Noticed { key } => {
            rows::noticed(&mut d, key);
            true
        }
    };
    if !owed {
        return Err(not_owed(life.name(), &said.command));
    }
    rows::settle(&mut d);
    rows::given(&mut d);
    d.done()
}

fn ending(life: &Life, said: &Said<Command>) -> Decided {
    let mut d = Draft::new(life, said.at, &said.by);
    let owed = match &said.command {
        Command::Open { .. } | Command::Cancel { .. } | Command::Noticed { .. } => true,
        Command::Run { name, .. } => match name.beside() {
            super::name::Beside::Answered => true,
            super::name::Beside::Exclusive
            | super::name::Beside::Suspending
            | super::name::Beside::Reading => return Err(not_now(life.name(), &said.command)),
        },
        Command::Say { .. } | Command::ToolOpened { .. } => {
            return Err(not_now(life.name(), &said.command));
        }
        Command::Answer { question, .. } => {
            return Err(Refusal::QuestionClosed { question: question.clone() });
        }
        Command::Told { slot, outcome } => rows::told(&mut d, slot, outcome.clone())?,
        Command::Timeout { slot } => rows::timeout(&mut d, slot)?,
        Command::ChildNow { .. } | Command::ToolClosed { .. } => false,
    };
    if owed { d.done() } else { Err(not_owed(life.name(), &said.command)) }
}

fn not_now(state: &'static str, command: &Command) -> Refusal {
    Refusal::NotNow { command: command.name(), state, allowed: Vec::new() }
}

fn not_owed(state: &'static str, command: &Command) -> Refusal {
    Refusal::NotOwed { command: command.name(), state }
}

/// Every command that this speaker could say now.
#[must_use]
pub fn allowed(state: &State, by: &By) -> Vec<&'static str> {
    let speaks = matches!(by, By::Person | By::Guest);
    let State::Live(life) = state else {
        return if speaks { Vec::from(["Open"]) } else { Vec::new() };
    };
    let mut list = Vec::from(["Run"]);
    if speaks {
        match &life.unit {
            Unit::Ending { .. } => list.push("Cancel"),
            Unit::At { base, frames } => {
                list.push("Say");
                if !life.questions().is_empty() {
                    list.push("Answer");
                }
                if !matches!(base, Base::Idle { .. }) || !frames.is_empty() {
                    list.push("Cancel");
                }
            }
        }
    }
    list
}
