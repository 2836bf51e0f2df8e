//! The words by which states, commands and facts are shown, stored and typed. Words only.

use super::command::Command;
use super::event::Event;
use super::participant::{How, Participant, Phase};
use super::state::{Cause, Run, Stage, State};

impl State {
    /// The seed's state word; `New` for a run that is not there.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::New => "New",
            Self::Init { .. } => "INIT",
            Self::Running { .. } => "RUNNING",
            Self::Degraded { .. } => "DEGRADED",
            Self::Success { .. } => "SUCCESS",
            Self::Failed { .. } => "FAILED",
        }
    }

    /// The column of the table this state stands in.
    #[must_use]
    pub const fn variant(&self) -> &'static str {
        match self {
            Self::Init { stage: Stage::Checking, .. } => "INIT Checking",
            Self::Init { stage: Stage::Launching { .. }, .. } => "INIT Launching",
            Self::New
            | Self::Running { .. }
            | Self::Degraded { .. }
            | Self::Success { .. }
            | Self::Failed { .. } => self.name(),
        }
    }

    /// Whether nothing more is owed and nothing more is taken.
    #[must_use]
    pub const fn ended(&self) -> bool {
        match self {
            Self::Success { .. } | Self::Failed { .. } => true,
            Self::New | Self::Init { .. } | Self::Running { .. } | Self::Degraded { .. } => false,
        }
    }

    /// What is known since the run was made.
    #[must_use]
    pub const fn run(&self) -> Option<&Run> {
        match self {
            Self::New => None,
            Self::Init { run, .. }
            | Self::Running { run, .. }
            | Self::Degraded { run, .. }
            | Self::Success { run, .. }
            | Self::Failed { run, .. } => Some(run),
        }
    }

    /// The participants; none before the start gate has passed.
    #[must_use]
    pub fn participants(&self) -> &[Participant] {
        match self {
            Self::New | Self::Init { stage: Stage::Checking, .. } => &[],
            Self::Init { stage: Stage::Launching { participants, .. }, .. }
            | Self::Running { participants, .. }
            | Self::Degraded { participants, .. }
            | Self::Success { participants, .. }
            | Self::Failed { participants, .. } => participants,
        }
    }

    /// Why it failed, if it has.
    #[must_use]
    pub const fn cause(&self) -> Option<Cause> {
        match self {
            Self::Failed { cause, .. } => Some(*cause),
            Self::New
            | Self::Init { .. }
            | Self::Running { .. }
            | Self::Degraded { .. }
            | Self::Success { .. } => None,
        }
    }

    /// The participant of that name.
    #[must_use]
    pub fn participant(&self, name: &str) -> Option<&Participant> {
        self.participants().iter().find(|one| one.name == name)
    }
}

impl Participant {
    /// The seed's status word.
    #[must_use]
    pub const fn status(&self) -> &'static str {
        match &self.phase {
            Phase::Pending => "pending",
            Phase::Starting { launch } => {
                if launch.n <= 1 {
                    "pending"
                } else {
                    "running"
                }
            }
            Phase::Running { .. } | Phase::Backoff { .. } | Phase::Stopping { .. } => "running",
            Phase::Ended { how, .. } => how.status(),
        }
    }
}

impl How {
    /// The seed's status word.
    #[must_use]
    pub const fn status(&self) -> &'static str {
        match self {
            Self::Answered { .. } => "success",
            Self::Unproven { .. } | Self::Poor { .. } | Self::Failed { .. } => "failed",
            Self::TimedOut { .. } => "timeout",
            Self::Cancelled { .. } => "cancelled",
            Self::Skipped { .. } => "skipped",
        }
    }
}

impl Command {
    /// Every command's name, in the order of the table.
    pub const NAMES: [&'static str; 13] = [
        "Create",
        "GateChecked",
        "CallStarted",
        "SessionSeen",
        "CallEnded",
        "AttemptDue",
        "BackoffDue",
        "StopDue",
        "TotalDue",
        "QuestionDue",
        "Answer",
        "Cancel",
        "Extend",
    ];

    /// The command's name, as listed in `allowed`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Create { .. } => "Create",
            Self::GateChecked(_) => "GateChecked",
            Self::CallStarted { .. } => "CallStarted",
            Self::SessionSeen { .. } => "SessionSeen",
            Self::CallEnded { .. } => "CallEnded",
            Self::AttemptDue { .. } => "AttemptDue",
            Self::BackoffDue { .. } => "BackoffDue",
            Self::StopDue { .. } => "StopDue",
            Self::TotalDue => "TotalDue",
            Self::QuestionDue { .. } => "QuestionDue",
            Self::Answer { .. } => "Answer",
            Self::Cancel { .. } => "Cancel",
            Self::Extend { .. } => "Extend",
        }
    }
}

impl Event {
    /// The fact's name, as recorded.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Created { .. } => "Created",
            Self::GateFailed { .. } => "GateFailed",
            Self::GatePassed { .. } => "GatePassed",
            Self::RunStarted { .. } => "RunStarted",
            Self::ParticipantStarted { .. } => "ParticipantStarted",
            Self::SessionCaptured { .. } => "SessionCaptured",
            Self::RetryScheduled { .. } => "RetryScheduled",
            Self::CorrectionScheduled { .. } => "CorrectionScheduled",
            Self::LaunchOwed { .. } => "LaunchOwed",
            Self::StopRequested { .. } => "StopRequested",
            Self::ParticipantEnded { .. } => "ParticipantEnded",
            Self::TotalTimedOut => "TotalTimedOut",
            Self::CancelRequested { .. } => "CancelRequested",
            Self::DeadlineExtended { .. } => "DeadlineExtended",
            Self::Degraded { .. } => "Degraded",
            Self::Confirmed { .. } => "Confirmed",
            Self::Succeeded { .. } => "Succeeded",
            Self::QuestionDeferred { .. } => "QuestionDeferred",
            Self::Declined { .. } => "Declined",
            Self::RunFailed { .. } => "RunFailed",
        }
    }
}
