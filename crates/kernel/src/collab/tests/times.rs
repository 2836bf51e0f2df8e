//! Time: dues, budgets, reserves, deadlines that fall together, extensions.

use super::super::samples::{answered, session};
use super::super::{Collab, Command, Outcome, Phase, Plan, Scope};
use super::world::{World, planned, serial, stands};
use crate::agent::Structured;
use crate::machine::{By, Machine as _};
use crate::owed::{ChildAsk, Owed};

fn timed(timeout_ms: u64) -> Plan {
    planned(|plan| plan.timeout_ms = timeout_ms)
}

#[test]
fn parallel_of_ten_minutes() {
    let world = World::running(timed(600_000));
    assert_eq!(world.due("codex/1/due"), Some(300_000));
    assert_eq!(world.due("total"), Some(600_000));
    let world = world.fires("codex/1/due").stopped(302_000, "codex", 1);
    assert_eq!(world.starting(), [("codex".into(), 2)], "retried at once");
    let world = world.start(302_000, "codex", 2);
    assert_eq!(world.due("codex/2/due"), Some(600_000), "what is left: 298 000");
}

#[test]
fn launch_due_with_the_run_ends_alike_in_both_orders() {
    let late = || {
        let world = World::running(timed(600_000)).answer(1_000, "gemini", 1);
        world.fires("codex/1/due").stopped(302_000, "codex", 1).start(302_000, "codex", 2)
    };
    let total = Command::TotalDue;
    let attempt = Command::AttemptDue { p: "codex".into(), launch: 2 };
    let first = late().fires("codex/2/due");
    assert_eq!(first.refused(600_000, By::Timer, total), "not_owed");
    let second = late().fires("total");
    assert_eq!(second.refused(600_000, By::Timer, attempt), "not_owed");
    let ends = [first, second].map(|world| world.stopped(601_000, "codex", 2));
    assert_eq!(ends[0].events, ends[1].events);
    assert_eq!(ends[0].stands(), "DEGRADED UNACCEPTABLE [backend]");
    assert_eq!(stands(ends[0].one("codex")), "TimedOut");
}

#[test]
fn serial_of_ten_minutes_keeps_a_reserve() {
    let world = World::running(serial());
    assert_eq!(world.due("codex/1/due"), Some(300_000));
    let world = world.fires("codex/1/due").stopped(300_000, "codex", 1);
    let world = world.start(300_000, "codex", 2);
    assert_eq!(world.due("codex/2/due"), Some(450_000), "150 000 are kept for the second");
    let world = world.fires("codex/2/due").stopped(450_000, "codex", 2);
    assert_eq!(world.starting(), [("gemini".into(), 1)]);
    let world = world.start(450_000, "gemini", 1);
    assert_eq!(world.due("gemini/1/due"), Some(600_000));
    assert_eq!(world.answer(500_000, "gemini", 1).stands(), "DEGRADED UNACCEPTABLE [backend]");
}

#[test]
fn odd_and_short_totals() {
    let world = World::running(timed(600_001));
    assert_eq!(world.due("codex/1/due"), Some(300_000));
    let world = World::running(timed(10_000)).answer(100, "gemini", 1);
    assert_eq!(world.due("codex/1/due"), Some(5_000));
    let world = world.fires("codex/1/due").stopped(9_200, "codex", 1);
    assert_eq!(stands(world.one("codex")), "TimedOut", "800 are too few to try again");
    assert_eq!(world.one("codex").retries, 0);
    let world = World::running(timed(10_000)).fires("codex/1/due").stopped(9_000, "codex", 1);
    assert_eq!(world.starting(), [("codex".into(), 2)], "1 000 are just enough");
}

#[test]
fn both_time_out_twice() {
    let mut world = World::running(timed(600_000));
    for p in ["codex", "gemini"] {
        world = world.fires(&alloc::format!("{p}/1/due")).stopped(301_000, p, 1);
        world = world.start(301_000, p, 2);
    }
    let world = world.fires("total").stopped(605_000, "codex", 2).stopped(606_000, "gemini", 2);
    assert_eq!(world.stands(), "FAILED timeout E005");
    assert_eq!(world.codes("codex"), ["E004", "E004"]);
}

#[test]
fn invariant_stop_all() {
    let world = World::running(timed(600_000)).fires("total");
    assert!(world.calls().is_empty());
    assert_eq!(world.due("codex/1/stop"), Some(620_000), "a run ends 20 s after its total");
    let world = world.fires("codex/1/stop").fires("gemini/1/stop");
    assert_eq!(world.stands(), "FAILED timeout E005");
    assert_eq!(world.one("codex").stop_unproven, ["call-codex-1"], "and says what may live on");
    assert!(world.timers().is_empty() && world.state.awaited().is_empty());
}

#[test]
fn one_usable_at_the_total_deadline() {
    let world = World::running(timed(600_000)).answer(1_000, "codex", 1);
    let world = world.fires("total").stopped(601_000, "gemini", 1);
    assert_eq!(world.stands(), "DEGRADED ACCEPTABLE [frontend]");
}

#[test]
fn an_answer_in_the_spool_counts() {
    for slot in ["codex/1/due", "total"] {
        let world = World::running(timed(600_000)).answer(1_000, "gemini", 1).fires(slot);
        let world = world.answer(601_000, "codex", 1);
        assert_eq!(world.stands(), "SUCCESS", "{slot}");
        assert_eq!(world.one("codex").retries, 0);
    }
}

#[test]
fn the_total_ends_what_waits() {
    let world = World::running(serial()).fires("total");
    assert_eq!(stands(world.one("gemini")), "Skipped");
    let world = world.end(601_000, "codex", 1, Outcome::TimedOut { report: None });
    assert_eq!(world.stands(), "FAILED timeout E005");
    let world = World::running(timed(600_000)).answer(1_000, "gemini", 1);
    let world = world.end(
        400_000,
        "codex",
        1,
        super::super::samples::failed("codex", "E009", "quota", Some(190_000)),
    );
    assert_eq!(stands(world.one("codex")), "Backoff");
    assert_eq!(world.due("codex/2/backoff"), Some(590_000));
    let mut early = world.clone();
    let total = Command::TotalDue;
    assert_eq!(early.try_say(599_999, By::Timer, total), Err("not_owed"));
    let world = world.fires("total");
    assert_eq!(world.stands(), "DEGRADED UNACCEPTABLE [backend]");
    assert_eq!(world.codes("codex"), ["E009"], "it ends with its last error");
}

#[test]
fn extending() {
    let world = World::running(timed(600_000)).extend(100_000, 60_000);
    assert_eq!(world.due("codex/1/due"), Some(360_000));
    assert_eq!(world.due("total"), Some(660_000));
    let extend = |ms| Command::Extend { ms };
    assert_eq!(world.refused(1, By::Person, extend(2_940_001)), "limit");
    let whole = world.clone().extend(1, 2_940_000);
    assert_eq!(whole.due("total"), Some(3_600_000));
    assert_eq!(whole.refused(1, By::Person, extend(1)), "limit");
    let cancelled = world.clone().cancel(2, Scope::All);
    assert_eq!(cancelled.refused(3, By::Person, extend(1)), "limit");
    assert_eq!(world.fires("total").refused(700_000, By::Person, extend(1)), "limit");
}

/// The call of a launch has no earlier end of its own than the run may be given: only the run's
/// timers end it, and they move with an extension.
#[test]
fn a_launch_that_runs_is_extended_too() {
    let deadline = |world: &World, slot: &str| {
        Collab::owed(&world.state).into_iter().find_map(|owed| match owed {
            Owed::Child { slot: known, ask: ChildAsk::Call(request), .. } if known == slot => {
                Some(request.deadline_ms)
            }
            Owed::Child { .. }
            | Owed::Timer { .. }
            | Owed::Question { .. }
            | Owed::Effect { .. } => None,
        })
    };
    let far = planned(|plan| {
        plan.timeout_ms = 600_000;
        plan.participants[0].wall_ms = 9_000_000;
    });
    let world = World::running(far);
    assert_eq!(deadline(&world, "codex/1"), Some(3_600_000), "the longest a run may take");
    assert_eq!(deadline(&world, "gemini/1"), Some(1_800_000), "the agent's own wall");
    let before = world.calls();
    let world = world.extend(299_000, 300_000);
    assert_eq!(world.calls(), before, "the call stays the same");
    assert_eq!(world.due("codex/1/due"), Some(600_000));
    let world = world.fires("codex/1/due");
    assert_eq!(deadline(&world, "codex/1"), None, "no longer owed, so it is stopped");
}

#[test]
fn invariant_budget() {
    let world = World::running(timed(600_000));
    let run_due = |world: &World| world.due("total");
    let before = run_due(&world);
    let world = world.fires("codex/1/due").stopped(310_000, "codex", 1).start(310_000, "codex", 2);
    assert_eq!(run_due(&world), before, "only an extension moves it");
    for one in world.state.participants() {
        if let Phase::Running { due, .. } = &one.phase {
            assert!(due.since(super::world::ZERO) <= 600_000, "{} is due after the run", one.name);
        }
    }
    let text = serde_json::to_string(&world.state).unwrap();
    let restarted = World { state: serde_json::from_str(&text).unwrap(), ..world.clone() };
    assert_eq!(restarted.timers(), world.timers(), "a restart changes none of them");
}

/// A start that is told of late, as after a restart, has the due it would have had.
#[test]
fn a_start_brings_its_own_time() {
    let mut world = World::launching(timed(600_000));
    let at = super::world::ZERO;
    let started = Command::CallStarted { p: "codex".into(), launch: 1, call: "c".into(), at };
    world.say(50_000, By::Engine, started);
    assert_eq!(world.due("total"), Some(600_000));
    assert_eq!(world.due("codex/1/due"), Some(300_000));
}

#[test]
fn a_correction_has_the_due_of_what_it_corrects() {
    let plan = planned(|plan| plan.schema = Some("{}".into()));
    let poor = answered("codex", Some(session("codex")), super::world::broken());
    let world = World::running(plan).end(200_000, "codex", 1, poor);
    let world = world.start(201_000, "codex", 2);
    assert_eq!(world.due("codex/2/due"), Some(300_000));
    let good = answered("codex", Some(session("codex")), Structured::NotAsked);
    let world = world.end(250_000, "codex", 2, good).answer(260_000, "gemini", 1);
    assert_eq!(world.stands(), "SUCCESS");
}
