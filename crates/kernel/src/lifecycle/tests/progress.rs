//! The page's table of `update_progress`: each word in each state of work, of the task in work and
//! of others, by a person and by an agent. What it leads to is the facts it records, or a refusal.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::samples::{plan, spec};
use super::super::*;
use super::world::World;
use crate::machine::By;

/// T-1 is done, T-2 is in work, T-3 is ready.
fn executing(limit: u32) -> World {
    let mut plan = plan();
    plan.tasks.push(spec("T-3", &[]));
    let mut world = World::at_work(plan, |begin| begin.options.fix_limit = limit);
    world.label("saved");
    world.proved("d1");
    world.label("saved");
    world
}

fn fixing() -> World {
    let mut world = executing(3);
    world.fails("red");
    world
}

fn blocked() -> World {
    let mut world = executing(0);
    world.fails("red");
    world
}

/// What the word leads to: the names of its facts, `-` for none, or the reason it is refused with.
fn said(mut world: World, by: &By, task: &str, status: Status) -> String {
    let before = world.events.len();
    let command = Command::UpdateProgress { task: task.into(), status, summary: None };
    match world.try_say(by.clone(), command) {
        Err(reason) => reason.into(),
        Ok(()) if world.events.len() == before => "-".into(),
        Ok(()) => {
            let names: Vec<&str> = world.events[before..].iter().map(Event::name).collect();
            names.join(" ")
        }
    }
}

#[test]
fn every_word_leads_where_the_page_says() {
    let agent = By::Agent { call: "call-1".into() };
    let file = By::File;
    // State, task, word; a person's, an agent's and a file's.
    let table = [
        ("EXECUTING", "T-2", Status::Done, "ProgressClaimed", "ProgressClaimed"),
        ("EXECUTING", "T-3", Status::Done, "ProgressClaimed", "ProgressClaimed"),
        ("EXECUTING", "T-1", Status::Done, "not_current", "not_current"),
        ("EXECUTING", "T-2", Status::InProgress, "ProgressClaimed", "ProgressClaimed"),
        ("EXECUTING", "T-3", Status::InProgress, "not_current", "not_current"),
        (
            "EXECUTING",
            "T-2",
            Status::Failed,
            "ProgressClaimed ERROR_DETECTED FixBegan TurnLeft",
            "same",
        ),
        ("EXECUTING", "T-3", Status::Failed, "not_current", "not_current"),
        ("EXECUTING", "T-2", Status::Blocked, "ProgressClaimed HALT TurnLeft", "same"),
        ("EXECUTING", "T-1", Status::Pending, "TaskReopened", "needs_person"),
        ("EXECUTING", "T-2", Status::Pending, "immutable", "needs_person"),
        ("EXECUTING", "T-3", Status::Skipped, "TaskClosed", "needs_person"),
        ("EXECUTING", "T-2", Status::Skipped, "immutable", "needs_person"),
        ("EXECUTING", "T-9", Status::Done, "no_such", "no_such"),
        ("AUTO_FIX", "T-2", Status::Done, "ProgressClaimed", "ProgressClaimed"),
        ("AUTO_FIX", "T-3", Status::Done, "not_current", "not_current"),
        ("AUTO_FIX", "T-2", Status::InProgress, "ProgressClaimed", "ProgressClaimed"),
        (
            "AUTO_FIX",
            "T-2",
            Status::Failed,
            "ProgressClaimed FixAttempted FixBegan TurnLeft",
            "same",
        ),
        ("AUTO_FIX", "T-2", Status::Blocked, "ProgressClaimed HALT TurnLeft", "same"),
        ("AUTO_FIX", "T-1", Status::Pending, "TaskReopened", "needs_person"),
        ("AUTO_FIX", "T-3", Status::Skipped, "not_now", "not_now"),
        ("BLOCKED", "T-2", Status::Done, "HUMAN_INTERVENTION StepBegan", "needs_person"),
        ("BLOCKED", "T-3", Status::Done, "not_current", "needs_person"),
        ("BLOCKED", "T-2", Status::InProgress, "not_now", "not_now"),
        ("BLOCKED", "T-2", Status::Failed, "ProgressClaimed", "ProgressClaimed"),
        ("BLOCKED", "T-2", Status::Blocked, "ProgressClaimed", "ProgressClaimed"),
        ("BLOCKED", "T-1", Status::Pending, "TaskReopened", "needs_person"),
        ("BLOCKED", "T-2", Status::Skipped, "SKIP_TASK TaskStarted StepBegan", "needs_person"),
        ("BLOCKED", "T-3", Status::Skipped, "not_current", "needs_person"),
    ];
    let mut wrong = Vec::new();
    for (state, task, word, person, other) in table {
        let world = || match state {
            "EXECUTING" => executing(3),
            "AUTO_FIX" => fixing(),
            _blocked => blocked(),
        };
        let other = if other == "same" { person } else { other };
        assert_eq!(world().state.name(), state);
        for (by, expected) in [(&By::Person, person), (&agent, other), (&file, other)] {
            let found = said(world(), by, task, word);
            if found != expected {
                let by = by.word();
                wrong.push(alloc::format!("{state} {task} {word:?} by {by}: {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same call again is accepted and no news.
#[test]
fn a_word_that_was_said_before_records_nothing() {
    let mut world = executing(3);
    let word = || Command::UpdateProgress {
        task: "T-2".into(),
        status: Status::Done,
        summary: Some("the form is there".into()),
    };
    world.say(By::Person, word());
    let before = world.events.len();
    world.say(By::Person, word());
    assert_eq!(world.events.len(), before);
    assert_eq!(world.work().task("T-2").unwrap().summary.as_deref(), Some("the form is there"));
}
