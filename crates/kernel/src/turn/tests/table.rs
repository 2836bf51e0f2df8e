//! The whole table: the page's rows by hand, every other pair by the rules for pairs without one.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::{sample_commands, sample_states};
use super::super::*;
use super::world::stands;
use crate::machine::{By, Refusal as _, Said};

/// Rows as `state + label => [events] STATE detail`, or the reason of a refusal.
const TABLE: &str = include_str!("table.txt");
/// Rows written out. A change of behaviour shows here first.
const ROWS: usize = 662;

/// Facts that the samples lead to.
const FACTS: &str = "Asked IntakeAssessed Denied QuestionsAsked QuestionsParked Failed Answered \
                     ContextBuilt ContextCut PlanRejected PlanAccepted ConfirmationAsked \
                     PlannerDegraded Confirmed Declined ConfirmationExpired PlanEdited \
                     PromptVoided StepStarted StepDone StepFailed StepBlocked StepSkipped \
                     Degraded CallAsked CallDenied CallUnknown CallWaits \
                     CallAllowed CallRecorded ReplanAsked \
                     ExecutionFinished CheckStale VerificationPassed VerificationFailed \
                     FixStepAdded UndoRecorded PlanPatched HelpGiven GaveUp AnswerTaken \
                     AnswerRejected Summarised GitDeclined GitSettled Ended Cancelled Held \
                     Resumed Reowed";

fn rows() -> BTreeMap<&'static str, &'static str> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(" => ").expect("a row has a result")).collect()
}

fn apply(state: &State, events: &[Event], said: &Said<Command>) -> State {
    let mut next = state.clone();
    events.iter().for_each(|event| evolve(&mut next, event, said.at));
    next
}

fn result(state: &State, said: &Said<Command>) -> String {
    match decide(state, said) {
        Err(refusal) => refusal.reason().to_string(),
        Ok(events) => {
            let names: Vec<&str> = events.iter().map(Event::name).collect();
            format!("[{}] {}", names.join(", "), stands(&apply(state, &events, said)))
        }
    }
}

/// What a pair without a row of its own gets, whatever the state.
fn unlisted(state: &State, label: &str, command: &Command) -> Option<&'static str> {
    let started = state.life().is_some();
    if state.ended() {
        return Some("ended");
    }
    if label.ends_with("not owed") {
        return Some("not_owed");
    }
    let held = state.life().is_some_and(|life| life.body.hold.is_some());
    match command {
        Command::Pause { .. } if started && held => Some("held"),
        Command::Resume if started && !held => Some("not_held"),
        Command::Pause { .. } | Command::Resume | Command::Cancel if started => None,
        Command::Confirm(_) | Command::ClarificationAnswer { .. }
            if label.ends_with("by an agent") && started =>
        {
            Some("needs_person")
        }
        Command::ToolCallResult { .. } | Command::Timeout { .. } => Some("not_owed"),
        Command::UserMessage(_)
        | Command::ClarificationAnswer { .. }
        | Command::ToolCallRequest(_)
        | Command::Confirm(_)
        | Command::Pause { .. }
        | Command::Resume
        | Command::Cancel
        | Command::EditPlan { .. }
        | Command::SkipStep { .. } => Some("not_now"),
    }
}

#[test]
fn every_pair_of_the_table() {
    let mut rows = rows();
    assert_eq!(rows.len(), ROWS, "rows written out");
    let mut wrong = Vec::new();
    for (name, state) in sample_states() {
        for (label, said) in sample_commands(&state) {
            let pair = format!("{name} + {label}");
            let found = result(&state, &said);
            let expected = rows
                .remove(pair.as_str())
                .or_else(|| unlisted(&state, label, &said.command))
                .map_or_else(|| always(&state, &said), ToString::to_string);
            if found != expected {
                wrong.push(format!("{pair} => {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(rows.is_empty(), "rows without a pair: {:?}", rows.keys());
}

/// Holding and cancelling are the same everywhere.
fn always(state: &State, said: &Said<Command>) -> String {
    let here = stands(state);
    if matches!(said.command, Command::Pause { .. }) {
        format!("[Held] {here}")
    } else if matches!(said.command, Command::Resume) {
        format!("[Resumed] {here}")
    } else {
        "[Cancelled] SUMMARIZING cancelled".to_string()
    }
}

#[test]
fn invariant_total() {
    let mut seen = BTreeSet::new();
    for (_, state) in sample_states() {
        for (_, said) in sample_commands(&state) {
            seen.insert((state.name(), said.command.name()));
            let _ = decide(&state, &said);
        }
        if let Some(life) = state.life().filter(|life| !life.phase.over()) {
            let said = |by, command| Said { by, at: life.body.updated_at.plus(1), command };
            assert!(decide(&state, &said(By::Person, Command::Cancel)).is_ok());
            let timed = life.body.hold.is_some()
                || life.body.unknown.is_some()
                || life.body.asks.is_some()
                || matches!(&life.phase, Phase::Clarifying { wait: Wait::Parked { .. }, .. })
                || !timers(life).is_empty();
            assert!(timed, "{} can be timed out", state.name());
        }
    }
    assert_eq!(seen.len(), 121, "11 states with 11 commands each");
}

#[test]
fn invariant_allowed_is_true() {
    for (name, state) in sample_states() {
        for (label, said) in sample_commands(&state) {
            let Err(refusal) = decide(&state, &said) else { continue };
            let told = refusal.allowed();
            let lists = refusal.reason() == "not_now" || !told.is_empty();
            assert!(!lists || told == allowed(&state, &said.by), "{name} + {label}: {told:?}");
            let none = told.is_empty() && refusal.reason() == "not_now" && said.by == By::Person;
            assert!(!none, "{name} + {label}: a person can always do something");
        }
    }
}

#[test]
fn states_and_facts_survive_the_journal() {
    let mut names = BTreeSet::new();
    for (name, state) in sample_states() {
        let text = serde_json::to_string(&state).expect("a state is written");
        assert_eq!(serde_json::from_str::<State>(&text).expect("and read"), state, "{name}");
        for (_, said) in sample_commands(&state) {
            for event in decide(&state, &said).unwrap_or_default() {
                let text = serde_json::to_string(&event).expect("a fact is written");
                assert_eq!(serde_json::from_str::<Event>(&text).expect("and read"), event);
                names.insert(event.name());
            }
        }
    }
    let missing: Vec<&str> =
        FACTS.split_whitespace().filter(|name| !names.contains(name)).collect();
    assert_eq!(missing, Vec::<&str>::new(), "never recorded");
}
