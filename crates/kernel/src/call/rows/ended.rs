//! Rows of the two final states, denied and undone: only asking again by the same key is answered.

use super::super::command::Command;
use super::super::decide::{Decided, ask_again};
use super::super::refusal::unfit;
use super::super::request::Facts;
use super::super::state::State;
use crate::machine::Said;

/// What a call answers that is over for good.
pub fn row(state: &State, facts: &Facts, said: &Said<Command>) -> Decided {
    match &said.command {
        Command::Ask(ask) => ask_again(facts, ask),
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
        | Command::Undo(_)
        | Command::UndoEnded { .. } => Err(unfit(state, &said.command)),
    }
}
