//! The phases of a loop and the actions they carry. Data lives in the variant where it means
//! something. No decisions here.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::bounds::FAILED_KEPT;
use super::command::{BadAnswer, Seen};
use super::event::ActionResult;
use super::validation::{CheckReport, Counts, Validation};
use crate::call::Failure;
use crate::machine::At;

/// The five actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum Kind {
    Init,
    Develop,
    Debug,
    Validate,
    Complete,
}

/// What an action is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum Subject {
    Loop,
    Task { id: String },
    Problem { sig: String, text: String },
}

/// One child run of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Leg {
    Breakdown,
    Work,
    Explore,
    Instrument,
    Reproduce,
    Analyze,
    Restore,
    /// The check at this index of the course, counted from 1.
    Check(u32),
    Seal,
}

/// An action that is under way or held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// Its serial.
    pub n: u32,
    /// Which of the five.
    pub kind: Kind,
    /// What it is about.
    pub subject: Subject,
    /// The rule of the choice that chose it (`A5`), or `person`.
    pub rule: String,
    /// Its legs, in order.
    pub legs: Vec<Leg>,
    /// Index of the leg at work.
    pub at: u32,
    /// How often this leg was asked again because its answer was unusable.
    pub reask: u32,
    /// The leg's child, once it is known to exist.
    pub child: Option<String>,
    /// The last child it had, for whoever looks into it afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_child: Option<String>,
    /// When the action was chosen.
    pub started_at: At,
    /// Reports of checks that have run.
    pub reports: Vec<CheckReport>,
    /// Paths changed so far.
    pub files_changed: Vec<String>,
    /// What its instrument and restore legs did to the tree, one by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<LegChange>,
    /// What its work leg said of itself.
    pub summary: String,
    /// The digest that its seal read.
    pub sealed: Option<String>,
    /// What its reproduction showed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Box<Seen>>,
    /// A leg that failed while the tree still has to be put back.
    pub failure: Option<Failure>,
    /// A leg that was blocked while the tree still has to be put back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<Box<Block>>,
    /// The unusable answer that this leg is asked to correct.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bad: Option<Box<BadAnswer>>,
}

/// Why a leg could not be done here and now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// What is in the way.
    pub failure: Failure,
    /// When a rate limit ends.
    pub reset_at: Option<At>,
}

/// An action that a pause holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// As it stood.
    pub action: Action,
    /// Whether its child is being stopped.
    pub cut: bool,
}

/// Why a loop is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum PauseReason {
    User,
    UserExit,
    Parent,
    TaskFailed,
    Blocked,
    Stuck,
    Unverified,
    TreeMoving,
    IterationLimit,
    RunnerLost,
    ChildCancelled,
    Imported,
    Rebuilt,
}

/// A pause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paused {
    /// Why.
    pub reason: PauseReason,
    /// Who, as a word.
    pub by: String,
    /// Since when.
    pub at: At,
    /// The error behind a block.
    pub code: Option<String>,
    /// One line of evidence.
    pub detail: String,
    /// The action as it stood.
    pub held: Option<Held>,
    /// The question, if it asks one; open once nothing of it is at work.
    pub q: Option<u32>,
    /// When a rate limit ends.
    pub reset: Option<Reset>,
}

/// The end of a rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reset {
    /// When it ends.
    pub at: At,
    /// Serial of the timer that resumes then; none = only shown.
    pub wake: Option<u32>,
}

/// How a loop was completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum How {
    Validated { digest: String },
    Forced { by: String, why: String },
    Imported { source: String },
}

/// Why a loop failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum FailKind {
    Stopped,
    Limit,
    Error,
    FailFast,
    Cancelled,
    Imported,
}

/// Where a loop stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum Phase {
    Created,
    Acting(Action),
    Choosing { q: u32 },
    Lent { runner: Option<String>, lease_until: At, n: u32, journalled_at: At },
    Paused(Paused),
    Completed { at: At, how: How },
    Failed { at: At, kind: FailKind, reason: String, tail: Option<Action> },
}

/// One ended or dropped action, for pages and history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the history row's own")]
pub struct ActionRecord {
    pub n: u32,
    pub iteration: u32,
    pub kind: Kind,
    pub rule: String,
    pub task: Option<String>,
    pub child: Option<String>,
    pub started_at: At,
    pub ended_at: At,
    pub result: ActionResult,
    pub counted: bool,
    pub summary: String,
    pub files_changed: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<LegChange>,
    /// What a validation came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Box<RunRecord>>,
}

/// What one validation came to, without its tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the validation's own")]
pub struct RunRecord {
    pub counts: Counts,
    pub duration_ms: u64,
    /// None if nobody knows.
    pub pass_rate_tenths: Option<u32>,
    /// None if there was no coverage.
    pub coverage_tenths: Option<u32>,
    /// The first of them.
    pub failed_tests: Vec<String>,
}

impl RunRecord {
    /// What is kept of a validation when the next one takes its place.
    #[must_use]
    pub fn of(found: &Validation) -> Self {
        let failed = found.failed_tests.iter().take(FAILED_KEPT);
        Self {
            counts: found.counts,
            duration_ms: found.duration_ms,
            pass_rate_tenths: found.pass_rate_known.then_some(found.pass_rate_tenths),
            coverage_tenths: found.coverage_available.then_some(found.coverage_tenths),
            failed_tests: failed.cloned().collect(),
        }
    }
}

/// What one leg did to the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct LegChange {
    pub leg: Leg,
    pub at: At,
    pub files_changed: Vec<String>,
    /// Why it failed; none if it went well.
    pub error: Option<String>,
}
