//! The menu, the question about an unverified end, Complete, and grants.

use alloc::string::String;

use super::super::samples::sample_settings;
use super::super::*;
use super::world::*;
use crate::machine::By;
use crate::owed::Owed;
use crate::policy::Granted;
use crate::policy::grant::Pin;

fn answer(world: &World, key: &str, text: Option<&str>) -> Command {
    let q = if let Phase::Choosing { q } = &world.life().phase {
        *q
    } else if let Phase::Paused(paused) = &world.life().phase {
        paused.q.unwrap_or(0)
    } else {
        0
    };
    let text = text.map(String::from);
    Command::Answer { q, key: key.into(), text, hash: None, task_id: "task-9-feedbeef".into() }
}

fn choosing(tasks: usize) -> World {
    World::started(Setup { tasks, mode: Mode::Interactive, ..Setup::default() })
}

#[test]
fn menu() {
    for (key, text, standing) in [
        ("develop", None, "develop person"),
        ("1", None, "develop person"),
        ("develop", Some("more"), "develop person"),
        ("debug", Some("it hangs"), "debug person"),
        ("2", Some("it hangs"), "debug person"),
        ("validate", None, "validate person"),
        ("status", None, "Choosing"),
        ("4", None, "Choosing"),
        ("exit", None, "paused(user_exit)"),
        ("6", None, "paused(user_exit)"),
        ("complete_forced", Some("good enough"), "Completed"),
    ] {
        let mut world = choosing(1);
        let before = world.state.clone();
        let said = answer(&world, key, text);
        world.ok(said);
        assert_eq!(world.standing(), standing, "{key}");
        if standing == "Choosing" {
            assert_eq!(before, world.state, "the menu stays");
        }
    }
    for (key, reason) in [
        ("x", "unknown_option"),
        ("9", "unknown_option"),
        ("0", "unknown_option"),
        ("debug", "nothing_to_debug"),
        ("complete", "validation_required"),
        ("5", "validation_required"),
    ] {
        let mut world = choosing(1);
        let said = answer(&world, key, None);
        assert_eq!(world.refused(By::Person, said), reason, "{key}");
    }
}

#[test]
fn menu_text_becomes_the_first_task() {
    let mut world = choosing(2);
    let said = answer(&world, "develop", Some("do this first"));
    world.ok(said);
    let first = &world.body().tasks[0];
    assert_eq!((first.id.as_str(), first.description.as_str()), ("task-003", "do this first"));
    assert_eq!(first.task_id, "task-9-feedbeef");
    assert_eq!(first.status, TaskStatus::InProgress);
}

#[test]
fn menu_without_work_and_at_the_limit() {
    let mut world =
        World::started(Setup { mode: Mode::Interactive, max_iterations: 2, ..Setup::default() });
    let said = answer(&world, "develop", None);
    world.ok(said);
    world.good();
    let said = answer(&world, "develop", None);
    assert_eq!(world.refused(By::Person, said), "nothing_pending");
    let said = answer(&world, "validate", None);
    world.ok(said);
    world.good();
    // Done at the limit is still a menu, and only its counted choices are gone.
    assert_eq!(world.state.variant(), "Choosing");
    for key in ["develop", "debug", "validate"] {
        let said = answer(&world, key, Some("text"));
        assert_eq!(world.refused(By::Person, said), "iteration_limit");
    }
    let said = answer(&world, "complete", None);
    world.ok(said);
    world.good();
    assert_eq!(world.state.name(), "completed");
}

#[test]
fn interactive_at_the_limit_pauses() {
    let mut world =
        World::started(Setup { mode: Mode::Interactive, max_iterations: 1, ..Setup::default() });
    let said = answer(&world, "develop", None);
    world.ok(said);
    world.good();
    assert_eq!(world.standing(), "paused(iteration_limit)");
    assert_eq!(world.refused(By::Person, Command::Resume { busy_with: None }), "iteration_limit");
}

#[test]
fn an_old_question_is_closed() {
    let mut world = choosing(1);
    let old = answer(&world, "validate", None);
    world.ok(old.clone());
    assert_eq!(world.refused(By::Person, old.clone()), "question_closed");
    world.good();
    assert_eq!(world.refused(By::Person, old), "question_closed");
}

fn unverified() -> World {
    let settings = Settings { on_no_tests: OnNoTests::Ask, ..sample_settings() };
    let mut world = World::started(Setup { settings, ..Setup::default() });
    world.good();
    world.end(super::world::unparsed());
    assert_eq!(world.standing(), "paused(unverified)");
    world
}

#[test]
fn an_unverified_end_is_for_a_person() {
    let world = unverified();
    let Some(Owed::Question { question, slot }) = owed(&world.state).pop() else { panic!("asks") };
    assert_eq!(question.options, UNVERIFIED_KEYS);
    assert!(slot.starts_with('q') && question.hash.is_some());
    for (key, standing) in [
        ("accept", "complete A3"),
        ("validate_again", "validate person"),
        ("complete_forced", "Completed"),
        ("stop", "failed(stopped)"),
    ] {
        let mut world = unverified();
        let why = (key == "complete_forced").then_some("seen by eye");
        let said = answer(&world, key, why);
        for by in [By::Guest, By::File, By::Agent { call: "call-1".into() }] {
            assert_eq!(world.refused(by, said.clone()), "needs_person");
        }
        world.ok(said);
        assert_eq!(world.standing(), standing);
    }
    let mut world = unverified();
    for why in [None, Some("  ")] {
        let said = answer(&world, "complete_forced", why);
        assert_eq!(world.refused(By::Person, said), "invalid_args", "a force has its reason");
    }
    let Command::Answer { q, key, text, task_id, .. } = answer(&world, "accept", None) else {
        panic!("an answer")
    };
    let other = Command::Answer { q, key, text, task_id, hash: Some("other".into()) };
    assert_eq!(world.refused(By::Person, other), "stale_approval");
    world.say(By::Guest, Command::Resume { busy_with: None }).unwrap();
    assert_eq!(world.standing(), "validate A9", "resuming closes the question and looks again");
}

#[test]
fn no_tests_cannot_be_accepted() {
    let settings = Settings { on_no_tests: OnNoTests::Ask, ..sample_settings() };
    let mut world = World::started(Setup { settings, ..Setup::default() });
    world.good();
    world.end(no_tests());
    let said = answer(&world, "accept", None);
    assert_eq!(world.refused(By::Person, said), "unknown_option");
}

#[test]
fn complete_rules() {
    let force = || Command::Complete { force: Some("shown".into()) };
    let mut world = choosing(1);
    for by in [By::Guest, By::Parent { run: "s-1".into() }] {
        assert_eq!(world.refused(by, force()), "needs_person");
    }
    assert_eq!(world.refused(By::Person, Command::Complete { force: None }), "validation_required");
    let blank = Command::Complete { force: Some(" ".into()) };
    assert_eq!(world.refused(By::Person, blank), "invalid_args");
    world.ok(force());
    let forced = How::Forced { by: "person".into(), why: "shown".into() };
    assert!(matches!(&world.life().phase, Phase::Completed { how, .. } if *how == forced));
    // A held action is dropped.
    let mut world = World::started(Setup::default());
    world.ok(Command::Pause { how: PauseHow::Finish });
    assert_eq!(world.ok(force()), ["ActionDropped", "LoopCompleted"]);
    assert_eq!(world.body().tasks[0].status, TaskStatus::Pending);
}

fn argvs(world: &World) -> alloc::vec::Vec<String> {
    world.state.grants().into_iter().map(|granted| granted.argv.join(" ")).collect()
}

#[test]
fn grants() {
    let setup = Setup { tasks: 2, ..Setup::default() };
    let mut world = World::made(&setup);
    let script = NewTask { run: Some(Run::Script("a | b".into())), ..bash_task(3) };
    world.ok(Command::AddTask { task: script, place: Place::Last });
    assert!(argvs(&world).is_empty(), "nothing before Start");
    world.ok(start(&setup));
    let listed = ["cargo test", "make step1", "make step2"];
    assert_eq!(argvs(&world), listed);
    let add = |n| Command::AddTask { task: bash_task(n), place: Place::Last };
    world.say(By::Agent { call: "call-1".into() }, add(4)).unwrap();
    world.say(By::File, add(5)).unwrap();
    assert_eq!(argvs(&world), listed, "agents and files grant nothing");
    world.ok(add(6));
    assert_eq!(argvs(&world), ["cargo test", "make step1", "make step2", "make step6"]);
    let edit = |words: &[&str]| {
        let argv: alloc::vec::Vec<String> = words.iter().map(|word| String::from(*word)).collect();
        let command = Some(Some((words.join(" "), Run::Argv(argv))));
        let patch = TaskPatch { command, ..TaskPatch::default() };
        Command::EditTask { task: "task-002".into(), patch }
    };
    world.say(By::File, edit(&["rm", "-r", "x"])).unwrap();
    assert_eq!(argvs(&world), ["cargo test", "make step1", "make step6"]);
    world.ok(edit(&["make", "other"]));
    assert_eq!(argvs(&world), ["cargo test", "make other", "make step1", "make step6"]);
    // A guest's Start covers nothing.
    let mut world = World::made(&setup);
    world.say(By::Guest, start(&setup)).unwrap();
    assert!(argvs(&world).is_empty());
}

/// The programs that a state's grants are for.
fn pins(world: &World) -> alloc::vec::Vec<String> {
    let shown = |granted: Granted| {
        let program = granted.pin.program.unwrap_or_default();
        alloc::format!("{} = {program}", granted.argv.join(" "))
    };
    world.state.grants().into_iter().map(shown).collect()
}

#[test]
fn a_grant_is_for_the_program_that_was_there() {
    let setup = Setup { tasks: 1, ..Setup::default() };
    let mut world = World::made(&setup);
    let pin = |name: &str| Pin { program: Some(name.into()), program_sha256: None };
    let mut command = start(&setup);
    let Command::Start { programs, checks, .. } = &mut command else { panic!("a start") };
    *programs = world.state.lists(checks);
    assert_eq!(programs.len(), 2, "{programs:?}");
    for granted in programs {
        granted.pin = pin(&alloc::format!("/bin/{}", granted.argv[0]));
    }
    world.ok(command);
    assert_eq!(pins(&world), ["cargo test = /bin/cargo", "make step1 = /bin/make"]);
    let task = NewTask { pin: pin("/new/make"), ..bash_task(2) };
    world.ok(Command::AddTask { task, place: Place::Last });
    assert_eq!(pins(&world)[2], "make step2 = /new/make");
    let words = ["make", "other"].map(String::from).to_vec();
    let command = Some(Some((words.join(" "), Run::Argv(words))));
    let patch = TaskPatch { command, pin: pin("/other/make"), ..TaskPatch::default() };
    world.ok(Command::EditTask { task: "task-002".into(), patch });
    assert_eq!(pins(&world)[1], "make other = /other/make");
    let patch = TaskPatch { description: Some("words".into()), ..TaskPatch::default() };
    world.ok(Command::EditTask { task: "task-002".into(), patch });
    assert_eq!(pins(&world)[1], "make other = /other/make", "its command stays");
}

#[test]
fn agents_may_only_signal_report_and_add() {
    let agent = || By::Agent { call: "call-1".into() };
    let mut world = choosing(1);
    for command in [
        Command::Stop { why: None },
        Command::Pause { how: PauseHow::Now },
        Command::Complete { force: None },
        Command::RemoveTask { task: "task-001".into() },
        Command::SetMode { mode: Mode::Auto },
        Command::Delete,
    ] {
        assert_eq!(world.refused(agent(), command), "needs_person");
    }
    world.say(agent(), Command::Signal { runner: "a".into() }).unwrap();
    world.say(agent(), Command::AddTask { task: bash_task(7), place: Place::Last }).unwrap();
    let task = world.body().task("task-002").expect("added");
    assert_eq!((task.origin, task.granted), (Origin::Outside, false));
}
