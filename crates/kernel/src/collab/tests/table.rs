//! The whole table: every sample state with every sample command. The rows of `table.txt` are
//! written out; every other pair must be refused by the rules for pairs that are not listed.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::{sample_commands, sample_states};
use super::super::{Collab, Command, Event, State, allowed, owed};
use super::world::stands;
use crate::machine::{Machine, Refusal as _, Said};
use crate::owed::Owed;

/// Rows as `state + command => result`; a line that starts with `#` is a heading.
const TABLE: &str = include_str!("table.txt");
/// Pairs in all, and rows written out. A change of behaviour shows here first.
const PAIRS: usize = 1685;
const ROWS: usize = 578;

fn rows() -> BTreeMap<&'static str, &'static str> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(" => ").expect("a row has a result")).collect()
}

fn apply(state: &State, events: &[Event], said: &Said<Command>) -> State {
    let mut next = state.clone();
    for event in events {
        Collab::evolve(&mut next, event, said.at);
    }
    next
}

/// Where a command leads: `[events] state (participants)`, `answered`, or the refusal's reason.
fn result(state: &State, said: &Said<Command>) -> String {
    match Collab::decide(state, said) {
        Err(refusal) => refusal.reason().to_string(),
        Ok(events) if events.is_empty() => "answered".to_string(),
        Ok(events) => {
            let names: Vec<&str> = events.iter().map(Event::name).collect();
            let next = apply(state, &events, said);
            let phases: Vec<&str> = next.participants().iter().map(stands).collect();
            format!("[{}] {} ({})", names.join(", "), next.variant(), phases.join(", "))
        }
    }
}

/// What a pair without a row of its own gets.
fn unlisted(state: &State, label: &str, command: &Command) -> &'static str {
    let door = ["Create", "Answer", "Cancel", "Extend"].contains(&command.name());
    match (label, state.name()) {
        ("Create, same plan", _) => "answered",
        ("Create, other plan", _) => "key_reused",
        (_, "SUCCESS" | "FAILED") => "ended",
        (label, _) if label.ends_with("by an agent") => "needs_person",
        (_, "New") => "not_now",
        (label, _) if label.starts_with("CallStarted, unknown") => "no_such",
        (_, _) if door => "not_now",
        (_, _) => "not_owed",
    }
}

#[test]
fn every_pair_of_the_table() {
    let mut rows = rows();
    assert_eq!(rows.len(), ROWS, "rows written out");
    let mut pairs = 0;
    let mut wrong = Vec::new();
    for (name, state) in sample_states() {
        for (label, said) in sample_commands(&state) {
            pairs += 1;
            let pair = format!("{name} + {label}");
            let expected = rows
                .remove(pair.as_str())
                .unwrap_or_else(|| unlisted(&state, label, &said.command));
            let found = result(&state, &said);
            if found != expected {
                wrong.push(format!("{pair} => {found}, expected {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(rows.is_empty(), "rows without a pair: {:?}", rows.keys());
    assert_eq!(pairs, PAIRS, "pairs in all");
}

#[test]
fn every_command_and_state_has_a_sample() {
    let states: BTreeSet<&str> = sample_states().iter().map(|(_, state)| state.variant()).collect();
    assert_eq!(states.len(), 7, "{states:?}");
    for (name, state) in sample_states() {
        let said: BTreeSet<&str> =
            sample_commands(&state).iter().map(|(_, said)| said.command.name()).collect();
        assert_eq!(said, BTreeSet::from(Command::NAMES), "{name}");
    }
}

#[test]
fn invariant_allowed_is_true() {
    let doors = ["Create", "Answer", "Cancel", "Extend"];
    for (name, state) in sample_states() {
        let mut accepted = BTreeSet::new();
        for (label, said) in sample_commands(&state) {
            match Collab::decide(&state, &said) {
                Ok(events) => {
                    let moves = !events.is_empty() && doors.contains(&said.command.name());
                    accepted.extend(moves.then(|| said.command.name()));
                }
                Err(refusal) => {
                    let told = refusal.allowed();
                    let known = allowed(&state, &said.by);
                    let lists = refusal.reason() == "not_now" || !told.is_empty();
                    assert!(!lists || told == known, "{name} + {label}: {told:?}");
                }
            }
        }
        let listed: BTreeSet<&str> =
            allowed(&state, &crate::machine::By::Person).into_iter().collect();
        assert_eq!(listed, accepted, "{name}");
    }
}

#[test]
fn invariant_total() {
    let mut facts: Vec<Event> = Vec::new();
    for (_, state) in sample_states() {
        for (label, said) in sample_commands(&state) {
            let events = Collab::decide(&state, &said).unwrap_or_default();
            let next = apply(&state, &events, &said);
            if next.name() == "FAILED" && state.name() != "FAILED" {
                assert!(["INIT", "RUNNING", "DEGRADED"].contains(&state.name()), "{label}");
            }
            facts.extend(events);
        }
    }
    let names: BTreeSet<&str> = facts.iter().map(Event::name).collect();
    assert_eq!(names.len(), 20, "every event is reached: {names:?}");
    for (name, state) in sample_states() {
        let said = &sample_commands(&state)[0].1;
        for fact in &facts {
            let next = apply(&state, core::slice::from_ref(fact), said);
            if state.ended() {
                assert_eq!(next, state, "{name} after {}", fact.name());
            }
        }
    }
}

#[test]
fn states_and_facts_survive_the_journal() {
    for (name, state) in sample_states() {
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state, "{name}");
        for (label, said) in sample_commands(&state) {
            for event in Collab::decide(&state, &said).unwrap_or_default() {
                let text = serde_json::to_string(&event).unwrap();
                let read: Event = serde_json::from_str(&text).unwrap();
                assert_eq!(read, event, "{name} + {label}");
            }
        }
    }
    assert!(serde_json::from_str::<super::super::NonEmpty<String>>("[]").is_err());
}

fn slots(state: &State) -> String {
    let words: Vec<String> = owed(state)
        .iter()
        .map(|owed| match owed {
            Owed::Child { slot, begun, .. } => format!("call {slot} {begun:?}"),
            Owed::Timer { slot, due } => format!("timer {slot} {}", due.0),
            Owed::Question { slot, question } => {
                format!("question {slot} {}", question.options.join("|"))
            }
            Owed::Effect { slot, .. } => format!("effect {slot}"),
        })
        .collect();
    words.join(", ")
}

#[test]
fn what_each_state_owes() {
    let found: BTreeMap<&str, String> =
        sample_states().iter().map(|(name, state)| (*name, slots(state))).collect();
    let check = |name: &str, expected: &str| assert_eq!(found[name], expected, "{name}");
    check("New", "");
    check("INIT Checking", "effect gate");
    check("INIT Launching", "call codex/1 NotYet, call gemini/1 NotYet");
    check("INIT Launching, serial", "call codex/1 NotYet");
    check("INIT Launching, a retry waits", "timer codex/2/backoff 1002000, call gemini/1 NotYet");
    check("INIT Launching, cancelling", "timer codex/1/stop 1021000, timer gemini/1/stop 1021000");
    check(
        "RUNNING",
        "call codex/1 Told, timer codex/1/due 1301000, call gemini/1 Told, \
         timer gemini/1/due 1301000, timer total 1601000",
    );
    check("RUNNING, serial", "call codex/1 Told, timer codex/1/due 1301000, timer total 1601000");
    check("RUNNING, stopping at its due", "timer codex/1/stop 1321000, timer total 1601000");
    check("RUNNING, stopping at the total", "timer codex/2/stop 1621000");
    check(
        "DEGRADED ACCEPTABLE",
        "question confirm accept|wait|cancel, timer confirm/expiry 1063000",
    );
    check("DEGRADED UNACCEPTABLE", "question confirm override|wait|cancel");
    check("SUCCESS", "");
    check("FAILED", "");
}

/// Every timer that is owed is taken when it falls due, refused before, and taken only once.
#[test]
fn invariant_owed_timers_are_taken_once() {
    for (name, state) in sample_states() {
        for owed in owed(&state) {
            let Owed::Timer { slot, due } = owed else { continue };
            let command = super::super::timer_command(&slot).expect("a timer's slot");
            let said = |at| Said { by: crate::machine::By::Timer, at, command: command.clone() };
            let early = crate::machine::At(due.0 - 1);
            assert!(Collab::decide(&state, &said(early)).is_err(), "{name}: {slot} early");
            let events = Collab::decide(&state, &said(due)).expect("an owed timer is taken");
            let next = apply(&state, &events, &said(due));
            assert!(Collab::decide(&next, &said(due)).is_err(), "{name}: {slot} twice");
        }
    }
}
