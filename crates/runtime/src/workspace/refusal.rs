//! Why a workspace cannot be used, as values. The sentence is made where it is read.

use std::io;
use std::path::{Path, PathBuf};

use kernel::errors::{Class, Code, Machine};
use serde_json::{Value, json};

/// Why a directory cannot be a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyRoot {
    /// It is `/`.
    FileSystem,
    /// It is the home directory or above it.
    Home,
    /// It is the directory for temporary files itself.
    Temporary,
    /// It belongs to somebody else.
    Owner {
        /// Whose it is.
        uid: u32,
    },
}

/// Why a state directory is not ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyForeign {
    /// It is a symbolic link, or no directory at all.
    NotADirectory,
    /// Another user owns it.
    Owner,
    /// It says nothing readable about its owner.
    Unsigned,
    /// It was made under another key, or is a copy.
    Mark,
}

/// The words for what the system says; anything else has none.
const KINDS: [(io::ErrorKind, &str); 9] = [
    (io::ErrorKind::NotFound, "not_found"),
    (io::ErrorKind::PermissionDenied, "permission"),
    (io::ErrorKind::ReadOnlyFilesystem, "permission"),
    (io::ErrorKind::StorageFull, "no_space"),
    (io::ErrorKind::QuotaExceeded, "no_space"),
    (io::ErrorKind::Interrupted, "interrupted"),
    (io::ErrorKind::ResourceBusy, "busy"),
    (io::ErrorKind::NotADirectory, "not_a_file"),
    (io::ErrorKind::InvalidData, "not_a_file"),
];

/// Why a workspace cannot be used as asked. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Refusal {
    /// The directory cannot be a root.
    #[error("{} cannot be a workspace: {why:?}", path.display())]
    Root { path: PathBuf, why: WhyRoot },
    /// There is no directory of that name.
    #[error("no directory {}", path.display())]
    NoDirectory { path: PathBuf },
    /// `.loop` came from elsewhere; nothing in it is read.
    #[error("foreign state in {}: {why:?}", path.display())]
    Foreign { path: PathBuf, why: WhyForeign, origin: Option<String> },
    /// The user's repository tracks `.loop`: what we write there would be committed.
    #[error("{} is tracked by git", path.display())]
    Tracked { path: PathBuf },
    /// There is nothing to adopt.
    #[error("the state is not foreign")]
    NotForeign,
    /// No home directory is known.
    #[error("HOME is not set")]
    NoHome,
    /// The system said no.
    #[error("{kind}: {}: {detail}", path.display())]
    Io { kind: &'static str, path: PathBuf, detail: String },
}

impl Refusal {
    /// What the system said about a path.
    pub(super) fn io(path: &Path, error: &io::Error) -> Self {
        let found = KINDS.iter().find(|(kind, _)| *kind == error.kind());
        let kind = found.map_or("", |(_, word)| word);
        Self::Io { kind, path: path.to_owned(), detail: error.to_string() }
    }

    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        let refused = |word| Code::refused(Machine::Workspace, word);
        match self {
            Self::Root { .. } => refused("root_refused"),
            Self::Foreign { .. } => refused("foreign_state"),
            Self::Tracked { .. } => refused("state_tracked"),
            Self::NotForeign => refused("not_now"),
            Self::NoDirectory { .. } | Self::NoHome => Code::Class(Class::InvalidArgs),
            Self::Io { .. } => Code::Class(Class::Io),
        }
    }

    /// The facts for its sentence. What the system said stays out: it is for the trace.
    #[must_use]
    pub fn details(&self) -> Value {
        match self {
            Self::Root { path, why: why @ WhyRoot::Owner { uid } } => {
                json!({ "kind": "owner", "path": path, "why": why.word(), "uid": uid })
            }
            Self::Root { path, why } => json!({ "path": path, "why": why.word() }),
            Self::Foreign { path, why, origin } => {
                json!({ "path": path, "why": why.word(), "origin": origin })
            }
            Self::Tracked { path } => json!({ "path": path }),
            Self::NotForeign => json!({}),
            Self::NoDirectory { path } => json!({ "kind": "no_directory", "path": path }),
            Self::NoHome => json!({ "kind": "config_missing", "key": "HOME" }),
            Self::Io { kind: "", path, .. } => json!({ "path": path }),
            Self::Io { kind, path, .. } => json!({ "kind": kind, "path": path }),
        }
    }
}

impl WhyRoot {
    const fn word(self) -> &'static str {
        match self {
            Self::FileSystem => "file_system",
            Self::Home => "home",
            Self::Temporary => "temporary",
            Self::Owner { .. } => "owner",
        }
    }
}

impl WhyForeign {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NotADirectory => "not_a_directory",
            Self::Owner => "owner",
            Self::Unsigned => "unsigned",
            Self::Mark => "mark",
        }
    }
}
