//! The whole table: every sample state with every sample command.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::{sample_commands, sample_states};
use super::super::{Collab, Command, Event, Phase, State, allowed, owed};
use crate::machine::{Machine, Refusal as _, Said};
use crate::owed::Owed;

fn apply(state: &State, events: &[Event], said: &Said<Command>) -> State {
    let mut next = state.clone();
    for event in events {
        Collab::evolve(&mut next, event, said.at);
    }
    next
}

#[test]
fn print_table() {
    extern crate std;
    for (name, state) in sample_states() {
        std::println!("# {name}: {}", state.variant());
        for (label, said) in sample_commands(&state) {
            let found = match Collab::decide(&state, &said) {
                Err(refusal) => refusal.reason().to_string(),
                Ok(events) => {
                    let names: Vec<&str> = events.iter().map(Event::name).collect();
                    let next = apply(&state, &events, &said);
                    let phases: Vec<String> = next
                        .participants()
                        .iter()
                        .map(|one| match &one.phase {
                            Phase::Ended { .. } => one.status().to_string(),
                            Phase::Pending => "Pending".into(),
                            Phase::Starting { .. } => "Starting".into(),
                            Phase::Running { .. } => "Running".into(),
                            Phase::Backoff { .. } => "Backoff".into(),
                            Phase::Stopping { .. } => "Stopping".into(),
                        })
                        .collect();
                    format!("[{}] {} ({})", names.join(", "), next.variant(), phases.join(" "))
                }
            };
            std::println!("{name} + {label} => {found}");
        }
    }
}
