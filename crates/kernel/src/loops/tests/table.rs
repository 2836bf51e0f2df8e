//! The table: every column by every command, exactly.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::samples::{sample_commands, sample_states};
use super::super::*;
use crate::machine::Refusal as _;

/// Where a command leads, or why it is refused.
fn cell(state: &State, said: &crate::machine::Said<Command>) -> String {
    match decide(state, said) {
        Ok(events) => {
            let mut next = state.clone();
            for event in &events {
                evolve(&mut next, event, said.at);
            }
            if next.variant() == state.variant() { "=".into() } else { next.variant().into() }
        }
        Err(refusal) => alloc::format!("!{}", refusal.reason()),
    }
}

fn drawn() -> String {
    let states = sample_states();
    let mut text = String::new();
    for (at, (label, _)) in sample_commands(&State::New).iter().enumerate() {
        let cells: Vec<String> =
            states.iter().map(|(_, state)| cell(state, &sample_commands(state)[at].1)).collect();
        text.push_str(&alloc::format!("{label}: {}\n", cells.join(" ")));
    }
    text
}

#[test]
fn table_is_exactly_this() {
    let drawn = drawn();
    let expected = include_str!("table.txt");
    for (drawn, expected) in drawn.lines().zip(expected.lines().skip(1)) {
        assert_eq!(drawn, expected);
    }
    assert_eq!(drawn.lines().count(), expected.lines().count() - 1);
    let cells = |line: &str| line.split_once(": ").map_or(0, |(_, row)| row.split(' ').count());
    assert_eq!(drawn.lines().map(cells).sum::<usize>(), 32 * 12);
}

#[test]
fn every_column_has_its_sample() {
    let names: Vec<&str> = sample_states().iter().map(|(name, _)| *name).collect();
    let expected = [
        "New",
        "Created",
        "Acting",
        "Choosing",
        "Lent",
        "Paused",
        "Paused?",
        "Paused*",
        "Completed",
        "Failed",
        "Failed*",
        "Deleted",
    ];
    assert_eq!(names, expected);
    for (name, state) in sample_states() {
        assert_eq!(name.trim_end_matches('?'), state.variant());
    }
    assert_eq!(sample_commands(&State::New).len(), 32);
}

#[test]
fn invariant_allowed_is_true() {
    for (name, state) in sample_states() {
        for (label, said) in sample_commands(&state) {
            let Err(refusal) = decide(&state, &said) else { continue };
            for allowed in refusal.allowed() {
                let works = sample_commands(&state).iter().any(|(_, said)| {
                    said.command.name() == allowed && decide(&state, said).is_ok()
                });
                assert!(works, "{name} {label} lists {allowed}");
            }
            if refusal.reason() == "not_now" {
                assert!(!refusal.allowed().is_empty(), "{name} {label}");
                assert!(
                    !refusal.allowed().contains(&said.command.name())
                        || label.contains(' ')
                        || label == "Pause",
                    "{name} {label}"
                );
            }
        }
    }
}
