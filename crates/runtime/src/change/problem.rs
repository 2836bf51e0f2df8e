//! Why a change was not made, as values with their code and facts. The sentence is made where it
//! is read.

use std::io;

use kernel::errors::{Class, Code};
use kernel::patch::{BadArgs, Conflict, Refused};
use kernel::paths::Rel;
use serde::Serialize;
use serde_json::{Value, json};

use super::content::Content;
use crate::files::Fault;
use crate::tree::Hash;

/// A path that does not hold what our last call left there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotOurs {
    /// The path.
    pub path: Rel,
    /// What stood there before the call.
    pub before: Option<Hash>,
    /// What the call left there.
    pub after: Option<Hash>,
    /// What is there now.
    pub present: Option<Hash>,
}

impl NotOurs {
    pub(super) fn new(path: &Rel, hashes: [Option<&Content>; 3]) -> Self {
        let [before, after, present] = hashes.map(|content| content.map(|it| it.sha256));
        Self { path: path.clone(), before, after, present }
    }
}

/// Why nothing, or not everything, was changed.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The arguments.
    #[error("argument {}: expected {}", .0.path, .0.expected)]
    Args(BadArgs),
    /// The patch, or the files it is for.
    #[error("the patch does not fit")]
    Patch(Refused),
    /// A path can't be used.
    #[error(transparent)]
    File(#[from] Fault),
    /// A file was changed between the look at it and the change.
    #[error("{path} changed since it was read")]
    #[expect(missing_docs, reason = "the fields say what they are")]
    Changed { path: Rel, expected: Option<Hash>, present: Option<Hash> },
    /// Paths that hold somebody else's content; nothing was undone.
    #[error("{} paths no longer hold what was written", .0.len())]
    Undo(Vec<NotOurs>),
    /// The bytes to restore are gone or are not those that were saved.
    #[error("the saved bytes of {path} are missing")]
    #[expect(missing_docs, reason = "the field says what it is")]
    UndoBytes { path: Rel },
    /// The record of a call can't be read, so it can't be undone by it.
    #[error("the undo record is damaged")]
    Damaged,
    /// A record of ours could not be written or read.
    #[error("{0}")]
    Record(#[source] io::Error),
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        Self::Patch(refused)
    }
}

impl From<BadArgs> for Problem {
    fn from(bad: BadArgs) -> Self {
        Self::Args(bad)
    }
}

impl Problem {
    /// Its code.
    pub fn code(&self) -> Code {
        let class = match self {
            Self::Args(_) | Self::Patch(Refused::Invalid(_)) => Class::InvalidArgs,
            Self::Patch(Refused::Conflicts(conflicts)) => first(conflicts).0,
            Self::File(fault) => return fault.code(),
            Self::Changed { .. } | Self::Undo(_) => Class::Conflict,
            Self::UndoBytes { .. } | Self::Damaged | Self::Record(_) => Class::Io,
        };
        Code::Class(class)
    }

    /// The detail word of its class; empty where there is none.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Args(_) => "",
            Self::Patch(Refused::Invalid(invalid)) => invalid.kind.name(),
            Self::Patch(Refused::Conflicts(conflicts)) => first(conflicts).1,
            Self::File(fault) => fault.kind(),
            Self::Changed { .. } => "changed_since_read",
            Self::Undo(_) => "undo_conflict",
            Self::UndoBytes { .. } | Self::Damaged => "undo_bytes_missing",
            Self::Record(error) => of_record(error).kind(),
        }
    }

    /// The facts for its sentence, its kind among them.
    pub fn details(&self) -> Value {
        let mut details = match self {
            Self::Args(bad) => json!({ "path": bad.path, "expected": bad.expected }),
            Self::Patch(Refused::Invalid(invalid)) => {
                json!({ "path": "/diff", "line": invalid.line, "expected": invalid.expected })
            }
            Self::Patch(Refused::Conflicts(conflicts)) => json!({
                "path": conflicts.first().map(|conflict| &conflict.path), "conflicts": conflicts,
            }),
            Self::File(fault) => return fault.details(),
            Self::Changed { path, expected, present } => {
                json!({ "path": path, "expected": expected, "present": present })
            }
            Self::Undo(paths) => {
                json!({ "path": paths.first().map(|first| &first.path), "paths": paths })
            }
            Self::UndoBytes { path } => json!({ "path": path }),
            Self::Damaged => json!({ "damaged": "manifest" }),
            Self::Record(_) => json!({}),
        };
        if !self.kind().is_empty() {
            details["kind"] = json!(self.kind());
        }
        details
    }
}

fn first(conflicts: &[Conflict]) -> (Class, &'static str) {
    conflicts.first().map_or((Class::Conflict, "no_match"), |conflict| conflict.why.failure())
}

fn of_record(error: &io::Error) -> Fault {
    Fault::io("", error)
}
