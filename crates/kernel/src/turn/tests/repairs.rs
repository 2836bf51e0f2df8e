//! Repairs and what measures them: what a fix leads back to, what is taken back, what counts.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::super::*;
use super::world::World;
use crate::machine::By;

fn work(world: &World) -> &Work {
    world.life().body.work.as_deref().expect("a plan")
}

fn work_mut(world: &mut World) -> &mut Work {
    let State::Begun(life) = &mut world.state else { panic!("not begun") };
    life.body.work.as_deref_mut().expect("a plan")
}

fn skip(mut world: World, step: &str) -> World {
    let (step, reason) = (step.to_string(), "by hand".to_string());
    world.say(By::Person, Command::SkipStep { step, reason });
    world
}

/// At work at a repair of the first step.
fn repairing(change: impl FnOnce(&mut Start)) -> World {
    let world = World::at_work(change).step_failed("E_CONFLICT", "no_match", "x").fires("fix/1");
    assert_eq!(world.stands(), "EXECUTING fix-1");
    world
}

/// A step that a person left out while it was repaired was run all the same, and the word lost.
#[test]
fn reg_what_a_person_leaves_out_is_not_repaired_and_run() {
    let left_out = |world: &World| {
        let step = &work(world).plan.steps[0];
        assert_eq!((step.status, step.skip_reason), (Status::Skipped, Some(SkipReason::Person)));
        assert_eq!(world.stands(), "EXECUTING s2");
    };
    left_out(&skip(repairing(|_| {}), "s1").step_done(|_| {}));
    // A repair that fails has nothing to repair either, whatever happens to the rest.
    for on_failure in [OnFailure::Stop, OnFailure::Continue] {
        let world = repairing(|start| start.on_failure = on_failure);
        left_out(&skip(world, "s1").step_failed("E_CONFLICT", "no_match", "y"));
    }
}

fn undone(world: &World) -> Vec<String> {
    let Phase::Recovering(now) = &world.life().phase else { panic!("{}", world.stands()) };
    let Rung::Undo { left, .. } = &now.rung else { panic!("{:?}", now.rung) };
    left.clone()
}

/// The step's own writes were taken back from under the fix's, which was a conflict with ourselves.
#[test]
fn reg_a_fix_that_did_not_help_is_taken_back_with_what_came_after() {
    let called = |id: &'static str| move |facts: &mut StepFacts| facts.call_id = id.into();
    let red = |mut world: World| {
        work_mut(&mut world).plan.steps[0].verify = vec!["cargo check".to_string()];
        world
    };
    let check_fails = |world: World| {
        let fault = Fault { signature: "x".into(), ..Fault::new("E_BUILD_FAIL", "check") };
        world.result(Ended::Failed(alloc::boxed::Box::new(fault)))
    };
    let world = check_fails(red(World::at_work(|_| {})).step_done(called("first")));
    let world = world.fires("fix/1").step_done(called("fix"));
    let world = check_fails(world.step_done(called("again")));
    assert_eq!(undone(&world), ["fix", "again"], "the last goes first");
    let world = world.label("RESULT, ok").label("RESULT, ok");
    assert_eq!(world.stands(), "RECOVERING Replan");
    let stays = |id: &str| work(&world).writes.iter().any(|one| one.call_id == id);
    assert!(stays("first") && !stays("fix") && !stays("again"), "what was to be mended stays");
    // No fix was tried for a step out of time: all its own goes.
    let world = World::at_work(|_| {}).step_failed("E_TOOL_TIMEOUT", "deadline", "x");
    let all = work(&world).writes.iter().map(|one| one.call_id.clone());
    assert_eq!(undone(&world), all.collect::<Vec<_>>());
}

/// What an agent left as it was counted only until the step's own checks ran.
#[test]
fn reg_what_is_unchanged_counts_after_the_steps_own_checks() {
    let mut world = World::at_work(|_| {});
    let step = &mut work_mut(&mut world).plan.steps[0];
    let value = "src/main.rs".to_string();
    step.expected_artifacts = vec![Artifact { kind: ArtifactKind::File, value: value.clone() }];
    step.verify = vec!["cargo check".to_string()];
    let nothing = |facts: &mut StepFacts| facts.files.clear();
    let world = world.step_done(|facts| {
        facts.files.clear();
        facts.unchanged = vec![value];
    });
    assert_eq!(world.step_done(nothing).stands(), "EXECUTING s2");
}

/// An agent that could not be asked was told so by nobody but the next agent.
#[test]
fn reg_an_agent_that_failed_is_told_once_then_falls_back() {
    let world = World::at_work(|_| {}).step_failed("E009", "exit", "x");
    assert_eq!(world.stands(), "RECOVERING Fix");
    let world = world.fires("fix/1").step_done(|_| {}).step_failed("E009", "error_event", "y");
    assert_eq!(world.stands(), "EXECUTING s1", "the next agent");
    assert_eq!(work(&world).fallen.get("s1"), Some(&1));
    let world = World::at_work(|_| {}).step_failed("E009", "quota", "x");
    assert_eq!(work(&world).fallen.get("s1"), Some(&1), "no attempt is spent on a limit");
    assert_eq!(world.life().body.ledger.fixes, 0);
}

/// A command that the agent ran by our tools changed more than a parent lets it, and passed.
#[test]
fn reg_what_an_agents_commands_change_counts_towards_the_limits() {
    let inner = |change: fn(&mut Start)| {
        let mut facts = samples::facts(Control::Done);
        for path in ["a.txt", "b.txt"] {
            let file = FileChange { path: path.into(), before: None, after: Some("h".into()) };
            facts.files.push(Changed { file, lines: 5 });
        }
        let mut world = World::at_work(change).label("REQUEST, allowed");
        let key = "step/s1/1/2".to_string();
        let ended = Ended::Ok(alloc::boxed::Box::new(Payload::Step(alloc::boxed::Box::new(facts))));
        world.say(By::Engine, Command::ToolCallResult { key, ended, spent: Spent::default() });
        assert_eq!(world.stands(), "EXECUTING s1", "the agent gets what its call gave");
        world.step_done(|facts| facts.files.clear())
    };
    let limited = inner(|start| {
        start.limits.change = Some(ChangeLimit { files: 2, lines: 100, modules: 9 });
    });
    assert_eq!(limited.outcome(), "denied policy change_limit skipped");
    let confined = inner(|start| start.limits.confine = vec!["src/**".to_string()]);
    assert_eq!(confined.outcome(), "denied policy confine skipped");
    let within = inner(|start| {
        start.limits.change = Some(ChangeLimit { files: 3, lines: 30, modules: 9 });
    });
    assert_eq!(within.stands(), "EXECUTING s2");
}
