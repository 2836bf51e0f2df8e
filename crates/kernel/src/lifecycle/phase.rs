//! The seven states of the seed and their steps. Each carries only what means something there. No
//! decisions here.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::check::CheckError;
use super::plan::Plan;
use super::state::Work;
use crate::machine::At;
use crate::rollback::Conflicts;

/// The word of an attempt that changed nothing.
pub const NO_CHANGE: &str = "no_change";

/// Why something failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Most specific code (`E_BUILD_FAIL`), or a word of ours.
    pub code: String,
    /// Its detail word.
    pub kind: String,
    /// One line for people.
    pub summary: String,
    /// Equal for the same failure seen again.
    pub signature: String,
    /// Whether it was seen before on this task.
    pub repeat: bool,
    /// The check that failed, if one did.
    pub check: Option<String>,
    /// The first errors.
    pub errors: Vec<CheckError>,
    /// Digest of the covered files that failed.
    pub digest: Option<String>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Outcome {
    Completed,
    Partial,
    Aborted,
    RolledBack,
    Cancelled,
}

/// How the work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum WorkResult {
    Completed,
    Partial,
    Aborted,
}

/// A run that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// How.
    pub outcome: Outcome,
    /// When.
    pub at: At,
    /// Where the record lies.
    pub archive: Option<String>,
    /// What was planned, if it never came to work.
    pub plan: Option<Box<Plan>>,
    /// What was worked at.
    pub work: Option<Box<Work>>,
    /// Revisions so far.
    pub revision: u32,
}

/// How far a plan is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Draft {
    Drafting { n: u32, failed: u32, correction: Option<String> },
    Stuck { n: u32, failed: u32, failure: Failure, reset_at: Option<At> },
}

/// A plan is being made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planning {
    /// Which revision.
    pub revision: u32,
    /// How far it is.
    pub step: Draft,
    /// What was there before, as input.
    pub before: Option<Box<Plan>>,
}

/// A plan waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Confirming {
    pub plan: Plan,
    pub hash: String,
    pub question: String,
    pub asked_at: At,
    pub expires: Option<At>,
    /// Risks that a grant does not hold.
    pub new_risks: Vec<String>,
}

/// What a failed check leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFail {
    /// The task was only claimed to be done: it is done now.
    Turn,
    /// A fix.
    Fix,
}

/// One step at a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Step {
    Save { n: u32, guidance: Option<String> },
    Turn { n: u32, guidance: Option<String> },
    Check { n: u32, i: u32, on_fail: OnFail, moved: bool, rounds: u32 },
}

/// What an executing run does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Doing {
    Task { task: String, step: Step },
    Seal { n: u32, rounds: u32 },
    SealCheck { n: u32, i: u32, stale: Vec<String>, moved: bool, rounds: u32 },
}

/// The work goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Executing {
    pub work: Work,
    pub doing: Doing,
}

/// A step of a fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum FixStep {
    Turn { k: u32 },
    Check { k: u32, i: u32, n: u32, moved: bool, rounds: u32 },
}

/// A failure is being fixed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct AutoFix {
    pub work: Work,
    pub task: String,
    /// From 1.
    pub attempt: u32,
    pub failure: Failure,
    /// What is to be repaired, where the last attempt failed by something else.
    #[serde(default)]
    pub cause: Option<Failure>,
    pub seen: Vec<String>,
    pub step: FixStep,
    /// What the turn of this fix changed.
    #[serde(default)]
    pub changed: Vec<String>,
}

/// Why a run cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Why {
    FixLimit,
    SameFailure,
    ForceStop,
    CannotVerify,
    DefinitionChanged,
    TreeMoving,
    OutcomeUnknown,
    PolicyDenied,
    Io,
    AgentUnavailable,
    AgentBlocked,
    Quota,
    CheckpointFailed,
    BranchChanged,
    Budget,
    RollbackFailed,
}

/// How far a rollback is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Rolling {
    Plan { id: u32, to: String, wanted: Option<String>, conflicts: Conflicts },
    Ask { id: u32, to: String, plan_hash: String, calls: Vec<String>, conflicts: Conflicts },
    Run { id: u32, to: String, plan_hash: String, calls: Vec<String>, conflicts: Conflicts },
}

/// A person is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Blocked {
    pub work: Work,
    pub task: Option<String>,
    pub why: Why,
    /// The attempt at which it stopped.
    pub attempts: u32,
    pub failure: Option<Failure>,
    /// What was to be repaired, where the last attempt failed by something else.
    #[serde(default)]
    pub cause: Option<Failure>,
    pub since: At,
    /// The number of its question.
    pub q: u64,
    /// When a rate limit ends.
    pub reset_at: Option<At>,
    /// Whose limit.
    pub agent: Option<String>,
    pub detail: String,
    pub rolling: Option<Rolling>,
}

/// How far the archive is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Archive {
    Settling { keys: Vec<String> },
    Writing { tries: u32, retry_at: Option<At> },
}

/// The record is being written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Archiving {
    pub work: Work,
    pub result: WorkResult,
    pub step: Archive,
    /// When the work ended; the record's name holds its month.
    pub since: At,
}

/// The states of the seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum Phase {
    Idle(Box<Ended>),
    Planning(Box<Planning>),
    Confirming(Box<Confirming>),
    Executing(Box<Executing>),
    AutoFix(Box<AutoFix>),
    Blocked(Box<Blocked>),
    Archiving(Box<Archiving>),
}
