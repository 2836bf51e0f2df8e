//! What can go wrong with a checkpoint, as values: class and detail for the doors, no sentence.

use std::io;
use std::path::PathBuf;

use kernel::errors::Class;

use super::git::Missing;

/// The kind of having no git that can be used.
pub const NO_GIT: &str = "no_git";

/// Why there is no checkpoint, or why one cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no git that can be used.
    #[error("no usable git: {0:?}")]
    NoGit(Missing),
    /// Git ended badly; the last of what it said.
    #[error("git {step} failed: {said}")]
    Git {
        /// What it was to do.
        step: &'static str,
        /// The end of its error output.
        said: String,
    },
    /// The disk said no.
    #[error("{path}: {source}")]
    Io {
        /// What was being read or written.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Too little room.
    #[error("{free} bytes free, {need} needed above the floor")]
    NoSpace {
        /// What is free.
        free: u64,
        /// What would be written and must stay free.
        need: u64,
    },
    /// All that marks and checkpoints may take is taken.
    #[error("{used} bytes of {quota} are taken")]
    Quota {
        /// What is taken.
        used: u64,
        /// What may be.
        quota: u64,
    },
    /// More files than a project has; this directory holds most of them.
    #[error("too many files, most of them in {}", directory.display())]
    TooLarge {
        /// Relative to the root.
        directory: PathBuf,
    },
    /// Another directory stands where the root was.
    #[error("the root was replaced")]
    RootReplaced,
    /// No checkpoint of that name.
    #[error("no checkpoint {0}")]
    NoSuch(String),
    /// An object is missing, wrong, or names a path that is not allowed.
    #[error("damaged: {0}")]
    Damaged(String),
    /// Asked to stop, or cut off by a proof.
    #[error("stopped")]
    Stopped,
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    /// The class and its detail.
    pub fn class(&self) -> (Class, &'static str) {
        match self {
            Self::NoGit(_) => (Class::Io, NO_GIT),
            Self::Git { .. } => (Class::Io, "spawn"),
            Self::Io { source, .. } => (Class::Io, crate::io_kind(source).unwrap_or("interrupted")),
            Self::NoSpace { .. } => (Class::Io, "no_space"),
            Self::Quota { .. } => (Class::Io, "over_quota"),
            Self::TooLarge { .. } => (Class::Io, "too_large"),
            Self::NoSuch(_) => (Class::NotFound, ""),
            Self::Damaged(_) => (Class::Refused, "damaged"),
            Self::RootReplaced => (Class::Refused, "root_replaced"),
            Self::Stopped => (Class::Cancelled, "user"),
        }
    }
}

impl From<crate::tree::Error> for Error {
    fn from(error: crate::tree::Error) -> Self {
        match error {
            crate::tree::Error::Root(source) => Self::Io { path: PathBuf::from("."), source },
            crate::tree::Error::TooLarge { directory } => Self::TooLarge { directory },
        }
    }
}
