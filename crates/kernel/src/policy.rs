//! Minimal policy: what is granted at start runs, everything else asks. It matches whole argument
//! vectors, never substrings. Parsed rules, risk classes and paths come with the workspace tools.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// The policy's answer: `Allow < Ask < Deny`, the strictest wins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It may run.
    Allow {
        /// The rule or grant that says so.
        rule: String,
    },
    /// A person is asked.
    Ask {
        /// The rule that asks.
        rule: String,
    },
    /// It will not run.
    Deny {
        /// The rule that forbids.
        rule: String,
    },
}

/// An exact command that a person granted, with where it may run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Granted {
    /// Program and arguments, compared word by word.
    pub argv: Vec<String>,
    /// Directory relative to the root.
    pub cwd: String,
}

/// Whether the work tree's owner trusts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// A person said so.
    Trusted,
    /// Nobody did: nothing runs.
    Untrusted,
}

/// Judges one command against the grants its owner holds.
#[must_use]
pub fn judge(argv: &[String], cwd: &str, grants: &[Granted], trust: Trust) -> Verdict {
    match trust {
        Trust::Untrusted => Verdict::Deny { rule: "untrusted".to_string() },
        Trust::Trusted => {
            if grants.iter().any(|g| g.argv == argv && g.cwd == cwd) {
                Verdict::Allow { rule: "granted-at-start".to_string() }
            } else {
                Verdict::Ask { rule: "run-asks".to_string() }
            }
        }
    }
}
