//! Who may say what to a turn. A process below a shim, or an edit of a file, can never start,
//! answer, approve or override; it may ask for the calls of its own step.

use super::command::Command;
use super::refusal::Refusal;
use crate::machine::By;

/// Refuses what a speaker may not say at all.
pub(super) fn check(by: &By, command: &Command) -> Result<(), Refusal> {
    let may = match by {
        By::Person => true,
        By::Engine | By::Timer => !approves(command),
        By::Parent { .. } => steers(command),
        By::Guest => steers(command) || matches!(command, Command::ClarificationAnswer { .. }),
        By::Agent { .. } => matches!(command, Command::ToolCallRequest(_)),
        By::File => false,
    };
    if may {
        return Ok(());
    }
    Err(Refusal::NeedsPerson { command: command.name(), speaker: by.word() })
}

const fn approves(command: &Command) -> bool {
    matches!(
        command,
        Command::ClarificationAnswer { .. }
            | Command::Confirm(_)
            | Command::EditPlan { .. }
            | Command::SkipStep { .. }
    )
}

/// Starting, holding and cancelling; none of it approves anything.
const fn steers(command: &Command) -> bool {
    matches!(
        command,
        Command::UserMessage(_) | Command::Cancel | Command::Pause { .. } | Command::Resume
    )
}
