//! Facts as they are gathered by one command: each is made true on a copy at once, so that what
//! follows from it is decided on what then holds.

use alloc::vec::Vec;

use super::conclude;
use super::decide::Decided;
use super::event::Event;
use super::evolve::evolve;
use super::live::Live;
use super::participant::{Launch, Participant, Phase, Why};
use super::state::State;
use crate::machine::At;

/// The facts so far, and where they lead.
pub struct Draft {
    pub state: State,
    pub at: At,
    events: Vec<Event>,
}

impl Draft {
    /// Nothing yet.
    pub fn new(state: &State, at: At) -> Self {
        Self { state: state.clone(), at, events: Vec::new() }
    }

    /// One more fact.
    pub fn push(&mut self, event: Event) {
        evolve(&mut self.state, &event, self.at);
        self.events.push(event);
    }

    /// More facts.
    pub fn extend(&mut self, events: impl IntoIterator<Item = Event>) {
        events.into_iter().for_each(|event| self.push(event));
    }

    /// The facts as they are.
    pub fn done(self) -> Decided {
        Ok(self.events)
    }

    /// The facts with what follows from them: the next one's turn in a serial run, and the end of a
    /// run whose last participant has ended.
    pub fn settled(mut self) -> Decided {
        if let Some(live) = Live::of(&self.state) {
            if live.participants.iter().all(|one| one.ended_at().is_some()) {
                for event in conclude::conclude(&self.state, self.at) {
                    self.push(event);
                }
            } else if let Some(p) = next(&live) {
                let launch = Launch { n: 1, why: Why::First };
                self.push(Event::LaunchOwed { p, launch });
            }
        }
        self.done()
    }
}

/// The one whose turn it is, if nobody is at work.
fn next(live: &Live<'_>) -> Option<alloc::string::String> {
    let busy = |one: &Participant| match one.phase {
        Phase::Starting { .. }
        | Phase::Running { .. }
        | Phase::Backoff { .. }
        | Phase::Stopping { .. } => true,
        Phase::Pending | Phase::Ended { .. } => false,
    };
    if live.cancelling || live.participants.iter().any(busy) {
        return None;
    }
    let waits = |one: &&Participant| matches!(one.phase, Phase::Pending);
    live.participants.iter().find(waits).map(|one| one.name.clone())
}
