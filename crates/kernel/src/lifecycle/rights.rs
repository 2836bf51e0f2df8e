//! Who may say what to a lifecycle. An agent, a guest or an edited file can claim and note, and
//! nothing else; what a speaker's command then does is the rows' business.

use super::command::Command;
use super::refusal::Refusal;
use crate::machine::By;

/// Refuses what a speaker may not say at all.
pub(super) fn check(by: &By, command: &Command, state: &'static str) -> Result<(), Refusal> {
    let name = command.name();
    if command.is_engines() || matches!(command, Command::Derived { .. }) {
        return match by {
            By::Engine | By::Timer if command.is_engines() => Ok(()),
            By::Engine
            | By::Timer
            | By::Person
            | By::Guest
            | By::Agent { .. }
            | By::Parent { .. }
            | By::File => {
                Err(Refusal::Derived { command: name, state, allowed: alloc::vec::Vec::new() })
            }
        };
    }
    let may = match by {
        By::Person => !matches!(command, Command::ParentCancel),
        By::Parent { .. } => parent(command),
        By::Guest | By::Agent { .. } | By::File => agent(command),
        By::Engine | By::Timer => false,
    };
    if may {
        return Ok(());
    }
    Err(Refusal::NeedsPerson { command: name, state, speaker: by.word() })
}

/// A parent starts, holds and cancels its child; it approves nothing.
const fn parent(command: &Command) -> bool {
    matches!(
        command,
        Command::UserInputRequirement { .. }
            | Command::Pause { .. }
            | Command::Resume
            | Command::ParentCancel
    )
}

/// An agent may say how far it is.
const fn agent(command: &Command) -> bool {
    matches!(command, Command::UpdateProgress { .. } | Command::Note { .. })
}
