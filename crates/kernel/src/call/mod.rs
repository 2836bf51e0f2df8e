//! One effect on the world: asked, judged, recorded as started before it acts, settled by evidence.
//! It runs nothing and reads no clock. The table is drawn from `decide` by `cargo xtask gen`.

mod command;
mod decide;
mod ending;
mod event;
mod evolve;
mod held;
mod launched;
mod owes;
mod refusal;
mod request;
mod rows;
pub mod samples;
mod slot;
mod standing;
mod state;
mod tool;
mod whether;

pub use command::{
    Answered, Ask, Budget, Command, Finding, Launch, ParentNow, SettleAs, StopWhy, UndoResult,
};
pub use decide::decide;
pub use ending::NOTHING_HAPPENED;
pub use event::Event;
pub use evolve::evolve;
pub use held::{Held, NotBegun};
pub use owes::owed;
pub use refusal::{Refusal, allowed};
pub use request::{
    ASK_EXPIRY_MS, Args, CONVERGE_RESTARTS_MAX, Class, Facts, GRACE_MS, Given, OnUnknown,
    PROBE_DELAYS_MS, PROBES_MAX, PROVE_EMPTY_MS, RELAUNCHES_MAX, RETRY_DELAYS_MS, Request, Rules,
};
pub use slot::idle as idle_slot;
pub use standing::{LEFT_ALONE, Trees};
pub use state::{
    Charge, DeniedBy, Done, Ended, Exit, Failure, Foreign, Gate, Grant, KillWhy, Lost, Outcome,
    Phase, Prep, SettledBy, State, TakeBack, UndoLevel, UnknownGate,
};
pub use tool::{
    AGENT, Acts, CHECKPOINT, GIT_COMMIT, PACKAGE, ROLLBACK, RUN, TOOLS, Tool, UNDO,
    VERSION as TOOL_VERSION, about, named, process, request, typed, undo_request,
};

/// The `call` machine.
#[derive(Debug)]
pub struct Call;

impl crate::machine::Machine for Call {
    const NAME: &'static str = "call";
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

#[cfg(test)]
mod tests;
