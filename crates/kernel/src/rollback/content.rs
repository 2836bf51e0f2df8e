//! What can stand at a path, at the checkpoint, after our last change, and now.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::action::Kept;
use super::path::RawPath;

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A regular file.
    File,
    /// A regular file its owner may execute.
    Executable,
    /// A symbolic link; the hash is that of its target's name.
    Link,
    /// A regular file whose bytes are not read; the hash stands for its size and time.
    Stamped,
}

/// Kind and hash of what stands at a path. Two are the same content only if both are equal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// File, executable, link, or only stamped.
    pub kind: Kind,
    /// Lower-case hex.
    pub sha256: String,
}

/// How it is known that a call changed a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Our own tool wrote it.
    Written,
    /// The agent's stream named it.
    Reported,
    /// Only the difference of two marks shows it.
    Observed,
}

/// What stood at a path when the checkpoint was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// This, so many bytes long.
    Present(Content, u64),
    /// Nothing: the run made it.
    Absent,
    /// Nobody knows, or nobody has the bytes.
    Unavailable(Kept),
}

/// What stands at a path now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Now {
    /// This.
    Present(Content),
    /// Nothing.
    Absent,
    /// Nothing, because what stands at this path above it is no directory.
    Below(RawPath),
    /// A directory with these files somewhere below it.
    Directory(Vec<RawPath>),
    /// Something that is neither file, link nor directory, or cannot be read.
    Strange,
}
