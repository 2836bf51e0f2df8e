//! The ends of legs in each place they can arrive, and the legs of debugging.

use alloc::format;
use alloc::vec;

use super::super::*;
use super::world::*;
use crate::machine::By;
use crate::owed::{Begun, Owed, Posture};

/// An end, and for each of four places: standing, iteration, the task's status.
type EndCase = (fn() -> LegEnd, [(&'static str, u32, &'static str); 4]);

/// Standing after each kind of end: acting, paused with a live child, cut, failed with one.
fn ends(end: fn() -> LegEnd) -> [(alloc::string::String, u32, &'static str); 4] {
    let places: [fn(&mut World); 4] = [
        |_| {},
        |world| drop(world.ok(Command::Pause { how: PauseHow::Finish })),
        |world| drop(world.ok(Command::Pause { how: PauseHow::Now })),
        |world| drop(world.ok(Command::Stop { why: None })),
    ];
    places.map(|place| {
        let mut world = World::started(Setup::default());
        world.began();
        place(&mut world);
        world.end(end());
        let task = world.body().tasks[0].status.word();
        (world.standing(), world.body().iteration, task)
    })
}

#[test]
fn one_leg_ends_in_each_place() {
    let ok: fn() -> LegEnd = || LegEnd::Ok(worked());
    let cases: [EndCase; 4] = [
        (
            ok,
            [
                ("validate A9", 1, "completed"),
                ("paused(user)", 1, "completed"),
                ("paused(user)", 1, "completed"),
                ("failed(stopped)", 1, "completed"),
            ],
        ),
        (
            failed,
            [
                ("debug A6", 1, "failed"),
                ("paused(user)", 1, "failed"),
                ("paused(user)", 1, "failed"),
                ("failed(stopped)", 1, "failed"),
            ],
        ),
        (
            blocked,
            [
                ("paused(blocked)", 1, "pending"),
                ("paused(user)", 1, "pending"),
                ("paused(user)", 1, "pending"),
                ("failed(stopped)", 1, "pending"),
            ],
        ),
        (
            || LegEnd::Cancelled,
            [
                ("paused(child_cancelled)", 0, "pending"),
                ("paused(user)", 0, "pending"),
                ("paused(user)", 0, "pending"),
                ("failed(stopped)", 0, "pending"),
            ],
        ),
    ];
    for (end, expected) in cases {
        let found = ends(end);
        let found: alloc::vec::Vec<_> =
            found.iter().map(|(a, b, c)| (a.as_str(), *b, *c)).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn a_leg_of_several_is_held_at_the_next_one() {
    let two = || {
        let check = super::super::samples::sample_check();
        let checks = vec![check.clone(), Check { id: "more".into(), ..check }];
        let mut world = World::started(Setup { checks, ..Setup::default() });
        world.good();
        world.began();
        world
    };
    let mut world = two();
    world.ok(Command::Pause { how: PauseHow::Finish });
    assert_eq!(world.good(), ["LegEnded", "LegChosen"]);
    assert_eq!(world.state.variant(), "Paused");
    let held = owed(&world.state);
    assert!(
        matches!(&held[..], [Owed::Child { posture: Posture::Hold, begun: Begun::NotYet, .. }]),
        "no leg is ordered outside Acting: {held:?}"
    );
    world.ok(Command::Resume { busy_with: None });
    assert_eq!(world.leg().1, Leg::Check(2));
    let mut world = two();
    world.ok(Command::Pause { how: PauseHow::Now });
    assert!(owed(&world.state).is_empty(), "so the child is stopped");
    assert_eq!(world.good(), ["LegEnded", "ActionDropped"]);
    let mut world = two();
    world.ok(Command::Stop { why: None });
    assert_eq!(world.state.variant(), "Failed*");
    assert_eq!(world.good(), ["LegEnded", "ActionDropped"]);
    assert_eq!(world.state.variant(), "Failed");
}

#[test]
fn reg_lost_pause() {
    // Pause or stop at each step of an action; the late end keeps the work and never the status.
    for step in 0..3 {
        for stop in [false, true] {
            let mut world = World::started(Setup { tasks: 2, ..Setup::default() });
            let (n, leg) = world.leg();
            if step > 0 {
                world.began();
            }
            let late = Command::LegEnded { n, leg, end: LegEnd::Ok(worked()) };
            if step == 2 {
                world.ok(late.clone());
            }
            world.ok(if stop {
                Command::Stop { why: None }
            } else {
                Command::Pause { how: PauseHow::Finish }
            });
            let status = world.state.name();
            if step == 1 {
                world.ok(late);
                assert_eq!(world.body().tasks[0].status.word(), "completed", "work kept");
            } else {
                assert_eq!(world.refused(By::Engine, late), "not_owed");
            }
            assert_eq!(world.state.name(), status);
        }
    }
}

#[test]
fn a_late_beginning_makes_the_pause_wait_for_it() {
    let mut world = World::started(Setup::default());
    world.ok(Command::Pause { how: PauseHow::Finish });
    assert_eq!(world.state.variant(), "Paused");
    world.began();
    assert_eq!(world.state.variant(), "Paused*");
    assert_eq!(owed(&world.state).len(), 1);
    assert!(world.began().is_empty(), "told again");
}

fn debugging() -> World {
    let mut world = World::started(Setup::default());
    world.good();
    world.end(red());
    assert_eq!(world.standing(), "debug A6");
    world
}

#[test]
fn a_confirmed_hypothesis_appends_its_fix() {
    let mut world = debugging();
    for leg in [Leg::Explore, Leg::Instrument, Leg::Reproduce] {
        assert_eq!(world.leg().1, leg);
        world.began();
        world.good();
    }
    let analysis = vec![found("H1", HypothesisStatus::Confirmed, true)];
    world.end(LegEnd::Ok(Gave::Analysis(analysis)));
    assert_eq!(world.leg().1, Leg::Restore);
    assert!(world.work().fresh().is_none(), "an instrumented tree is not the validated one");
    world.began();
    assert_eq!(world.good(), ["LegEnded", "ActionEnded", "TaskAdded", "ActionChosen"]);
    assert_eq!(world.body().tasks[1].description, "Fix H1: off by one");
    assert_eq!(world.standing(), "develop A5");
    world.good();
    world.good();
    assert_eq!(world.work().debug.confirmed.as_deref(), Some("H1"));
    world.good();
    assert_eq!(world.state.name(), "completed");
}

#[test]
fn a_fix_that_does_not_help_reopens_its_hypothesis() {
    let mut world = debugging();
    world.end(LegEnd::Ok(Gave::Hypotheses(vec![hypothesis("", 1)])));
    assert_eq!(world.leg().1, Leg::Reproduce, "no logging point, nothing to instrument");
    world.good();
    world.end(LegEnd::Ok(Gave::Analysis(vec![found("H1", HypothesisStatus::Confirmed, true)])));
    world.good();
    world.end(red());
    let h1 = &world.work().debug.hypotheses[0];
    assert_eq!(h1.status, HypothesisStatus::Inconclusive);
    assert_eq!(h1.verdict_reason.as_deref(), Some("fix task-002 applied, still fails"));
    assert_eq!(world.work().debug.confirmed, None);
    // Its hypotheses are still open, so nothing is explored again.
    assert_eq!(world.leg().1, Leg::Reproduce);
}

#[test]
fn reg_debug_log_confirmed_without_evidence_is_inconclusive() {
    let mut world = debugging();
    world.good();
    world.began();
    world.good();
    world.good();
    world.end(LegEnd::Ok(Gave::Analysis(vec![found("H1", HypothesisStatus::Confirmed, false)])));
    let h1 = &world.work().debug.hypotheses[0];
    assert_eq!(h1.status, HypothesisStatus::Inconclusive);
    assert_eq!(h1.verdict_reason.as_deref(), Some("no evidence"));
}

/// Debugging is done when each hypothesis has a verdict; words about others are none.
#[test]
fn every_hypothesis_that_was_asked_about_gets_a_verdict() {
    let mut world = debugging();
    world.end(LegEnd::Ok(Gave::Hypotheses(vec![hypothesis("", 1), hypothesis("", 2)])));
    world.good();
    let other = || LegEnd::Ok(Gave::Analysis(vec![found("H9", HypothesisStatus::Rejected, false)]));
    assert_eq!(world.end(other()), ["LegEnded", "LegChosen"], "asked once more");
    let confirmed = vec![
        found("H2", HypothesisStatus::Confirmed, true),
        found("H9", HypothesisStatus::Confirmed, true),
    ];
    world.end(LegEnd::Ok(Gave::Analysis(confirmed)));
    let judged = |n: usize| {
        let one = &world.work().debug.hypotheses[n];
        (one.status.word(), one.verdict_reason.clone().unwrap_or_default())
    };
    assert_eq!(judged(0), ("inconclusive", "no verdict".into()));
    assert_eq!(judged(1).0, "confirmed");
    assert_eq!(world.standing(), "develop A5");

    let mut world = debugging();
    world.end(LegEnd::Ok(Gave::Hypotheses(vec![hypothesis("", 1)])));
    world.good();
    world.end(other());
    world.end(other());
    assert_eq!(world.body().errors_in_row, 1, "no verdict is no success");
}

#[test]
fn a_failed_debug_leg_restores_first_and_a_dropped_one_opens_the_next_action() {
    let mut world = debugging();
    world.good();
    world.began();
    world.good();
    assert_eq!(world.bad(), ["LegEnded", "LegChosen"]);
    assert_eq!(world.leg().1, Leg::Restore);
    world.good();
    assert_eq!(world.body().errors_in_row, 1, "failed once its tree was put back");
    assert_eq!(world.standing(), "debug A6");

    let mut world = debugging();
    world.good();
    world.began();
    world.end(LegEnd::Cancelled);
    assert_eq!(world.standing(), "paused(child_cancelled)");
    world.ok(Command::Resume { busy_with: None });
    assert_eq!(world.action().legs, [Leg::Restore, Leg::Check(1)]);
    // A path that others changed since is theirs: the person gets it.
    world.end(LegEnd::Ok(restored(false, &["src/b.rs"])));
    assert_eq!(world.standing(), "paused(blocked)");
    world.ok(Command::Resume { busy_with: None });
    assert_eq!(world.action().legs, [Leg::Check(1)]);
}

#[test]
fn three_rounds_and_two_fixes_are_stuck() {
    let mut world = World::started(Setup { max_iterations: 50, ..Setup::default() });
    world.good();
    world.end(red());
    for _ in 0..3 {
        assert_eq!(world.standing(), "debug A6");
        while world.action().kind == Kind::Debug {
            let last = format!("H{}", world.work().debug.hypotheses.len());
            let reject = vec![found(&last, HypothesisStatus::Rejected, false)];
            let leg = world.leg().1;
            if leg == Leg::Explore {
                world.end(LegEnd::Ok(Gave::Hypotheses(vec![hypothesis("", 1)])));
            } else if leg == Leg::Analyze {
                world.end(LegEnd::Ok(Gave::Analysis(reject)));
                break;
            } else {
                world.good();
            }
        }
    }
    for _ in 0..2 {
        assert_eq!(world.standing(), "develop A7");
        world.bad();
        world.end(red());
    }
    assert_eq!(world.standing(), "paused(stuck)");
}

#[test]
fn quota_waits_only_where_it_was_allowed() {
    for (wakes, timers) in [(vec![], 0), (vec!["gemini".into()], 1)] {
        let settings =
            Settings { resume_at_reset: wakes, ..super::super::samples::sample_settings() };
        let mut world = World::started(Setup { tasks: 0, settings, ..Setup::default() });
        let reset = crate::machine::At(1_000_000);
        world.end(LegEnd::Blocked { failure: failure("E009"), reset_at: Some(reset) });
        assert_eq!(world.standing(), "paused(blocked)");
        let owed = owed(&world.state);
        assert_eq!(owed.len(), timers);
        if let Some(crate::owed::Owed::Timer { slot, due }) = owed.first() {
            assert_eq!(*due, reset);
            let early = Command::Timeout { slot: slot.clone() };
            assert_eq!(world.refused(By::Timer, early.clone()), "not_owed");
            world.at = 1_000_000;
            world.say(By::Timer, early).unwrap();
            assert_eq!(world.standing(), "init A2");
        }
    }
}
