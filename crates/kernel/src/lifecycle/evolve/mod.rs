//! Makes recorded facts true. Total: a recorded fact is never refused, and one that does not fit
//! changes nothing.

mod moves;
mod plans;
mod tasks;

use alloc::boxed::Box;

use super::event::{Event, Taken};
use super::state::{Life, State};
use crate::machine::At;

/// Makes a recorded fact true.
pub fn evolve(state: &mut State, event: &Event, at: At) {
    match state {
        State::New => {
            if let Event::UserInputRequirement { taken: Taken::First(begin) } = event {
                *state = State::Alive(Box::new(plans::born(begin, at)));
            } else if *event == Event::NeverBegan {
                *state = State::Never { at };
            }
        }
        State::Alive(life) => apply(life, event, at),
        State::Never { .. } => {}
    }
}

/// Makes a fact true in a lifecycle that has begun.
pub(super) fn apply(life: &mut Life, event: &Event, at: At) {
    if plans::apply(life, event, at).is_none() && moves::apply(life, event, at).is_none() {
        tasks::apply(life, event, at);
    }
    life.body.seq += 1;
    life.body.updated_at = at;
}

/// Whether a fact belongs to this part.
type Took = Option<()>;
