//! One state a column, each reached by commands and not put together by hand.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::command::Command;
use super::super::decide::decide;
use super::super::evolve::evolve;
use super::super::state::{Driver, Mode, OnNoTests, Settings, State};
use super::super::task::OnError;
use super::super::validation::{Check, Level};
use super::sample_commands;
use crate::machine::{At, Said};

/// Settings as they stand in an unconfigured workspace.
#[must_use]
pub fn sample_settings() -> Settings {
    Settings {
        error_limit: 3,
        debug_rounds_max: 3,
        fix_tasks_max: 2,
        on_no_tests: OnNoTests::AddTask,
        on_error: OnError::Continue,
        coverage_min_tenths: 0,
        develop_timeout_ms: 30 * 60_000,
        debug_timeout_ms: 20 * 60_000,
        grace_ms: 10_000,
        lease_ms: 30 * 60_000,
        default_tool: String::from("gemini"),
        resume_at_reset: vec![],
        agents: vec![],
        lang: String::from("en"),
    }
}

/// A check that runs tests.
#[must_use]
pub fn sample_check() -> Check {
    Check {
        id: "test".into(),
        argv: vec!["cargo".into(), "test".into()],
        cwd: ".".into(),
        level: Level::Test,
        required: true,
        timeout_ms: 600_000,
        parser: "cargo".into(),
        collect: vec![],
        definition_hash: None,
    }
}

/// Says the sample of that label; a refusal leaves the state as it is.
fn say(state: &mut State, label: &str) {
    let found = sample_commands(state).into_iter().find(|(name, _)| *name == label);
    if let Some((_, said)) = found {
        tell(state, &said);
    }
}

fn tell(state: &mut State, said: &Said<Command>) {
    if let Ok(events) = decide(state, said) {
        for event in &events {
            evolve(state, event, said.at);
        }
    }
}

fn after(from: &State, labels: &[&str]) -> State {
    let mut state = from.clone();
    for label in labels {
        say(&mut state, label);
    }
    state
}

/// A loop that has begun with these checks.
fn begun(driver: Driver, mode: Mode, checks: Vec<Check>) -> State {
    let mut state = after(&State::New, &["Create", "AddTask", "AddTask", "AddTask"]);
    let settings = Box::new(sample_settings());
    let (programs, busy_with) = (Vec::new(), None);
    let command = Command::Start { driver, mode, settings, checks, programs, busy_with };
    tell(&mut state, &Said { by: crate::machine::By::Person, at: At(100), command });
    state
}

/// One state a column of the table, and those that stand beside one: before, after, and a pause
/// that asks a question.
#[must_use]
pub fn sample_states() -> Vec<(&'static str, State)> {
    let created = after(&State::New, &["Import"]);
    // The first task has failed, so that requeueing has something to requeue.
    let acting = after(
        &begun(Driver::Engine, Mode::Auto, vec![sample_check()]),
        &["LegBegan", "LegEnded failed", "LegBegan"],
    );
    let fresh = after(&acting, &["LegEnded failed"]);
    let choosing = after(&acting, &["SetMode", "LegEnded ok"]);
    let lent = after(&choosing, &["Pause", "Start External"]);
    let paused = after(&fresh, &["Pause", "AddTask"]);
    let held = after(&acting, &["Pause"]);
    let asking = after(
        &begun(Driver::Engine, Mode::Auto, vec![]),
        &["LegEnded ok", "LegEnded ok", "LegEnded ok", "LegEnded failed", "AddTask"],
    );
    vec![
        ("New", State::New),
        ("Created", created.clone()),
        ("Acting", acting.clone()),
        ("Choosing", choosing.clone()),
        ("Lent", lent),
        ("Paused", paused),
        ("Paused?", asking),
        ("Paused*", held),
        ("Completed", after(&choosing, &["Complete forced"])),
        ("Failed", after(&choosing, &["Stop"])),
        ("Failed*", after(&acting, &["Stop"])),
        ("Deleted", after(&created, &["Delete"])),
    ]
}
