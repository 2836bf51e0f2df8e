//! Why a turn does not take a command, and what it would take instead. Sentences are made elsewhere
//! from the reason and the data.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::valid::Flaw;
use crate::machine;

/// A command that is not possible now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own; fields say what they are")]
pub enum Refusal {
    NotNow { state: &'static str, command: &'static str, allowed: Vec<&'static str> },
    Ended { state: &'static str },
    EmptyMessage,
    NotOwed { key: String, allowed: Vec<&'static str> },
    QuestionClosed { question: String, allowed: Vec<&'static str> },
    StaleApproval { prompt: String, hash: String, allowed: Vec<&'static str> },
    NeedsPerson { command: &'static str, speaker: &'static str },
    ScopeTooWide { scope: &'static str, allowed: Vec<&'static str> },
    BadRequest { path: String, expected: String },
    BadPatch { flaw: Flaw },
    AskByControl,
    PauseFirst { allowed: Vec<&'static str> },
    Held { allowed: Vec<&'static str> },
    NotHeld { allowed: Vec<&'static str> },
    StepInProgress { step: String, allowed: Vec<&'static str> },
    StepIsDone { step: String, allowed: Vec<&'static str> },
    NoSuch { step: String },
    NoPlanner,
    NotContinuable { turn: String, state: &'static str },
    IdTaken { id: String },
}

impl Refusal {
    /// The list of what would be taken, where the reason is about the state.
    pub(super) const fn allowed_mut(&mut self) -> Option<&mut Vec<&'static str>> {
        match self {
            Self::NotNow { allowed, .. }
            | Self::NotOwed { allowed, .. }
            | Self::QuestionClosed { allowed, .. }
            | Self::StaleApproval { allowed, .. }
            | Self::ScopeTooWide { allowed, .. }
            | Self::PauseFirst { allowed }
            | Self::Held { allowed }
            | Self::NotHeld { allowed }
            | Self::StepInProgress { allowed, .. }
            | Self::StepIsDone { allowed, .. } => Some(allowed),
            Self::Ended { .. }
            | Self::EmptyMessage
            | Self::NeedsPerson { .. }
            | Self::BadRequest { .. }
            | Self::BadPatch { .. }
            | Self::AskByControl
            | Self::NoSuch { .. }
            | Self::NoPlanner
            | Self::NotContinuable { .. }
            | Self::IdTaken { .. } => None,
        }
    }
}

impl machine::Refusal for Refusal {
    fn reason(&self) -> &'static str {
        match self {
            Self::NotNow { .. } => "not_now",
            Self::Ended { .. } => "ended",
            Self::EmptyMessage => "empty_message",
            Self::NotOwed { .. } => "not_owed",
            Self::QuestionClosed { .. } => "question_closed",
            Self::StaleApproval { .. } => "stale_approval",
            Self::NeedsPerson { .. } => "needs_person",
            Self::ScopeTooWide { .. } => "scope_too_wide",
            Self::BadRequest { .. } => "bad_request",
            Self::BadPatch { .. } => "bad_patch",
            Self::AskByControl => "ask_by_control",
            Self::PauseFirst { .. } => "pause_first",
            Self::Held { .. } => "held",
            Self::NotHeld { .. } => "not_held",
            Self::StepInProgress { .. } => "step_in_progress",
            Self::StepIsDone { .. } => "step_is_done",
            Self::NoSuch { .. } => "no_such",
            Self::NoPlanner => "no_planner",
            Self::NotContinuable { .. } => "not_continuable",
            Self::IdTaken { .. } => "id_taken",
        }
    }

    fn allowed(&self) -> Vec<&'static str> {
        self.clone().allowed_mut().cloned().unwrap_or_default()
    }

    fn details(&self) -> Value {
        match self {
            Self::NotNow { state, command, .. } => json!({ "state": state, "command": command }),
            Self::Ended { state } => json!({ "state": state }),
            Self::NotOwed { key, .. } => json!({ "key": key }),
            Self::QuestionClosed { question, .. } => json!({ "question": question }),
            Self::StaleApproval { prompt, hash, .. } => json!({ "prompt": prompt, "hash": hash }),
            Self::NeedsPerson { command, speaker } => {
                json!({ "command": command, "speaker": speaker })
            }
            Self::ScopeTooWide { scope, .. } => json!({ "scope": scope }),
            Self::BadRequest { path, expected } => json!({ "path": path, "expected": expected }),
            Self::BadPatch { flaw } => {
                json!({ "what": flaw.what.word(), "path": flaw.path, "found": flaw.found })
            }
            Self::StepInProgress { step, .. }
            | Self::StepIsDone { step, .. }
            | Self::NoSuch { step } => json!({ "step": step }),
            Self::NotContinuable { turn, state } => json!({ "turn": turn, "state": state }),
            Self::IdTaken { id } => json!({ "id": id }),
            Self::EmptyMessage
            | Self::AskByControl
            | Self::PauseFirst { .. }
            | Self::Held { .. }
            | Self::NotHeld { .. }
            | Self::NoPlanner => json!({}),
        }
    }
}
