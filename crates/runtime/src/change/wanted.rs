//! What a change shall do to one path, said before anything is saved or touched.

use kernel::paths::Rel;
use serde::{Deserialize, Serialize};

use super::content::{Content, Kind, directory};
use crate::tree::Hash;

/// What shall stand at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// Nothing.
    Absent,
    /// A regular file.
    File {
        /// All its bytes.
        bytes: Vec<u8>,
        /// Permission bits.
        mode: u32,
    },
    /// A symbolic link.
    Symlink {
        /// Where it leads.
        target: Vec<u8>,
    },
    /// A directory.
    Dir {
        /// Permission bits.
        mode: u32,
    },
}

impl Goal {
    /// As what will stand there.
    pub(super) fn content(&self) -> Option<Content> {
        match self {
            Self::Absent => None,
            Self::File { bytes, mode } => {
                Some(Content { kind: Kind::File, sha256: Hash::of(bytes), mode: *mode })
            }
            Self::Symlink { target } => {
                Some(Content { kind: Kind::Symlink, sha256: Hash::of(target), mode: 0o777 })
            }
            Self::Dir { mode } => Some(directory(*mode)),
        }
    }

    /// The bytes to be staged; none for what has none.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::File { bytes, .. } => Some(bytes),
            Self::Symlink { target } => Some(target),
            Self::Absent | Self::Dir { .. } => None,
        }
    }
}

/// What a directory that is not empty means for its removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Removal {
    /// The removal fails: it was asked for.
    #[default]
    Must,
    /// The directory stays: somebody uses it now.
    IfEmpty,
}

/// What shall become of one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The path.
    pub path: Rel,
    /// What must stand there now.
    pub expect: Option<Content>,
    /// What shall.
    pub goal: Goal,
    /// For directories.
    pub removal: Removal,
}
