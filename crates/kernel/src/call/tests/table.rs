//! The whole table: every sample state with every sample command. The rows of `table.txt` are
//! written out; every other pair must be refused by the three rules for pairs that are not listed.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::{sample_commands, sample_states};
use super::super::{Call, Command, Event, State, allowed, owed};
use super::describe::{apply, result};
use crate::machine::{Machine, Refusal as _};
use crate::owed::Owed;

/// Rows as `state + command => result`; a line that starts with `#` is a heading.
const TABLE: &str = include_str!("table.txt");
/// Pairs in all, and rows written out. A change of behaviour shows here first.
const PAIRS: usize = 1455;
const ROWS: usize = 301;

fn rows() -> BTreeMap<&'static str, &'static str> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(" => ").expect("a row has a result")).collect()
}

/// What a pair without a row of its own gets, in the page's order.
fn unlisted(state: &State, label: &str, command: &Command) -> &'static str {
    match (label, state.name()) {
        ("Ask, same request", _) => return "answered",
        ("Ask, other request", _) => return "key_reused",
        (_, "Denied" | "Undone") => return "ended",
        (_, _) => {}
    }
    let elsewhere = label.contains(", other ");
    let has_attempt = !["New", "Asked"].contains(&state.name());
    match command.name() {
        "Timeout" | "Probed" | "UndoEnded" | "Exited" => "not_owed",
        "Prepared" | "PrepareFailed" | "Lost" if elsewhere || !has_attempt => "not_owed",
        _ => "not_now",
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
    let states: BTreeSet<&str> = sample_states().iter().map(|(_, state)| state.name()).collect();
    assert_eq!(states.len(), 9);
    for (name, state) in sample_states() {
        let said: BTreeSet<&str> =
            sample_commands(&state).iter().map(|(_, said)| said.command.name()).collect();
        assert_eq!(said, BTreeSet::from(Command::NAMES), "{name}");
    }
}

#[test]
fn invariant_allowed_is_true() {
    for (name, state) in sample_states() {
        let listed: BTreeSet<&str> = allowed(&state).into_iter().collect();
        let mut accepted = BTreeSet::new();
        for (label, said) in sample_commands(&state) {
            match Call::decide(&state, &said) {
                Ok(events) if events.is_empty() => {}
                Ok(_) => {
                    accepted.insert(said.command.name());
                }
                Err(refusal) if refusal.reason() == "not_now" => {
                    assert_eq!(refusal.allowed(), allowed(&state), "{name} + {label}");
                }
                Err(refusal) => {
                    let told = refusal.allowed();
                    assert!(told.is_empty() || told == allowed(&state), "{name} + {label}");
                }
            }
        }
        assert_eq!(listed, accepted, "{name}");
    }
}

#[test]
fn a_recorded_fact_is_never_refused_and_final_is_final() {
    let mut facts: Vec<Event> = Vec::new();
    for (_, state) in sample_states() {
        for (_, said) in sample_commands(&state) {
            facts.extend(Call::decide(&state, &said).unwrap_or_default());
        }
    }
    let names: BTreeSet<&str> = facts.iter().map(Event::name).collect();
    assert_eq!(names.len(), 17, "every event is reached: {names:?}");
    for (name, state) in sample_states() {
        let said = &sample_commands(&state)[0].1;
        for fact in &facts {
            let next = apply(&state, core::slice::from_ref(fact), said);
            if ["Denied", "Undone"].contains(&state.name()) {
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
            for event in Call::decide(&state, &said).unwrap_or_default() {
                let text = serde_json::to_string(&event).unwrap();
                let read: Event = serde_json::from_str(&text).unwrap();
                assert_eq!(read, event, "{name} + {label}");
            }
        }
    }
}

fn slots(state: &State) -> String {
    let words: Vec<String> = owed(state)
        .iter()
        .map(|owed| match owed {
            Owed::Child { slot, .. } => format!("child {slot}"),
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
    let check = |name: &str, expected: &str| {
        assert_eq!(found[name], expected.to_string(), "{name}");
    };
    check("New", "");
    check("Asked", "question ask allow|deny, timer ask/expiry 87400000");
    check("Denied", "");
    check("Allowed Ready", "effect prepare/1");
    check("Allowed Ready, Read, no retries left", "effect prepare/4");
    check("Allowed Wait, Read", "timer retry/2 1000300");
    check("Started Running, Once", "effect act/1, timer deadline/1 1120100");
    check("Started Stopping for a Stop", "effect kill/1, timer grace/1 1016100");
    check("Started Stopping for a limit", "effect kill/1, timer grace/1 1016100");
    check("Settled", "");
    check("Unknown Probe", "effect probe/1");
    check("Unknown Probe, none left", "effect probe/3");
    check("Unknown Wait", "timer probe-at/2 1002100");
    check("Unknown AskPerson", "question settle happened|did_not_happen|undo");
    check("Undoing", "child undo/1");
    check("Undone", "");
}
