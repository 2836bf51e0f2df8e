//! The `collab` machine: puts one question to several agents, waits with hard limits, retries once,
//! and says what is missing. It runs nothing and reads no clock; each launch is a call that it
//! owes. The table is drawn from `decide` by `cargo xtask gen`.

mod bounds;
mod command;
mod conclude;
mod decide;
mod draft;
mod event;
mod evolve;
mod launches;
mod level;
mod live;
mod moves;
mod names;
mod outcome;
mod owes;
mod participant;
mod plan;
mod prompt;
mod reading;
mod refusal;
mod rights;
mod rows;
pub mod samples;
mod session;
mod slot;
mod spelled;
mod state;
#[cfg(test)]
mod tests;
mod valid;
pub mod view;
mod whether;
mod words;

pub use bounds::*;
pub use command::{BusySession, Checked, Choice, Command, Flaw, Scope};
pub use decide::{allowed, decide};
pub use event::Event;
pub use evolve::evolve;
pub use outcome::{Outcome, outcome_of};
pub use owes::{Awaited, owed};
pub use participant::{Fault, How, Launch, Output, Participant, Phase, Skip, StopWhy, Why};
pub use plan::{Accept, Lang, Member, Merge, Mode, Plan, Rule};
pub use refusal::Refusal;
pub use session::valid_session;
pub use slot::{CONFIRM, GATE, launch_of, timer_command};
pub use state::{
    Cause, Class, Confirm, Impact, Level, Mark, NonEmpty, Run, Shortfall, Stage, State,
};

/// The `collab` machine.
#[derive(Debug)]
pub struct Collab;

impl crate::machine::Machine for Collab {
    const NAME: &'static str = "collab";
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
