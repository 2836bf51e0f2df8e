//! How far a look goes: how large a file is still read, and whether secrets are.

use super::read::FILE_BYTES_MAX;

/// The bounds of a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// Larger files are stamped by size and time, not read.
    pub file_bytes_max: u64,
    /// Whether files whose names say that they hold secrets are read.
    pub secrets: Secrets,
}

/// Whether secrets belong to a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrets {
    /// They are listed and not read.
    Outside,
    /// The user asked for them.
    Inside,
}

impl Default for Scope {
    fn default() -> Self {
        Self { file_bytes_max: FILE_BYTES_MAX, secrets: Secrets::Outside }
    }
}
