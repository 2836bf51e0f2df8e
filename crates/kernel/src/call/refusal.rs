//! Why a call does not take a command, and what it would take instead. Sentences are made
//! elsewhere from the reason and the data.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::command::Command;
use super::ending::{self, Undoable};
use super::state::{Gate, Phase, State, UnknownGate};
use super::tool;
use crate::machine;

/// A command that is not possible now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own; fields say what they are")]
pub enum Refusal {
    NotNow { state: &'static str, command: &'static str, allowed: Vec<&'static str> },
    Ended { state: &'static str },
    NotOwed { state: &'static str, command: &'static str, allowed: Vec<&'static str> },
    StaleApproval { prompt: String, hash: String, allowed: Vec<&'static str> },
    NeedsPerson { by: &'static str, allowed: Vec<&'static str> },
    ScopeTooWide { widest: &'static str, allowed: Vec<&'static str> },
    KeyReused { key: String },
    InvalidArgs { path: &'static str, expected: &'static str },
    UnknownTool { name: String },
    Budget { limit: String },
    ParentOver { parent: Option<String> },
    AlreadyStopping { allowed: Vec<&'static str> },
    NothingToUndo,
    CannotUndo { why: String },
    SettleFirst { allowed: Vec<&'static str> },
    UndoInProgress { undo_key: String, allowed: Vec<&'static str> },
}

impl machine::Refusal for Refusal {
    fn reason(&self) -> &'static str {
        match self {
            Self::NotNow { .. } => "not_now",
            Self::Ended { .. } => "ended",
            Self::NotOwed { .. } => "not_owed",
            Self::StaleApproval { .. } => "stale_approval",
            Self::NeedsPerson { .. } => "needs_person",
            Self::ScopeTooWide { .. } => "scope_too_wide",
            Self::KeyReused { .. } => "key_reused",
            Self::InvalidArgs { .. } => "invalid_args",
            Self::UnknownTool { .. } => "unknown_tool",
            Self::Budget { .. } => "budget",
            Self::ParentOver { .. } => "parent_over",
            Self::AlreadyStopping { .. } => "already_stopping",
            Self::NothingToUndo => "nothing_to_undo",
            Self::CannotUndo { .. } => "cannot_undo",
            Self::SettleFirst { .. } => "settle_first",
            Self::UndoInProgress { .. } => "undo_in_progress",
        }
    }

    fn allowed(&self) -> Vec<&'static str> {
        match self {
            Self::NotNow { allowed, .. }
            | Self::NotOwed { allowed, .. }
            | Self::StaleApproval { allowed, .. }
            | Self::NeedsPerson { allowed, .. }
            | Self::ScopeTooWide { allowed, .. }
            | Self::AlreadyStopping { allowed }
            | Self::SettleFirst { allowed }
            | Self::UndoInProgress { allowed, .. } => allowed.clone(),
            Self::Ended { .. }
            | Self::KeyReused { .. }
            | Self::InvalidArgs { .. }
            | Self::UnknownTool { .. }
            | Self::Budget { .. }
            | Self::ParentOver { .. }
            | Self::NothingToUndo
            | Self::CannotUndo { .. } => Vec::new(),
        }
    }

    fn details(&self) -> Value {
        match self {
            Self::NotNow { state, command, .. } | Self::NotOwed { state, command, .. } => {
                json!({ "state": state, "command": command })
            }
            Self::Ended { state } => json!({ "state": state }),
            Self::StaleApproval { prompt, hash, .. } => json!({ "prompt": prompt, "hash": hash }),
            Self::NeedsPerson { by, .. } => json!({ "by": by }),
            Self::ScopeTooWide { widest, .. } => json!({ "max": widest }),
            Self::KeyReused { key } => json!({ "key": key }),
            Self::InvalidArgs { path, expected } => tool::field(path, expected),
            Self::UnknownTool { name } => json!({ "name": name }),
            Self::Budget { limit } => json!({ "limit": limit }),
            Self::ParentOver { parent } => json!({ "parent": parent }),
            Self::CannotUndo { why } => json!({ "why": why }),
            Self::UndoInProgress { undo_key, .. } => json!({ "undo_key": undo_key }),
            Self::AlreadyStopping { .. } | Self::NothingToUndo | Self::SettleFirst { .. } => {
                json!({})
            }
        }
    }
}

/// Every command that would move the call now, given fitting data. Asking again under the same key
/// is answered everywhere and moves nothing, so it is named only where it makes the call.
#[must_use]
pub fn allowed(state: &State) -> Vec<&'static str> {
    match state {
        State::New => Vec::from(["Ask"]),
        State::Asked { expires, .. } => {
            let mut list = Vec::from(["Allow", "Deny", "Stop"]);
            list.extend(expires.map(|_| "Timeout"));
            list
        }
        State::Denied { .. } | State::Undone { .. } => Vec::new(),
        State::Allowed { gate: Gate::Ready, .. } => {
            Vec::from(["Deny", "Prepared", "PrepareFailed", "Stop"])
        }
        State::Allowed { gate: Gate::Wait { .. }, .. } => Vec::from(["Deny", "Stop", "Timeout"]),
        State::Started { phase: Phase::Running, .. } => {
            Vec::from(["Exited", "Lost", "Stop", "Timeout"])
        }
        State::Started { phase: Phase::Stopping { .. }, .. } => {
            Vec::from(["Exited", "Lost", "Timeout"])
        }
        State::Settled { .. } => undo_word(state).into_iter().collect(),
        State::Unknown { gate, .. } => {
            let mut list = match gate {
                UnknownGate::Probe => Vec::from(["Exited", "Probed", "Settle"]),
                UnknownGate::Wait { .. } => Vec::from(["Exited", "Settle", "Timeout"]),
                UnknownGate::AskPerson { .. } => Vec::from(["Exited", "Settle"]),
            };
            list.extend(undo_word(state));
            list
        }
        State::Undoing { .. } => Vec::from(["UndoEnded"]),
    }
}

fn undo_word(state: &State) -> Option<&'static str> {
    match ending::undoable(state) {
        Undoable::Yes => Some("Undo"),
        Undoable::Nothing | Undoable::Cannot(_) => None,
    }
}

/// The refusal of a pair that the table does not list.
pub fn unfit(state: &State, command: &Command) -> Refusal {
    match state {
        State::Denied { .. } | State::Undone { .. } => Refusal::Ended { state: state.name() },
        State::New
        | State::Asked { .. }
        | State::Allowed { .. }
        | State::Started { .. }
        | State::Settled { .. }
        | State::Unknown { .. }
        | State::Undoing { .. } => match addressed(state, command) {
            Addressed::Yes => Refusal::NotNow {
                state: state.name(),
                command: command.name(),
                allowed: allowed(state),
            },
            Addressed::No => not_owed(state, command),
        },
    }
}

/// A report or a timer of something this state does not owe.
pub fn not_owed(state: &State, command: &Command) -> Refusal {
    Refusal::NotOwed { state: state.name(), command: command.name(), allowed: allowed(state) }
}

enum Addressed {
    Yes,
    No,
}

/// Whether a report names what the state has on record. Timers, probes and undo ends are taken
/// wherever they are owed, so one that is refused is never the one on record.
fn addressed(state: &State, command: &Command) -> Addressed {
    let same = match command {
        Command::Ask(_)
        | Command::Allow(_)
        | Command::Deny { .. }
        | Command::Settle { .. }
        | Command::Stop(_)
        | Command::Undo(_) => true,
        Command::Prepared { attempt, .. }
        | Command::PrepareFailed { attempt, .. }
        | Command::Lost { attempt, .. } => state.attempt() == Some(*attempt),
        Command::Exited { attempt, epoch, .. } => {
            state.attempt() == Some(*attempt) && state.epoch() == Some(*epoch)
        }
        Command::Probed { .. } | Command::Timeout { .. } | Command::UndoEnded { .. } => false,
    };
    if same { Addressed::Yes } else { Addressed::No }
}
