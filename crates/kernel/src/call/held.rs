//! What kept a process inside its walls beside the level itself, and what it did against them:
//! facts of an exit record. What they mean for the outcome is in `ending`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// Step of a start at which protected names are kept from being written.
const CARVE: &str = "carve";
/// Step at which the walls go up.
const SANDBOX: &str = "sandbox";

/// How a process was held.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Held {
    /// How protected names were kept: `mount`, `detected` or `none`; empty where no process ran.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub carve_out: String,
    /// Protected paths it changed all the same. They hold again what they held before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub put_back: Vec<String>,
    /// Protected paths that moved on meanwhile, as a branch does: told, and left alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<String>,
    /// Why the program never began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_begun: Option<NotBegun>,
}

/// Which step of a start failed, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotBegun {
    /// The step, as the shim names it.
    pub step: String,
    /// The system's words.
    pub error: String,
}

impl NotBegun {
    /// Whether it was the walls that could not be put up.
    #[must_use]
    pub fn at_the_walls(&self) -> bool {
        self.step == SANDBOX || self.step == CARVE
    }
}
