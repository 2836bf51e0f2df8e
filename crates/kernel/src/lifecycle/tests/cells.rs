//! Every cell of the page's table of states and commands, and who may say each command.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::sample_commands;
use super::super::*;
use super::world::sample;
use crate::machine::{By, Refusal as _, Said};

/// A sample for each column of the page.
const COLUMNS: [&str; 9] = [
    "new",
    "completed",
    "drafting",
    "confirming",
    "at a task",
    "fixing",
    "blocked",
    "rollback is asked",
    "writing",
];

/// The page's table by a person: a reason, `>STATE`, `ok` where facts are recorded within the
/// state, `-` where nothing is.
const CELLS: &str = include_str!("cells.txt");

fn cell(state: &State, said: &Said<Command>) -> String {
    match decide(state, said) {
        Err(refusal) => refusal.reason().to_string(),
        Ok(events) if events.is_empty() => "-".to_string(),
        Ok(events) => {
            let mut after = state.clone();
            events.iter().for_each(|event| evolve(&mut after, event, said.at));
            if after.name() == state.name() { "ok".into() } else { format!(">{}", after.name()) }
        }
    }
}

fn labelled(state: &State, label: &str) -> Said<Command> {
    let found = sample_commands(state).into_iter().find(|(name, _)| *name == label);
    found.unwrap_or_else(|| panic!("no label {label}")).1
}

#[test]
fn every_cell_is_as_the_page_has_it() {
    let mut wrong = Vec::new();
    for line in CELLS.lines().filter(|line| !line.is_empty()) {
        let (label, expected) = line.split_once('|').expect("a row has cells");
        let label = label.trim();
        let drawn: Vec<String> = COLUMNS
            .iter()
            .map(|column| {
                let state = sample(column);
                cell(&state, &labelled(&state, label))
            })
            .collect();
        if drawn.join(" ") != expected.trim() {
            wrong.push(format!("{label}\n  {}\n  {}", expected.trim(), drawn.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn steps_within_a_state_lead_where_the_page_says() {
    let mut wrong = Vec::new();
    let table = [
        ("stuck", "retry the plan", "ok"),
        ("stuck", "modify", "ok"),
        ("saving", "saved", "ok"),
        ("saving", "not saved", ">BLOCKED"),
        ("saving", "saved on another branch", ">BLOCKED"),
        ("saving", "call unknown", ">BLOCKED"),
        ("claimed", "check failed", "ok"),
        ("checking", "check passed", "ok"),
        ("checking", "check failed", ">AUTO_FIX"),
        ("checking", "check empty", ">AUTO_FIX"),
        ("checking", "check moved", "ok"),
        ("checking, moved", "check moved", ">BLOCKED"),
        ("checking", "check unavailable", ">BLOCKED"),
        ("checking", "check redefined", ">BLOCKED"),
        ("checking", "call unknown", ">BLOCKED"),
        ("sealing", "tree as it was", ">ARCHIVING"),
        ("sealing", "tree changed", "ok"),
        ("sealing a stale check", "check passed", "ok"),
        ("sealing a stale check", "check failed", ">AUTO_FIX"),
        ("checking a fix", "check passed", ">EXECUTING"),
        ("checking a fix", "check failed", "ok"),
        ("fixing, last attempt", "turn failed", ">BLOCKED"),
        ("fixing, last attempt", "turn done, nothing changed", ">BLOCKED"),
        ("blocked by budget", "guidance and nothing more", "budget"),
        ("blocked by a definition", "guidance and nothing more", "definition_changed"),
        ("blocked by an unknown call", "guidance and nothing more", "unsettled"),
        ("blocked by a quota", "due", ">EXECUTING"),
        ("blocked, no task", "skip", "no_task"),
        ("blocked, no task", "guidance", ">EXECUTING"),
        ("rollback is planned", "rollback planned", "ok"),
        ("rollback is planned", "rollback cannot be planned", "ok"),
        ("rollback runs", "rolled back", ">IDLE"),
        ("rollback runs", "rollback stopped", "ok"),
        ("rollback runs", "parent: cancel", "not_now"),
        ("settling", "child settled", "ok"),
        ("writing failed", "due", "ok"),
        ("confirming a file", "confirm, file changed", "plan_changed"),
        ("confirming a file", "source changed", ">PLANNING"),
        ("confirming", "source changed", "not_owed"),
        ("confirming, held", "due", "not_owed"),
    ];
    for (column, label, expected) in table {
        let state = sample(column);
        let found = cell(&state, &labelled(&state, label));
        if found != expected {
            wrong.push(format!("{column} + {label}: expected {expected}, found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// For each speaker: what it may say at all.
#[test]
fn a_wrong_speaker_is_refused_whatever_the_state() {
    let speakers = [
        By::Parent { run: "sess-1".into() },
        By::Agent { call: "call-1".into() },
        By::Guest,
        By::File,
        By::Engine,
    ];
    let may = |by: &By, name: &str| match by {
        By::Parent { .. } => {
            ["USER_INPUT_REQUIREMENT", "PAUSE", "RESUME", "PARENT_CANCEL"].contains(&name)
        }
        By::Agent { .. } | By::Guest | By::File => ["update_progress", "NOTE"].contains(&name),
        By::Person | By::Engine | By::Timer => false,
    };
    for column in COLUMNS {
        let state = sample(column);
        for (label, said) in sample_commands(&state) {
            let name = said.command.name();
            for by in &speakers {
                let said = Said { by: by.clone(), ..said.clone() };
                let reason = decide(&state, &said).map_err(|refusal| refusal.reason()).err();
                let engines = said.command.is_engines() || DERIVED.contains(&name);
                let expected = match (engines, by) {
                    (true, By::Engine) if said.command.is_engines() => continue,
                    (true, _) => Some("derived"),
                    (false, by) if may(by, name) => continue,
                    (false, _) => Some("needs_person"),
                };
                assert_eq!(reason, expected, "{column}: {label} by {}", by.word());
            }
        }
    }
}
