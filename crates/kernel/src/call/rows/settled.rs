//! Rows of a call that ended with evidence. Only an undo can still move it.

use alloc::vec::Vec;

use super::super::command::Command;
use super::super::decide::{Decided, ask_again};
use super::super::ending::{self, Undoable};
use super::super::event::Event;
use super::super::refusal::{Refusal, unfit};
use super::super::request::Facts;
use super::super::state::{State, TakeBack};
use crate::machine::Said;

/// What a settled call answers.
pub fn row(state: &State, facts: &Facts, undos: u32, said: &Said<Command>) -> Decided {
    match &said.command {
        Command::Ask(ask) => ask_again(facts, ask),
        Command::Undo(how) => undo(state, undos, how),
        Command::Allow(_)
        | Command::Deny { .. }
        | Command::Prepared { .. }
        | Command::PrepareFailed { .. }
        | Command::Exited { .. }
        | Command::Lost { .. }
        | Command::Probed { .. }
        | Command::Settle { .. }
        | Command::Stop(_)
        | Command::Timeout { .. }
        | Command::UndoEnded { .. } => Err(unfit(state, &said.command)),
    }
}

/// Begins to take a call back, if there is something to take back and a way to do it. Each try has
/// its own number, because the undo is a call of its own and a key is never used twice.
pub fn undo(state: &State, undos: u32, how: &TakeBack) -> Decided {
    match ending::undoable(state) {
        Undoable::Yes => {
            let n = undos.saturating_add(1);
            Ok(Vec::from([Event::UndoBegun { undo: how.clone(), n }]))
        }
        Undoable::Nothing => Err(Refusal::NothingToUndo),
        Undoable::Cannot(why) => Err(Refusal::CannotUndo { why }),
    }
}
