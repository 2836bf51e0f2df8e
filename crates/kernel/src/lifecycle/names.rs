//! The names of states, commands and reasons, as people and records have them. Never translated.

use super::command::Command;
use super::phase::{Outcome, Phase, Why, WorkResult};
use super::state::{Life, NoteKind, State};

/// The seven states of the seed, in its order.
pub const STATES: [&str; 7] =
    ["IDLE", "PLANNING", "CONFIRMING", "EXECUTING", "AUTO_FIX", "BLOCKED", "ARCHIVING"];

/// The eleven triggers of the seed, in its order.
pub const TRIGGERS: [&str; 11] = [
    "USER_INPUT_REQUIREMENT",
    "PRD_GENERATED",
    "USER_CONFIRM",
    "USER_CANCEL",
    "ERROR_DETECTED",
    "FIX_SUCCESS",
    "FIX_FAILED_3X",
    "HUMAN_INTERVENTION",
    "ROLLBACK",
    "ALL_TASKS_DONE",
    "ARCHIVE_COMPLETE",
];

/// Triggers that follow from evidence and are never said.
pub const DERIVED: [&str; 8] = [
    "PRD_GENERATED",
    "ERROR_DETECTED",
    "FIX_SUCCESS",
    "FIX_FAILED_3X",
    "ALL_TASKS_DONE",
    "ARCHIVE_COMPLETE",
    "HALT",
    "PLAN_FAILED",
];

impl Phase {
    /// The seed's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Idle(_) => "IDLE",
            Self::Planning(_) => "PLANNING",
            Self::Confirming(_) => "CONFIRMING",
            Self::Executing(_) => "EXECUTING",
            Self::AutoFix(_) => "AUTO_FIX",
            Self::Blocked(_) => "BLOCKED",
            Self::Archiving(_) => "ARCHIVING",
        }
    }
}

impl State {
    /// The seed's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::New | Self::Never { .. } => "IDLE",
            Self::Alive(life) => life.phase.name(),
        }
    }

    /// The column of the table.
    #[must_use]
    pub const fn column(&self) -> &'static str {
        match self {
            Self::New => "IDLE new",
            Self::Never { .. } => "IDLE ended",
            Self::Alive(life) => match &life.phase {
                Phase::Idle(_) => "IDLE ended",
                Phase::Blocked(blocked) if blocked.rolling.is_some() => "rolling",
                Phase::Planning(_)
                | Phase::Confirming(_)
                | Phase::Executing(_)
                | Phase::AutoFix(_)
                | Phase::Blocked(_)
                | Phase::Archiving(_) => life.phase.name(),
            },
        }
    }

    /// The life, once there is a requirement.
    #[must_use]
    pub fn life(&self) -> Option<&Life> {
        match self {
            Self::New | Self::Never { .. } => None,
            Self::Alive(life) => Some(life),
        }
    }

    /// Whether it is over.
    #[must_use]
    pub const fn ended(&self) -> bool {
        match self {
            Self::New => false,
            Self::Never { .. } => true,
            Self::Alive(life) => life.phase.ended().is_some(),
        }
    }
}

impl Outcome {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Partial => "partial",
            Self::Aborted => "aborted",
            Self::RolledBack => "rolled_back",
            Self::Cancelled => "cancelled",
        }
    }
}

impl From<WorkResult> for Outcome {
    fn from(result: WorkResult) -> Self {
        match result {
            WorkResult::Completed => Self::Completed,
            WorkResult::Partial => Self::Partial,
            WorkResult::Aborted => Self::Aborted,
        }
    }
}

impl NoteKind {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Progress => "progress",
            Self::Scratch => "scratch",
            Self::Error => "error",
            Self::Decision => "decision",
            Self::Warning => "warning",
        }
    }
}

impl Why {
    /// Every reason.
    pub const ALL: [Self; 16] = [
        Self::FixLimit,
        Self::SameFailure,
        Self::ForceStop,
        Self::CannotVerify,
        Self::DefinitionChanged,
        Self::TreeMoving,
        Self::OutcomeUnknown,
        Self::PolicyDenied,
        Self::Io,
        Self::AgentUnavailable,
        Self::AgentBlocked,
        Self::Quota,
        Self::CheckpointFailed,
        Self::BranchChanged,
        Self::Budget,
        Self::RollbackFailed,
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::FixLimit => "fix_limit",
            Self::SameFailure => "same_failure",
            Self::ForceStop => "force_stop",
            Self::CannotVerify => "cannot_verify",
            Self::DefinitionChanged => "definition_changed",
            Self::TreeMoving => "tree_moving",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::PolicyDenied => "policy_denied",
            Self::Io => "io",
            Self::AgentUnavailable => "agent_unavailable",
            Self::AgentBlocked => "agent_blocked",
            Self::Quota => "quota",
            Self::CheckpointFailed => "checkpoint_failed",
            Self::BranchChanged => "branch_changed",
            Self::Budget => "budget",
            Self::RollbackFailed => "rollback_failed",
        }
    }
}

impl Command {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::UserInputRequirement { .. } => "USER_INPUT_REQUIREMENT",
            Self::UserModify { .. } => "USER_MODIFY",
            Self::UserConfirm(_) => "USER_CONFIRM",
            Self::UserCancel => "USER_CANCEL",
            Self::UserAbort { .. } => "USER_ABORT",
            Self::RetryPlan => "RETRY_PLAN",
            Self::Pause { .. } => "PAUSE",
            Self::Resume => "RESUME",
            Self::ForceStop => "FORCE_STOP",
            Self::HumanIntervention(_) => "HUMAN_INTERVENTION",
            Self::Rollback(_) => "ROLLBACK",
            Self::RollbackConfirm { .. } => "ROLLBACK_CONFIRM",
            Self::SkipTask { .. } => "SKIP_TASK",
            Self::Amend(_) => "AMEND",
            Self::UpdateProgress { .. } => "update_progress",
            Self::Note { .. } => "NOTE",
            Self::ParentCancel => "PARENT_CANCEL",
            Self::Derived { trigger } => trigger,
            Self::PlanReady { .. } => "PlanReady",
            Self::PlanFailed { .. } => "PlanFailed",
            Self::SourceChanged { .. } => "SourceChanged",
            Self::Saved { .. } => "Saved",
            Self::TurnEnded { .. } => "TurnEnded",
            Self::Checked { .. } => "Checked",
            Self::Digested { .. } => "Digested",
            Self::CallUnknown { .. } => "CallUnknown",
            Self::RollbackReady { .. } => "RollbackReady",
            Self::RolledBack { .. } => "RolledBack",
            Self::Archived { .. } => "Archived",
            Self::Settled { .. } => "Settled",
            Self::Due { .. } => "Due",
        }
    }

    /// Whether only the engine says it.
    #[must_use]
    pub const fn is_engines(&self) -> bool {
        match self {
            Self::PlanReady { .. }
            | Self::PlanFailed { .. }
            | Self::SourceChanged { .. }
            | Self::Saved { .. }
            | Self::TurnEnded { .. }
            | Self::Checked { .. }
            | Self::Digested { .. }
            | Self::CallUnknown { .. }
            | Self::RollbackReady { .. }
            | Self::RolledBack { .. }
            | Self::Archived { .. }
            | Self::Settled { .. }
            | Self::Due { .. } => true,
            Self::UserInputRequirement { .. }
            | Self::UserModify { .. }
            | Self::UserConfirm(_)
            | Self::UserCancel
            | Self::UserAbort { .. }
            | Self::RetryPlan
            | Self::Pause { .. }
            | Self::Resume
            | Self::ForceStop
            | Self::HumanIntervention(_)
            | Self::Rollback(_)
            | Self::RollbackConfirm { .. }
            | Self::SkipTask { .. }
            | Self::Amend(_)
            | Self::UpdateProgress { .. }
            | Self::Note { .. }
            | Self::ParentCancel
            | Self::Derived { .. } => false,
        }
    }
}
