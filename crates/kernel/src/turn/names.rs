//! The words by which states, phases and facts are shown and stored. Words only.

use alloc::string::String;

use super::event::Event;
use super::state::{
    GitResult, Life, Outcome, Phase, Rung, RungKind, State, Subject, Verified, Why,
};

impl State {
    /// The seed's word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Idle => "IDLE",
            Self::Begun(life) => life.phase.name(),
        }
    }

    /// Whether nothing more can happen.
    #[must_use]
    pub const fn ended(&self) -> bool {
        match self {
            Self::Idle => false,
            Self::Begun(life) => life.phase.over(),
        }
    }

    /// The turn, if it has begun.
    #[must_use]
    pub const fn life(&self) -> Option<&Life> {
        match self {
            Self::Idle => None,
            Self::Begun(life) => Some(life),
        }
    }
}

impl Phase {
    /// The seed's word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Intake { .. } => "INTAKE",
            Self::Clarifying { .. } => "CLARIFYING",
            Self::ContextBuilding { .. } => "CONTEXT_BUILDING",
            Self::Planning { .. } => "PLANNING",
            Self::AwaitingConfirmation(_) => "AWAITING_CONFIRMATION",
            Self::Executing(_) => "EXECUTING",
            Self::Verifying(_) => "VERIFYING",
            Self::Recovering(_) => "RECOVERING",
            Self::Summarizing(_) => "SUMMARIZING",
            Self::Done(_) => "DONE",
        }
    }

    /// Whether it is over.
    #[must_use]
    pub const fn over(&self) -> bool {
        match self {
            Self::Done(_) => true,
            Self::Intake { .. }
            | Self::Clarifying { .. }
            | Self::ContextBuilding { .. }
            | Self::Planning { .. }
            | Self::AwaitingConfirmation(_)
            | Self::Executing(_)
            | Self::Verifying(_)
            | Self::Recovering(_)
            | Self::Summarizing(_) => false,
        }
    }

    /// Whether a call of which nobody can tell whether it happened waits for a person here: a step
    /// or a check does. Whatever else is owed only reads, or may fail without harm: its own time
    /// settles it.
    #[must_use]
    pub const fn waits_if_unknown(&self) -> bool {
        match self {
            Self::Executing(_) | Self::AwaitingConfirmation(_) | Self::Verifying(_) => true,
            Self::Intake { .. }
            | Self::Clarifying { .. }
            | Self::ContextBuilding { .. }
            | Self::Planning { .. }
            | Self::Recovering(_)
            | Self::Summarizing(_)
            | Self::Done(_) => false,
        }
    }

    /// Whether the phase itself waits for a person.
    #[must_use]
    pub fn waits(&self) -> bool {
        match self {
            Self::Clarifying { .. } | Self::AwaitingConfirmation(_) => true,
            Self::Recovering(recovering) => matches!(recovering.rung, Rung::Help { .. }),
            Self::Intake { .. }
            | Self::ContextBuilding { .. }
            | Self::Planning { .. }
            | Self::Executing(_)
            | Self::Verifying(_)
            | Self::Summarizing(_)
            | Self::Done(_) => false,
        }
    }
}

impl Why {
    /// What a person said of the plan before.
    #[must_use]
    pub const fn note(&self) -> Option<&String> {
        match self {
            Self::Revise { note } => Some(note),
            Self::Correct { note, .. } => note.as_ref(),
            Self::First | Self::Given { .. } | Self::Direct | Self::Continued { .. } => None,
        }
    }
}

impl Subject {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Patch => "patch",
            Self::Call => "call",
            Self::Git => "git",
        }
    }
}

impl Rung {
    /// Which way out it is; none if none is left.
    #[must_use]
    pub const fn kind(&self) -> Option<RungKind> {
        match self {
            Self::Degrade { .. } => Some(RungKind::Degrade),
            Self::Fix { .. } => Some(RungKind::Fix),
            Self::Undo { .. } => Some(RungKind::Undo),
            Self::Replan { .. } => Some(RungKind::Replan),
            Self::Help { .. } => Some(RungKind::Help),
            Self::Spent => None,
        }
    }
}

impl Outcome {
    /// The word of its end.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Answered => "answered",
            Self::Blocked { .. } => "blocked",
            Self::Denied { .. } => "denied",
            Self::Cancelled { .. } => "cancelled",
        }
    }
}

impl Verified {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

impl GitResult {
    /// The word for it.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Committed { .. } => "committed",
            Self::Declined => "declined",
            Self::Failed { .. } => "failed",
        }
    }
}

impl Event {
    /// The fact's name, as recorded.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Asked { .. } => "Asked",
            Self::IntakeAssessed { .. } => "IntakeAssessed",
            Self::Denied { .. } => "Denied",
            Self::QuestionsAsked { .. } => "QuestionsAsked",
            Self::QuestionsParked { .. } => "QuestionsParked",
            Self::Failed { .. } => "Failed",
            Self::Answered { .. } => "Answered",
            Self::ContextBuilt { .. } => "ContextBuilt",
            Self::ContextCut => "ContextCut",
            Self::PlanRejected { .. } => "PlanRejected",
            Self::PlanAccepted { .. } => "PlanAccepted",
            Self::ConfirmationAsked { .. } => "ConfirmationAsked",
            Self::PlannerDegraded { .. } => "PlannerDegraded",
            Self::Confirmed { .. } => "Confirmed",
            Self::Declined { .. } => "Declined",
            Self::ConfirmationExpired { .. } => "ConfirmationExpired",
            Self::PlanEdited { .. } => "PlanEdited",
            Self::PromptVoided { .. } => "PromptVoided",
            Self::StepStarted { .. } => "StepStarted",
            Self::StepDone { .. } => "StepDone",
            Self::StepFailed { .. } => "StepFailed",
            Self::StepBlocked { .. } => "StepBlocked",
            Self::StepSkipped { .. } => "StepSkipped",
            Self::Degraded { .. } => "Degraded",
            Self::CallAsked { .. } => "CallAsked",
            Self::CallDenied { .. } => "CallDenied",
            Self::CallUnknown { .. } => "CallUnknown",
            Self::CallWaits { .. } => "CallWaits",
            Self::CallAllowed { .. } => "CallAllowed",
            Self::CallRecorded { .. } => "CallRecorded",
            Self::ReplanAsked { .. } => "ReplanAsked",
            Self::ExecutionFinished => "ExecutionFinished",
            Self::VerificationSkipped { .. } => "VerificationSkipped",
            Self::CheckRecorded { .. } => "CheckRecorded",
            Self::CheckStale { .. } => "CheckStale",
            Self::VerificationPassed { .. } => "VerificationPassed",
            Self::VerificationFailed { .. } => "VerificationFailed",
            Self::FixStepAdded { .. } => "FixStepAdded",
            Self::UndoRecorded { .. } => "UndoRecorded",
            Self::PlanPatched { .. } => "PlanPatched",
            Self::HelpGiven { .. } => "HelpGiven",
            Self::GaveUp { .. } => "GaveUp",
            Self::AnswerTaken { .. } => "AnswerTaken",
            Self::AnswerRejected { .. } => "AnswerRejected",
            Self::Summarised { .. } => "Summarised",
            Self::GitDeclined { .. } => "GitDeclined",
            Self::GitSettled { .. } => "GitSettled",
            Self::Ended => "Ended",
            Self::Cancelled { .. } => "Cancelled",
            Self::Held { .. } => "Held",
            Self::Resumed { .. } => "Resumed",
            Self::Reowed { .. } => "Reowed",
            Self::Charged { .. } => "Charged",
            Self::RateLimited { .. } => "RateLimited",
        }
    }
}
