//! The words for how well a call was held. They are measured or enforced elsewhere; here they only
//! get their names, which stand in records for ever.

use serde::{Deserialize, Serialize};

/// What held a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    /// Files by Landlock, system calls by seccomp.
    #[serde(rename = "landlock+seccomp")]
    Walled,
    /// Nothing.
    #[serde(rename = "none")]
    None,
}

impl Level {
    /// Its word in records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Walled => "landlock+seccomp",
            Self::None => "none",
        }
    }
}

/// How the protected names inside a writable work tree were kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Carve {
    /// Bound read-only in a mount namespace of the call's own.
    Mount,
    /// Hashed before and after; what differs is put back or told.
    Detected,
    /// Not at all.
    #[default]
    None,
}

impl Carve {
    /// Its word in records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mount => "mount",
            Self::Detected => "detected",
            Self::None => "none",
        }
    }
}

/// Which sockets a call may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// None but those of this machine's file system.
    None,
    /// Any.
    Open,
}
