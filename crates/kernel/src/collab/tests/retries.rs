//! Level 1: what is tried again, how, and how often.

use alloc::string::String;

use super::super::samples::{answered, failed, session};
use super::super::{How, Outcome, Phase, Why};
use super::world::{World, broken, planned, stands};
use crate::agent::Access;
use crate::call::Failure;

fn running() -> World {
    World::running(planned(|_| ()))
}

/// What follows from an outcome of the first launch: how it stands, its codes, and the next launch.
fn after(world: World, outcome: Outcome) -> String {
    let world = world.end(10_000, "codex", 1, outcome);
    let one = world.one("codex");
    let next = match &one.phase {
        Phase::Backoff { next, until } => {
            let wait = until.since(super::world::ZERO) - 10_000;
            alloc::format!(" {wait} {}", kind(&next.why))
        }
        Phase::Starting { launch } => alloc::format!(" {}", kind(&launch.why)),
        Phase::Pending | Phase::Running { .. } | Phase::Stopping { .. } | Phase::Ended { .. } => {
            String::new()
        }
    };
    alloc::format!("{} {}{next}", world.codes("codex").join(" "), stands(one))
}

fn kind(why: &Why) -> &'static str {
    match why {
        Why::First => "first",
        Why::Retry { resume: None } => "whole",
        Why::Retry { resume: Some(_) } => "resumed",
        Why::Fresh => "fresh",
        Why::Correct { .. } => "corrected",
    }
}

#[test]
fn each_outcome_of_a_launch() {
    let check = |name: &str, outcome: Outcome, unseen: &str, captured: &str| {
        assert_eq!(after(running(), outcome.clone()), unseen, "{name}");
        assert_eq!(after(running().seen(1, "codex", 1), outcome), captured, "{name}, id captured");
    };
    let of = |code: &str, kind: &str| failed("codex", code, kind, None);
    let same = |name: &str, outcome: Outcome, both: &str| check(name, outcome, both, both);
    let late = Outcome::TimedOut { report: None };
    check("limit", late, "E004 Starting whole", "E004 Starting resumed");
    check("own limit", of("E004", ""), "E004 Starting whole", "E004 Starting resumed");
    let spawn = Outcome::SpawnFailed { detail: String::new() };
    same("spawn", spawn, "E003 Backoff 1000 whole");
    same("given up", Outcome::NotApplied, "E003 Backoff 1000 whole");
    same("no byte", of("E003", ""), "E003 Backoff 1000 whole");
    check("network", of("E010", ""), "E010 Backoff 1000 whole", "E010 Backoff 1000 resumed");
    let server = of("E009", "server");
    check("server", server, "E009 Backoff 1000 whole", "E009 Backoff 1000 resumed");
    let quota = |ms| failed("codex", "E009", "quota", ms);
    check("quota", quota(None), "E009 Backoff 1000 whole", "E009 Backoff 1000 resumed");
    check("20 s", quota(Some(20_000)), "E009 Backoff 20000 whole", "E009 Backoff 20000 resumed");
    same("too long", quota(Some(295_001)), "E009 Failed");
    let lost = "E_UNKNOWN_OUTCOME Starting";
    check(
        "lost",
        Outcome::Lost,
        &alloc::format!("{lost} whole"),
        &alloc::format!("{lost} resumed"),
    );
    let unknown = Outcome::Unknown { survivors: [].into() };
    same("unknown", unknown, "E_UNKNOWN_OUTCOME Failed");
    same("auth", of("E009", "auth"), "E009 Failed");
    same("model missing", of("E009", "error_event"), "E009 Failed");
    same("resume id of a person", of("E002", "resume_unknown"), "E002 Failed");
    same("denied", Outcome::Denied { by: "policy".into() }, "E_POLICY_DENIED Failed");
    same("refused", Outcome::Refused { reason: "invalid_args".into() }, "E002 Failed");
    same("no money", Outcome::Refused { reason: "budget".into() }, "E_POLICY_DENIED Failed");
    same("stopped by somebody", Outcome::Stopped { report: None }, "E007 Cancelled");
    let prepared = |code: &str, kind: &str| {
        Outcome::Failed(Failure { code: code.into(), kind: kind.into(), detail: String::new() })
    };
    same("program gone", prepared("E_IO", "not_found"), "E001 Failed");
    same("busy", prepared("E_IO", "busy"), "E003 Backoff 1000 whole");
    same("no sandbox", prepared("E_IO", "sandbox_unavailable"), "E_POLICY_DENIED Failed");
    same("bad flags", prepared("E_INVALID_ARGS", "bad_plan"), "E002 Failed");
}

#[test]
fn a_retry_is_counted_and_used_up() {
    let world = running().fail(1_000, "codex", 1, "E010", "").fires("codex/2/backoff");
    assert_eq!(world.one("codex").retries, 1);
    let world = world.start(2_500, "codex", 2).fail(3_000, "codex", 2, "E010", "");
    assert_eq!(stands(world.one("codex")), "Failed");
    let none = World::running(planned(|plan| plan.max_retries = 0));
    let world = none.fail(1_000, "codex", 1, "E010", "");
    assert_eq!(stands(world.one("codex")), "Failed");
}

#[test]
fn an_unknown_id_of_our_own_retry_starts_afresh_once() {
    let world = running().seen(500, "codex", 1).fail(1_000, "codex", 1, "E004", "");
    let world = world.start(1_100, "codex", 2).fail(1_200, "codex", 2, "E002", "resume_unknown");
    assert_eq!(world.starting(), [("codex".into(), 3)]);
    let one = world.one("codex");
    assert_eq!(
        (one.retries, &one.captured),
        (1, &None),
        "not counted, and the id is good for no one"
    );
    let world = world.start(1_300, "codex", 3).answer(2_000, "codex", 3);
    let world = world.answer(2_100, "gemini", 1);
    assert_eq!(world.stands(), "SUCCESS");
}

#[test]
fn the_fresh_start_is_given_once() {
    let plan = planned(|plan| plan.max_retries = 3);
    let world = World::running(plan).seen(500, "codex", 1).fail(1_000, "codex", 1, "E004", "");
    let world = world.start(1_100, "codex", 2).fail(1_200, "codex", 2, "E002", "resume_unknown");
    let world = world.start(1_300, "codex", 3).seen(1_400, "codex", 3);
    let world = world.fail(1_500, "codex", 3, "E004", "").start(1_600, "codex", 4);
    let world = world.fail(1_700, "codex", 4, "E002", "resume_unknown");
    assert_eq!(stands(world.one("codex")), "Failed");
}

#[test]
fn there_is_a_last_launch() {
    let plan = planned(|plan| plan.max_retries = 3);
    let mut world = World::running(plan).seen(100, "codex", 1).fail(200, "codex", 1, "E004", "");
    world = world.start(300, "codex", 2).fail(400, "codex", 2, "E002", "resume_unknown");
    for n in 3..=4 {
        world = world.start(500, "codex", n).fail(600, "codex", n, "E004", "");
    }
    assert_eq!(world.one("codex").launches, 5);
    let world = world.start(700, "codex", 5).fail(800, "codex", 5, "E004", "");
    assert_eq!(stands(world.one("codex")), "TimedOut");
    assert_eq!(world.one("codex").retries, 3);
}

#[test]
fn a_captured_id_is_no_proof() {
    let world = running().seen(500, "codex", 1).fires("codex/1/due").stopped(301_000, "codex", 1);
    let world = world.start(301_000, "codex", 2).seen(302_000, "codex", 2).fires("total");
    let world = world.stopped(601_000, "codex", 2).answer(601_500, "gemini", 1);
    let one = world.one("codex");
    assert_eq!(one.captured, Some(session("codex")));
    assert_eq!(one.proven(), None);
    assert_eq!(world.stands(), "DEGRADED UNACCEPTABLE [backend]");
}

fn poor() -> Outcome {
    answered("codex", Some(session("codex")), broken())
}

#[test]
fn a_broken_form_is_corrected_once() {
    let schema = || World::running(planned(|plan| plan.schema = Some("{}".into())));
    let world = schema().end(1_000, "codex", 1, poor());
    assert_eq!(world.one("codex").retries, 0, "a correction is no retry");
    let world = world.start(1_100, "codex", 2).end(2_000, "codex", 2, poor());
    assert_eq!(world.codes("codex"), ["E_MODEL", "E_MODEL"]);
    let world = world.answer(3_000, "gemini", 1);
    assert_eq!(world.stands(), "DEGRADED UNACCEPTABLE [backend]");
    let reviewer = planned(|plan| {
        plan.schema = Some("{}".into());
        plan.role = "reviewer".into();
    });
    let world = World::running(reviewer).end(1_000, "codex", 1, poor()).start(1_100, "codex", 2);
    let world = world.end(2_000, "codex", 2, poor()).answer(3_000, "gemini", 1);
    assert_eq!(world.stands(), "DEGRADED UNACCEPTABLE [backend]", "quality below standard");
}

/// Whatever ends a correction, the answer it was to correct is there and has its proof.
#[test]
fn a_correction_that_fails_leaves_the_poor_answer() {
    let outcomes = [
        failed("codex", "E010", "", None),
        failed("codex", "E002", "resume_unknown", None),
        Outcome::TimedOut { report: None },
        answered("codex", None, crate::agent::Structured::NotAsked),
    ];
    for outcome in outcomes {
        let world = World::running(planned(|plan| plan.schema = Some("{}".into())));
        let world = world.end(1_000, "codex", 1, poor()).start(1_100, "codex", 2);
        let world = world.end(2_000, "codex", 2, outcome.clone());
        let Some(How::Poor { session: id, output }) = world.one("codex").how() else {
            panic!("{outcome:?}")
        };
        assert_eq!((id, output.call.as_str()), (&session("codex"), "call-codex-1"));
    }
}

/// Edits are never begun afresh. Such plans are refused today, so the run is put together.
#[test]
fn only_readers_are_asked_again_from_the_start() {
    let world = |captured: bool| {
        let world = running();
        let world = if captured { world.seen(500, "codex", 1) } else { world };
        let mut state = world.state.clone();
        if let super::super::State::Running { run, .. } = &mut state {
            run.plan.participants[0].access = Access::Edit;
        }
        let world = World { state, ..world };
        world.fires("codex/1/due").stopped(301_000, "codex", 1)
    };
    assert_eq!(stands(world(false).one("codex")), "TimedOut");
    assert_eq!(stands(world(true).one("codex")), "Starting");
}

#[test]
fn invariant_one_launch_alive() {
    let world = running().fires("codex/1/due");
    assert!(!world.calls().contains(&"codex/1".into()), "no longer owed, so stopped");
    assert!(world.starting().is_empty(), "and nothing new before its end is proven");
    let unknown = Outcome::Unknown { survivors: ["4711 sleep".into()].into() };
    let world = world.end(310_000, "codex", 1, unknown);
    assert_eq!(stands(world.one("codex")), "TimedOut");
    assert_eq!(world.one("codex").stop_unproven, ["4711 sleep"]);
}
