//! Who may say what to a session. A process below a shim, or an edit of a file, starts, answers and
//! cancels nothing; a guest answers the kinds that the settings name.

use super::asked::Kind;
use super::command::Command;
use super::refusal::Refusal;
use super::state::{Base, Frame, Life};
use crate::machine::By;

/// Kinds that approve, force or override: never a guest's, whatever the settings say.
const PERSONS: [Kind; 20] = [
    Kind::Complexity,
    Kind::Risk,
    Kind::PackageGate,
    Kind::DesignDone,
    Kind::Replace,
    Kind::TestBlocking,
    Kind::Escalate,
    Kind::CommitHow,
    Kind::RollbackConflict,
    Kind::RollbackRisk,
    Kind::UpgradePlan,
    Kind::InitRebuild,
    Kind::InitSwitch,
    Kind::InitMismatch,
    Kind::UpgradeFailed,
    Kind::CleanScope,
    Kind::TestCommand,
    Kind::Failures,
    Kind::Interrupted,
    Kind::ToolFailed,
];

/// Refuses what a speaker may not say at all.
pub fn check(life: Option<&Life>, by: &By, command: &Command) -> Result<(), Refusal> {
    if may(life, by, command) {
        return Ok(());
    }
    Err(Refusal::NeedsPerson { command: command.name(), speaker: by.word() })
}

fn may(life: Option<&Life>, by: &By, command: &Command) -> bool {
    match command {
        Command::Open { .. } => matches!(by, By::Person | By::Guest | By::Engine),
        Command::Run { name, .. } => match name.beside() {
            super::name::Beside::Answered => true,
            super::name::Beside::Exclusive
            | super::name::Beside::Suspending
            | super::name::Beside::Reading => matches!(by, By::Person),
        },
        Command::Say { .. } | Command::Cancel { .. } => matches!(by, By::Person),
        Command::Answer { question, .. } => match by {
            By::Person => true,
            By::Guest => life.is_some_and(|life| guest(life, question)),
            By::Agent { .. } | By::Parent { .. } | By::File | By::Timer | By::Engine => false,
        },
        Command::ToolOpened { .. } | Command::ToolClosed { .. } => {
            matches!(by, By::Person | By::Engine)
        }
        Command::Told { .. }
        | Command::ChildNow { .. }
        | Command::Timeout { .. }
        | Command::Noticed { .. } => matches!(by, By::Engine | By::Timer),
    }
}

fn guest(life: &Life, question: &str) -> bool {
    let setup = match life.base() {
        Base::Flow { flow, .. } => Some(&flow.setup),
        Base::Job { job } => Some(&job.setup),
        Base::Idle { .. } => life.frames().iter().find_map(|frame| match frame {
            Frame::Embedded { job, .. } => Some(&job.setup),
            Frame::Relating { .. } | Frame::Replacing { .. } | Frame::Tool(_) | Frame::Chat(_) => {
                None
            }
        }),
    };
    let kind = life.ask(question).map(|q| q.kind);
    let (Some(setup), Some(kind)) = (setup, kind) else { return true };
    !PERSONS.contains(&kind) && setup.guest_answers.iter().any(|word| word == kind.word())
}
