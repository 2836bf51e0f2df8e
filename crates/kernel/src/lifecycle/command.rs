//! What can be said to a lifecycle: the seed's words, ours, and the ends of what it owes. What a
//! door cannot know (who holds the tree, what a file holds now) is filled in by the engine.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::check::{Digest, Evidence};
use super::phase::Failure;
use super::plan::{Finding, Patch, Plan};
use super::setup::{Begin, Budget, Spent};
use super::state::{NoteKind, Scope};
use super::task::Status;
use crate::machine::At;
use crate::policy::Granted as Program;
use crate::rollback::Conflicts;

/// How a pause treats what is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseHow {
    /// It runs to its end.
    AfterCurrent,
    /// It is stopped.
    Now,
}

/// What a person gives to a blocked run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Help {
    /// Words for the next turn.
    Guidance(String),
    /// It is fixed: only the checks are run.
    Fixed,
}

/// What becomes of tasks that need a skipped one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Dependants {
    Skip,
    Run,
}

/// A person's word about a rollback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Word {
    Go,
    Cancel,
}

/// A yes to a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirm {
    /// The question that was shown.
    pub question: String,
    /// The plan that was shown.
    pub plan_hash: String,
    /// For how long it counts.
    pub scope: Scope,
    /// What the plan's file holds now; the engine fills it in. None = it cannot be read.
    pub source_digest: Option<String>,
    /// The commands that it covers, with the programs that they start now; filled in.
    pub programs: Vec<Program>,
}

/// A person's help for a blocked run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intervention {
    /// What it is.
    pub help: Help,
    /// What may be spent besides.
    pub add_budget: Option<Budget>,
    /// The definition of a check that is accepted.
    pub accept_definition: Option<String>,
    /// A call of the run of which nobody can tell yet; the engine fills it in.
    pub unsettled: Option<String>,
}

/// A wish to go back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollbackWish {
    /// The checkpoint; none = the last one.
    pub to: Option<String>,
    /// The plan that was shown before.
    pub plan_hash: Option<String>,
    /// What is done with content that is not ours.
    pub conflicts: Conflicts,
    /// Whether the checkpoint is there and whole; the engine fills it in.
    pub intact: bool,
    /// Who is at work meanwhile; the engine fills it in.
    pub busy_with: Option<String>,
}

/// A change of the plan by a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amendment {
    /// What changes.
    pub patch: Patch,
    /// What is dangerous about the plan that comes of it; the engine fills it in.
    pub findings: Vec<Finding>,
    /// The commands of that plan with the programs that they start now; filled in.
    pub programs: Vec<Program>,
}

/// How a plan could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanFault {
    /// Why.
    pub failure: Failure,
    /// When a rate limit ends.
    pub reset_at: Option<At>,
    /// Whether another try that is told of it may help: what was made is not valid.
    pub correctable: bool,
}

/// How a checkpoint ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Saved {
    Ok { checkpoint: String },
    Failed { detail: String },
    BranchChanged { detail: String },
}

/// How a turn ended, as far as it matters here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnOutcome {
    /// It says that it is done.
    Completed,
    /// Policy or a person said no.
    Denied {
        /// By which rule.
        detail: String,
    },
    /// It could not go on.
    Blocked(Box<TurnFault>),
    /// Somebody stopped it.
    Cancelled {
        /// Who.
        by: String,
    },
}

/// Why a turn could not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TurnFault {
    pub failure: Failure,
    pub reset_at: Option<At>,
    pub agent: Option<String>,
}

/// The end of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TurnEnd {
    pub turn: String,
    pub outcome: TurnOutcome,
    pub files_changed: Vec<String>,
    /// What the task's checks came to within it.
    pub evidence: Vec<Evidence>,
    pub spent: Spent,
    /// What its agent said.
    pub claim: Option<String>,
}

/// The end of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum CheckEnd {
    Ran(Box<Evidence>),
    /// Policy said no, or it never started.
    Unavailable {
        detail: String,
    },
}

/// A rollback that was planned: what it does is shown, its hash is what a person approves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Hash of the plan.
    pub plan_hash: String,
    /// Calls after the checkpoint that may have changed files, the oldest first.
    pub calls: Vec<String>,
}

/// How a rollback ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum RolledEnd {
    Ok,
    Stopped { report: String },
}

/// What can be said to a lifecycle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own, the fields their records'")]
pub enum Command {
    UserInputRequirement {
        begin: Box<Begin>,
        busy_with: Option<String>,
    },
    UserModify {
        text: String,
        digest: String,
    },
    UserConfirm(Confirm),
    UserCancel,
    UserAbort {
        reason: Option<String>,
    },
    RetryPlan,
    Pause {
        how: PauseHow,
        reason: Option<String>,
    },
    Resume,
    ForceStop,
    HumanIntervention(Box<Intervention>),
    Rollback(RollbackWish),
    RollbackConfirm {
        question: String,
        plan_hash: String,
        word: Word,
    },
    SkipTask {
        dependants: Dependants,
    },
    Amend(Box<Amendment>),
    UpdateProgress {
        task: String,
        status: Status,
        summary: Option<String>,
    },
    Note {
        kind: NoteKind,
        task: Option<String>,
        text: String,
    },
    ParentCancel,
    /// A word that only follows from evidence.
    Derived {
        trigger: &'static str,
    },
    // The ends of what is owed.
    PlanReady {
        key: String,
        plan: Box<Plan>,
        spent: Spent,
        programs: Vec<Program>,
    },
    PlanFailed {
        key: String,
        fault: Box<PlanFault>,
        spent: Spent,
    },
    SourceChanged {
        digest: String,
    },
    Saved {
        key: String,
        end: Saved,
    },
    TurnEnded {
        key: String,
        end: Box<TurnEnd>,
    },
    Checked {
        key: String,
        end: CheckEnd,
    },
    Digested {
        key: String,
        digests: Vec<Digest>,
    },
    CallUnknown {
        key: String,
        call: String,
    },
    RollbackReady {
        key: String,
        plan: Result<Drawn, String>,
    },
    RolledBack {
        key: String,
        end: RolledEnd,
    },
    Archived {
        key: String,
        end: Result<String, String>,
    },
    /// A child that is not owed any more has ended, or never was.
    Settled {
        key: String,
        unknown: Option<String>,
        files_changed: Vec<String>,
        spent: Spent,
    },
    Due {
        slot: String,
    },
}
