//! What patches are answered with: the new content of files, or why not. Values only.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::errors::Class;

/// Whether a file may be executed: the one bit of a mode that a patch can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Executable {
    /// It may not.
    No,
    /// It may.
    Yes,
}

/// The content of a regular file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// All its bytes.
    pub bytes: Vec<u8>,
    /// Its executable bit.
    pub executable: Executable,
}

/// What happens to a path. A rename is a deletion and a creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// It was not there.
    Create,
    /// It is there and gets other content or another mode.
    Modify,
    /// It goes.
    Delete,
}

/// What becomes of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Relative to the root.
    pub path: String,
    /// What happens to it.
    pub action: Action,
    /// The path it had before, if it is renamed.
    pub from: Option<String>,
    /// What was there.
    pub before: Option<Content>,
    /// What shall be there.
    pub after: Option<Content>,
    /// Hunks applied, or places replaced.
    pub hunks: u32,
    /// Lines by which the hunk that moved furthest missed its stated line.
    pub offset: i64,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// Whether LF of the patch became CR LF.
    pub eol_translated: bool,
}

/// Why a place of a patch does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It fits nowhere.
    NoMatch,
    /// It fits in more places, or in another number of places, than may be.
    NotUnique,
    /// The file is not there.
    NotFound,
    /// A file is there that should not be.
    Exists,
    /// The file would not be empty when it goes.
    LeavesContent,
    /// The file is not what was read.
    ChangedSinceRead,
}

impl Why {
    /// The class and detail kind of a failure for this reason.
    pub const fn failure(self) -> (Class, &'static str) {
        match self {
            Self::NoMatch | Self::LeavesContent => (Class::Conflict, "no_match"),
            Self::NotUnique => (Class::Conflict, "not_unique"),
            Self::NotFound => (Class::Io, "not_found"),
            Self::Exists => (Class::Conflict, "exists"),
            Self::ChangedSinceRead => (Class::Conflict, "changed_since_read"),
        }
    }
}

/// One place where a patch does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The file.
    pub path: String,
    /// Which hunk of it, counted from 1; 0 when it is the file as a whole.
    pub hunk: u32,
    /// Why.
    pub why: Why,
    /// What the patch wants to find.
    pub want: Option<String>,
    /// What is there.
    pub found: Option<String>,
    /// Where that is, counted from 1.
    pub line: Option<u32>,
    /// Every place where it fits, the first few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u32>,
}

impl Conflict {
    /// Of a whole file.
    pub fn of_file(path: &str, why: Why) -> Self {
        Self {
            path: path.into(),
            hunk: 0,
            why,
            want: None,
            found: None,
            line: None,
            lines: Vec::new(),
        }
    }
}

/// What is wrong with a patch, whatever the files hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It can't be read.
    Malformed,
    /// It can be read, and asks for what is not done: binary, link, submodule, copy.
    Unsupported,
}

impl Kind {
    /// The detail kind of the failure.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Unsupported => "unsupported",
        }
    }
}

/// A patch that can't be used, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Invalid {
    /// What is wrong.
    pub kind: Kind,
    /// The line of the patch, counted from 1; 0 when it is no line.
    pub line: u32,
    /// What should be there.
    pub expected: &'static str,
}

/// Why a patch changed nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The patch itself.
    Invalid(Invalid),
    /// The files; every place is listed.
    Conflicts(Vec<Conflict>),
}

impl From<Invalid> for Refused {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}
