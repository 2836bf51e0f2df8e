//! Why a lifecycle refuses: values with data, rendered by the doors. Nothing here decides.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Value, json};

/// What makes a command impossible now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotNow {
    /// It needs one of these states.
    Needs(Vec<&'static str>),
    /// A rollback is under way.
    Rolling,
    /// Nothing is running that could be held.
    Waiting,
}

/// A command that is not possible now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Refusal {
    NotNow { command: &'static str, state: &'static str, why: NotNow, allowed: Vec<&'static str> },
    Ended { command: &'static str, outcome: &'static str },
    Busy { command: &'static str, state: &'static str, holder: String, allowed: Vec<&'static str> },
    Answered { command: &'static str, state: &'static str, allowed: Vec<&'static str> },
    NotHeld { command: &'static str, state: &'static str, allowed: Vec<&'static str> },
    Derived { command: &'static str, state: &'static str, allowed: Vec<&'static str> },
    NeedsPerson { command: &'static str, state: &'static str, speaker: &'static str },
    PlanChanged { command: &'static str, state: &'static str, allowed: Vec<&'static str> },
    DefinitionChanged { hash: String, allowed: Vec<&'static str> },
    Unsettled { call: String, allowed: Vec<&'static str> },
    NotCurrent { task: String, current: Option<String>, allowed: Vec<&'static str> },
    NoTask { allowed: Vec<&'static str> },
    NoRun,
    NoCheckpoint { to: Option<String>, allowed: Vec<&'static str> },
    Immutable { tasks: Vec<String>, allowed: Vec<&'static str> },
    Budget { allowed: Vec<&'static str> },
    NotOwed { what: String },
    InvalidArgs { field: &'static str, problem: String },
    NoSuch { id: String, near: Vec<String> },
}

impl Refusal {
    /// The list of what would be accepted, where this refusal has one.
    pub(super) const fn allowed_mut(&mut self) -> Option<&mut Vec<&'static str>> {
        match self {
            Self::NotNow { allowed, .. }
            | Self::Busy { allowed, .. }
            | Self::Answered { allowed, .. }
            | Self::NotHeld { allowed, .. }
            | Self::Derived { allowed, .. }
            | Self::PlanChanged { allowed, .. }
            | Self::DefinitionChanged { allowed, .. }
            | Self::Unsettled { allowed, .. }
            | Self::NotCurrent { allowed, .. }
            | Self::NoTask { allowed }
            | Self::NoCheckpoint { allowed, .. }
            | Self::Immutable { allowed, .. }
            | Self::Budget { allowed } => Some(allowed),
            Self::Ended { .. }
            | Self::NeedsPerson { .. }
            | Self::NoRun
            | Self::NotOwed { .. }
            | Self::InvalidArgs { .. }
            | Self::NoSuch { .. } => None,
        }
    }
}

impl crate::machine::Refusal for Refusal {
    fn reason(&self) -> &'static str {
        match self {
            Self::NotNow { .. } => "not_now",
            Self::Ended { .. } => "ended",
            Self::Busy { .. } => "busy",
            Self::Answered { .. } => "answered",
            Self::NotHeld { .. } => "not_held",
            Self::Derived { .. } => "derived",
            Self::NeedsPerson { .. } => "needs_person",
            Self::PlanChanged { .. } => "plan_changed",
            Self::DefinitionChanged { .. } => "definition_changed",
            Self::Unsettled { .. } => "unsettled",
            Self::NotCurrent { .. } => "not_current",
            Self::NoTask { .. } => "no_task",
            Self::NoRun => "no_run",
            Self::NoCheckpoint { .. } => "no_checkpoint",
            Self::Immutable { .. } => "immutable",
            Self::Budget { .. } => "budget",
            Self::NotOwed { .. } => "not_owed",
            Self::InvalidArgs { .. } => "invalid_args",
            Self::NoSuch { .. } => "no_such",
        }
    }

    fn allowed(&self) -> Vec<&'static str> {
        let mut copy = self.clone();
        copy.allowed_mut().map(core::mem::take).unwrap_or_default()
    }

    fn details(&self) -> Value {
        match self {
            Self::NotNow { command, state, why, .. } => {
                let (why, needed) = match why {
                    NotNow::Needs(states) => ("state", states.join(", ")),
                    NotNow::Rolling => ("rolling", String::new()),
                    NotNow::Waiting => ("waiting", String::new()),
                };
                json!({"command": command, "state": state, "case": why, "needed": needed})
            }
            Self::Ended { command, outcome } => {
                json!({"command": command, "state": "IDLE", "outcome": outcome})
            }
            Self::Busy { command, state, holder, .. } => {
                json!({"command": command, "state": state, "holder": holder, "run": holder})
            }
            Self::Answered { command, state, .. }
            | Self::NotHeld { command, state, .. }
            | Self::Derived { command, state, .. }
            | Self::PlanChanged { command, state, .. } => {
                json!({"command": command, "state": state})
            }
            Self::NeedsPerson { command, state, speaker } => {
                json!({"command": command, "state": state, "speaker": speaker})
            }
            Self::DefinitionChanged { hash, .. } => json!({"hash": hash}),
            Self::Unsettled { call, .. } => json!({"call": call}),
            Self::NotCurrent { task, current, .. } => json!({"task": task, "current": current}),
            Self::NoTask { .. } | Self::NoRun | Self::Budget { .. } => json!({}),
            Self::NoCheckpoint { to, .. } => json!({"checkpoint": to}),
            Self::Immutable { tasks, .. } => json!({"tasks": tasks.join(", ")}),
            Self::NotOwed { what } => json!({"what": what}),
            Self::InvalidArgs { field, problem } => json!({"field": field, "problem": problem}),
            Self::NoSuch { id, near } => {
                json!({"what": "task", "id": id, "near": near.join(", ")})
            }
        }
    }
}
