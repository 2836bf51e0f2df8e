//! What others ask of a call's state: whether it can be stopped, whether it may be writing. Reads
//! only; decides nothing.

use super::request::{Class, Facts};
use super::state::{Ended, Phase, Prep, State};
use super::tool::CHECKPOINT;
use crate::agent::{Access, Report};
use crate::machine::At;

impl State {
    /// Since when a process of it is known to have run; none if none is.
    #[must_use]
    pub fn process_since(&self) -> Option<At> {
        match self {
            Self::Started { started_at, .. } | Self::Unknown { started_at, .. } => {
                Some(*started_at)
            }
            Self::Settled { exit: Some(exit), .. } => {
                (exit.ended != Ended::SpawnFailed).then_some(exit.started_at)
            }
            Self::New
            | Self::Asked { .. }
            | Self::Denied { .. }
            | Self::Allowed { .. }
            | Self::Settled { exit: None, .. }
            | Self::Undoing { .. }
            | Self::Undone { .. } => None,
        }
    }

    /// What the stream of an agent proved, once the call has ended with an exit record.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        match self {
            Self::Settled { exit: Some(exit), .. } => exit.agent.as_deref(),
            Self::New
            | Self::Asked { .. }
            | Self::Denied { .. }
            | Self::Allowed { .. }
            | Self::Started { .. }
            | Self::Settled { exit: None, .. }
            | Self::Unknown { .. }
            | Self::Undoing { .. }
            | Self::Undone { .. } => None,
        }
    }

    /// What preparing found, once it is recorded.
    #[must_use]
    pub fn prep(&self) -> Option<&Prep> {
        match self {
            Self::Started { prep, .. } | Self::Unknown { prep, .. } => Some(prep),
            Self::Settled { prep, .. } => prep.as_ref(),
            Self::New
            | Self::Asked { .. }
            | Self::Denied { .. }
            | Self::Allowed { .. }
            | Self::Undoing { .. }
            | Self::Undone { .. } => None,
        }
    }

    /// Whether an owner that no longer owes it should say Stop. An unknown one is settled first.
    #[must_use]
    pub const fn stoppable(&self) -> bool {
        match self {
            Self::Asked { .. } | Self::Allowed { .. } => true,
            Self::Started { phase, .. } => match phase {
                Phase::Running => true,
                Phase::Stopping { .. } => false,
            },
            Self::New
            | Self::Denied { .. }
            | Self::Settled { .. }
            | Self::Unknown { .. }
            | Self::Undoing { .. }
            | Self::Undone { .. } => false,
        }
    }

    /// Whether it may be writing to the work tree, or have been, for all anyone knows.
    #[must_use]
    pub fn may_write_now(&self) -> bool {
        let facts = match self {
            Self::Started { facts, .. } | Self::Unknown { facts, .. } => facts,
            Self::Undoing { .. } => return true,
            Self::New
            | Self::Asked { .. }
            | Self::Denied { .. }
            | Self::Allowed { .. }
            | Self::Settled { .. }
            | Self::Undone { .. } => return false,
        };
        writes(facts)
    }

    /// Whether it keeps others out of the work tree: it may be writing, or belongs to no run that
    /// would and is about to.
    #[must_use]
    pub fn holds_tree(&self) -> bool {
        match self {
            Self::Allowed { facts, .. } => facts.parent.is_none() && writes(facts),
            Self::New
            | Self::Asked { .. }
            | Self::Denied { .. }
            | Self::Started { .. }
            | Self::Settled { .. }
            | Self::Unknown { .. }
            | Self::Undoing { .. }
            | Self::Undone { .. } => self.may_write_now(),
        }
    }
}

/// Whether what is asked for can write to the work tree at all.
fn writes(facts: &Facts) -> bool {
    if facts.request.agent.as_ref().is_some_and(|ask| ask.access == Access::Read) {
        return false;
    }
    match facts.request.class {
        // It reads the tree and writes below our own directory.
        Class::Converge if facts.request.name == CHECKPOINT => false,
        Class::Read => false,
        Class::Converge | Class::Guarded | Class::Once => true,
    }
}
