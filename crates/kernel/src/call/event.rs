//! The facts a call records. Only these are stored; their words are part of the journal's format.

use alloc::boxed::Box;
use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::request::Facts;
use super::state::{
    Charge, DeniedBy, Exit, Grant, KillWhy, Lost, Outcome, Prep, SettledBy, TakeBack, UndoLevel,
};
use crate::machine::At;

/// One recorded fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named by the records of `state`")]
pub enum Event {
    Asked {
        facts: Box<Facts>,
        prompt: String,
        expires: Option<At>,
    },
    Allowed {
        grant: Grant,
        /// Why, in the words of the person who allowed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    Denied {
        by: DeniedBy,
    },
    Started {
        attempt: u32,
        epoch: u64,
        prep: Prep,
        deadline: At,
    },
    RetryScheduled {
        attempt: u32,
        until: At,
        active_ms: u64,
    },
    RetryDue {
        attempt: u32,
    },
    NeverLaunched {
        attempt: u32,
        relaunches: u32,
    },
    StopBegun {
        why: KillWhy,
        by: String,
    },
    Settled {
        outcome: Outcome,
        by: SettledBy,
        exit: Option<Box<Exit>>,
        undo: UndoLevel,
        charge: Charge,
        late: bool,
    },
    OutcomeUnknown {
        why: Lost,
    },
    Reattached,
    ProbeScheduled {
        until: At,
    },
    ProbeDue,
    PersonAsked {
        evidence: String,
    },
    UndoBegun {
        undo: TakeBack,
        n: u32,
    },
    Undone {
        by: String,
    },
    UndoFailed,
}

impl Event {
    /// Whether it may be what lets the call into the work tree.
    #[must_use]
    pub const fn takes_tree(&self) -> bool {
        match self {
            Self::Allowed { .. } | Self::UndoBegun { .. } => true,
            Self::Asked { .. }
            | Self::Denied { .. }
            | Self::Started { .. }
            | Self::RetryScheduled { .. }
            | Self::RetryDue { .. }
            | Self::NeverLaunched { .. }
            | Self::StopBegun { .. }
            | Self::Settled { .. }
            | Self::OutcomeUnknown { .. }
            | Self::Reattached
            | Self::ProbeScheduled { .. }
            | Self::ProbeDue
            | Self::PersonAsked { .. }
            | Self::Undone { .. }
            | Self::UndoFailed => false,
        }
    }

    /// The fact's name, as recorded.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Asked { .. } => "Asked",
            Self::Allowed { .. } => "Allowed",
            Self::Denied { .. } => "Denied",
            Self::Started { .. } => "Started",
            Self::RetryScheduled { .. } => "RetryScheduled",
            Self::RetryDue { .. } => "RetryDue",
            Self::NeverLaunched { .. } => "NeverLaunched",
            Self::StopBegun { .. } => "StopBegun",
            Self::Settled { .. } => "Settled",
            Self::OutcomeUnknown { .. } => "OutcomeUnknown",
            Self::Reattached => "Reattached",
            Self::ProbeScheduled { .. } => "ProbeScheduled",
            Self::ProbeDue => "ProbeDue",
            Self::PersonAsked { .. } => "PersonAsked",
            Self::UndoBegun { .. } => "UndoBegun",
            Self::Undone { .. } => "Undone",
            Self::UndoFailed => "UndoFailed",
        }
    }
}
