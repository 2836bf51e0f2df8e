//! Where a turn stands. Data lives in the phase where it means something; the plan and its evidence
//! mean something from the moment the plan is accepted until the end. No decisions here.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::evidence::CheckResult;
use super::models::{Asking, IntakeReport, Scope};
use super::pack::PackRef;
pub use super::phase::*;
use super::plan::{Plan, Step};
use super::setup::Start;
use super::subject::Reach;
use crate::machine::At;

/// Where a turn stands.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum State {
    /// Waits for words.
    #[default]
    Idle,
    /// Has them.
    Begun(Box<Life>),
}

/// A turn that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Life {
    pub body: Body,
    pub phase: Phase,
}

/// What every phase has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// What it was started with.
    pub start: Start,
    /// When it began.
    pub created_at: At,
    /// When the last fact was recorded.
    pub updated_at: At,
    /// What was spent; never falls.
    pub ledger: Ledger,
    /// Active time.
    pub clock: Clock,
    /// Whether it is held.
    pub hold: Option<Hold>,
    /// Next numbers of keys; never used again.
    pub next: Numbers,
    /// How often the effect that is owed never happened.
    pub reowed: u32,
    /// The key of a call of which nobody can tell whether it happened.
    pub unknown: Option<String>,
    /// The key of a call that a person is asked about before it begins.
    #[serde(default)]
    pub asks: Option<String>,
    /// What was wrong with the last plan that was not taken; none once one is.
    #[serde(default)]
    pub rejected: Option<String>,
    /// When the last rate limit that was met ends.
    #[serde(default)]
    pub reset_at: Option<At>,
    /// Whose limit that is.
    #[serde(default)]
    pub limited: Option<String>,
    /// What intake found.
    pub intake: Option<IntakeReport>,
    /// What people answered, and what was assumed instead.
    pub answers: Vec<Told>,
    /// What a planner is told of the workspace; none = only the words and a list of files.
    pub pack: Option<PackRef>,
    /// The plan and everything that came of it.
    pub work: Option<Box<Work>>,
}

/// Counters that never fall: neither a restart nor another agent nor a new plan resets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Ledger {
    pub fixes: u32,
    pub replans: u32,
    pub revisions: u32,
    pub corrections: u32,
    pub calls: u32,
    pub tokens: u64,
    pub cost_micros: u64,
}

/// Active time: waiting for a person or held does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Clock {
    /// Since when it counts; none while it waits.
    pub since: Option<At>,
    /// Counted before that.
    pub active_ms: u64,
    /// What was left for the effect that is owed, at that moment.
    pub left_ms: u64,
}

/// What goes on while a turn is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// What has started runs to its end.
    AfterCurrent,
    /// Nothing.
    Now,
}

/// A hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Hold {
    pub by: String,
    pub at: At,
    pub keep: Keep,
}

/// Next numbers of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the keys' own")]
pub struct Numbers {
    pub intake: u32,
    pub clarify: u32,
    pub context: u32,
    pub plan: u32,
    pub confirm: u32,
    pub verify: u32,
    pub undo: u32,
    pub replan: u32,
    pub help: u32,
    pub answer: u32,
    pub summary: u32,
    pub git: u32,
    pub checkpoint: u32,
}

/// What a person answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The question.
    pub question: String,
    /// The answer; none = go on, the turn assumes.
    pub answer: Option<String>,
}

/// A question with the id it is answered by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Open {
    pub id: String,
    pub asking: Asking,
}

/// Where questions came from, and so where their answers lead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum AskedFrom {
    Intake,
    Execution { back: Back },
}

/// How long questions wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wait {
    /// Until then; none = for ever, by setting.
    Open {
        /// Then.
        until: Option<At>,
    },
    /// Without limit, still answerable.
    Parked {
        /// Since then.
        since: At,
    },
}

/// Why a plan is being made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Why {
    First,
    Given {
        sha256: String,
    },
    Direct,
    Continued {
        turn: String,
    },
    Revise {
        note: String,
    },
    Correct {
        error: String,
        /// What a person said of the plan before it, which still holds.
        #[serde(default)]
        note: Option<String>,
    },
}

/// The plan and everything that came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The plan.
    pub plan: Plan,
    /// Hash of what would be approved.
    pub hash: String,
    /// What it touches.
    pub reach: Reach,
    /// What its commands stood for when it was accepted.
    pub definitions: BTreeMap<String, String>,
    /// The yes to exactly this hash.
    pub approval: Option<Approval>,
    /// Steps made to repair others; no part of the plan.
    pub fixes: Vec<Step>,
    /// Attempts by step id, also of steps that are gone: keys are never used again.
    pub attempts: BTreeMap<String, u32>,
    /// Ways out that were tried.
    pub tried: Vec<Tried>,
    /// Paths that were changed, with lines.
    pub changed: BTreeMap<String, u64>,
    /// Calls that changed something, oldest first.
    pub writes: Vec<Wrote>,
    /// Whether the tree was kept.
    pub kept: Kept,
    /// Agents fallen back to, by step.
    pub fallen: BTreeMap<String, u32>,
    /// Finished rounds of checks.
    pub rounds: Vec<Round>,
    /// Whether an agent ended a step by a bare word.
    #[serde(default)]
    pub bare: bool,
}

/// A yes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Approval {
    pub hash: String,
    pub by: ApprovedBy,
}

/// Who said yes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ApprovedBy {
    Policy { rule: String },
    Person { prompt: String, scope: Scope },
}

/// A way out that was tried at a place for a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Tried {
    pub back: Back,
    pub signature: String,
    pub rung: RungKind,
}

/// A call that changed something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Wrote {
    pub call_id: String,
    pub step: String,
    pub files: Vec<String>,
    /// Whether it repaired: a step of the plan may have the same id as a repair.
    #[serde(default)]
    pub repairs: bool,
    /// How many repairs had begun by then.
    #[serde(default)]
    pub fixes: u32,
}

/// Whether the tree was kept before it is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Kept {
    NotNeeded,
    Due,
    Done,
}

/// A finished round of checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Round {
    pub round: u32,
    pub results: Vec<CheckResult>,
}
