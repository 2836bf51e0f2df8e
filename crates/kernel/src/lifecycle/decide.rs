//! Accepts a command by naming the facts it makes true, or refuses it. One row function a column
//! of the table; what would be allowed instead is found by asking the rows themselves.

use alloc::vec::Vec;

use super::batch::Decision;
use super::command::Command;
use super::phase::Phase;
use super::refusal::Refusal;
use super::rights;
use super::rows;
use super::samples;
use super::state::{Life, State};
use crate::machine::{By, Said};

/// Accepts a command by naming the facts it makes true, or refuses it.
///
/// # Errors
/// The refusal, with everything that this speaker could say instead.
pub fn decide(state: &State, said: &Said<Command>) -> Decision {
    ask(state, said).map_err(|mut refusal| {
        // A start that finds another run at work has nothing to say but that.
        let waits = *state == State::New && matches!(refusal, Refusal::Busy { .. });
        if let Some(list) = refusal.allowed_mut().filter(|_| !waits) {
            *list = allowed(state, &said.by);
        }
        refusal
    })
}

/// Every command that the speaker could say now, found by trying one of each.
#[must_use]
pub fn allowed(state: &State, by: &By) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (_, mut said) in samples::sample_commands(state) {
        let name = said.command.name();
        said.by.clone_from(by);
        if !said.command.is_engines() && !names.contains(&name) && ask(state, &said).is_ok() {
            names.push(name);
        }
    }
    names
}

pub(super) fn ask(state: &State, said: &Said<Command>) -> Decision {
    rights::check(&said.by, &said.command, state.name())?;
    match state {
        State::New => rows::fresh(said),
        State::Never { .. } => rows::never(said),
        State::Alive(life) => alive(life, said),
    }
}

fn alive(life: &Life, said: &Said<Command>) -> Decision {
    match &life.phase {
        Phase::Idle(over) => rows::ended(life, over.outcome, said),
        Phase::Planning(now) => rows::planning(life, now, said),
        Phase::Confirming(now) => rows::confirming(life, now, said),
        Phase::Executing(now) => rows::executing(life, now, said),
        Phase::AutoFix(now) => rows::auto_fix(life, now, said),
        Phase::Blocked(now) => match &now.rolling {
            Some(rolling) => rows::rolling(life, rolling, said),
            None => rows::blocked(life, now, said),
        },
        Phase::Archiving(now) => rows::archiving(life, now, said),
    }
}
