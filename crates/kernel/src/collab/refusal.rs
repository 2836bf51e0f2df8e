//! Why a run does not take a command: values with data, rendered by the doors. It decides nothing.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Value, json};

/// A command that is not possible now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own; fields say what they are")]
pub enum Refusal {
    NotNow { command: &'static str, state: &'static str, allowed: Vec<&'static str> },
    Ended { state: &'static str },
    Busy { session: String, holder: String },
    NotOwed { command: &'static str, state: &'static str },
    NeedsPerson { command: &'static str, speaker: &'static str },
    StaleApproval { question: String, hash: String },
    QuestionClosed { question: String },
    InvalidArgs { path: String, expected: &'static str },
    NoSuch { what: &'static str, id: String, known: Vec<String> },
    KeyReused { expected: String, actual: String },
    ParticipantEnded { participant: String, allowed: Vec<&'static str> },
    BadSession { participant: String, id: String },
    AlreadyCancelling { allowed: Vec<&'static str> },
    Limit { max: u64, allowed: Vec<&'static str> },
    OverrideRequired { missing: Vec<String> },
    NoteRequired,
}

impl Refusal {
    /// The list of what would be accepted, where this refusal has one.
    pub(super) const fn allowed_mut(&mut self) -> Option<&mut Vec<&'static str>> {
        match self {
            Self::NotNow { allowed, .. }
            | Self::ParticipantEnded { allowed, .. }
            | Self::AlreadyCancelling { allowed }
            | Self::Limit { allowed, .. } => Some(allowed),
            Self::Ended { .. }
            | Self::Busy { .. }
            | Self::NotOwed { .. }
            | Self::NeedsPerson { .. }
            | Self::StaleApproval { .. }
            | Self::QuestionClosed { .. }
            | Self::InvalidArgs { .. }
            | Self::NoSuch { .. }
            | Self::KeyReused { .. }
            | Self::BadSession { .. }
            | Self::OverrideRequired { .. }
            | Self::NoteRequired => None,
        }
    }
}

impl crate::machine::Refusal for Refusal {
    fn reason(&self) -> &'static str {
        match self {
            Self::NotNow { .. } => "not_now",
            Self::Ended { .. } => "ended",
            Self::Busy { .. } => "busy",
            Self::NotOwed { .. } => "not_owed",
            Self::NeedsPerson { .. } => "needs_person",
            Self::StaleApproval { .. } => "stale_approval",
            Self::QuestionClosed { .. } => "question_closed",
            Self::InvalidArgs { .. } => "invalid_args",
            Self::NoSuch { .. } => "no_such",
            Self::KeyReused { .. } => "key_reused",
            Self::ParticipantEnded { .. } => "participant_ended",
            Self::BadSession { .. } => "bad_session",
            Self::AlreadyCancelling { .. } => "already_cancelling",
            Self::Limit { .. } => "limit",
            Self::OverrideRequired { .. } => "override_required",
            Self::NoteRequired => "note_required",
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
            Self::Ended { state } => json!({ "state": state }),
            Self::Busy { session, holder } => json!({ "session": session, "holder": holder }),
            Self::NeedsPerson { command, speaker } => {
                json!({ "command": command, "speaker": speaker })
            }
            Self::StaleApproval { question, hash } => {
                json!({ "question": question, "hash": hash })
            }
            Self::QuestionClosed { question } => json!({ "question": question }),
            Self::InvalidArgs { path, expected } => json!({ "path": path, "expected": expected }),
            Self::NoSuch { what, id, known } => {
                json!({ "what": what, "id": id, "known": known })
            }
            Self::KeyReused { expected, actual } => {
                json!({ "expected": expected, "actual": actual })
            }
            Self::ParticipantEnded { participant, .. } => json!({ "participant": participant }),
            Self::BadSession { participant, id } => {
                json!({ "participant": participant, "id": id })
            }
            Self::Limit { max, .. } => json!({ "max": max }),
            Self::OverrideRequired { missing } => json!({ "missing_dimensions": missing }),
            Self::AlreadyCancelling { .. } | Self::NoteRequired => json!({}),
        }
    }
}
