//! Ids, limits, and the words of slots.

use alloc::format;
use alloc::string::String;

use super::super::*;
use super::world::*;
use crate::machine::{By, Refusal as _};

#[test]
fn invariant_id_safe() {
    let long = format!("loop-{}", "a".repeat(140));
    for id in [
        "../etc/passwd",
        "..\\x",
        "./f",
        "loop-\0",
        "loop-a/b",
        "loop-..",
        long.as_str(),
        "",
        "loop-",
        "loop-.a",
        "loop-a..b",
        "loop-a.json",
        "loop-a.tasks",
        "loop-a.progress",
        "loop-a.workers",
        "LOOP-a",
        "tasks",
        "stats",
        "events",
        "loop-a b",
        "loop-é",
        "loop-a\n",
    ] {
        assert!(!valid_id(id), "{id:?}");
        let mut world =
            World { state: State::New, at: 0, events: alloc::vec![], times: alloc::vec![] };
        let command = Command::Create {
            id: id.into(),
            title: "T".into(),
            description: String::new(),
            max_iterations: 1,
            max_iterations_ceiling: 10,
            parent: None,
        };
        let refusal = world.say(By::Person, command).expect_err("a bad id");
        assert_eq!(
            (refusal.reason(), &refusal.details()["field"]),
            ("invalid_args", &"loop_id".into())
        );
    }
    for id in ["loop-v2-20260122T020000-1a2b3c4d", "loop-a", "loop-A_b.c-d"] {
        assert!(valid_id(id), "{id}");
    }
}

#[test]
fn limits_name_their_field() {
    let create = |title: &str, description: &str, max_iterations| Command::Create {
        id: "loop-a".into(),
        title: title.into(),
        description: description.into(),
        max_iterations,
        max_iterations_ceiling: 1000,
        parent: None,
    };
    let long = "é".repeat(TITLE_MAX + 1);
    let page = "x".repeat(DESCRIPTION_MAX + 1);
    for (command, field) in [
        (create(" ", "d", 1), "title"),
        (create(&long, "d", 1), "title"),
        (create("t", &page, 1), "description"),
        (create("t", "d", 0), "max_iterations"),
        (create("t", "d", 1001), "max_iterations"),
    ] {
        let mut world =
            World { state: State::New, at: 0, events: alloc::vec![], times: alloc::vec![] };
        let refusal = world.say(By::Person, command).expect_err("out of bounds");
        assert_eq!(refusal.reason(), "invalid_args");
        assert_eq!(refusal.details()["field"], field);
    }
    let task = |change: fn(&mut NewTask)| {
        let mut task = bash_task(1);
        change(&mut task);
        Command::AddTask { task, place: Place::Last }
    };
    for (command, field) in [
        (task(|t| t.description.clear()), "description"),
        (task(|t| t.tool.clear()), "tool"),
        (task(|t| t.command = None), "command"),
        (task(|t| t.run = Some(Run::Argv(alloc::vec![]))), "command"),
        (task(|t| t.prompt_template = Some(String::new())), "prompt_template"),
    ] {
        let mut world = World::new(3);
        let refusal = world.say(By::Person, command).expect_err("a bad task");
        assert_eq!(refusal.details()["field"], field);
    }
}

#[test]
fn an_omitted_description_is_the_title() {
    let mut world = World { state: State::New, at: 0, events: alloc::vec![], times: alloc::vec![] };
    world.ok(Command::Create {
        id: "loop-a".into(),
        title: "Title".into(),
        description: " ".into(),
        max_iterations: 1,
        max_iterations_ceiling: 10,
        parent: None,
    });
    assert_eq!(world.body().description, "Title");
}

#[test]
fn tasks_have_room_for_five_hundred() {
    let mut world = World::new(3);
    for n in 0..TASKS_MAX {
        world.ok(Command::AddTask { task: bash_task(n), place: Place::Last });
    }
    let more = Command::AddTask { task: bash_task(9_999), place: Place::Last };
    assert_eq!(world.refused(By::Person, more), "invalid_args");
    let same = Command::AddTask { task: bash_task(1), place: Place::Last };
    world.ok(Command::RemoveTask { task: "task-500".into() });
    assert_eq!(world.refused(By::Person, same), "id_taken");
}

#[test]
fn slots_can_be_read_back() {
    for (slot, expected) in [
        ("a1/work", Some((1, Leg::Work))),
        ("a12/c3", Some((12, Leg::Check(3)))),
        ("a2/breakdown.r1", Some((2, Leg::Breakdown))),
        ("a4/seal", Some((4, Leg::Seal))),
        ("q1", None),
        ("a/work", None),
        ("a1/cx", None),
        ("a1/nothing", None),
    ] {
        assert_eq!(Leg::of_slot(slot), expected, "{slot}");
    }
}

#[test]
fn deleting_waits_for_its_files() {
    let mut world = World::new(3);
    world.ok(Command::Delete);
    assert_eq!((world.state.name(), world.state.ended()), ("deleted", false));
    assert_eq!(owed(&world.state).len(), 1);
    world.ok(Command::ViewsRemoved);
    assert!(world.state.ended() && owed(&world.state).is_empty());
    assert_eq!(world.refused(By::Person, Command::Stop { why: None }), "no_such");
}
