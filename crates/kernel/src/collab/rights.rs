//! Who may say what to a run. A process below a shim, or an edit of a file, can start, answer,
//! cancel and extend nothing; only a person answers.

use super::command::Command;
use super::plan::Accept;
use super::refusal::Refusal;
use crate::machine::By;

/// Refuses what a speaker may not say at all.
pub fn check(by: &By, command: &Command) -> Result<(), Refusal> {
    if may(by, command) {
        return Ok(());
    }
    Err(Refusal::NeedsPerson { command: command.name(), speaker: by.word() })
}

fn may(by: &By, command: &Command) -> bool {
    match command {
        Command::Create { plan, .. } => match plan.accept {
            Accept::Ask => steers(by),
            // Accepting beforehand is accepting.
            Accept::Acceptable => by.may_approve(),
        },
        Command::Answer { .. } => by.may_approve(),
        Command::Cancel { .. } | Command::Extend { .. } => steers(by),
        Command::GateChecked(_)
        | Command::CallStarted { .. }
        | Command::SessionSeen { .. }
        | Command::CallEnded { .. }
        | Command::AttemptDue { .. }
        | Command::BackoffDue { .. }
        | Command::StopDue { .. }
        | Command::TotalDue
        | Command::QuestionDue { .. } => reports(by),
    }
}

/// Whether a speaker may start, cancel and extend.
pub const fn steers(by: &By) -> bool {
    match by {
        By::Person | By::Guest | By::Parent { .. } | By::Engine => true,
        By::Agent { .. } | By::File | By::Timer => false,
    }
}

/// Whether a speaker may tell what happened in the world.
const fn reports(by: &By) -> bool {
    match by {
        By::Engine | By::Timer | By::Parent { .. } | By::Person => true,
        By::Agent { .. } | By::File | By::Guest => false,
    }
}
