//! Says in a few words where a command leads, so that rows read like the table.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::{
    Call, Command, DeniedBy, Event, Gate, Lost, Outcome, Phase, SettledBy, State, UnknownGate,
};
use crate::machine::{Machine, Refusal as _, Said};

/// Applies what was decided.
pub fn apply(state: &State, events: &[Event], said: &Said<Command>) -> State {
    let mut next = state.clone();
    for event in events {
        Call::evolve(&mut next, event, said.at);
    }
    next
}

/// Where a command leads: `[events] → next`, `answered`, or the refusal's reason.
pub fn result(state: &State, said: &Said<Command>) -> String {
    match Call::decide(state, said) {
        Err(refusal) => refusal.reason().to_string(),
        Ok(events) if events.is_empty() => "answered".to_string(),
        Ok(events) => {
            let names: Vec<&str> = events.iter().map(Event::name).collect();
            format!("[{}] {}", names.join(", "), short(&apply(state, &events, said)))
        }
    }
}

/// A state in a few words.
pub fn short(state: &State) -> String {
    match state {
        State::New | State::Asked { .. } | State::Undoing { .. } | State::Undone { .. } => {
            state.name().to_string()
        }
        State::Denied { by, .. } => format!("Denied {}", denied_by(by)),
        State::Allowed { attempt, relaunches, gate, .. } => match gate {
            Gate::Ready => format!("Allowed {attempt}, {relaunches} Ready"),
            Gate::Wait { .. } => format!("Allowed {attempt}, {relaunches} Wait"),
        },
        State::Started { phase: Phase::Running, .. } => "Started Running".to_string(),
        State::Started { phase: Phase::Stopping { .. }, .. } => "Started Stopping".to_string(),
        State::Settled { outcome, by, late, .. } => {
            let by = match by {
                SettledBy::Result => "",
                SettledBy::Probe => " by probe",
                SettledBy::Person { .. } => " by person",
            };
            let late = if *late { " late" } else { "" };
            format!("{}{by}{late}", outcome_word(outcome))
        }
        State::Unknown { gate, why, .. } => {
            let gate = match gate {
                UnknownGate::Probe => "Probe",
                UnknownGate::Wait { .. } => "Wait",
                UnknownGate::AskPerson { .. } => "AskPerson",
            };
            match why {
                Lost::Lost => format!("Unknown {gate}"),
                Lost::NotProvenDead { survivors } => {
                    format!("Unknown {gate} not proven dead [{}]", survivors.join(", "))
                }
            }
        }
    }
}

fn denied_by(by: &DeniedBy) -> &'static str {
    match by {
        DeniedBy::Policy { .. } => "policy",
        DeniedBy::User { .. } => "user",
        DeniedBy::Timer => "timer",
        DeniedBy::Parent => "parent",
    }
}

fn outcome_word(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok => "Ok".to_string(),
        Outcome::Failed(failure) => format!("Failed {}/{}", failure.code, failure.kind),
        Outcome::TimedOut { limit } => format!("TimedOut {limit}"),
        Outcome::Stopped => "Stopped".to_string(),
    }
}
