//! An outside skill: lease, reports, and what it may say while the engine drives.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::*;
use super::world::*;
use crate::machine::By;
use crate::owed::Owed;

fn lent() -> World {
    let driver = Driver::External { runner: Some("skill".into()) };
    World::started(Setup { driver, ..Setup::default() })
}

fn report(runner: &str, changes: Vec<Change>, ended: &[Kind]) -> Command {
    let ended = ended
        .iter()
        .map(|kind| EndedAction { kind: *kind, result: ActionResult::Ok, summary: String::new() })
        .collect();
    Command::Report(Box::new(Report {
        runner: Some(runner.into()),
        base_rev: None,
        changes,
        ended,
    }))
}

fn done(id: &str) -> Change {
    Change::TaskStatus { id: id.into(), status: "completed".into(), files_changed: vec![] }
}

fn lease(world: &World) -> String {
    match owed(&world.state).pop() {
        Some(Owed::Timer { slot, .. }) => slot,
        other => panic!("a lease, not {other:?}"),
    }
}

#[test]
fn an_outside_skill_reports_and_the_engine_validates() {
    let mut world = lent();
    world.ok(report("skill", vec![], &[Kind::Init]));
    world.ok(report("skill", vec![done("task-001")], &[Kind::Develop]));
    assert_eq!((world.state.variant(), world.body().iteration), ("Lent", 1));
    world.ok(report("skill", vec![Change::ClaimedPassed(true)], &[]));
    assert_eq!(view::draw(world.life(), 1)["skill_state"]["validate"]["passed"], true);
    world.say(By::File, Command::Complete { force: None }).unwrap();
    assert_eq!(world.standing(), "validate complete", "shown, not believed");
    world.good();
    assert_eq!(world.standing(), "complete complete");
    world.good();
    assert_eq!(world.state.name(), "completed");

    let mut world = lent();
    world.ok(report("skill", vec![done("task-001")], &[Kind::Develop]));
    world.ok(Command::Complete { force: None });
    world.end(red());
    assert_eq!(world.state.variant(), "Lent", "not passed: it goes on outside");
}

#[test]
fn a_second_runner_is_not_the_owner() {
    let mut world = lent();
    assert_eq!(world.refused(By::Person, report("other", vec![], &[Kind::Develop])), "owned");
    let before = world.state.clone();
    world.ok(Command::Signal { runner: "other".into() });
    assert_eq!(before, world.state);
    assert_eq!(view::signal(Some(&world.state), Some("other"), 1).reason, "not_owner");
}

#[test]
fn a_lease_is_renewed_at_most_once_per_half() {
    let mut world = lent();
    let first = lease(&world);
    let signal = || Command::Signal { runner: "skill".into() };
    assert!(world.ok(signal()).is_empty());
    world.at += 15 * 60_000;
    assert_eq!(world.ok(signal()), ["LeaseRenewed"]);
    assert_ne!(first, lease(&world), "a new deadline is a new timer");
    assert_eq!(world.refused(By::Timer, Command::Timeout { slot: first }), "not_owed");
    let slot = lease(&world);
    assert_eq!(world.refused(By::Timer, Command::Timeout { slot: slot.clone() }), "not_owed");
    world.at += 30 * 60_000;
    world.say(By::Timer, Command::Timeout { slot }).unwrap();
    assert_eq!(world.standing(), "paused(runner_lost)");
    let stranger = report("other", vec![done("task-001")], &[Kind::Develop]);
    assert_eq!(world.refused(By::Person, stranger), "owned", "it was never lent to that one");
    // The late report is kept; the loop stays paused.
    world.ok(report("skill", vec![done("task-001")], &[Kind::Develop]));
    assert_eq!(world.standing(), "paused(runner_lost)");
    assert_eq!((world.body().iteration, world.body().tasks[0].status.word()), (1, "completed"));
    world.ok(Command::Resume { busy_with: None });
    assert_eq!(world.state.variant(), "Lent");
}

#[test]
fn an_unnamed_lease_is_taken_by_the_first_who_asks() {
    let driver = Driver::External { runner: None };
    let mut world = World::started(Setup { driver, ..Setup::default() });
    assert_eq!(world.ok(Command::Signal { runner: "first".into() }), ["LeaseTaken"]);
    assert_eq!(view::signal(Some(&world.state), Some("second"), 1).reason, "not_owner");
}

#[test]
fn an_outside_skill_ends_at_the_limit() {
    let driver = Driver::External { runner: None };
    let mut world = World::started(Setup { driver, max_iterations: 2, ..Setup::default() });
    world.ok(report("skill", vec![], &[Kind::Init]));
    world.ok(report("skill", vec![], &[Kind::Develop, Kind::Develop, Kind::Develop]));
    assert_eq!((world.standing().as_str(), world.body().iteration), ("failed(limit)", 2));
}

#[test]
fn beside_the_engine_only_additions_are_taken() {
    let mut world = World::started(Setup::default());
    let text = |what: Change| report("skill", vec![what], &[]);
    for change in [
        done("task-001"),
        Change::ActiveBug(Some("x".into())),
        Change::ClaimedPassed(true),
        Change::HypothesisFound(found("H1", HypothesisStatus::Confirmed, true)),
        Change::TaskEdited { id: "task-001".into(), patch: TaskPatch::default() },
    ] {
        assert_eq!(world.refused(By::Person, text(change)), "engine_drives");
    }
    let ended = report("skill", vec![], &[Kind::Develop]);
    assert_eq!(world.refused(By::Person, ended), "engine_drives");
    world.ok(text(Change::TaskAdded(bash_task(8))));
    world.ok(text(Change::HypothesisAdded(hypothesis("a:b:1", 1))));
    assert_eq!((world.body().tasks.len(), world.work().debug.hypotheses.len()), (2, 1));
    assert_eq!(world.body().tasks[1].origin, Origin::Outside);
}

/// What somebody says beside the engine never stands for its init, or a loop without a task would
/// be validated and done.
#[test]
fn reg_a_guess_before_init_has_ended_is_no_init() {
    let mut world = World::started(Setup { tasks: 0, ..Setup::default() });
    assert_eq!(world.standing(), "init A2");
    let guess = || report("skill", vec![Change::HypothesisAdded(hypothesis("a:b:1", 1))], &[]);
    assert_eq!(world.refused(By::Agent { call: "call-1".into() }, guess()), "engine_drives");
    world.bad();
    assert_eq!(world.standing(), "init A2", "it still has to find out what to do");
    world.good();
    world.ok(guess());
    assert_eq!(world.work().debug.hypotheses.len(), 1);
}

#[test]
fn signal_rows() {
    let mut world = World::new(3);
    let asked = |world: &World, runner| {
        let found = view::signal(Some(&world.state), runner, 7);
        (found.go_on, found.action, found.reason, found.ext.next_action)
    };
    let stop = |reason| (false, "stop_exit", reason, Some("STOPPED"));
    assert_eq!(asked(&world, None), stop("not_started"));
    world.ok(start(&Setup::default()));
    assert_eq!(asked(&world, None), (true, "continue", "running", None));
    assert_eq!(asked(&world, Some("skill")), stop("not_owner"));
    world.ok(Command::Pause { how: PauseHow::Finish });
    assert_eq!(asked(&world, None), (false, "pause_exit", "paused", Some("PAUSED")));
    world.ok(Command::Stop { why: None });
    assert_eq!(asked(&world, None), stop("stopped"));
    assert_eq!(view::signal(None, None, 0).reason, "state_not_found");
    assert_eq!(asked(&lent(), Some("skill")), (true, "continue", "running", None));
    let text = serde_json::to_string(&view::signal(None, None, 0)).unwrap();
    assert!(text.starts_with(r#"{"continue":false,"action":"stop_exit","reason":"#));
}
