//! A loop that drives itself: the happy path, and everything that ends it.

use alloc::vec;

use super::super::samples::sample_settings;
use super::super::*;
use super::world::*;
use crate::machine::By;

#[test]
fn happy_path_three_tasks() {
    let mut world = World::started(Setup { tasks: 3, ..Setup::default() });
    for _ in 0..5 {
        if world.leg().1 != Leg::Seal {
            world.began();
        }
        world.good();
    }
    let expected = ["init", "develop", "develop", "develop", "validate", "complete"];
    assert_eq!(world.chosen(), expected);
    assert_eq!(world.state.name(), "completed");
    assert_eq!(world.body().iteration, 4);
    assert_eq!(world.work().completed_actions.len(), 6);
    assert!(world.state.ended());
    let how = How::Validated { digest: "tree".into() };
    assert!(matches!(&world.life().phase, Phase::Completed { how: found, .. } if *found == how));
}

#[test]
fn a_loop_without_tasks_is_broken_down_first() {
    let mut world = World::started(Setup { tasks: 0, ..Setup::default() });
    assert_eq!(world.leg().1, Leg::Breakdown);
    let names = world.good();
    let expected =
        ["LegEnded", "TaskAdded", "TaskAdded", "TaskAdded", "ActionEnded", "ActionChosen"];
    assert_eq!(names, expected);
    assert_eq!(world.body().tasks.len(), 3);
    assert_eq!(world.body().iteration, 0, "init does not count");
}

#[test]
fn reg_init_forever() {
    let mut world = World::started(Setup { tasks: 0, ..Setup::default() });
    for _ in 0..3 {
        assert_eq!(world.action().kind, Kind::Init);
        world.bad();
    }
    assert_eq!(world.standing(), "failed(error)");
    let Phase::Failed { reason, .. } = &world.life().phase else { panic!("failed") };
    assert_eq!(reason, "error_limit (3): E_BUILD_FAIL: it broke");
    assert_eq!(world.chosen(), ["init", "init", "init"]);
}

#[test]
fn an_unusable_answer_is_asked_for_once_more() {
    let mut world = World::started(Setup { tasks: 0, ..Setup::default() });
    let none = LegEnd::Ok(Gave::Tasks(vec![]));
    assert_eq!(world.end(none.clone()), ["LegEnded", "LegChosen"]);
    assert_eq!(world.action().slot(&Leg::Breakdown), "a1/breakdown.r1");
    assert_eq!(world.end(none), ["LegEnded", "ActionEnded", "ActionChosen"]);
    assert_eq!(world.body().errors_in_row, 1);
}

#[test]
fn reg_spin_all_done_validates() {
    let mut world = World::started(Setup::default());
    world.good();
    assert_eq!(world.standing(), "validate A9");
}

#[test]
fn reg_limit() {
    let setup = || Setup { tasks: 3, max_iterations: 2, ..Setup::default() };
    let mut world = World::started(setup());
    world.good();
    world.good();
    assert_eq!(world.standing(), "failed(limit)");
    let Phase::Failed { reason, .. } = &world.life().phase else { panic!("failed") };
    assert_eq!(reason, "max_iterations_reached (2)");
    assert_eq!(world.refused(By::Person, Command::Retry { busy_with: None }), "iteration_limit");
    let edit = |max| Command::Edit {
        title: None,
        description: None,
        max_iterations: Some(max),
        max_iterations_ceiling: 1000,
        labels: LabelsPatch::default(),
    };
    assert_eq!(world.refused(By::Person, edit(1)), "invalid_args");
    world.ok(edit(5));
    world.ok(Command::Retry { busy_with: None });
    assert_eq!(world.standing(), "develop A5");
    world.good();
    world.good();
    // Passed on the last one: done beats the limit.
    let mut world = World::started(Setup { tasks: 1, ..setup() });
    world.good();
    world.good();
    assert_eq!(world.body().iteration, 2);
    world.good();
    assert_eq!(world.state.name(), "completed");
}

#[test]
fn reg_streak() {
    let mut world = World::started(Setup { tasks: 6, ..Setup::default() });
    world.bad();
    world.bad();
    world.good();
    world.bad();
    world.bad();
    assert_eq!(world.state.name(), "running");
    world.bad();
    assert_eq!(world.standing(), "failed(error)");
    world.ok(Command::Retry { busy_with: None });
    assert_eq!(world.body().errors_in_row, 0);
    assert_eq!(world.standing(), "develop A5");
}

#[test]
fn on_error_is_obeyed() {
    for (on_error, standing) in [
        (OnError::Continue, "debug A6"),
        (OnError::Pause, "paused(task_failed)"),
        (OnError::FailFast, "failed(fail_fast)"),
    ] {
        let settings = Settings { on_error, ..sample_settings() };
        let mut world = World::started(Setup { settings, ..Setup::default() });
        world.bad();
        assert_eq!(world.standing(), standing);
        assert_eq!(world.body().iteration, 1);
    }
}

#[test]
fn without_agents_a_red_validation_is_stuck_with_its_text() {
    let settings = Settings {
        debug_rounds_max: 0,
        fix_tasks_max: 0,
        on_no_tests: OnNoTests::Ask,
        ..sample_settings()
    };
    let mut world = World::started(Setup { settings, ..Setup::default() });
    world.good();
    world.end(red());
    assert_eq!(world.standing(), "paused(stuck)");
    let Phase::Paused(paused) = &world.life().phase else { panic!("paused") };
    assert_eq!(paused.detail, "fails0: left != right");
    // The person may have mended it by hand: it is looked at again.
    let names = world.ok(Command::Resume { busy_with: None });
    assert_eq!(names, ["LoopResumed", "ValidationStaled", "ActionChosen"]);
    assert_eq!(world.standing(), "validate A9");
    world.good();
    world.good();
    assert_eq!(world.state.name(), "completed");
}

#[test]
fn a_validation_without_checks_ends() {
    let setup = |on_no_tests| Setup {
        checks: vec![],
        settings: Settings { on_no_tests, ..sample_settings() },
        ..Setup::default()
    };
    let mut world = World::started(setup(OnNoTests::Ask));
    world.good();
    assert_eq!(world.standing(), "paused(unverified)");
    assert_eq!(world.body().iteration, 2, "it counts");
    let mut world = World::started(setup(OnNoTests::AddTask));
    world.good();
    assert_eq!(world.standing(), "develop A10");
    assert_eq!(world.body().tasks[1].description, "Add tests for: Test");
    world.bad();
    assert_eq!(world.standing(), "paused(unverified)", "asked once, then a person");
}

#[test]
fn two_moved_seals_are_for_a_person() {
    let mut world = World::started(Setup::default());
    world.good();
    world.good();
    let names = world.end(LegEnd::Ok(Gave::Digest("other".into())));
    assert_eq!(names, ["LegEnded", "ActionDropped", "ValidationStaled", "ActionChosen"]);
    assert_eq!(world.standing(), "validate A9");
    world.good();
    world.end(LegEnd::Ok(Gave::Digest("other".into())));
    assert_eq!(world.standing(), "paused(tree_moving)");
}

#[test]
fn a_tree_that_moves_while_validated_is_for_a_person() {
    let mut world = World::started(Setup::default());
    world.good();
    world.end(moved());
    assert_eq!(world.standing(), "validate A9");
    world.end(moved());
    assert_eq!(world.standing(), "paused(tree_moving)");
    world.ok(Command::Resume { busy_with: None });
    world.end(moved());
    assert_eq!(world.standing(), "validate A9", "counted anew after a person stepped in");
}

#[test]
fn a_task_added_while_sealing_is_not_lost() {
    let mut world = World::started(Setup::default());
    world.good();
    world.good();
    assert_eq!(world.leg().1, Leg::Seal);
    world.ok(Command::AddTask { task: bash_task(9), place: Place::Last });
    world.good();
    assert_eq!(world.standing(), "develop A5");
}
