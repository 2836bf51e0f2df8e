//! What a machine has to tell before it can be explored or lived at random: what may be said to
//! it, which of its states are the same, and what must hold. It walks nothing itself.

use std::collections::BTreeSet;
use std::fmt::Debug;

use kernel::machine::{Machine, Refusal as _, Said};
use kernel::table::Shown;

use crate::dice::Dice;

/// The state of a subject's machine.
pub type State<S> = <<S as Subject>::Machine as Machine>::State;
/// A command with its envelope.
pub type Saying<S> = Said<<<S as Subject>::Machine as Machine>::Command>;
/// A fact of a subject's machine.
pub type Event<S> = <<S as Subject>::Machine as Machine>::Event;
/// A refusal of a subject's machine.
pub type Refusal<S> = <<S as Subject>::Machine as Machine>::Refusal;

/// A machine with bounds small enough to be walked.
pub trait Subject {
    /// The machine.
    type Machine: Shown<
            State: PartialEq + Debug,
            Command: Clone + Debug,
            Event: PartialEq + Debug,
            Refusal: Debug,
        >;
    /// What is remembered of a whole life, for what no single step can show.
    type Past: Default;

    /// Where walks begin.
    fn roots(&self) -> Vec<State<Self>>;
    /// Everything that may be said in this state, fitting or not.
    fn alphabet(&self, state: &State<Self>) -> Vec<Saying<Self>>;
    /// Something to say in this state, weighted so that lives get somewhere.
    fn pick(&self, state: &State<Self>, dice: &mut Dice) -> Saying<Self>;
    /// The state without what no rule looks at: times, serials, history. Equal words, same state.
    fn canon(&self, state: &State<Self>) -> String;
    /// Whether the walk goes on from here.
    fn within(&self, state: &State<Self>) -> bool;
    /// What a refusal says is possible instead, where it says so.
    fn listed(&self, refusal: &Refusal<Self>) -> Option<Vec<&'static str>>;
    /// Whether an accepted command belongs on that list.
    fn worth_listing(&self, said: &Saying<Self>, events: &[Event<Self>]) -> bool;
    /// The speaker a list is made for; empty where lists do not hang on the speaker.
    fn voice(&self, said: &Saying<Self>) -> String;

    /// What must hold of every state.
    ///
    /// # Errors
    /// The invariant that does not hold.
    fn stands(&self, state: &State<Self>) -> Result<(), String>;
    /// What must hold of every accepted command.
    ///
    /// # Errors
    /// The invariant that does not hold.
    fn moved(&self, step: &Step<'_, Self>) -> Result<(), String>;
    /// What must hold of a whole life, step by step.
    ///
    /// # Errors
    /// The invariant that does not hold.
    fn remember(&self, past: &mut Self::Past, step: &Step<'_, Self>) -> Result<(), String>;
}

/// One accepted command.
pub struct Step<'a, S: Subject + ?Sized> {
    /// Where it was said.
    pub before: &'a State<S>,
    /// What was said.
    pub said: &'a Saying<S>,
    /// What it made true.
    pub events: &'a [Event<S>],
    /// Where that leads.
    pub after: &'a State<S>,
}

/// What was reached, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Columns of the table.
    pub states: BTreeSet<&'static str>,
    /// Facts.
    pub events: BTreeSet<&'static str>,
    /// Reasons of refusals.
    pub refusals: BTreeSet<&'static str>,
}

impl Coverage {
    /// Adds what another walk reached.
    pub fn join(&mut self, other: &Self) {
        self.states.extend(&other.states);
        self.events.extend(&other.events);
        self.refusals.extend(&other.refusals);
    }

    /// What of these was never reached.
    #[must_use]
    pub fn missing(&self, all: &Self) -> Vec<&'static str> {
        let states = all.states.difference(&self.states);
        let events = all.events.difference(&self.events);
        states.chain(events).chain(all.refusals.difference(&self.refusals)).copied().collect()
    }
}

/// What came of a command.
pub enum Heard<S: Subject + ?Sized> {
    /// Accepted, with where it leads.
    Accepted(Vec<Event<S>>, State<S>),
    /// Refused.
    Refused(Refusal<S>),
}

/// Says something and checks everything that a single step can show.
///
/// # Errors
/// The invariant that does not hold.
pub fn say<S: Subject + ?Sized>(
    subject: &S,
    before: &State<S>,
    said: &Saying<S>,
    reached: &mut Coverage,
) -> Result<Heard<S>, String> {
    let events = match S::Machine::decide(before, said) {
        Err(refusal) => {
            reached.refusals.insert(refusal.reason());
            return Ok(Heard::Refused(refusal));
        }
        Ok(events) => events,
    };
    let mut after = before.clone();
    for event in &events {
        reached.events.insert(S::Machine::event(event));
        S::Machine::evolve(&mut after, event, said.at);
    }
    reached.states.insert(S::Machine::column(&after));
    if events.is_empty() && after != *before {
        return Err("invariant_only_facts_move: it moved without a fact".to_owned());
    }
    subject.moved(&Step { before, said, events: &events, after: &after })?;
    Ok(Heard::Accepted(events, after))
}

/// What must hold of any machine's state: its invariants, and that a snapshot gives it back.
///
/// # Errors
/// The invariant that does not hold.
pub fn stands<S: Subject + ?Sized>(subject: &S, state: &State<S>) -> Result<(), String> {
    subject.stands(state)?;
    let text = serde_json::to_string(state).map_err(|why| why.to_string())?;
    let back: State<S> = serde_json::from_str(&text).map_err(|why| why.to_string())?;
    if back != *state {
        return Err("invariant_snapshot_is_state: it reads back as another state".to_owned());
    }
    Ok(())
}
