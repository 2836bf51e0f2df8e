//! The door of the machine: state first, then one row function a state. The rows hold the rules.

use alloc::vec::Vec;

use super::command::{Ask, Command};
use super::event::Event;
use super::refusal::Refusal;
use super::request::Facts;
use super::rows;
use super::state::State;
use super::tool;
use crate::machine::Said;

/// What a row answers.
pub type Decided = Result<Vec<Event>, Refusal>;

/// Accepts a command by naming the facts it makes true, or refuses it.
///
/// # Errors
/// The refusal, with everything that is allowed instead.
pub fn decide(state: &State, said: &Said<Command>) -> Decided {
    match state {
        State::New => rows::fresh::row(state, said),
        State::Asked { facts, prompt, expires } => {
            rows::asked::row(state, facts, prompt, *expires, said)
        }
        State::Allowed { facts, attempt, relaunches, active_ms, gate, .. } => {
            let turn = rows::allowed::Turn {
                state,
                facts,
                attempt: *attempt,
                relaunches: *relaunches,
                active_ms: *active_ms,
                gate: *gate,
            };
            rows::allowed::row(&turn, said)
        }
        State::Started { .. } => rows::started::row(state, said),
        State::Settled { facts, undos, .. } => rows::settled::row(state, facts, *undos, said),
        State::Unknown { probes, gate, undos, .. } => {
            rows::unknown::row(state, *probes, gate, *undos, said)
        }
        State::Undoing { undo, n, .. } => rows::undoing::row(state, undo, *n, said),
        State::Denied { facts, .. } | State::Undone { facts, .. } => {
            rows::ended::row(state, facts, said)
        }
    }
}

/// Asking again under a known key: the same request is answered by the call that is there.
pub fn ask_again(facts: &Facts, ask: &Ask) -> Decided {
    if tool::request_hash(&ask.request) == facts.request_hash {
        Ok(Vec::new())
    } else {
        Err(Refusal::KeyReused { key: facts.key.clone() })
    }
}
