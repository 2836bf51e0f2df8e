//! The phases of a turn and what each of them carries. Data lives in the phase where it means
//! something. No decisions here.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::evidence::{CheckResult, Failure};
use super::state::{AskedFrom, Open, Wait, Why};
use super::subject::Reach;
use crate::call;
use crate::machine::At;

/// What a fix or a question leads back to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Back {
    /// This step, once more.
    Step(String),
    /// The checks.
    Verify,
}

/// Whose step is at work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The plan's.
    Main,
    /// One that repairs.
    Fix {
        /// Its number.
        n: u32,
        /// What it leads back to.
        back: Back,
    },
}

/// A call that the step's agent asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inner {
    /// Its number in the attempt.
    pub n: u32,
    /// Hash of what is asked, by which the same call is known again.
    pub hash: String,
    /// What is asked.
    pub request: Box<call::Request>,
    /// Whether it may run.
    pub leave: Leave,
}

/// Whether an inner call may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Leave {
    Asked,
    Given,
}

/// Whether a call of the step may be under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flight {
    /// It was owed while nothing was held.
    Perhaps,
    /// It became owed during a hold.
    No,
}

/// Where in a step the turn is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The step.
    pub step: String,
    /// Which attempt at it.
    pub attempt: u32,
    /// Number of the call that is owed.
    pub n: u32,
    /// Number of the call that was asked for last; counts up within the attempt.
    pub last: u32,
    /// Which of the step's calls that is, from 0.
    pub at: u32,
    /// Whose step it is.
    pub origin: Origin,
    /// Calls that its agent asked for and has not heard of.
    pub inner: Vec<Inner>,
    /// How many it asked for in the step.
    pub asked: u32,
    /// How many were denied.
    pub denials: u32,
    /// How often a call gave a result, by both hashes.
    pub tally: BTreeMap<String, u32>,
    /// Paths that its agent says need no change, and that were there.
    #[serde(default)]
    pub unchanged: Vec<String>,
    /// Whether the owed call may be under way.
    pub flight: Flight,
}

/// What is being approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Subject {
    Plan,
    Patch,
    Call,
    Git,
}

/// Where a yes leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resume {
    /// The first step that is ready.
    Ready,
    /// The fix that was added last.
    Fix {
        /// What it leads back to.
        back: Back,
    },
    /// Where the turn stood.
    At(Box<Position>),
    /// The commit.
    Commit(Box<Summing>),
}

/// An open prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// Its number.
    pub k: u32,
    /// What is being approved.
    pub subject: Subject,
    /// Hash of exactly that.
    pub hash: String,
    /// What it touches.
    pub reach: Reach,
    /// When it closes; none = never.
    pub until: Option<At>,
    /// Where a yes leads.
    pub resume: Resume,
}

/// Which way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum RungKind {
    Degrade,
    Fix,
    Undo,
    Replan,
    Help,
}

/// Whether a new plan is one of those that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Counted {
    Yes,
    No,
}

/// A way out, under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// The next tool or agent; left in the batch in which it is chosen.
    Degrade {
        /// What is fallen back to.
        to: String,
    },
    /// A step that repairs.
    Fix {
        /// Its number.
        n: u32,
        /// Not before then.
        not_before: At,
    },
    /// Calls are taken back, the last first.
    Undo {
        /// Its number.
        n: u32,
        /// Which of them, from 1.
        i: u32,
        /// Those left, the next one last.
        left: Vec<String>,
    },
    /// Another plan.
    Replan {
        /// Its number.
        n: u32,
        /// Which call to the planner.
        attempt: u32,
        /// Patches that were no good.
        invalid: u32,
        /// What it has to keep to besides.
        note: Option<String>,
        /// What was wrong with the last patch.
        error: Option<String>,
        /// Whether it is counted.
        counted: Counted,
    },
    /// A person.
    Help {
        /// Its number.
        n: u32,
        /// Until then; none = for ever.
        until: Option<At>,
    },
    /// Nothing is left.
    Spent,
}

/// Recovering from a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Recovering {
    pub failure: Failure,
    pub back: Back,
    pub rung: Rung,
}

/// Whether the files moved once already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Rerun {
    No,
    Yes,
}

/// Running the checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verifying {
    /// Which round.
    pub round: u32,
    /// Which command, from 0.
    pub index: u32,
    /// Results so far.
    pub results: Vec<CheckResult>,
    /// Digest of the covered files, from the first result on.
    pub digest: Option<String>,
    /// Whether the files moved once already.
    pub rerun: Rerun,
}

/// How a turn ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Outcome {
    Completed,
    /// Nothing changed.
    Answered,
    Blocked {
        code: String,
        detail: String,
        step: Option<String>,
    },
    Denied {
        code: String,
        by: String,
        rule: Option<String>,
    },
    Cancelled {
        by: String,
    },
}

/// What the checks came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Verified {
    Passed,
    Failed,
    Skipped,
}

/// How far the end is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// An answer is being made.
    Answering {
        /// Which try.
        n: u32,
        /// What was wrong with the last.
        error: Option<String>,
    },
    /// The summary is being made.
    Drafting,
    /// The commit is being made.
    Committing,
}

/// Summing up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Summing {
    pub outcome: Outcome,
    pub verified: Verified,
    /// Where the answer lies.
    pub answer: Option<String>,
    /// Where the summary lies; none = drawn from the journal alone.
    pub summary: Option<String>,
    pub stage: Ending,
}

/// What became of the commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum GitResult {
    Committed { commit: String },
    Declined,
    Failed { code: String },
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Over {
    pub outcome: Outcome,
    pub verified: Verified,
    pub answer: Option<String>,
    pub summary: Option<String>,
    pub git: Option<GitResult>,
    pub at: At,
}

/// Where a turn that has begun stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "the words are the seed's own, the fields their records'")]
pub enum Phase {
    Intake { round: u32 },
    Clarifying { round: u32, questions: Vec<Open>, from: AskedFrom, wait: Wait },
    ContextBuilding { round: u32 },
    Planning { why: Why, n: u32, agent: u32 },
    AwaitingConfirmation(Box<Prompt>),
    Executing(Box<Position>),
    Verifying(Box<Verifying>),
    Recovering(Box<Recovering>),
    Summarizing(Box<Summing>),
    Done(Box<Over>),
}
