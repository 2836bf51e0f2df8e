//! What debugging changed is put back or named, however its action and its loop end; and what a
//! confirmed hypothesis is owed.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::*;
use super::world::*;
use crate::machine::{At, By};

/// A debug action of which the tree is instrumented.
fn instrumented() -> World {
    let mut world = World::started(Setup::default());
    world.good();
    world.end(red());
    world.good();
    world.began();
    world.good();
    assert_eq!(world.leg().1, Leg::Reproduce);
    world
}

/// The same with a confirmed hypothesis, at its restoring.
fn confirmed() -> World {
    let mut world = instrumented();
    world.good();
    world.end(LegEnd::Ok(Gave::Analysis(vec![found("H1", HypothesisStatus::Confirmed, true)])));
    assert_eq!(world.leg().1, Leg::Restore);
    world
}

fn paused(world: &World) -> (String, String) {
    let Phase::Paused(paused) = &world.life().phase else { panic!("{}", world.standing()) };
    (paused.code.clone().unwrap_or_default(), paused.detail.clone())
}

/// What the last command left in the tree, told by its facts.
fn left(before: &State, world: &World, facts: usize) -> Vec<String> {
    let mut state = before.clone();
    let mut all = vec![];
    for event in &world.events[world.events.len() - facts..] {
        all.extend(state.leaves(event));
        evolve(&mut state, event, At(world.at));
    }
    all
}

#[test]
fn what_others_changed_is_named_once_the_rest_is_put_back() {
    let mut world = confirmed();
    world.began();
    assert_eq!(world.end(LegEnd::Ok(restored(true, &["src/b.rs"]))), ["LegEnded", "LegChosen"]);
    let before = world.state.clone();
    let facts = world.end(LegEnd::Ok(restored(false, &["src/c.rs", "src/b.rs"])));
    assert_eq!(left(&before, &world, facts.len()), ["src/b.rs", "src/c.rs"]);
    assert_eq!(paused(&world), ("E_CONFLICT".into(), "src/b.rs, src/c.rs".into()));
    assert!(world.work().fresh().is_none(), "the tree is not the one that was validated");
    world.ok(Command::Resume { busy_with: None });
    assert_eq!(world.standing(), "develop A5", "it is the person's now, and the cause is known");
    assert_eq!(world.action().legs, [Leg::Work]);
}

#[test]
fn a_blocked_leg_of_debugging_restores_first_and_blocks_then() {
    let mut world = instrumented();
    let reset = At(1_000_000);
    let quota = LegEnd::Blocked { failure: failure("E009"), reset_at: Some(reset) };
    assert_eq!(world.end(quota), ["LegEnded", "LegChosen"]);
    assert_eq!(world.leg().1, Leg::Restore);
    world.began();
    assert_eq!(world.good(), ["LegEnded", "ActionEnded", "LoopPaused"]);
    assert_eq!(paused(&world).0, "E009");
    let Phase::Paused(paused) = &world.life().phase else { unreachable!() };
    assert_eq!(paused.reset.map(|reset| reset.at), Some(reset));
    assert_eq!(world.work().debug.in_tree(), Vec::<String>::new());
}

#[test]
fn a_restoring_that_is_in_the_way_of_something_is_tried_again() {
    for (code, tried_again) in [("E_CONFLICT", true), ("E_IO", true), ("E_POLICY_DENIED", false)] {
        let mut world = confirmed();
        world.began();
        let before = world.state.clone();
        let facts = world.end(LegEnd::Blocked { failure: failure(code), reset_at: None });
        assert_eq!(paused(&world).0, code);
        let named = left(&before, &world, facts.len());
        assert_eq!(named.is_empty(), tried_again, "{code}: {named:?}");
        assert_eq!(world.work().debug.restore_owed.is_some(), tried_again, "{code}");
        world.ok(Command::Resume { busy_with: None });
        assert_eq!(world.leg().1 == Leg::Restore, tried_again, "{code}");
    }
}

#[test]
fn invariant_user_tree_who_ends_a_loop_is_told_what_debugging_left() {
    let dropped = || {
        let mut world = instrumented();
        world.end(LegEnd::Cancelled);
        assert_eq!(world.standing(), "paused(child_cancelled)");
        world
    };
    let external =
        || start(&Setup { driver: Driver::External { runner: None }, ..Setup::default() });
    let commands: [(fn() -> Command, bool); 5] = [
        (|| Command::Stop { why: None }, true),
        (|| Command::Complete { force: Some("enough".into()) }, true),
        (|| Command::Delete, true),
        (|| Command::Resume { busy_with: None }, false),
        (|| Command::AddTask { task: bash_task(7), place: Place::Last }, false),
    ];
    for (command, told) in commands {
        let mut world = dropped();
        let before = world.state.clone();
        let facts = world.ok(command());
        let expected: &[&str] = if told { &["src/a.rs"] } else { &[] };
        assert_eq!(left(&before, &world, facts.len()), expected, "{facts:?}");
    }
    let mut world = dropped();
    let before = world.state.clone();
    let facts = world.ok(external());
    assert_eq!(left(&before, &world, facts.len()), ["src/a.rs"], "whoever drives now is told");
}

#[test]
fn what_a_stopped_child_changed_is_told_once_it_is_gone() {
    let mut world = World::started(Setup::default());
    world.good();
    world.end(red());
    world.good();
    world.began();
    let before = world.state.clone();
    let facts = world.ok(Command::Stop { why: None });
    assert_eq!(world.state.variant(), "Failed*");
    assert!(left(&before, &world, facts.len()).is_empty(), "nobody knows yet");
    let before = world.state.clone();
    let facts = world.good();
    assert_eq!(left(&before, &world, facts.len()), ["src/a.rs"]);

    let mut world = World::started(Setup::default());
    world.good();
    world.end(red());
    world.good();
    world.began();
    let child = world.action().child.clone().unwrap_or_default();
    world.ok(Command::Stop { why: None });
    let before = world.state.clone();
    let facts = world.end(LegEnd::Cancelled);
    assert_eq!(left(&before, &world, facts.len()), [child], "who knows what it changed");
}

#[test]
fn a_confirmed_hypothesis_gets_its_fix_however_its_debugging_ends() {
    let ends: [fn() -> LegEnd; 3] =
        [failed, blocked, || LegEnd::Ok(restored(false, &["src/b.rs"]))];
    for end in ends {
        let mut world = confirmed();
        world.began();
        world.end(end());
        let fixes: Vec<_> = world.body().listed().filter(|t| t.origin == Origin::Fix).collect();
        assert_eq!(fixes.len(), 1, "{}", world.standing());
        assert_eq!(fixes[0].description, "Fix H1: off by one");
        if let Phase::Paused(_) = world.life().phase {
            world.ok(Command::Resume { busy_with: None });
        }
        assert_eq!(world.standing(), "develop A5");
    }
}

#[test]
fn only_a_fix_that_was_done_speaks_against_its_hypothesis() {
    for done in [true, false] {
        let mut world = confirmed();
        world.began();
        world.good();
        assert_eq!(world.standing(), "develop A5");
        if done {
            world.good()
        } else {
            world.bad()
        };
        world.end(red());
        let debug = &world.work().debug;
        let (status, reason) = (debug.hypotheses[0].status, &debug.hypotheses[0].verdict_reason);
        if done {
            assert_eq!(status, HypothesisStatus::Inconclusive);
            assert_eq!(reason.as_deref(), Some("fix task-002 applied, still fails"));
        } else {
            assert_eq!(
                (status, debug.confirmed.as_deref()),
                (HypothesisStatus::Confirmed, Some("H1"))
            );
        }
    }
    // Someone's own fix of something else is not this one's.
    let mut world = confirmed();
    world.began();
    world.end(blocked());
    let fix = world.body().tasks[1].id.clone();
    world.say(By::Person, Command::RemoveTask { task: fix }).expect("it is pending");
    world.ok(Command::Resume { busy_with: None });
    while world.action().kind != Kind::Validate {
        world.good();
    }
    world.end(red());
    let h1 = &world.work().debug.hypotheses[0];
    assert_ne!(h1.verdict_reason.as_deref(), Some("fix  applied, still fails"));
    assert_eq!(h1.status, HypothesisStatus::Confirmed);
}

#[test]
fn an_unusable_answer_that_comes_during_a_pause_is_asked_for_again() {
    let mut world = World::started(Setup { tasks: 0, ..Setup::default() });
    world.began();
    world.ok(Command::Pause { how: PauseHow::Finish });
    let end = LegEnd::Unusable { failure: failure("E_MODEL"), bad: None };
    assert_eq!(world.end(end), ["LegEnded", "LegChosen"]);
    assert_eq!(world.state.variant(), "Paused", "nothing is asked while it stands still");
    world.ok(Command::Resume { busy_with: None });
    assert_eq!(world.state.awaited().map(|(slot, ..)| slot).as_deref(), Some("a1/breakdown.r1"));
    assert_eq!(world.body().errors_in_row, 0);
}
