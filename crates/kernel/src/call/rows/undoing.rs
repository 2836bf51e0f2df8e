//! Rows of a call that another call is taking back. Nothing else may happen to it meanwhile.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::super::command::{Command, UndoResult};
use super::super::decide::{Decided, ask_again};
use super::super::event::Event;
use super::super::refusal::{Refusal, allowed, unfit};
use super::super::state::{State, TakeBack};
use crate::machine::Said;

/// What a call answers while it is being undone.
pub fn row(state: &State, undo: &TakeBack, recorded: u32, said: &Said<Command>) -> Decided {
    match &said.command {
        Command::Ask(ask) => match state.facts() {
            Some(facts) => ask_again(facts, ask),
            None => Err(unfit(state, &said.command)),
        },
        Command::UndoEnded { n, result } if *n == recorded => Ok(Vec::from([match result {
            UndoResult::Ok => Event::Undone { by: said.by.word().to_string() },
            UndoResult::Failed => Event::UndoFailed,
        }])),
        Command::Stop(_) | Command::Undo(_) => {
            Err(Refusal::UndoInProgress { undo_key: undo.key(recorded), allowed: allowed(state) })
        }
        Command::Allow(_)
        | Command::Deny { .. }
        | Command::Prepared { .. }
        | Command::PrepareFailed { .. }
        | Command::Exited { .. }
        | Command::Lost { .. }
        | Command::Probed { .. }
        | Command::Settle { .. }
        | Command::Timeout { .. }
        | Command::UndoEnded { .. } => Err(unfit(state, &said.command)),
    }
}
