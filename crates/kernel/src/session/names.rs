//! The words by which commands and facts are shown and stored. Words only.

use super::command::Command;
use super::event::Event;

impl Command {
    /// Every command's name, in the order of the table.
    pub const NAMES: [&'static str; 11] = [
        "Open",
        "Run",
        "Say",
        "Answer",
        "Cancel",
        "Told",
        "ChildNow",
        "ToolOpened",
        "ToolClosed",
        "Timeout",
        "Noticed",
    ];

    /// The command's name, as listed in `allowed`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Open { .. } => "Open",
            Self::Run { .. } => "Run",
            Self::Say { .. } => "Say",
            Self::Answer { .. } => "Answer",
            Self::Cancel { .. } => "Cancel",
            Self::Told { .. } => "Told",
            Self::ChildNow { .. } => "ChildNow",
            Self::ToolOpened { .. } => "ToolOpened",
            Self::ToolClosed { .. } => "ToolClosed",
            Self::Timeout { .. } => "Timeout",
            Self::Noticed { .. } => "Noticed",
        }
    }
}

impl Event {
    /// The fact's name, as recorded.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Opened { .. } => "Opened",
            Self::Heard { .. } => "Heard",
            Self::Routed { .. } => "Routed",
            Self::CommandAccepted { .. } => "CommandAccepted",
            Self::ModulesLoaded { .. } => "ModulesLoaded",
            Self::QuestionAsked { .. } => "QuestionAsked",
            Self::QuestionAnswered { .. } => "QuestionAnswered",
            Self::QuestionWithdrawn { .. } => "QuestionWithdrawn",
            Self::Scored { .. } => "Scored",
            Self::Clarified { .. } => "Clarified",
            Self::Waived { .. } => "Waived",
            Self::Judged { .. } => "Judged",
            Self::PathAdjusted { .. } => "PathAdjusted",
            Self::ModeKept => "ModeKept",
            Self::ModeSwitched { .. } => "ModeSwitched",
            Self::KbDecided { .. } => "KbDecided",
            Self::ContextReady { .. } => "ContextReady",
            Self::Drafted { .. } => "Drafted",
            Self::PackageCreated { .. } => "PackageCreated",
            Self::PackageChecked { .. } => "PackageChecked",
            Self::PackageApproved { .. } => "PackageApproved",
            Self::PackageChanged { .. } => "PackageChanged",
            Self::PackagePicked { .. } => "PackagePicked",
            Self::ChildAsked { .. } => "ChildAsked",
            Self::ChildEnded { .. } => "ChildEnded",
            Self::Developed { .. } => "Developed",
            Self::Escalated { .. } => "Escalated",
            Self::RiskFound { .. } => "RiskFound",
            Self::RiskAccepted { .. } => "RiskAccepted",
            Self::Interrupted { .. } => "Interrupted",
            Self::Recovered { .. } => "Recovered",
            Self::StepDone { .. } => "StepDone",
            Self::Noted { .. } => "Noted",
            Self::Changed { .. } => "Changed",
            Self::Entered { .. } => "Entered",
            Self::JobMoved { .. } => "JobMoved",
            Self::FramePushed { .. } => "FramePushed",
            Self::FrameOpened { .. } => "FrameOpened",
            Self::FrameEnded { .. } => "FrameEnded",
            Self::FramePopped => "FramePopped",
            Self::FrameDropped { .. } => "FrameDropped",
            Self::FlowAccepted { .. } => "FlowAccepted",
            Self::Stopping { .. } => "Stopping",
            Self::UnitCompleted { .. } => "UnitCompleted",
            Self::UnitCancelled { .. } => "UnitCancelled",
            Self::UnitFailed { .. } => "UnitFailed",
            Self::ResetStep { .. } => "ResetStep",
        }
    }
}
