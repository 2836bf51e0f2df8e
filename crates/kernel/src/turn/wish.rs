//! What another machine asks of a turn that it owns. It names its row of the profiles and what the
//! turn is about; all else is the profile's, the settings' or the workspace's, and is filled in by
//! whoever starts it. What may be set at all is said by [`Start::shaped`](super::Start::shaped).

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::setup::{ChangeLimit, Profile};

/// What a parent asks of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// Its row.
    pub profile: Profile,
    /// The words.
    pub request: String,
    /// What holds whatever the plan says.
    pub constraints: Vec<String>,
    /// What should come out of it.
    pub expected_output: Option<String>,
    /// Who works: the first, then those it falls back to; empty = as the settings say.
    pub agents: Vec<String>,
    /// Command lines of the checks that it has to pass.
    pub checks: Vec<String>,
    /// Their times, by command line; those of others are as the settings say.
    pub checks_ms: BTreeMap<String, u64>,
    /// What the checks speak of, as globs; empty = the paths that the turn changes.
    pub covers: Vec<String>,
    /// The most that it may change.
    pub change: Option<ChangeLimit>,
    /// Where it may change anything, as globs; empty = everywhere.
    pub confine: Vec<String>,
    /// The time of its step; none = as the settings say.
    pub step_ms: Option<u64>,
    /// The language of what people and agents are told; none = as the settings say.
    pub lang: Option<String>,
}

impl Wish {
    /// These words and nothing more.
    #[must_use]
    pub fn new(profile: Profile, request: impl Into<String>) -> Self {
        Self {
            profile,
            request: request.into(),
            constraints: Vec::new(),
            expected_output: None,
            agents: Vec::new(),
            checks: Vec::new(),
            checks_ms: BTreeMap::new(),
            covers: Vec::new(),
            change: None,
            confine: Vec::new(),
            step_ms: None,
            lang: None,
        }
    }
}
