//! Makes recorded facts true. Total: a fact that does not fit where the call stands changes
//! nothing, because what is on record is never refused.

use alloc::boxed::Box;

use super::ending;
use super::event::Event;
use super::request::Facts;
use super::state::{Gate, Grant, Phase, Prep, State, UndoLevel, UnknownGate};
use crate::machine::At;

/// Makes a recorded fact true.
pub fn evolve(state: &mut State, event: &Event, at: At) {
    if let Some(next) = next(state, event, at) {
        *state = next;
    }
}

fn next(state: &State, event: &Event, at: At) -> Option<State> {
    match event {
        Event::Asked { facts, prompt, expires } => {
            let State::New = state else { return None };
            let (facts, prompt) = (facts.clone(), prompt.clone());
            Some(State::Asked { facts, prompt, expires: *expires })
        }
        Event::Allowed { grant, .. } => allowed(state, grant),
        Event::Denied { by } => {
            let (State::Asked { facts, .. } | State::Allowed { facts, .. }) = state else {
                return None;
            };
            Some(State::Denied { facts: facts.clone(), by: by.clone(), at })
        }
        Event::Started { .. } => started(state, event, at),
        Event::RetryScheduled { attempt, until, active_ms } => {
            let live = live(state)?;
            let gate = Gate::Wait { until: *until };
            Some(live.allowed(*attempt, live.relaunches, *active_ms, gate))
        }
        Event::RetryDue { attempt } => {
            let live = live(state)?;
            Some(live.allowed(*attempt, live.relaunches, live.active_ms, Gate::Ready))
        }
        Event::NeverLaunched { attempt, relaunches } => {
            let live = live(state)?;
            Some(live.allowed(*attempt, *relaunches, live.active_ms, Gate::Ready))
        }
        Event::StopBegun { .. } => stop_begun(state, event, at),
        Event::Settled { .. } => settled(state, event, at),
        Event::OutcomeUnknown { .. } => outcome_unknown(state, event),
        Event::Reattached => reattached(state, at),
        Event::ProbeScheduled { until } => looked(state, UnknownGate::Wait { until: *until }),
        Event::PersonAsked { evidence } => {
            looked(state, UnknownGate::AskPerson { evidence: evidence.clone() })
        }
        Event::ProbeDue => probe_due(state),
        Event::UndoBegun { undo, n } => {
            let (State::Settled { .. } | State::Unknown { .. }) = state else { return None };
            let from = Box::new(state.clone());
            Some(State::Undoing { from, undo: undo.clone(), n: *n })
        }
        Event::Undone { by } => undone(state, by, at),
        Event::UndoFailed => undo_failed(state),
    }
}

/// What an allowed, started or lost call takes along wherever it goes.
struct Live<'a> {
    facts: &'a Facts,
    grant: &'a Grant,
    attempt: u32,
    relaunches: u32,
    active_ms: u64,
    prep: Option<&'a Prep>,
    undos: u32,
}

impl Live<'_> {
    fn allowed(&self, attempt: u32, relaunches: u32, active_ms: u64, gate: Gate) -> State {
        State::Allowed {
            facts: Box::new(self.facts.clone()),
            grant: self.grant.clone(),
            attempt,
            relaunches,
            active_ms,
            undos: self.undos,
            gate,
        }
    }
}

fn live(state: &State) -> Option<Live<'_>> {
    let (facts, grant, attempt, relaunches, active_ms, undos, prep) = match state {
        State::Allowed { facts, grant, attempt, relaunches, active_ms, undos, .. } => {
            (facts, grant, attempt, relaunches, active_ms, undos, None)
        }
        State::Started { facts, grant, attempt, relaunches, active_ms, undos, prep, .. }
        | State::Unknown { facts, grant, attempt, relaunches, active_ms, undos, prep, .. } => {
            (facts, grant, attempt, relaunches, active_ms, undos, Some(prep))
        }
        State::New
        | State::Asked { .. }
        | State::Denied { .. }
        | State::Settled { .. }
        | State::Undoing { .. }
        | State::Undone { .. } => return None,
    };
    Some(Live {
        facts,
        grant,
        attempt: *attempt,
        relaunches: *relaunches,
        active_ms: *active_ms,
        undos: *undos,
        prep,
    })
}

fn allowed(state: &State, grant: &Grant) -> Option<State> {
    let State::Asked { facts, .. } = state else { return None };
    Some(State::Allowed {
        facts: facts.clone(),
        grant: grant.clone(),
        attempt: 1,
        relaunches: 0,
        active_ms: 0,
        undos: 0,
        gate: Gate::Ready,
    })
}

fn started(state: &State, event: &Event, at: At) -> Option<State> {
    let live = live(state)?;
    let Event::Started { attempt, epoch, prep, deadline } = event else { return None };
    Some(State::Started {
        facts: Box::new(live.facts.clone()),
        grant: live.grant.clone(),
        attempt: *attempt,
        relaunches: live.relaunches,
        active_ms: live.active_ms,
        undos: live.undos,
        epoch: *epoch,
        prep: prep.clone(),
        started_at: at,
        deadline: *deadline,
        phase: Phase::Running,
    })
}

fn stop_begun(state: &State, event: &Event, at: At) -> Option<State> {
    let Event::StopBegun { why, by } = event else { return None };
    let mut next = state.clone();
    let State::Started { phase, .. } = &mut next else { return None };
    *phase = Phase::Stopping { why: why.clone(), by: by.clone(), since: at };
    Some(next)
}

fn settled(state: &State, event: &Event, at: At) -> Option<State> {
    let live = live(state)?;
    let Event::Settled { outcome, by, exit, undo, charge, late } = event else { return None };
    Some(State::Settled {
        facts: Box::new(live.facts.clone()),
        attempt: live.attempt,
        relaunches: live.relaunches,
        outcome: outcome.clone(),
        by: by.clone(),
        exit: exit.as_deref().cloned(),
        prep: live.prep.cloned(),
        undo: undo.clone(),
        charge: *charge,
        late: *late,
        undos: live.undos,
        at,
    })
}

fn outcome_unknown(state: &State, event: &Event) -> Option<State> {
    let Event::OutcomeUnknown { why } = event else { return None };
    let State::Started {
        facts,
        grant,
        attempt,
        relaunches,
        active_ms,
        undos,
        epoch,
        prep,
        started_at,
        phase,
        deadline: _,
    } = state
    else {
        return None;
    };
    Some(State::Unknown {
        facts: facts.clone(),
        grant: grant.clone(),
        attempt: *attempt,
        relaunches: *relaunches,
        active_ms: *active_ms,
        undos: *undos,
        epoch: *epoch,
        prep: prep.clone(),
        started_at: *started_at,
        phase: phase.clone(),
        why: why.clone(),
        probes: 0,
        gate: UnknownGate::Probe,
    })
}

/// A call that was being stopped is still being stopped once it is found, with a new grace.
fn reattached(state: &State, at: At) -> Option<State> {
    let State::Unknown {
        facts,
        grant,
        attempt,
        relaunches,
        active_ms,
        undos,
        epoch,
        prep,
        started_at,
        phase,
        ..
    } = state
    else {
        return None;
    };
    let phase = match phase {
        Phase::Running => Phase::Running,
        Phase::Stopping { why, by, .. } => {
            Phase::Stopping { why: why.clone(), by: by.clone(), since: at }
        }
    };
    Some(State::Started {
        facts: facts.clone(),
        grant: grant.clone(),
        attempt: *attempt,
        relaunches: *relaunches,
        active_ms: *active_ms,
        undos: *undos,
        epoch: *epoch,
        prep: prep.clone(),
        started_at: *started_at,
        deadline: started_at.plus(facts.request.deadline_ms),
        phase,
    })
}

fn looked(state: &State, then: UnknownGate) -> Option<State> {
    let mut next = state.clone();
    let State::Unknown { probes, gate, .. } = &mut next else { return None };
    *probes = probes.saturating_add(1);
    *gate = then;
    Some(next)
}

fn probe_due(state: &State) -> Option<State> {
    let mut next = state.clone();
    let State::Unknown { gate, .. } = &mut next else { return None };
    *gate = UnknownGate::Probe;
    Some(next)
}

fn undone(state: &State, by: &str, at: At) -> Option<State> {
    let State::Undoing { from, undo, n } = state else { return None };
    Some(State::Undone {
        facts: Box::new(from.facts()?.clone()),
        level: level(from),
        undo_key: undo.key(*n),
        by: by.into(),
        at,
    })
}

fn level(from: &State) -> UndoLevel {
    match from {
        State::Settled { undo, .. } => undo.clone(),
        State::Unknown { facts, prep, .. } => ending::of_prep(facts, prep),
        State::New
        | State::Asked { .. }
        | State::Denied { .. }
        | State::Allowed { .. }
        | State::Started { .. }
        | State::Undoing { .. }
        | State::Undone { .. } => ending::nothing(),
    }
}

/// Back to where it came from, remembering how many undos were tried.
fn undo_failed(state: &State) -> Option<State> {
    let State::Undoing { from, n, .. } = state else { return None };
    let mut next = State::clone(from);
    if let State::Settled { undos, .. } | State::Unknown { undos, .. } = &mut next {
        *undos = *n;
    }
    Some(next)
}
