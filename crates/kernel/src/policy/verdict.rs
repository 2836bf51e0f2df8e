//! The policy's answer and what it rests on: trust, and exact commands that a person granted. How
//! an answer is found is elsewhere.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::grant::Pin;

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

impl Verdict {
    /// The rule or grant that decided.
    #[must_use]
    pub fn rule(&self) -> &str {
        match self {
            Self::Allow { rule } | Self::Ask { rule } | Self::Deny { rule } => rule,
        }
    }

    /// Its word alone.
    #[must_use]
    pub const fn word(&self) -> Word {
        match self {
            Self::Allow { .. } => Word::Allow,
            Self::Ask { .. } => Word::Ask,
            Self::Deny { .. } => Word::Deny,
        }
    }
}

/// A verdict without its rule, as rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// It may run.
    Allow,
    /// A person is asked.
    Ask,
    /// It will not run.
    Deny,
}

impl Word {
    /// The word as written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// An exact command that a person granted, with where it may run and what it starts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Granted {
    /// Program and arguments, compared word by word.
    pub argv: Vec<String>,
    /// Directory relative to the root.
    pub cwd: String,
    /// The program it was granted for; another one is asked about. One recorded without it was
    /// granted for none.
    #[serde(default, skip_serializing_if = "Pin::is_none")]
    pub pin: Pin,
}

impl Granted {
    /// A command whose program nobody has looked at yet.
    #[must_use]
    pub fn new(argv: &[String], cwd: &str) -> Self {
        Self { argv: argv.to_vec(), cwd: cwd.to_string(), pin: Pin::default() }
    }

    /// Whether it is about this command, whatever that starts now.
    #[must_use]
    pub fn is_of(&self, argv: &[String], cwd: &str) -> bool {
        self.argv == argv && self.cwd == cwd
    }
}

/// Whether the work tree's owner trusts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// A person said so.
    Trusted,
    /// Nobody did: nothing runs.
    Untrusted,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strictest_verdict_is_the_greatest() {
        let allow = Verdict::Allow { rule: "z".to_string() };
        let deny = Verdict::Deny { rule: "a".to_string() };
        let ask = Verdict::Ask { rule: "b".to_string() };
        assert!(deny > ask && ask > allow);
        assert_eq!([allow, deny.clone(), ask].into_iter().max(), Some(deny));
    }
}
