//! Which plans are taken, and what making a run again means.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::super::samples::{member, session};
use super::super::{BusySession, Command, Merge, Plan, Refusal, Rule, State, decide};
use super::world::{World, planned};
use crate::agent::{Access, Kind};
use crate::machine::{At, By, Said};

fn made(plan: Plan, busy_sessions: Vec<BusySession>) -> Result<(), Refusal> {
    let command = Command::Create { plan: Box::new(plan), busy_sessions };
    decide(&State::New, &Said { by: By::Person, at: At(0), command }).map(|_| ())
}

#[test]
fn what_is_wrong_is_named() {
    let check = |path: &str, change: fn(&mut Plan)| {
        let refusal = made(planned(change), Vec::new()).expect_err(path);
        let Refusal::InvalidArgs { path: found, .. } = &refusal else { panic!("{refusal:?}") };
        assert_eq!(found, path);
    };
    check("/task", |plan| plan.task = " \n".into());
    check("/task", |plan| plan.task = "x".repeat(super::super::TASK_MAX + 1));
    check("/task", |plan| plan.task = "x".repeat(super::super::TASK_MAX));
    check("/role", |plan| plan.role = "Über".into());
    check("/workdir", |plan| plan.workdir = "relative".into());
    check("/workdir", |plan| plan.workdir = "/a/../b".into());
    check("/cwd", |plan| plan.cwd = "../b".into());
    check("/timeout", |plan| plan.timeout_ms = 9_999);
    check("/timeout", |plan| plan.timeout_ms = 3_600_001);
    check("/max_retries", |plan| plan.max_retries = 4);
    check("/schema", |plan| plan.schema = Some("{".into()));
    check("/merge", |plan| plan.merge = Merge::Structured);
    check("/gate", |plan| (plan.lite, plan.gate) = (true, Rule::And));
    check("/participants", |plan| plan.participants.clear());
    check("/participants", |plan| {
        let more = (0..7).map(|n| member(&alloc::format!("m{n}"), Kind::Codex, "backend"));
        plan.participants.extend(more);
    });
    check("/participants/1/name", |plan| plan.participants[1].name = "codex".into());
    check("/participants/0/name", |plan| plan.participants[0].name = "retries".into());
    check("/participants/0/name", |plan| plan.participants[0].name = "Codex".into());
    check("/participants/0/name", |plan| plan.participants[0].name = "a".repeat(33));
    check("/participants/0/dimension", |plan| plan.participants[0].dimension = String::new());
    check("/participants/0/access", |plan| plan.participants[0].access = Access::Edit);
    check("/participants/1/access", |plan| plan.participants[1].access = Access::Full);
    check("/participants/1/resume", |plan| {
        for one in &mut plan.participants {
            one.resume = Some(session("codex"));
        }
    });
}

use alloc::string::String;

#[test]
fn a_busy_conversation_is_refused() {
    let plan = || planned(|plan| plan.participants[0].resume = Some(session("codex")));
    let busy = |id: &str| BusySession { session: session(id), holder: "call-7".into() };
    let refusal = made(plan(), [busy("codex")].into()).expect_err("busy");
    assert_eq!(refusal, Refusal::Busy { session: session("codex"), holder: "call-7".into() });
    assert_eq!(made(plan(), [busy("other")].into()), Ok(()));
}

#[test]
fn making_it_again_is_answered_by_the_run() {
    let create = |plan: Plan| Command::Create { plan: Box::new(plan), busy_sessions: Vec::new() };
    let worlds = [
        World::created(planned(|_| ())),
        World::running(planned(|_| ())),
        World::running(planned(|_| ())).answer(1, "codex", 1).answer(2, "gemini", 1),
    ];
    for mut world in worlds {
        let before = world.state.clone();
        assert_eq!(world.try_say(5, By::Person, create(planned(|_| ()))), Ok(()));
        assert_eq!(world.state, before);
        let other = create(planned(|plan| plan.task = "Another".into()));
        assert_eq!(world.refused(5, By::Person, other), "key_reused");
    }
}
