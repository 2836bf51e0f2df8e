//! The `lifecycle` machine: carries one requirement from a plan to the archive, one turn a task,
//! with evidence instead of words. It runs nothing and reads no clock. The table is drawn from
//! `decide` by `cargo xtask gen`.

mod approve;
mod batch;
mod bounds;
mod check;
mod checked;
mod command;
mod decide;
pub mod document;
mod ends;
mod event;
mod evolve;
mod help;
mod names;
mod owes;
mod phase;
mod plan;
mod progress;
mod prompt;
mod queue;
mod refusal;
mod rights;
mod rows;
pub mod samples;
mod setup;
mod shown;
pub mod signature;
mod slot;
mod standing;
mod state;
mod task;
#[cfg(test)]
mod tests;
pub mod valid;
pub mod view;

pub use bounds::*;
pub use check::*;
pub use command::*;
pub use decide::{allowed, decide};
pub use event::*;
pub use evolve::evolve;
pub use names::{DERIVED, STATES, TRIGGERS};
pub use owes::{Act, owed};
pub use plan::*;
pub use refusal::{NotNow, Refusal};
pub use setup::*;
pub use shown::{attempts, shown};
pub use standing::task_of_key;
pub use state::*;
pub use task::*;

/// The `lifecycle` machine.
#[derive(Debug)]
pub struct Lifecycle;

impl crate::machine::Machine for Lifecycle {
    const NAME: &'static str = "lifecycle";
    type State = State;
    type Command = Command;
    type Event = Event;
    type Refusal = Refusal;

    fn decide(
        state: &State,
        said: &crate::machine::Said<Command>,
    ) -> Result<alloc::vec::Vec<Event>, Refusal> {
        decide(state, said)
    }

    fn evolve(state: &mut State, event: &Event, at: crate::machine::At) {
        evolve(state, event, at);
    }

    fn owed(state: &State) -> alloc::vec::Vec<crate::owed::Owed> {
        owed(state)
    }
}
