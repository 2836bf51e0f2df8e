//! What a person's own command stands behind: agents that a run of theirs launches, and an undo
//! they asked for. Commands and files are judged elsewhere.

use alloc::string::ToString as _;

use serde::{Deserialize, Serialize};

use super::verdict::{Trust, Verdict};
use crate::machine::By;

/// Whether a person's own command stands behind an agent's launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backing {
    /// A person started the run that owns it, and so granted what the run said it would launch.
    Person,
    /// Nobody did.
    #[default]
    None,
}

impl Backing {
    /// What stands behind something that this one asks for.
    #[must_use]
    pub const fn by(by: &By) -> Self {
        if by.may_approve() { Self::Person } else { Self::None }
    }
}

/// Judges the commit of a turn whose own gate, or a person, let it commit.
#[must_use]
pub fn judge_commit(trust: Trust) -> Verdict {
    match trust {
        Trust::Untrusted => Verdict::Deny { rule: "untrusted".to_string() },
        Trust::Trusted => Verdict::Allow { rule: "commit-approved".to_string() },
    }
}

/// Judges the call that an agent of a turn asked for, once the turn has let it be.
#[must_use]
pub fn judge_inner(trust: Trust) -> Verdict {
    match trust {
        Trust::Untrusted => Verdict::Deny { rule: "untrusted".to_string() },
        Trust::Trusted => Verdict::Allow { rule: "turn-allowed".to_string() },
    }
}

/// Judges the undo that a person asked for.
#[must_use]
pub fn judge_undo(trust: Trust) -> Verdict {
    match trust {
        Trust::Untrusted => Verdict::Deny { rule: "untrusted".to_string() },
        Trust::Trusted => Verdict::Allow { rule: "undo-asked".to_string() },
    }
}
