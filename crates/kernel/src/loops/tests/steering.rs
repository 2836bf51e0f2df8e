//! Start, pause, resume, retry, stop, reopen, edit, import: what each keeps and clears.

use alloc::vec;

use super::super::samples::{sample_check, sample_commands, sample_settings};
use super::super::*;
use super::world::*;
use crate::machine::{By, Refusal as _};

fn resume() -> Command {
    Command::Resume { busy_with: None }
}

#[test]
fn a_busy_tree_refuses_whoever_would_run() {
    let busy = || Some("loop-other".into());
    let mut world = World::made(&Setup::default());
    let Command::Start { driver, mode, settings, checks, .. } = start(&Setup::default()) else {
        panic!("a start")
    };
    let (programs, busy_with) = (alloc::vec::Vec::new(), busy());
    let command = Command::Start { driver, mode, settings, checks, programs, busy_with };
    assert_eq!(world.refused(By::Person, command), "busy");
    world.ok(start(&Setup::default()));
    world.ok(Command::Pause { how: PauseHow::Finish });
    assert_eq!(world.refused(By::Person, Command::Resume { busy_with: busy() }), "busy");
    assert_eq!(world.refused(By::Person, Command::Retry { busy_with: busy() }), "busy");
}

#[test]
fn pause_now_without_a_child_drops_the_action() {
    let mut world = World::started(Setup::default());
    assert_eq!(world.ok(Command::Pause { how: PauseHow::Now }), ["ActionDropped", "LoopPaused"]);
    assert_eq!(world.body().tasks[0].status, TaskStatus::Pending);
    world.ok(resume());
    assert_eq!(world.action().n, 3, "a serial is never used twice");
}

#[test]
fn reg_resume_goes_on_with_the_same_child() {
    let mut world = World::started(Setup::default());
    world.began();
    world.ok(Command::Pause { how: PauseHow::Finish });
    let n = world.action().n;
    // Start while held: no second child.
    world.ok(start(&Setup::default()));
    assert_eq!((world.state.variant(), world.action().n), ("Acting", n));
    assert!(world.action().child.is_some());
    world.ok(Command::Pause { how: PauseHow::Finish });
    world.ok(Command::Pause { how: PauseHow::Now });
    assert_eq!(world.refused(By::Person, resume()), "still_closing");
    let external = Setup { driver: Driver::External { runner: None }, ..Setup::default() };
    assert_eq!(world.refused(By::Person, start(&external)), "still_closing");
    world.end(LegEnd::Cancelled);
    world.ok(resume());
    assert_eq!(world.standing(), "develop A5");
}

#[test]
fn a_start_with_other_checks_drops_a_held_validation() {
    let mut world = World::started(Setup::default());
    world.good();
    world.ok(Command::Pause { how: PauseHow::Finish });
    let checks = vec![sample_check(), Check { id: "more".into(), ..sample_check() }];
    world.ok(start(&Setup { checks, ..Setup::default() }));
    assert_eq!(world.action().legs, [Leg::Check(1), Leg::Check(2)]);
}

#[test]
fn resume_clears_the_present_problem_and_retry_all() {
    let settings = Settings { debug_rounds_max: 0, fix_tasks_max: 1, ..sample_settings() };
    let mut world = World::started(Setup { settings, ..Setup::default() });
    world.good();
    world.end(red());
    assert_eq!(world.standing(), "develop A7");
    world.good();
    world.end(red());
    assert_eq!(world.standing(), "paused(stuck)");
    assert_eq!(world.body().rounds.len(), 1);
    world.ok(resume());
    assert!(world.body().rounds.is_empty());

    let mut world = World::started(Setup { tasks: 2, ..Setup::default() });
    world.bad();
    world.ok(Command::Stop { why: Some("lunch".into()) });
    let Phase::Failed { reason, .. } = &world.life().phase else { panic!("failed") };
    assert_eq!(reason, "Manually stopped by user: lunch");
    world.ok(Command::Retry { busy_with: None });
    assert_eq!((world.body().errors_in_row, world.standing().as_str()), (0, "develop A5"));
    assert!(world.body().tasks.iter().all(|task| task.status.word() != "failed"));
}

#[test]
fn a_parent_holds_and_cancels() {
    let parent = || By::Parent { run: "s-7".into() };
    let mut world = World::started(Setup::default());
    world.say(parent(), Command::Pause { how: PauseHow::Finish }).unwrap();
    assert_eq!(world.standing(), "paused(parent)");
    world.say(parent(), Command::Stop { why: None }).unwrap();
    assert_eq!(world.standing(), "failed(cancelled)");
    let Phase::Failed { reason, .. } = &world.life().phase else { panic!("failed") };
    assert_eq!(reason, "Cancelled by parent s-7");
}

#[test]
fn reopen_is_a_persons_and_stales_the_proof() {
    let mut world = World::started(Setup::default());
    for _ in 0..3 {
        world.good();
    }
    assert_eq!(world.refused(By::Guest, Command::Reopen { busy_with: None }), "needs_person");
    world.ok(Command::Reopen { busy_with: None });
    assert_eq!(world.standing(), "validate A9");
}

#[test]
fn a_loop_stopped_before_its_start_comes_back_as_created() {
    let mut world = World::made(&Setup::default());
    world.ok(Command::Stop { why: None });
    world.ok(Command::Retry { busy_with: None });
    assert_eq!(world.state.name(), "created");
    world.ok(start(&Setup::default()));
    assert_eq!(world.state.name(), "running");
}

#[test]
fn edit_leaves_room_for_a_held_action() {
    let mut world = World::started(Setup { max_iterations: 5, ..Setup::default() });
    world.good();
    world.ok(Command::Pause { how: PauseHow::Finish });
    let edit = |max| Command::Edit {
        title: None,
        description: None,
        max_iterations: Some(max),
        max_iterations_ceiling: 1000,
        labels: LabelsPatch::default(),
    };
    assert_eq!(world.refused(By::Person, edit(1)), "invalid_args");
    world.ok(edit(2));
}

#[test]
fn only_pending_tasks_can_be_edited() {
    let mut world = World::started(Setup { tasks: 2, ..Setup::default() });
    let patch = TaskPatch { description: Some("new".into()), ..TaskPatch::default() };
    let edit = |task: &str| Command::EditTask { task: task.into(), patch: patch.clone() };
    assert_eq!(world.refused(By::Person, edit("task-001")), "task_started");
    assert_eq!(world.refused(By::Person, edit("task-009")), "no_such");
    world.ok(edit("task-2-0000abcd"));
    let requeue = |task: &str| Command::RequeueTask { task: task.into() };
    assert_eq!(world.refused(By::Person, requeue("task-002")), "task_started");
    world.bad();
    world.ok(requeue("task-001"));
    assert_eq!(world.body().task("task-001").map(|task| task.status.word()), Some("pending"));
    let order = |ids: &[&str]| Command::ReorderTasks {
        tasks: ids.iter().map(|id| alloc::string::String::from(*id)).collect(),
    };
    world.ok(order(&["task-002"]));
    assert_eq!(world.body().tasks[0].id, "task-002");
    assert_eq!(world.refused(By::Person, order(&[])), "invalid_args");
    assert_eq!(world.refused(By::Person, order(&["task-001", "task-001"])), "invalid_args");
    assert_eq!(world.refused(By::Person, order(&["nope"])), "no_such");
}

/// Found by a random life: the look at the failure would have had nothing left to run.
#[test]
fn reg_a_task_whose_failure_is_looked_into_stays() {
    let mut world = World::started(Setup::default());
    world.bad();
    assert_eq!(world.standing(), "debug A6");
    world.ok(Command::RequeueTask { task: "task-001".into() });
    let patch = TaskPatch { description: Some("new".into()), ..TaskPatch::default() };
    let edit = Command::EditTask { task: "task-001".into(), patch };
    let remove = Command::RemoveTask { task: "task-001".into() };
    assert_eq!(world.refused(By::Person, edit), "action_running");
    assert_eq!(world.refused(By::Person, remove), "action_running");
}

#[test]
fn an_import_is_believed_in_nothing() {
    let found = sample_commands(&State::New)
        .into_iter()
        .find_map(
            |(_, said)| {
                if let Command::Import(found) = said.command { Some(*found) } else { None }
            },
        )
        .expect("a sample");
    let at = crate::machine::At(7);
    for (found_as, variant, status) in [
        (ImportedAs::Created, "Created", "created"),
        (ImportedAs::Paused { reason: PauseReason::Stuck }, "Paused", "paused"),
        (ImportedAs::Completed { at }, "Completed", "completed"),
        (ImportedAs::Failed { at, reason: "as found".into() }, "Failed", "failed"),
    ] {
        let mut world = World { state: State::New, at: 0, events: vec![], times: vec![] };
        let found = Import { found: found_as, iteration: 12, ..found.clone() };
        world.ok(Command::Import(alloc::boxed::Box::new(found)));
        assert_eq!((world.state.variant(), world.state.name()), (variant, status));
        assert_eq!(world.body().max_iterations, 12, "never below what was counted");
        assert_eq!(world.body().next_task, 3);
        assert!(world.state.grants().is_empty());
        if variant == "Paused" {
            assert_eq!(world.standing(), "paused(imported)");
        }
    }
}

/// A loop that somebody owns, with a task that fails.
fn below_a_session(on_error: OnError) -> World {
    let mut world = World { state: State::New, at: 1_000, events: vec![], times: vec![] };
    let create = Command::Create {
        id: "loop-test".into(),
        title: "Test".into(),
        description: "Prove it".into(),
        max_iterations: 10,
        max_iterations_ceiling: 1000,
        parent: Some(ParentRef { id: "s-7".into(), key: "s-7/base".into() }),
    };
    world.say(By::Parent { run: "s-7".into() }, create).expect("accepted");
    world.ok(Command::AddTask { task: bash_task(1), place: Place::Last });
    let settings = Settings { on_error, ..super::super::samples::sample_settings() };
    world.ok(start(&Setup { settings, ..Setup::default() }));
    world
}

fn asked(world: &World) -> Option<(alloc::string::String, crate::owed::Question)> {
    owed(&world.state).into_iter().find_map(|owed| match owed {
        crate::owed::Owed::Question { slot, question } => Some((slot, question)),
        crate::owed::Owed::Child { .. }
        | crate::owed::Owed::Timer { .. }
        | crate::owed::Owed::Effect { .. } => None,
    })
}

#[test]
fn a_pause_that_is_not_the_owners_asks_whoever_is_above() {
    let answered = |world: &mut World, key: &str| {
        let (q, hash) = world.state.open_question().expect("it asks");
        assert_eq!(hash, None);
        let (key, text, task_id) = (key.into(), None, "task-9-feedbeef".into());
        world.say(By::Person, Command::Answer { q, key, text, hash, task_id })
    };
    for (key, standing) in [("resume", "develop A5"), ("stop", "failed(stopped)")] {
        let mut world = below_a_session(OnError::Continue);
        world.end(blocked());
        let (_, question) = asked(&world).expect("it asks");
        assert_eq!(
            (question.kind.as_str(), question.options),
            ("loop.paused", PAUSED_KEYS.map(Into::into).to_vec())
        );
        assert_eq!(question.about, "blocked: E001: bash");
        assert_eq!(answered(&mut world, "accept").unwrap_err().reason(), "unknown_option");
        answered(&mut world, key).expect("it is one of them");
        assert_eq!(world.standing(), standing);
        assert_eq!(asked(&world), None);
    }
    // The owner's own pause asks nothing, and nobody is above a loop of its own.
    let mut world = below_a_session(OnError::Continue);
    world.say(By::Parent { run: "s-7".into() }, Command::Pause { how: PauseHow::Finish }).unwrap();
    assert_eq!(asked(&world), None);
    let mut world = World::started(Setup::default());
    world.end(blocked());
    assert_eq!((asked(&world), world.state.open_question()), (None, None));
    // What is still at work is waited for first.
    let mut world = below_a_session(OnError::Pause);
    world.began();
    world.ok(Command::Pause { how: PauseHow::Finish });
    assert_eq!((asked(&world), world.state.open_question()), (None, None));
    world.bad();
    assert!(asked(&world).is_some());
    let mut world = below_a_session(OnError::Pause);
    world.bad();
    assert_eq!(world.standing(), "paused(task_failed)");
    assert_eq!(
        asked(&world).expect("it asks").1.about,
        "task_failed: task-001: E_BUILD_FAIL: it broke"
    );
}
