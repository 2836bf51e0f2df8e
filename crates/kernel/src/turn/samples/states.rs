//! A state for every case that the rules tell apart, each reached by saying what leads there.

use alloc::vec;
use alloc::vec::Vec;

use super::super::command::Command;
use super::super::decide;
use super::super::evolve;
use super::super::setup::{Git, Mode, Planner, Start};
use super::super::state::State;
use super::commands::sample_commands;
use super::made;

/// Says the commands of these labels one after another; one that is refused changes nothing.
fn led(start: Start, labels: &[&str]) -> State {
    let mut state = State::Idle;
    let first = Command::UserMessage(alloc::boxed::Box::new(start));
    let said = sample_commands(&state).into_iter().next();
    if let Some((_, mut said)) = said {
        said.by = crate::machine::By::Person;
        said.command = first;
        say(&mut state, &said);
    }
    for label in labels {
        let found = sample_commands(&state).into_iter().find(|(name, _)| name == label);
        if let Some((_, said)) = found {
            say(&mut state, &said);
        }
    }
    state
}

fn say(state: &mut State, said: &crate::machine::Said<Command>) {
    for event in decide::ask(state, said).unwrap_or_default() {
        evolve::evolve(state, &event, said.at);
    }
}

const PLANNED: [&str; 3] = ["RESULT, ok", "RESULT, ok", "RESULT, plan allowed"];

/// The way to a step at work, and on from there.
fn at_work(then: &[&'static str]) -> Vec<&'static str> {
    // The checkpoint is kept first.
    let mut labels = PLANNED.to_vec();
    labels.push("RESULT, ok");
    labels.extend(then);
    labels
}

fn begun(change: fn(&mut Start), labels: &[&str]) -> State {
    let mut start = made::start();
    change(&mut start);
    led(start, labels)
}

/// A state for every case that the rules tell apart.
#[must_use]
pub fn sample_states() -> Vec<(&'static str, State)> {
    let mut all = vec![("idle", State::Idle)];
    all.extend(before());
    all.extend(working());
    all.extend(ending());
    all
}

fn before() -> Vec<(&'static str, State)> {
    let ok = "RESULT, ok";
    let usual: fn(&mut Start) = |_| {};
    let file: fn(&mut Start) = |start| start.planner = Planner::File { sha256: "f".into() };
    vec![
        ("intake", begun(usual, &[])),
        ("clarifying", begun(usual, &["RESULT, questions"])),
        ("clarifying, one left", begun(usual, &["RESULT, questions", "ANSWER"])),
        ("clarifying, parked", begun(usual, &["RESULT, questions", "TIMEOUT"])),
        ("context", begun(usual, &[ok])),
        ("context, direct", begun(|start| start.planner = Planner::Direct, &[ok])),
        ("context, analysis", begun(|start| start.mode = Mode::Analysis, &[ok])),
        ("planning", begun(usual, &[ok, ok])),
        ("planning, last planner", begun(usual, &[ok, ok, "RESULT, not ok"])),
        ("planning, corrected", begun(usual, &[ok, ok, "RESULT, plan invalid"])),
        ("planning, file", begun(file, &[ok, ok])),
        ("planning, only a plan", begun(|start| start.mode = Mode::Plan, &[ok, ok])),
        ("awaiting, plan", begun(usual, &[ok, ok, "RESULT, plan asked"])),
        ("intake, held", begun(usual, &["PAUSE"])),
    ]
}

fn working() -> Vec<(&'static str, State)> {
    let ok = "RESULT, ok";
    let usual: fn(&mut Start) = |_| {};
    let alone: fn(&mut Start) = |start| (start.limits.fixes, start.limits.replans) = (0, 0);
    let at = |then: &[&'static str]| begun(usual, &at_work(then));
    vec![
        ("executing, checkpoint", begun(usual, &PLANNED)),
        ("executing", at(&[])),
        ("executing, inner call", at(&["REQUEST, allowed"])),
        ("executing, second step", at(&[ok])),
        ("executing, denied twice", at(&["REQUEST, denied", "REQUEST, denied"])),
        ("executing, outcome unknown", at(&["RESULT, unknown outcome"])),
        ("executing, a person is asked", at(&["RESULT, a person is asked"])),
        ("executing, held", at(&["PAUSE", "RESULT, never happened"])),
        ("executing, held in flight", at(&["PAUSE"])),
        ("executing, a fix", at(&["RESULT, conflict", "TIMEOUT"])),
        ("awaiting, call", at(&["REQUEST, asked"])),
        ("awaiting, patch", at(&["RESULT, wants another plan", "RESULT, plan asked"])),
        ("clarifying, execution", at(&["RESULT, asks"])),
        ("verifying", at(&[ok, ok])),
        ("verifying, moved once", at(&[ok, ok, "RESULT, moved"])),
        ("recovering, fix", at(&["RESULT, conflict"])),
        ("recovering, undo", at(&["RESULT, timed out"])),
        ("recovering, replan", at(&["RESULT, wants another plan"])),
        (
            "recovering, second patch",
            at(&["RESULT, wants another plan", "RESULT, plan invalid", "RESULT, plan invalid"]),
        ),
        ("recovering, help", at(&["RESULT, not ok"])),
        ("recovering, help for a check", at(&[ok, ok, "RESULT, unavailable"])),
        ("executing, nothing to spend", begun(alone, &at_work(&[]))),
    ]
}

fn ending() -> Vec<(&'static str, State)> {
    let ok = "RESULT, ok";
    let usual: fn(&mut Start) = |_| {};
    let whole = at_work(&[ok, ok, "RESULT, passed"]);
    let and = |then: &'static str| {
        let mut labels = whole.clone();
        labels.push(then);
        labels
    };
    vec![
        ("summarizing, answer", begun(usual, &["RESULT, chat"])),
        ("summarizing, second answer", begun(usual, &["RESULT, chat", "RESULT, wrong form"])),
        ("summarizing", begun(usual, &whole)),
        ("summarizing, no git", begun(|start| start.git = Git::Off, &whole)),
        ("summarizing, cancelled", begun(usual, &["CANCEL"])),
        ("summarizing, commit", begun(usual, &and("RESULT, commit allowed"))),
        ("awaiting, git", begun(usual, &and("RESULT, commit asked"))),
        ("done", begun(usual, &and("RESULT, commit denied"))),
    ]
}
