//! The door of the machine: state first, then one row function a state. The rows hold the rules.

use alloc::vec::Vec;

use super::command::Command;
use super::event::Event;
use super::refusal::Refusal;
use super::state::State;
use crate::machine::Said;

/// What a row answers.
pub type Decided = Result<Vec<Event>, Refusal>;

/// Accepts a command by naming the facts it makes true, or refuses it.
///
/// # Errors
/// The refusal, with everything that is allowed instead.
pub fn decide(state: &State, said: &Said<Command>) -> Decided {
    Err(Refusal::NotOwed { command: said.command.name(), state: state.name() })
}
