//! What a lifecycle is started with: the requirement, the settings in force and what was granted.
//! Recorded at the start, so that a fold needs no configuration.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::bounds;
use super::plan::Ask;
use crate::policy::{Backing, Granted as Program};
pub use crate::turn::{CheckedOut, OnFailure, ParentRef};

/// What may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the settings' own")]
pub struct Budget {
    pub turns: u32,
    pub wall_ms: u64,
    /// None = without limit.
    pub cost_micros: Option<u64>,
}

/// What was spent; never falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the settings' own")]
pub struct Spent {
    pub turns: u32,
    pub wall_ms: u64,
    pub cost_micros: u64,
    #[serde(default)]
    pub tokens: u64,
}

impl Spent {
    pub(super) const fn add(&mut self, more: Self) {
        self.turns = self.turns.saturating_add(more.turns);
        self.wall_ms = self.wall_ms.saturating_add(more.wall_ms);
        self.cost_micros = self.cost_micros.saturating_add(more.cost_micros);
        self.tokens = self.tokens.saturating_add(more.tokens);
    }
}

/// Whether something is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Switch {
    On,
    #[default]
    Off,
}

/// Settings in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the settings' own")]
pub struct Options {
    pub on_failure: OnFailure,
    /// 0 = blocked at once.
    pub fix_limit: u32,
    pub stop_on_repeat: Switch,
    pub fix_total_per_task: u32,
    pub fix_total_per_run: u32,
    pub allow_self_modifying: Switch,
    /// Whether a task needs its checkpoint.
    pub checkpoint_required: Switch,
    /// None = never.
    pub confirm_expiry_ms: Option<u64>,
    pub budget: Budget,
    /// Who works: the first, then those it falls back to.
    pub agents: Vec<String>,
    /// Agents whose rate limit is waited out.
    pub resume_at_reset: Vec<String>,
    pub lang: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            on_failure: OnFailure::Stop,
            fix_limit: 3,
            stop_on_repeat: Switch::Off,
            fix_total_per_task: 9,
            fix_total_per_run: 30,
            allow_self_modifying: Switch::Off,
            checkpoint_required: Switch::On,
            confirm_expiry_ms: None,
            budget: Budget { turns: 200, wall_ms: 8 * 3_600_000, cost_micros: None },
            agents: Vec::new(),
            resume_at_reset: Vec::new(),
            lang: String::from("en"),
        }
    }
}

impl Options {
    /// Settings never reach beyond their range.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        self.fix_limit = self.fix_limit.min(bounds::FIX_LIMIT_CEILING);
        self
    }
}

/// What a person allowed before the plan was there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Granted {
    /// The question that was answered, or the grant's id.
    pub question: String,
    /// Digest of what was granted.
    pub digest: String,
    /// Risks that were accepted.
    pub risks: Vec<String>,
    /// Commands that were accepted, each for the program that it started; none = those that the
    /// granted document lists, whatever they start.
    #[serde(default)]
    pub programs: Option<Vec<Program>>,
    /// Who said so.
    pub by: String,
}

/// What a lifecycle is started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Begin {
    pub id: String,
    pub parent: Option<ParentRef>,
    pub session_id: Option<String>,
    pub ask: Ask,
    pub options: Options,
    pub grant: Option<Granted>,
    #[serde(default)]
    pub backing: Backing,
    /// What was checked out when it began.
    #[serde(default)]
    pub head: CheckedOut,
}
