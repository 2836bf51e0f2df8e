//! Why a session does not take a command: values with data, rendered by the doors.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Value, json};

/// A command that is not possible now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own; fields say what they are")]
pub enum Refusal {
    NotNow { command: &'static str, state: &'static str, allowed: Vec<&'static str> },
    Busy { holder: String, allowed: Vec<&'static str> },
    QuestionClosed { question: String },
    UnknownCommand { word: String, nearest: Vec<&'static str> },
    AmbiguousCommand { first: &'static str, second: &'static str },
    UnknownOption { key: String, options: Vec<String> },
    StaleApproval { question: String, hash: String },
    NotOwed { command: &'static str, state: &'static str },
    NeedsPerson { command: &'static str, speaker: &'static str },
    InvalidArgs { path: String, expected: &'static str },
    FlowActive { unit: String, allowed: Vec<&'static str> },
    UseRollback { allowed: Vec<&'static str> },
    PathForced { path: &'static str },
    GateClosed { issues: Vec<String> },
    NotTopFrame { top: String },
    NoAgent,
    TooDeep { max: usize },
}

impl Refusal {
    /// Whether an outcome was told that its slot cannot have.
    pub(super) fn is_misfit(&self) -> bool {
        matches!(self, Self::InvalidArgs { path, .. } if path == "/outcome")
    }

    /// The list of what would be accepted, where this refusal has one.
    pub(super) const fn allowed_mut(&mut self) -> Option<&mut Vec<&'static str>> {
        match self {
            Self::NotNow { allowed, .. }
            | Self::Busy { allowed, .. }
            | Self::FlowActive { allowed, .. }
            | Self::UseRollback { allowed } => Some(allowed),
            Self::QuestionClosed { .. }
            | Self::UnknownCommand { .. }
            | Self::AmbiguousCommand { .. }
            | Self::UnknownOption { .. }
            | Self::StaleApproval { .. }
            | Self::NotOwed { .. }
            | Self::NeedsPerson { .. }
            | Self::InvalidArgs { .. }
            | Self::PathForced { .. }
            | Self::GateClosed { .. }
            | Self::NotTopFrame { .. }
            | Self::NoAgent
            | Self::TooDeep { .. } => None,
        }
    }
}

impl crate::machine::Refusal for Refusal {
    fn reason(&self) -> &'static str {
        match self {
            Self::NotNow { .. } => "not_now",
            Self::Busy { .. } => "busy",
            Self::QuestionClosed { .. } => "question_closed",
            Self::UnknownCommand { .. } => "unknown_command",
            Self::AmbiguousCommand { .. } => "ambiguous_command",
            Self::UnknownOption { .. } => "unknown_option",
            Self::StaleApproval { .. } => "stale_approval",
            Self::NotOwed { .. } => "not_owed",
            Self::NeedsPerson { .. } => "needs_person",
            Self::InvalidArgs { .. } => "invalid_args",
            Self::FlowActive { .. } => "flow_active",
            Self::UseRollback { .. } => "use_rollback",
            Self::PathForced { .. } => "path_forced",
            Self::GateClosed { .. } => "gate_closed",
            Self::NotTopFrame { .. } => "not_top_frame",
            Self::NoAgent => "no_agent",
            Self::TooDeep { .. } => "too_deep",
        }
    }

    fn allowed(&self) -> Vec<&'static str> {
        let mut copy = self.clone();
        copy.allowed_mut().map(core::mem::take).unwrap_or_default()
    }

    fn details(&self) -> Value {
        match self {
            Self::NotNow { command, state, .. } | Self::NotOwed { command, state } => {
                json!({ "command": command, "state": state })
            }
            Self::Busy { holder, .. } => json!({ "holder": holder }),
            Self::QuestionClosed { question } => json!({ "question": question }),
            Self::UnknownCommand { word, nearest } => {
                json!({ "command": word, "nearest": nearest })
            }
            Self::AmbiguousCommand { first, second } => {
                json!({ "first": first, "second": second })
            }
            Self::UnknownOption { key, options } => json!({ "option": key, "options": options }),
            Self::StaleApproval { question, hash } => {
                json!({ "question": question, "hash": hash })
            }
            Self::NeedsPerson { command, speaker } => {
                json!({ "command": command, "speaker": speaker })
            }
            Self::InvalidArgs { path, expected } => json!({ "path": path, "expected": expected }),
            Self::FlowActive { unit, .. } => json!({ "unit": unit }),
            Self::PathForced { path } => json!({ "path": path }),
            Self::GateClosed { issues } => json!({ "issues": issues }),
            Self::NotTopFrame { top } => json!({ "top": top }),
            Self::TooDeep { max } => json!({ "max": max }),
            Self::UseRollback { .. } | Self::NoAgent => json!({}),
        }
    }
}
