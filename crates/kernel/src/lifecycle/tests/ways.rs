//! Ways out of a block: the one that is shown is possible there, and one that stopped is gone on
//! with.

use alloc::boxed::Box;

use super::super::samples::plan;
use super::super::*;
use super::world::{World, sample};
use crate::machine::By;

#[test]
fn the_way_on_has_what_its_reason_needs() {
    let table = [
        ("blocked", "-m TEXT"),
        ("blocked by a quota", "-m TEXT"),
        ("blocked by budget", "--fixed --add-turns N"),
        ("blocked by a definition", "--fixed --accept-definition "),
    ];
    for (label, words) in table {
        let state = sample(label);
        let command = shown(&state, None).and_then(|view| view.next_action.command);
        let command = command.unwrap_or_default();
        assert!(command.contains(words), "{label}: {command}");
        let Some(Phase::Blocked(now)) = state.life().map(|life| &life.phase) else {
            panic!("{label} is not blocked")
        };
        let known = now.why != Why::DefinitionChanged || command.ends_with(&now.detail);
        assert!(known && !command.ends_with(' '), "{label}: {command}");
    }
}

/// What stopped half-way keeps its report; said again it goes on to the end.
#[test]
fn a_way_back_that_stopped_is_gone_on_with() {
    let mut world = World::at_work(plan(), |begin| begin.options.fix_limit = 0);
    world.label("saved");
    world.fails("a");
    let go = ["rollback", "rollback planned", "rollback: go"];
    world.labels(&go);
    assert_eq!(world.owed(), ["rollback/1"]);
    world.label("rollback stopped");
    let Phase::Blocked(now) = world.phase() else { panic!("{}", world.state.name()) };
    assert_eq!((now.why, now.detail.as_str()), (Why::RollbackFailed, "half"));
    world.labels(&go);
    assert_eq!(world.owed(), ["rollback/2"]);
    world.label("rolled back");
    let Phase::Idle(ended) = world.phase() else { panic!("{}", world.state.name()) };
    assert_eq!((ended.outcome, world.work().rollbacks), (Outcome::RolledBack, 2));
}

/// A person's hold that a run took with it into its block would keep the way back for ever.
#[test]
fn a_way_back_lifts_a_hold() {
    let mut world = World::at_work(plan(), |begin| begin.options.fix_limit = 0);
    world.label("saved");
    world.label("pause");
    world.fails("a");
    assert_eq!((world.state.name(), world.owed().len()), ("BLOCKED", 0), "held");
    world.label("rollback");
    assert_eq!(world.owed(), ["rollback-plan/1"]);
}

/// Each limit is raised by what raises it, and by nothing else.
#[test]
fn money_that_is_spent_needs_more_money() {
    let mut world = World::at_work(plan(), |begin| begin.options.budget.cost_micros = Some(0));
    world.label("saved");
    let why = |world: &World| {
        if let Phase::Blocked(now) = world.phase() { now.why.word() } else { "at work" }
    };
    assert_eq!(why(&world), "budget");
    let more = |turns, cost_micros| {
        Command::HumanIntervention(Box::new(Intervention {
            help: Help::Guidance("go on".into()),
            add_budget: Some(Budget { turns, wall_ms: 0, cost_micros }),
            accept_definition: None,
            unsettled: None,
        }))
    };
    world.say(By::Person, more(5, None));
    assert_eq!(why(&world), "budget", "turns are not what was spent");
    world.say(By::Person, more(0, Some(1)));
    assert!(world.key().starts_with("task/T-1/"), "{}", world.key());
}
