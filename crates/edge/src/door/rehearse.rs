//! A loop that is made with its tasks is made whole or not at all: what would be refused halfway is
//! found before anything is said. The machine itself is asked; nothing is kept of it.

use kernel::loops::{self, Command, State};
use kernel::machine::{At, By, Refusal as _, Said};

use super::hear::invalid;
use super::wire::Refusal;

/// The commands as they are, if they begin no loop or make one whole.
///
/// # Errors
/// What the machine would answer to the first that it would not take.
pub(super) fn whole(by: &By, at: At, commands: Vec<Command>) -> Result<Vec<Command>, Refusal> {
    let Some(Command::Create { .. }) = commands.first() else { return Ok(commands) };
    let mut state = State::New;
    for command in &commands {
        let said = Said { by: by.clone(), at, command: command.clone() };
        let events = loops::decide(&state, &said)
            .map_err(|why| invalid(&format!("loop.{}", why.reason()), why.details()))?;
        for event in events {
            loops::evolve(&mut state, &event, at);
        }
    }
    Ok(commands)
}
