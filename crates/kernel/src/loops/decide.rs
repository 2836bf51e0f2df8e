//! Accepts a command by naming the facts it makes true, or refuses it. One row function a column
//! of the table; what would be allowed instead is found by asking the rows themselves.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::bounds;
use super::command::Command;
use super::draft::Decision;
use super::event::Event;
use super::import;
use super::phase::Phase;
use super::refusal::{Refusal, Wrong};
use super::rights;
use super::rows;
use super::samples;
use super::state::{Files, Life, State};
use crate::machine::{By, Said};

/// Accepts a command by naming the facts it makes true, or refuses it.
///
/// # Errors
/// The refusal, with everything that this speaker could say instead.
pub fn decide(state: &State, said: &Said<Command>) -> Decision {
    ask(state, said).map_err(|mut refusal| {
        if let Some(list) = refusal.allowed_mut() {
            *list = allowed(state, &said.by);
        }
        refusal
    })
}

/// Every command that the speaker could say now, found by trying one of each.
#[must_use]
pub fn allowed(state: &State, by: &By) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (_, mut said) in samples::sample_commands(state) {
        let name = said.command.name();
        said.by.clone_from(by);
        if !said.command.is_engines() && !names.contains(&name) && ask(state, &said).is_ok() {
            names.push(name);
        }
    }
    names
}

pub(super) fn ask(state: &State, said: &Said<Command>) -> Decision {
    match state {
        State::New => unborn(said),
        State::Alive(life) => {
            rights::check(&said.by, &said.command)?;
            alive(life, said)
        }
        State::Deleted { id, files } => deleted(id, *files, &said.command),
    }
}

fn alive(life: &Life, said: &Said<Command>) -> Decision {
    match &life.phase {
        Phase::Created => rows::created(life, said),
        Phase::Acting(_) => rows::acting(life, said),
        Phase::Choosing { q } => rows::choosing(life, *q, said),
        Phase::Lent { n, lease_until, .. } => rows::lent(life, (*n, *lease_until), said),
        Phase::Paused(paused) => match paused.live() {
            Some(held) => rows::held(life, held, said),
            None => rows::paused(life, paused, said),
        },
        Phase::Completed { .. } => rows::completed(life, said),
        Phase::Failed { tail: None, .. } => rows::failed(life, said),
        Phase::Failed { tail: Some(_), .. } => rows::closing(life, said),
    }
}

/// A loop that is not there: it can be made, nothing else.
fn unborn(said: &Said<Command>) -> Decision {
    match &said.command {
        Command::Create { .. } => {
            rights::check(&said.by, &said.command)?;
            create(&said.command)
        }
        Command::Import(found) => {
            rights::check(&said.by, &said.command)?;
            import::take_in(found)
        }
        Command::Edit { .. }
        | Command::Delete
        | Command::AddTask { .. }
        | Command::EditTask { .. }
        | Command::RemoveTask { .. }
        | Command::ReorderTasks { .. }
        | Command::RequeueTask { .. }
        | Command::Start { .. }
        | Command::SetMode { .. }
        | Command::Pause { .. }
        | Command::Resume { .. }
        | Command::Stop { .. }
        | Command::Retry { .. }
        | Command::Reopen { .. }
        | Command::LegBegan { .. }
        | Command::LegEnded { .. }
        | Command::Answer { .. }
        | Command::Complete { .. }
        | Command::Report(_)
        | Command::Signal { .. }
        | Command::Timeout { .. }
        | Command::ViewsRemoved => Err(Refusal::NoSuch { what: "loop", id: String::new() }),
    }
}

fn create(command: &Command) -> Decision {
    let Command::Create { id, title, description, max_iterations, max_iterations_ceiling, parent } =
        command
    else {
        return Err(Refusal::NoSuch { what: "loop", id: String::new() });
    };
    if !bounds::valid_id(id) {
        let (field, wrong) = (String::from("loop_id"), Wrong::Form);
        return Err(Refusal::InvalidArgs { field, wrong });
    }
    bounds::title(title)?;
    // An omitted description is the title.
    let description = if description.trim().is_empty() { title } else { description };
    bounds::description(description)?;
    bounds::max_iterations(*max_iterations, 1, *max_iterations_ceiling)?;
    Ok(vec![Event::LoopCreated {
        id: id.clone(),
        title: title.clone(),
        description: description.clone(),
        max_iterations: *max_iterations,
        parent: parent.clone(),
    }])
}

/// The id is never used again; only the removal of its files is still awaited.
fn deleted(id: &str, files: Files, command: &Command) -> Decision {
    match (command, files) {
        (Command::Create { .. } | Command::Import(_), _) => Err(Refusal::IdTaken { id: id.into() }),
        (Command::ViewsRemoved, Files::Left) => Ok(vec![Event::ViewsRemoved]),
        (_, Files::Left | Files::Removed) => Err(Refusal::NoSuch { what: "loop", id: id.into() }),
    }
}
