//! The facts of a lifecycle. A trigger of the seed is recorded under its own name; what happens
//! within a state has a name of ours. A fact says exactly what it changes.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::check::{Digest, Evidence};
use super::phase::{Doing, Failure, FixStep, OnFail, Rolling, Why, WorkResult};
use super::plan::{Ask, Plan};
use super::setup::{Begin, Budget, Spent};
use super::state::{Approval, NoteKind};
use super::task::{CloseWhy, Status};
use crate::machine::At;

/// A requirement that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Taken {
    First(Box<Begin>),
    Again { ask: Ask, revision: u32 },
}

/// Why a run was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum CancelWhy {
    Asked,
    Modify,
    SourceChanged,
    Expired,
    Parent,
}

/// What a person is asked about a plan that was changed before the yes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// When the question runs out.
    pub expires: Option<At>,
    /// Risks that a grant does not hold.
    pub new_risks: Vec<String>,
}

/// Which way a blocked task goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Helped {
    pub by: String,
    pub guidance: Option<String>,
    pub add_budget: Option<Budget>,
    pub accept_definition: Option<String>,
}

/// Why and where a run halted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Halted {
    pub why: Why,
    pub task: Option<String>,
    pub detail: String,
    pub failure: Option<Failure>,
    pub reset_at: Option<At>,
    pub agent: Option<String>,
    pub unknown_call: Option<String>,
}

/// One recorded fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words are the page's own, the fields their records'")]
pub enum Event {
    UserInputRequirement {
        taken: Taken,
    },
    PrdGenerated {
        plan: Box<Plan>,
        hash: String,
        expires: Option<At>,
        new_risks: Vec<String>,
    },
    UserConfirm {
        approval: Box<Approval>,
    },
    UserCancel {
        by: String,
        why: CancelWhy,
    },
    ErrorDetected {
        task: String,
        failure: Box<Failure>,
    },
    FixSuccess,
    FixFailed3x {
        failure: Box<Failure>,
    },
    HumanIntervention {
        helped: Box<Helped>,
    },
    Rollback {
        to: String,
    },
    AllTasksDone {
        result: WorkResult,
    },
    ArchiveComplete {
        archive: String,
    },
    SkipTask {
        by: String,
        task: String,
        status: Status,
        satisfied: bool,
    },
    ForceStop {
        by: String,
    },
    UserAbort {
        by: String,
        reason: Option<String>,
        keys: Vec<String>,
    },
    Halt {
        halted: Box<Halted>,
    },
    PlanFailed {
        failure: Box<Failure>,
        reset_at: Option<At>,
    },
    RetryPlan {
        n: u32,
        correction: Option<String>,
    },
    Pause {
        by: String,
        reason: Option<String>,
        keep: Vec<String>,
        cut: Vec<String>,
    },
    Resume {
        by: String,
    },
    PlanAmended {
        plan: Box<Plan>,
        hash: String,
        approval: Option<Box<Approval>>,
        reason: String,
        #[serde(default)]
        asked: Option<Box<Asked>>,
    },
    TaskStarted {
        task: String,
    },
    StepBegan {
        doing: Doing,
    },
    FixBegan {
        attempt: u32,
        counts: bool,
        step: FixStep,
    },
    CheckpointMade {
        task: String,
        checkpoint: String,
    },
    TurnSpent {
        task: Option<String>,
        spent: Spent,
        files_changed: Vec<String>,
    },
    EvidenceRecorded {
        evidence: Box<Evidence>,
        tasks: Vec<String>,
    },
    DigestsSeen {
        digests: Vec<Digest>,
    },
    TaskClosed {
        task: String,
        status: Status,
        why: CloseWhy,
    },
    TaskReopened {
        by: String,
        task: String,
    },
    ProgressClaimed {
        by: String,
        task: String,
        status: Status,
        summary: Option<String>,
    },
    FixAttempted {
        failure: Box<Failure>,
        files_changed: Vec<String>,
    },
    RollbackBegan {
        rolling: Rolling,
    },
    RollbackPlanned {
        plan_hash: String,
        calls: Vec<String>,
    },
    RollbackConfirmed {
        plan_hash: String,
    },
    RollbackStopped {
        report: String,
    },
    RollbackLeft,
    ArchiveFault {
        detail: String,
        retry_at: At,
    },
    ArchiveRetried,
    TurnLeft {
        key: String,
    },
    ChildSettled {
        key: String,
        unknown: Option<String>,
        files_changed: Vec<String>,
        #[serde(default)]
        spent: Spent,
    },
    NoteTaken {
        by: String,
        kind: NoteKind,
        task: Option<String>,
        text: String,
    },
    NeverBegan,
}

impl OnFail {
    /// Whether the task is only claimed to be done.
    #[must_use]
    pub const fn is_claim(self) -> bool {
        match self {
            Self::Turn => true,
            Self::Fix => false,
        }
    }
}

impl Event {
    /// The fact's name, as recorded.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::UserInputRequirement { .. } => "USER_INPUT_REQUIREMENT",
            Self::PrdGenerated { .. } => "PRD_GENERATED",
            Self::UserConfirm { .. } => "USER_CONFIRM",
            Self::UserCancel { .. } => "USER_CANCEL",
            Self::ErrorDetected { .. } => "ERROR_DETECTED",
            Self::FixSuccess => "FIX_SUCCESS",
            Self::FixFailed3x { .. } => "FIX_FAILED_3X",
            Self::HumanIntervention { .. } => "HUMAN_INTERVENTION",
            Self::Rollback { .. } => "ROLLBACK",
            Self::AllTasksDone { .. } => "ALL_TASKS_DONE",
            Self::ArchiveComplete { .. } => "ARCHIVE_COMPLETE",
            Self::SkipTask { .. } => "SKIP_TASK",
            Self::ForceStop { .. } => "FORCE_STOP",
            Self::UserAbort { .. } => "USER_ABORT",
            Self::Halt { .. } => "HALT",
            Self::PlanFailed { .. } => "PLAN_FAILED",
            Self::RetryPlan { .. } => "RETRY_PLAN",
            Self::Pause { .. } => "PAUSE",
            Self::Resume { .. } => "RESUME",
            Self::PlanAmended { .. } => "PlanAmended",
            Self::TaskStarted { .. } => "TaskStarted",
            Self::StepBegan { .. } => "StepBegan",
            Self::FixBegan { .. } => "FixBegan",
            Self::CheckpointMade { .. } => "CheckpointMade",
            Self::TurnSpent { .. } => "TurnSpent",
            Self::EvidenceRecorded { .. } => "EvidenceRecorded",
            Self::DigestsSeen { .. } => "DigestsSeen",
            Self::TaskClosed { .. } => "TaskClosed",
            Self::TaskReopened { .. } => "TaskReopened",
            Self::ProgressClaimed { .. } => "ProgressClaimed",
            Self::FixAttempted { .. } => "FixAttempted",
            Self::RollbackBegan { .. } => "RollbackBegan",
            Self::RollbackPlanned { .. } => "RollbackPlanned",
            Self::RollbackConfirmed { .. } => "RollbackConfirmed",
            Self::RollbackStopped { .. } => "RollbackStopped",
            Self::RollbackLeft => "RollbackLeft",
            Self::ArchiveFault { .. } => "ArchiveFault",
            Self::ArchiveRetried => "ArchiveRetried",
            Self::TurnLeft { .. } => "TurnLeft",
            Self::ChildSettled { .. } => "ChildSettled",
            Self::NoteTaken { .. } => "NoteTaken",
            Self::NeverBegan => "NeverBegan",
        }
    }
}
