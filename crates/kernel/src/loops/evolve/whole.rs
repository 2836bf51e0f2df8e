//! The birth and the end of a loop; everything between is in `life`.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::event::Event;
use super::super::import;
use super::super::labels::Labels;
use super::super::phase::Phase;
use super::super::state::{Body, Files, Life, ParentRef, Progress, State};
use crate::machine::At;

/// Makes a recorded fact true.
pub fn evolve(state: &mut State, event: &Event, at: At) {
    match state {
        State::New => {
            if let Event::LoopCreated { id, title, description, max_iterations, parent } = event {
                let body = body(id, title, description, *max_iterations, parent.as_ref(), at);
                *state = State::Alive(Box::new(Life { body, phase: Phase::Created }));
            } else if let Event::LoopImported(found) = event {
                *state = State::Alive(Box::new(import::life(found, at)));
            }
        }
        State::Alive(life) => {
            if matches!(event, Event::LoopDeleted) {
                *state = State::Deleted { id: life.body.id.clone(), files: Files::Left };
            } else {
                super::apply(life, event, at);
            }
        }
        State::Deleted { files, .. } => {
            if matches!(event, Event::ViewsRemoved) {
                *files = Files::Removed;
            }
        }
    }
}

fn body(
    id: &str,
    title: &str,
    description: &str,
    max_iterations: u32,
    parent: Option<&ParentRef>,
    at: At,
) -> Body {
    Body {
        id: String::from(id),
        title: String::from(title),
        description: String::from(description),
        max_iterations,
        tasks: Vec::new(),
        iteration: 0,
        next_n: 1,
        next_task: 1,
        errors_in_row: 0,
        rounds: BTreeMap::new(),
        progress: Progress::Fresh,
        parent: parent.cloned(),
        created_at: at,
        updated_at: at,
        records: Vec::new(),
        imported_from: None,
        mode_wanted: None,
        labels: Labels::default(),
        head: None,
    }
}
