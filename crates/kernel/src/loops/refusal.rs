//! Why a loop refuses: values with data, rendered by the doors. Nothing here decides.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Value, json};

/// What is wrong with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Wrong {
    Empty,
    TooLong { max: usize },
    TooMany { max: usize },
    Range { least: u32, most: u32 },
    Form,
    Twice,
}

/// A command that is not possible now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Refusal {
    NotNow { command: &'static str, state: &'static str, allowed: Vec<&'static str> },
    Busy { holder: String },
    QuestionClosed { q: u32, allowed: Vec<&'static str> },
    NotOwed { what: String },
    StaleApproval { q: u32 },
    NeedsPerson { command: &'static str, speaker: &'static str },
    Owned { holder: String },
    IdTaken { id: String },
    InvalidArgs { field: String, wrong: Wrong },
    UnknownOption { given: String, options: Vec<&'static str> },
    NoSuch { what: &'static str, id: String },
    ActionRunning { n: u32, kind: &'static str, allowed: Vec<&'static str> },
    StillClosing { child: String, allowed: Vec<&'static str> },
    EngineDrives { what: &'static str, allowed: Vec<&'static str> },
    TaskStarted { task: String, status: &'static str, allowed: Vec<&'static str> },
    NothingPending { allowed: Vec<&'static str> },
    NothingToDebug { allowed: Vec<&'static str> },
    IterationLimit { iteration: u32, max_iterations: u32, allowed: Vec<&'static str> },
    ValidationRequired { verdict: Option<&'static str>, allowed: Vec<&'static str> },
}

impl Refusal {
    /// The list of what would be accepted, where this refusal has one.
    pub(super) const fn allowed_mut(&mut self) -> Option<&mut Vec<&'static str>> {
        match self {
            Self::NotNow { allowed, .. }
            | Self::QuestionClosed { allowed, .. }
            | Self::ActionRunning { allowed, .. }
            | Self::StillClosing { allowed, .. }
            | Self::EngineDrives { allowed, .. }
            | Self::TaskStarted { allowed, .. }
            | Self::NothingPending { allowed }
            | Self::NothingToDebug { allowed }
            | Self::IterationLimit { allowed, .. }
            | Self::ValidationRequired { allowed, .. } => Some(allowed),
            Self::Busy { .. }
            | Self::NotOwed { .. }
            | Self::StaleApproval { .. }
            | Self::NeedsPerson { .. }
            | Self::Owned { .. }
            | Self::IdTaken { .. }
            | Self::InvalidArgs { .. }
            | Self::UnknownOption { .. }
            | Self::NoSuch { .. } => None,
        }
    }
}

impl Wrong {
    fn data(self, field: &str) -> Value {
        match self {
            Self::Empty => json!({"field": field, "wrong": "empty"}),
            Self::TooLong { max } => json!({"field": field, "wrong": "too_long", "max": max}),
            Self::TooMany { max } => json!({"field": field, "wrong": "too_many", "max": max}),
            Self::Range { least, most } => {
                json!({"field": field, "wrong": "range", "least": least, "most": most})
            }
            Self::Form => json!({"field": field, "wrong": "form"}),
            Self::Twice => json!({"field": field, "wrong": "twice"}),
        }
    }
}

impl crate::machine::Refusal for Refusal {
    fn reason(&self) -> &'static str {
        match self {
            Self::NotNow { .. } => "not_now",
            Self::Busy { .. } => "busy",
            Self::QuestionClosed { .. } => "question_closed",
            Self::NotOwed { .. } => "not_owed",
            Self::StaleApproval { .. } => "stale_approval",
            Self::NeedsPerson { .. } => "needs_person",
            Self::Owned { .. } => "owned",
            Self::IdTaken { .. } => "id_taken",
            Self::InvalidArgs { .. } => "invalid_args",
            Self::UnknownOption { .. } => "unknown_option",
            Self::NoSuch { .. } => "no_such",
            Self::ActionRunning { .. } => "action_running",
            Self::StillClosing { .. } => "still_closing",
            Self::EngineDrives { .. } => "engine_drives",
            Self::TaskStarted { .. } => "task_started",
            Self::NothingPending { .. } => "nothing_pending",
            Self::NothingToDebug { .. } => "nothing_to_debug",
            Self::IterationLimit { .. } => "iteration_limit",
            Self::ValidationRequired { .. } => "validation_required",
        }
    }

    fn allowed(&self) -> Vec<&'static str> {
        if let Self::UnknownOption { options, .. } = self {
            return options.clone();
        }
        let mut copy = self.clone();
        copy.allowed_mut().map(core::mem::take).unwrap_or_default()
    }

    fn details(&self) -> Value {
        match self {
            Self::NotNow { command, state, .. } => json!({"command": command, "state": state}),
            Self::Busy { holder } => json!({"holder": holder}),
            Self::Owned { holder } => {
                json!({"holder": holder, "owner": holder, "field": "lease"})
            }
            Self::QuestionClosed { q, .. } | Self::StaleApproval { q } => json!({"question": q}),
            Self::NotOwed { what } => json!({"what": what}),
            Self::NeedsPerson { command, speaker } => {
                json!({"command": command, "speaker": speaker})
            }
            Self::IdTaken { id } => json!({"id": id}),
            Self::InvalidArgs { field, wrong } => wrong.data(field),
            Self::UnknownOption { given, .. } => json!({"given": given}),
            Self::NoSuch { what, id } => json!({"what": what, "id": id}),
            Self::ActionRunning { n, kind, .. } => json!({"action": kind, "n": n}),
            Self::StillClosing { child, .. } => json!({"child": child}),
            Self::EngineDrives { what, .. } => json!({"what": what}),
            Self::TaskStarted { task, status, .. } => json!({"task": task, "status": status}),
            Self::NothingPending { .. } | Self::NothingToDebug { .. } => json!({}),
            Self::IterationLimit { iteration, max_iterations, .. } => {
                json!({"iteration": iteration, "max_iterations": max_iterations})
            }
            Self::ValidationRequired { verdict, .. } => json!({"verdict": verdict}),
        }
    }
}
