//! Rows of a call that may run: it is prepared, or waits for its next try. Nothing of this attempt
//! has touched the world yet, so every way out of here is a safe one.

use alloc::vec::Vec;

use super::super::command::Command;
use super::super::decide::{Decided, ask_again};
use super::super::ending;
use super::super::event::Event;
use super::super::refusal::{not_owed, unfit};
use super::super::request::Facts;
use super::super::slot;
use super::super::state::{DeniedBy, Failure, Gate, Outcome, SettledBy, State};
use crate::machine::{At, Said};

/// The attempt whose turn it is.
pub struct Turn<'a> {
    pub state: &'a State,
    pub facts: &'a Facts,
    pub attempt: u32,
    pub relaunches: u32,
    pub active_ms: u64,
    pub gate: Gate,
}

/// What an allowed call answers.
pub fn row(turn: &Turn<'_>, said: &Said<Command>) -> Decided {
    let unfit = || Err(unfit(turn.state, &said.command));
    match &said.command {
        Command::Ask(ask) => ask_again(turn.facts, ask),
        Command::Prepared { attempt, epoch, prep } => match turn.gate {
            Gate::Ready if *attempt == turn.attempt => Ok(Vec::from([Event::Started {
                attempt: *attempt,
                epoch: *epoch,
                prep: prep.clone(),
                deadline: said.at.plus(turn.facts.request.deadline_ms),
            }])),
            Gate::Ready | Gate::Wait { .. } => unfit(),
        },
        Command::PrepareFailed { attempt, failure } => match turn.gate {
            Gate::Ready if *attempt == turn.attempt => Ok(prepare_failed(turn, failure, said.at)),
            Gate::Ready | Gate::Wait { .. } => unfit(),
        },
        Command::Timeout { slot } => match turn.gate {
            Gate::Wait { .. } if *slot == slot::retry(turn.attempt) => {
                Ok(Vec::from([Event::RetryDue { attempt: turn.attempt }]))
            }
            Gate::Wait { .. } | Gate::Ready => Err(not_owed(turn.state, &said.command)),
        },
        Command::Stop(_) => Ok(stopped(turn)),
        Command::Deny { note } => {
            Ok(Vec::from([Event::Denied { by: DeniedBy::User { note: note.clone() } }]))
        }
        Command::Allow(_)
        | Command::Exited { .. }
        | Command::Lost { .. }
        | Command::Probed { .. }
        | Command::Settle { .. }
        | Command::Undo(_)
        | Command::UndoEnded { .. } => unfit(),
    }
}

fn prepare_failed(turn: &Turn<'_>, failure: &Failure, at: At) -> Vec<Event> {
    let outcome = Outcome::Failed(failure.clone());
    let again = ending::retryable(&outcome)
        .then(|| {
            ending::retry_failed(turn.facts, turn.attempt, turn.relaunches, turn.active_ms, at)
        })
        .flatten();
    Vec::from([again.unwrap_or_else(|| settled(turn, outcome, turn.attempt))])
}

/// The attempt whose turn it is was never made, so it is not charged.
fn stopped(turn: &Turn<'_>) -> Vec<Event> {
    Vec::from([settled(turn, Outcome::Stopped, turn.attempt.saturating_sub(1))])
}

fn settled(turn: &Turn<'_>, outcome: Outcome, made: u32) -> Event {
    Event::Settled {
        outcome,
        by: SettledBy::Result,
        exit: None,
        undo: ending::level_without_this_attempt(turn.facts, turn.attempt, turn.relaunches),
        charge: ending::charge(made, turn.relaunches, turn.active_ms),
        late: false,
    }
}
