//! Who may say what to a loop. A process below a shim, or an edit of a file, can never start,
//! answer, force or override; what a speaker's command then does is the rows' business.

use super::command::Command;
use super::refusal::Refusal;
use super::state::Driver;
use crate::machine::By;

/// Refuses what a speaker may not say at all.
pub(super) fn check(by: &By, command: &Command) -> Result<(), Refusal> {
    let may = match by {
        By::Person | By::Engine | By::Timer => true,
        By::Parent { .. } => parent(command),
        By::Guest => guest(command),
        By::Agent { .. } => agent(command),
        By::File => agent(command) || file(command),
    };
    if may {
        return Ok(());
    }
    Err(Refusal::NeedsPerson { command: command.name(), speaker: by.word() })
}

/// A parent starts, holds and cancels its child; it approves nothing.
const fn parent(command: &Command) -> bool {
    !matches!(command, Command::Answer { .. } | Command::Reopen { .. })
}

/// A guest may steer, not decide.
const fn guest(command: &Command) -> bool {
    matches!(
        command,
        Command::Create { .. }
            | Command::Start { .. }
            | Command::Pause { .. }
            | Command::Resume { .. }
            | Command::Stop { .. }
            | Command::Retry { .. }
            | Command::Complete { .. }
    ) || agent(command)
}

/// An agent may say how far it is and what is left to do.
const fn agent(command: &Command) -> bool {
    matches!(command, Command::Signal { .. } | Command::Report(_) | Command::AddTask { .. })
}

/// Edits of the files that the seed gives to a skill: the two status moves and the task list.
const fn file(command: &Command) -> bool {
    matches!(
        command,
        Command::Start { driver: Driver::External { .. }, .. }
            | Command::Complete { force: None }
            | Command::EditTask { .. }
            | Command::RemoveTask { .. }
            | Command::ReorderTasks { .. }
    )
}
