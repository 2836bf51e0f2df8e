//! What samples are made of: settings, and commands as a person or the engine says them.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::super::command::Command;
use super::super::name::Name;
use super::super::setup::{Agent, Setup};
use crate::agent;
use crate::machine::{At, By, Said};

/// The moment at which samples are said.
pub const NOW: At = At(1_000);

/// Settings with an agent.
#[must_use]
pub fn setup() -> Setup {
    let designer = Agent {
        name: "codex".to_string(),
        kind: agent::Kind::Codex,
        model: None,
        deadline_ms: 600_000,
        idle_ms: None,
    };
    Setup { designer: Some(designer), ..Setup::standard("en") }
}

/// As a person says it.
#[must_use]
pub const fn by_person(command: Command) -> Said<Command> {
    Said { by: By::Person, at: NOW, command }
}

/// As the engine says it.
#[must_use]
pub const fn by_engine(command: Command) -> Said<Command> {
    Said { by: By::Engine, at: NOW, command }
}

/// A `~` command.
#[must_use]
pub fn run(name: Name, text: &str, setup: Setup) -> Command {
    let (text, setup) = (text.to_string(), Box::new(setup));
    Command::Run { name, text, flags: Vec::new(), input_id: "i-run".to_string(), setup }
}

/// Words.
#[must_use]
pub fn typed(text: &str, id: &str, setup: Setup) -> Command {
    let (text, input_id, setup) = (text.to_string(), id.to_string(), Box::new(setup));
    Command::Say { text, input_id, meant: Vec::new(), setup }
}
