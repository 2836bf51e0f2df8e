//! The seed's table: 7 states × 11 triggers, of which exactly 12 are legal. A trigger is recorded
//! from where it is legal and from nowhere else, and what only follows is refused from outside.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::super::samples::{sample_commands, sample_states};
use super::super::*;
use crate::machine::{By, Refusal as _, Said};

/// The twelve rows of the seed.
const LEGAL: [(&str, &str, &str); 12] = [
    ("IDLE", "USER_INPUT_REQUIREMENT", "PLANNING"),
    ("PLANNING", "PRD_GENERATED", "CONFIRMING"),
    ("CONFIRMING", "USER_CONFIRM", "EXECUTING"),
    ("CONFIRMING", "USER_CANCEL", "IDLE"),
    ("PLANNING", "USER_CANCEL", "IDLE"),
    ("EXECUTING", "ERROR_DETECTED", "AUTO_FIX"),
    ("AUTO_FIX", "FIX_SUCCESS", "EXECUTING"),
    ("AUTO_FIX", "FIX_FAILED_3X", "BLOCKED"),
    ("BLOCKED", "HUMAN_INTERVENTION", "EXECUTING"),
    ("BLOCKED", "ROLLBACK", "IDLE"),
    ("EXECUTING", "ALL_TASKS_DONE", "ARCHIVING"),
    ("ARCHIVING", "ARCHIVE_COMPLETE", "IDLE"),
];

/// Moves of our own.
const OURS: [(&str, &str, &str); 8] = [
    ("BLOCKED", "SKIP_TASK", "EXECUTING"),
    ("AUTO_FIX", "FORCE_STOP", "BLOCKED"),
    ("EXECUTING", "USER_ABORT", "ARCHIVING"),
    ("AUTO_FIX", "USER_ABORT", "ARCHIVING"),
    ("BLOCKED", "USER_ABORT", "ARCHIVING"),
    ("EXECUTING", "HALT", "BLOCKED"),
    ("AUTO_FIX", "HALT", "BLOCKED"),
    ("IDLE", "NeverBegan", "IDLE"),
];

/// Every move that a sample command makes in a sample state, fact by fact.
fn moves() -> BTreeSet<(&'static str, &'static str, &'static str)> {
    let mut found = BTreeSet::new();
    for (_, state) in sample_states() {
        for (_, said) in sample_commands(&state) {
            let Ok(events) = decide(&state, &said) else { continue };
            let mut now = state.clone();
            for event in events {
                let from = now.name();
                evolve(&mut now, &event, said.at);
                let trigger = TRIGGERS.contains(&event.name());
                if trigger || from != now.name() || event == Event::NeverBegan {
                    found.insert((from, event.name(), now.name()));
                }
            }
        }
    }
    found
}

#[test]
fn every_legal_pair_is_reached_and_no_other_move_is() {
    let expected: BTreeSet<_> = LEGAL.into_iter().chain(OURS).collect();
    assert_eq!(moves(), expected);
}

#[test]
fn all_77_pairs_are_decided_and_65_are_refused() {
    let mut legal = 0;
    for state_name in STATES {
        for trigger in TRIGGERS {
            let row = LEGAL.iter().find(|(from, on, _)| *from == state_name && *on == trigger);
            legal += usize::from(row.is_some());
            if DERIVED.contains(&trigger) {
                let command = Command::Derived { trigger };
                for (label, state) in sample_states() {
                    let said = Said {
                        by: By::Person,
                        at: crate::machine::At(1),
                        command: command.clone(),
                    };
                    let reason = decide(&state, &said).map_err(|refusal| refusal.reason());
                    assert_eq!(reason.err(), Some("derived"), "{trigger} in {label}");
                }
                continue;
            }
            // What a person says: possible in some case of a legal state, in no case of another.
            let mut accepted: Vec<&str> = Vec::new();
            for (label, state) in
                sample_states().into_iter().filter(|(_, s)| s.name() == state_name)
            {
                for (_, said) in sample_commands(&state) {
                    if said.command.name() == trigger && decide(&state, &said).is_ok() {
                        accepted.push(label);
                    }
                }
            }
            assert_eq!(
                !accepted.is_empty(),
                row.is_some(),
                "{state_name} + {trigger}: {accepted:?}"
            );
        }
    }
    assert_eq!((legal, STATES.len() * TRIGGERS.len() - legal), (12, 65));
}

/// What a refusal says to be possible is possible, for whoever is told so.
#[test]
fn allowed_is_true_in_each_refusal() {
    for (label, state) in sample_states() {
        for (_, said) in sample_commands(&state) {
            let Err(refusal) = decide(&state, &said) else { continue };
            for name in refusal.allowed() {
                let mut own = sample_commands(&state)
                    .into_iter()
                    .filter(|(_, other)| other.command.name() == name)
                    .map(|(_, other)| Said { by: said.by.clone(), ..other });
                assert!(own.any(|own| decide(&state, &own).is_ok()), "{label}: {name}");
            }
        }
    }
}

/// A start beside a run at work can only wait: what was refused is not told as possible.
#[test]
fn a_busy_start_is_told_of_nothing_else() {
    let begin = Box::new(super::super::samples::begin(Source::Text));
    let command = Command::UserInputRequirement { begin, busy_with: Some("lc-9".into()) };
    let said = Said { by: By::Person, at: crate::machine::At(1), command };
    let refusal = decide(&State::New, &said).expect_err("lc-9 is at work");
    assert_eq!((refusal.reason(), refusal.allowed()), ("busy", Vec::new()));
}
