//! Why a file was not reached or not used, as values with their code and facts. The sentence is
//! made where it is read.

use std::io;

use kernel::errors::{Class, Code, Machine};
use kernel::paths;
use rustix::io::Errno;
use serde_json::{Value, json};

use super::facts::{Kind, OnlyRead};

/// The words for what the system says; anything else has none.
const KINDS: [(Errno, &str); 15] = [
    (Errno::NOENT, "not_found"),
    (Errno::ACCESS, "permission"),
    (Errno::PERM, "permission"),
    (Errno::ROFS, "permission"),
    (Errno::NOSPC, "no_space"),
    (Errno::DQUOT, "no_space"),
    (Errno::INTR, "interrupted"),
    (Errno::BUSY, "busy"),
    (Errno::AGAIN, "busy"),
    (Errno::TXTBSY, "busy"),
    (Errno::NOTDIR, "not_a_file"),
    (Errno::ISDIR, "not_a_file"),
    (Errno::NXIO, "not_a_file"),
    (Errno::NODEV, "not_a_file"),
    (Errno::FBIG, "too_large"),
];

/// Why nothing was done with a path. Every path is relative to the root.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Fault {
    /// Not written as a tool's path is.
    #[error("{path:?} is no path for a tool: {why}")]
    Path { path: String, why: paths::Bad },
    /// It leads outside the root.
    #[error("{path} leads outside the workspace")]
    Outside { path: String },
    /// Its name is protected against this.
    #[error("{path} is protected: {class:?}")]
    Protected { path: String, class: paths::Class },
    /// A symbolic link stands where none may be, or links go in a circle.
    #[error("{path} is, or goes through, a symbolic link")]
    Symlink { path: String },
    /// The file has other names, which a change would reach too.
    #[error("{path} has {links} names")]
    Hardlink { path: String, links: u64 },
    /// Something else than a regular file.
    #[error("{path} is no regular file: {kind:?}")]
    NotAFile { path: String, kind: Kind },
    /// A file that may be read and not changed.
    #[error("{path} may only be read: {why:?}")]
    OnlyRead { path: String, why: OnlyRead },
    /// More bytes than are handled at once.
    #[error("{path} has more than {bytes_max} bytes")]
    TooLarge { path: String, bytes_max: u64 },
    /// Another directory stands where the root was. Nothing more is done there.
    #[error("the workspace directory was replaced")]
    RootReplaced { path: String },
    /// The arguments do not fit; `at` is a JSON pointer.
    #[error("argument {at}: expected {expected}")]
    Args { at: String, expected: String },
    /// The system has no `openat2`, and without it nothing is promised.
    #[error("this system cannot open files beneath a directory")]
    NoBeneath,
    /// The system said no.
    #[error("{kind}: {path}: {detail}")]
    Io { kind: &'static str, path: String, detail: String },
}

impl Fault {
    /// What the system said about a path.
    #[must_use]
    pub fn errno(path: &str, errno: Errno) -> Self {
        let path = path.to_owned();
        match errno {
            Errno::XDEV => Self::Outside { path },
            Errno::LOOP => Self::Symlink { path },
            Errno::NOSYS => Self::NoBeneath,
            Errno::NAMETOOLONG => Self::Path { path, why: paths::Bad::PathTooLong },
            _ => {
                let found = KINDS.iter().find(|(known, _)| *known == errno);
                let kind = found.map_or("", |(_, word)| word);
                Self::Io { kind, path, detail: errno.to_string() }
            }
        }
    }

    /// What the system said about a path, in the standard library's words.
    #[must_use]
    pub fn io(path: &str, error: &io::Error) -> Self {
        match Errno::from_io_error(error) {
            Some(errno) => Self::errno(path, errno),
            None => Self::Io { kind: "", path: path.to_owned(), detail: error.kind().to_string() },
        }
    }

    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Path { .. }
            | Self::Outside { .. }
            | Self::Protected { .. }
            | Self::Symlink { .. }
            | Self::Hardlink { .. } => Code::Class(Class::PolicyDenied),
            Self::NotAFile { .. }
            | Self::OnlyRead { .. }
            | Self::TooLarge { .. }
            | Self::NoBeneath
            | Self::Io { .. } => Code::Class(Class::Io),
            Self::RootReplaced { .. } => Code::refused(Machine::Workspace, "root_replaced"),
            Self::Args { .. } => Code::Class(Class::InvalidArgs),
        }
    }

    /// The detail word of its class; empty where there is none.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Path { .. } | Self::Outside { .. } => "path",
            Self::Protected { .. } => "protected",
            Self::Symlink { .. } => "symlink",
            Self::Hardlink { .. } => "hardlink",
            Self::NotAFile { .. } => "not_a_file",
            Self::OnlyRead { .. } => "permission",
            Self::TooLarge { .. } => "too_large",
            Self::RootReplaced { .. } | Self::Args { .. } | Self::NoBeneath => "",
            Self::Io { kind, .. } => kind,
        }
    }

    /// The facts for its sentence, its kind among them. What the system said stays out: it is
    /// for the trace.
    #[must_use]
    pub fn details(&self) -> Value {
        let mut details = match self {
            Self::Path { path, why } => json!({ "path": path, "why": why.word() }),
            Self::Outside { path } => json!({ "path": path, "why": "outside" }),
            Self::Protected { path, class } => json!({ "path": path, "protected": class.word() }),
            Self::Hardlink { path, links } => json!({ "path": path, "links": links }),
            Self::NotAFile { path, kind } => json!({ "path": path, "found": kind.word() }),
            Self::OnlyRead { path, why } => json!({ "path": path, "why": why.word() }),
            Self::TooLarge { path, bytes_max } => json!({ "path": path, "bytes_max": bytes_max }),
            Self::Args { at, expected } => json!({ "path": at, "expected": expected }),
            Self::NoBeneath => json!({ "missing": "openat2" }),
            Self::Symlink { path } | Self::RootReplaced { path } | Self::Io { path, .. } => {
                json!({ "path": path })
            }
        };
        if !self.kind().is_empty() {
            details["kind"] = json!(self.kind());
        }
        details
    }
}
