//! One view of a call whose start is on record, whether it runs or was lost, so that a late exit
//! record or proof is read the same way in both. It decides nothing.

use super::request::Facts;
use super::state::{KillWhy, Phase, Prep, State};
use crate::machine::At;

/// What is known of a recorded start.
#[derive(Clone, Copy)]
pub struct Launched<'a> {
    pub state: &'a State,
    pub facts: &'a Facts,
    pub attempt: u32,
    pub relaunches: u32,
    pub active_ms: u64,
    pub epoch: u64,
    pub prep: &'a Prep,
    pub started_at: At,
    pub phase: &'a Phase,
}

/// Whether somebody wants the call to be over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Nobody asked it to stop.
    Still,
    /// A Stop was asked: nothing may start again on its behalf.
    Over,
}

impl Launched<'_> {
    /// Whether a Stop is under way. A limit is not one: a read may be tried again after it.
    pub fn wanted(&self) -> Wanted {
        match self.phase {
            Phase::Stopping { why: KillWhy::Stop, .. } => Wanted::Over,
            Phase::Running | Phase::Stopping { why: KillWhy::Deadline | KillWhy::Idle, .. } => {
                Wanted::Still
            }
        }
    }

    /// Time charged for an attempt that left no record: no longer than its limits let it run,
    /// however long nobody looked.
    pub fn unrecorded_ms(&self, at: At) -> u64 {
        let request = &self.facts.request;
        at.since(self.started_at).min(request.deadline_ms.saturating_add(request.grace_ms))
    }
}

/// The recorded start of a state that has one.
pub fn of(state: &State) -> Option<Launched<'_>> {
    match state {
        State::Started {
            facts,
            attempt,
            relaunches,
            active_ms,
            epoch,
            prep,
            started_at,
            phase,
            ..
        }
        | State::Unknown {
            facts,
            attempt,
            relaunches,
            active_ms,
            epoch,
            prep,
            started_at,
            phase,
            ..
        } => Some(Launched {
            state,
            facts,
            attempt: *attempt,
            relaunches: *relaunches,
            active_ms: *active_ms,
            epoch: *epoch,
            prep,
            started_at: *started_at,
            phase,
        }),
        State::New
        | State::Asked { .. }
        | State::Denied { .. }
        | State::Allowed { .. }
        | State::Settled { .. }
        | State::Undoing { .. }
        | State::Undone { .. } => None,
    }
}
