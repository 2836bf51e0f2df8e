//! What went wrong once, and what the page tells apart in a single line.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::super::*;
use super::world::World;
use crate::machine::By;
use crate::policy::Verdict;

fn work(world: &World) -> &Work {
    world.life().body.work.as_deref().expect("a plan")
}

fn work_mut(world: &mut World) -> &mut Work {
    let State::Begun(life) = &mut world.state else { panic!("not begun") };
    life.body.work.as_deref_mut().expect("a plan")
}

/// The tree that could not be kept was looked for under the same key again, so that the failure of
/// the first try was taken for the second's.
#[test]
fn reg_a_checkpoint_that_failed_is_tried_under_another_key() {
    let world = World::begun(|_| {}).labels(&["RESULT, ok", "RESULT, ok", "RESULT, plan allowed"]);
    assert_eq!(world.effects(), ["checkpoint"]);
    let failed = world.clone().label("RESULT, not ok");
    assert_eq!(failed.stands(), "RECOVERING Help");
    assert_eq!(failed.label("CONFIRM, yes").effects(), ["checkpoint/2"]);
    assert_eq!(world.label("RESULT, quota").stands(), "SUMMARIZING blocked", "no agent failed");
}

/// What could be said was found by trying the steps of the samples' own plan, which no other has.
#[test]
fn reg_what_is_allowed_goes_by_the_turns_own_plan() {
    let mut world =
        World::begun(|_| {}).labels(&["RESULT, ok", "RESULT, ok", "RESULT, plan asked"]);
    let work = work_mut(&mut world);
    let ids = ["write-it", "note-it", "tell-it"];
    let call = ToolCallTemplate { name: "read".into(), args_hint: Default::default(), why: None };
    work.plan.steps.push(work.plan.steps[1].clone());
    for (step, id) in work.plan.steps.iter_mut().zip(ids) {
        (step.step_id, step.runner, step.depends_on) = (id.to_string(), Runner::Tools, vec![]);
        step.tool_calls = vec![call.clone()];
    }
    for step in &mut work.plan.steps[..2] {
        step.status = Status::Done;
    }
    let State::Begun(life) = &mut world.state else { panic!("not begun") };
    life.body.start.agents.clear();
    let told = allowed(&world.state, &By::Person);
    for name in ["EDIT_PLAN", "SKIP_STEP", "CONFIRM", "CANCEL", "PAUSE"] {
        assert!(told.contains(&name), "{name}: {told:?}");
    }
    work_mut(&mut world).plan.steps[2].status = Status::Done;
    let told = allowed(&world.state, &By::Person);
    assert!(told.contains(&"EDIT_PLAN"), "a step may still come: {told:?}");
    assert!(!told.contains(&"SKIP_STEP"), "there is nothing left to skip: {told:?}");
    assert!(allowed(&world.state, &By::Agent { call: "c".into() }).is_empty());
}

#[test]
fn reg_only_the_agent_at_work_asks_for_calls() {
    let before = World::begun(|_| {}).labels(&["RESULT, ok", "RESULT, ok", "RESULT, plan allowed"]);
    assert_eq!(before.refused("REQUEST, allowed"), "bad_request", "the tree is not kept yet");
    let mut checking = World::at_work(|_| {});
    work_mut(&mut checking).plan.steps[0].verify = vec!["cargo check".to_string()];
    let checking = checking.step_done(|_| {});
    assert_eq!(checking.effects(), ["step/s1/1/2"]);
    assert_eq!(checking.refused("REQUEST, allowed"), "bad_request", "the agent has ended");
}

#[test]
fn reg_what_was_taken_back_proves_nothing() {
    let mut world = World::at_work(|_| {});
    let value = "src/list.rs".to_string();
    work_mut(&mut world).plan.steps[0].expected_artifacts =
        vec![Artifact { kind: ArtifactKind::File, value }];
    let world = world.step_failed("E_TOOL_TIMEOUT", "deadline", "x");
    assert_eq!(world.stands(), "RECOVERING Undo");
    assert!(work(&world).changed.contains_key("src/list.rs"));
    let world = world.label("RESULT, ok");
    assert!(work(&world).changed.is_empty() && work(&world).writes.is_empty());
    let files = work(&world).plan.steps[0].evidence.as_ref().map(|one| one.files_changed.len());
    assert_eq!(files, Some(0));
}

/// A plan may call a step as we call a repair; what is taken back is the repair's alone.
#[test]
fn reg_a_repair_is_not_a_step_of_the_same_name() {
    let mut world = World::at_work(|_| {});
    work_mut(&mut world).plan.steps[1].step_id = "fix-1".into();
    let called = |id: &'static str| move |facts: &mut StepFacts| facts.call_id = id.into();
    let world = world.step_done(called("of-s1")).step_done(called("of-the-plan"));
    let world = world.label("RESULT, failed").fires("fix/1");
    let world = world.step_done(called("of-the-repair")).label("RESULT, failed");
    let Phase::Recovering(now) = &world.life().phase else { panic!("{}", world.stands()) };
    let Rung::Undo { left, .. } = &now.rung else { panic!("{:?}", now.rung) };
    assert_eq!(left, &["of-the-repair"]);
}

#[test]
fn reg_a_call_of_unknown_outcome_waits_for_a_person() {
    let mut world = World::at_work(|_| {});
    assert!(world.due("step/s1/1").is_some());
    world = world.label("RESULT, unknown outcome");
    assert!(world.life().waits(), "a person is asked");
    assert!(timers(world.life()).is_empty(), "no time of the step or the turn runs");
    assert_eq!(world.effects(), ["step/s1/1/1"], "it is still awaited");
    assert_eq!(world.refused("RESULT, unknown outcome"), "not_owed", "told once");
    let active = world.life().body.clock.active_ms;
    world.now = world.now.plus(10 * ACTIVE_MS_MAX);
    let world = world.step_done(|_| {});
    assert_eq!(world.stands(), "EXECUTING s2");
    assert_eq!(world.life().body.clock.active_ms, active);
    assert!(!world.life().waits());
}

fn two_checks(stop_on_fail: bool) -> World {
    let mut world = World::at_work(|_| {});
    let policy = &mut work_mut(&mut world).plan.verification;
    policy.commands = vec!["cargo check".to_string(), "cargo test".to_string()];
    policy.stop_on_fail = stop_on_fail;
    world.labels(&["RESULT, ok", "RESULT, ok"])
}

/// A check that ran out of time has no digest; that is no sign of moved files.
#[test]
fn reg_a_check_out_of_time_moved_nothing() {
    let world = two_checks(false).fires("verify/1/0");
    assert_eq!(world.stands(), "VERIFYING 1");
    let world = world.label("RESULT, passed");
    let Phase::Recovering(now) = &world.life().phase else { panic!("{}", world.stands()) };
    assert_eq!(now.failure.code, "E_TOOL_TIMEOUT");
}

#[test]
fn checks_after_the_first_failure_are_told_as_not_run() {
    let world = two_checks(true).label("RESULT, failed");
    let round = work(&world).rounds.last().expect("a round");
    let verdicts: Vec<CheckVerdict> = round.results.iter().map(|one| one.verdict).collect();
    assert_eq!(verdicts, [CheckVerdict::Fail, CheckVerdict::NotRun]);
}

#[test]
fn a_check_that_cannot_run_is_a_tools_failure() {
    let world = two_checks(true).label("RESULT, unavailable");
    let Phase::Recovering(now) = &world.life().phase else { panic!("{}", world.stands()) };
    assert_eq!((now.failure.kind, world.stands().as_str()), (FailureKind::Tool, "RECOVERING Help"));
}

/// A plan that was changed within what was approved had its remaining calls asked about, and nobody
/// saw the question: the turn stood still.
#[test]
fn reg_a_covered_change_stays_under_the_persons_yes() {
    let world = World::begun(|_| {})
        .labels(&["RESULT, ok", "RESULT, ok", "RESULT, plan asked", "CONFIRM, yes", "RESULT, ok"])
        .labels(&["PAUSE", "RESULT, never happened"]);
    let by = |world: &World| work(world).approval.clone().map(|yes| yes.by);
    let person = by(&world);
    assert!(matches!(person, Some(ApprovedBy::Person { .. })), "{person:?}");
    let covered = world.clone().label("EDIT_PLAN, covered");
    assert_eq!(by(&covered), person);
    assert!(work(&covered).approved() && work(&covered).hash != work(&world).hash);
    let more = world.label("EDIT_PLAN, not covered");
    assert_eq!((by(&more), more.stands().as_str()), (None, "AWAITING_CONFIRMATION patch"));
}

/// An agent was set to mend it, in the tree of the other branch.
#[test]
fn reg_a_branch_that_changed_is_a_persons_to_mend() {
    let world = World::at_work(|_| {}).step_failed("E_CONFLICT", "branch_changed", "x");
    assert_eq!(world.stands(), "RECOVERING Help");
}

#[test]
fn reg_nobody_can_say_yes_to_a_denied_edit() {
    let mut world =
        World::begun(|_| {}).labels(&["RESULT, ok", "RESULT, ok", "RESULT, plan asked"]);
    let step = DraftedStep { title: "New".into(), ..DraftedStep::default() };
    let patch = Box::new(PlanPatch { add_steps: vec![step], ..PlanPatch::default() });
    let mut judged = samples::agent_judged();
    judged.verdict = Verdict::Deny { rule: "paths".into() };
    let edit = Command::EditPlan { patch, judged: Box::new(judged), bad_args: vec![] };
    assert_eq!(world.try_say(By::Person, edit), Err("bad_patch"));
}

/// Skipping a step forgot what the checks stood for, and with it that they were replaced.
#[test]
fn reg_skipping_a_step_keeps_what_the_checks_stand_for() {
    let mut world =
        World::begun(|_| {}).labels(&["RESULT, ok", "RESULT, ok", "RESULT, plan asked"]);
    work_mut(&mut world).definitions.insert("cargo test".into(), "then".into());
    let world = world.label("SKIP_STEP, second");
    assert_eq!(work(&world).definitions.len(), 1);
}

#[test]
fn a_ceiling_holds_for_every_plan() {
    let low = |start: &mut Start| start.risk_max = Some(Risk::Medium);
    let world = World::at_work(low).label("RESULT, wants another plan");
    let mut planned = samples::next_answer(
        world.life(),
        &samples::drafted(),
        Verdict::Allow { rule: "sample".into() },
        world.now,
    );
    if let Planned::Read { judged: Some(judged), .. } = &mut planned {
        judged.reach.permissions.push(Permission::NetConnect);
    }
    let world = world.result(Ended::Ok(Box::new(Payload::Planner(Box::new(planned)))));
    assert_eq!(world.outcome(), "blocked E_POLICY_DENIED risk_max skipped");
}

#[test]
fn a_question_about_the_repository_only_reads() {
    let mut world = World::begun(|start| {
        let (mode, command) = (VerifyMode::Test, "cargo test".to_string());
        start.detected = vec![Detected { mode, command }];
    });
    let report = IntakeReport {
        intent: Intent::RepoAnalysis,
        confidence: Confidence(80),
        permissions: vec![],
        risk_level: Risk::Low,
        constraints: vec![],
        missing: vec![],
        by: "rules".to_string(),
    };
    let verdict = Verdict::Ask { rule: "sample".into() };
    world = world.result(Ended::Ok(Box::new(Payload::Intake { report, verdict })));
    world = world.labels(&["RESULT, ok", "RESULT, plan allowed"]);
    assert_eq!(world.stands(), "PLANNING Correct", "an agent that writes is too much");
    let mut drafted = samples::drafted();
    drafted.verification = None;
    let plan = made_plan(&world.life().body, &drafted, world.now);
    assert_eq!(plan.verification, VerificationPolicy::none(), "reading needs no check");
}

#[test]
fn a_large_or_sensitive_commit_is_asked_about() {
    let done = ["RESULT, ok", "RESULT, ok", "RESULT, passed"];
    let mut large = World::at_work(|_| {}).labels(&done);
    assert_eq!(large.clone().label("RESULT, commit allowed").stands(), "SUMMARIZING completed");
    work_mut(&mut large).changed.insert("big".into(), COMMIT_LINES_MAX);
    let asked = large.label("RESULT, commit allowed");
    assert_eq!(asked.stands(), "AWAITING_CONFIRMATION git");
    let reach = Reach { once_only: vec!["sensitive".into()], ..Reach::default() };
    let (summary, hash) = ("summary.json".to_string(), "commit".to_string());
    let git = Verdict::Allow { rule: "grant".into() };
    let payload = Payload::Summary { summary, git, reach, hash };
    let world = World::at_work(|_| {}).labels(&done).result(Ended::Ok(Box::new(payload)));
    assert_eq!(world.stands(), "AWAITING_CONFIRMATION git");
}

#[test]
fn a_persons_no_has_no_way_out() {
    for detail in ["user", "timer", "change_limit", "confine"] {
        let world = World::at_work(|_| {}).step_failed("E_POLICY_DENIED", detail, detail);
        assert_eq!(world.stands(), "SUMMARIZING blocked", "{detail}");
    }
    let world = World::at_work(|_| {}).step_failed("E_POLICY_DENIED", "path", "x");
    assert_eq!(world.stands(), "RECOVERING Replan", "another plan may keep to the policy");
}

#[test]
fn the_last_try_of_a_planner_is_a_whole_plan() {
    let forms = |world: &World| {
        let asks = owed(&world.state).into_iter().filter_map(|owed| match owed {
            crate::owed::Owed::Child { ask: crate::owed::ChildAsk::Turn(ask), .. } => Some(*ask),
            crate::owed::Owed::Child { .. }
            | crate::owed::Owed::Effect { .. }
            | crate::owed::Owed::Timer { .. }
            | crate::owed::Owed::Question { .. } => None,
        });
        let form = |ask: Ask| {
            let Ask::Planner { form, .. } = ask else { panic!("{ask:?}") };
            form
        };
        asks.map(form).collect::<Vec<Form>>()
    };
    let world = World::at_work(|_| {}).label("RESULT, wants another plan");
    assert_eq!(forms(&world), [Form::Patch]);
    let world = world.label("RESULT, plan invalid");
    assert_eq!(forms(&world), [Form::Patch], "told what was wrong");
    let world = world.label("RESULT, plan invalid");
    assert_eq!(forms(&world), [Form::Full]);
    assert_eq!(world.label("RESULT, plan invalid").outcome(), "blocked E_MODEL schema skipped");
}

#[test]
fn going_on_keeps_what_is_done() {
    let world = World::at_work(|_| {}).labels(&["RESULT, ok", "CANCEL"]);
    assert!(continued(&world.state).is_err(), "it is not over");
    let over = world.label("RESULT, commit denied");
    let plan = continued(&over.state).expect("a cancelled turn goes on");
    let world = World::begun(|start| {
        start.continues = Some("turn-before".into());
        start.planner = Planner::Direct;
        start.request.clear();
    });
    let world = world.labels(&["RESULT, ok", "RESULT, ok"]);
    assert_eq!(world.stands(), "PLANNING Continued");
    let (answer, bad_args) = (Answer::Carried(Box::new(plan.clone())), vec![]);
    let planned = Planned::Read { answer, bad_args, judged: None };
    let world = world.result(Ended::Ok(Box::new(Payload::Planner(Box::new(planned)))));
    assert_eq!(world.stands(), "AWAITING_CONFIRMATION plan", "the old yes is not this turn's");
    let world = world.label("CONFIRM, yes").label("RESULT, ok");
    assert_eq!(world.effects(), ["step/s2/1/1"], "the first step is done");
    assert_eq!(work(&world).plan.steps[0], plan.steps[0], "with its evidence");
    let world = world.labels(&["RESULT, ok", "RESULT, passed"]);
    assert_eq!(world.outcome(), "completed passed", "and the checks ran again");
    let done = world.label("RESULT, commit denied");
    assert!(continued(&done.state).is_err(), "nothing is left to go on with");
}

/// Whatever stops step k, step k + 1 is not started.
#[test]
fn nothing_runs_on_past_a_stop() {
    let table: [(&str, &[&str]); 4] = [
        ("RESULT, asks", &[]),
        ("RESULT, conflict", &[]),
        ("CANCEL", &["summary"]),
        ("PAUSE, now", &[]),
    ];
    for (label, owed) in table {
        let world = World::at_work(|_| {}).label(label);
        assert_eq!(world.effects(), owed, "{label}");
        let second = world
            .events
            .iter()
            .any(|event| matches!(event, Event::StepStarted { step, .. } if step == "s2"));
        assert!(!second, "{label}");
    }
}

/// An agent that is lost every time, with a question or a call in between, went on for ever.
#[test]
fn reg_an_agent_lost_again_and_again_ends() {
    let mut world = World::at_work(|_| {});
    for _ in 0..REOWED_MAX {
        world = world.labels(&["REQUEST, asked", "RESULT, never happened"]);
        assert_eq!(world.stands(), "EXECUTING s1");
        assert_eq!(world.life().body.clock.left_ms, STEP_MS, "with its whole time");
    }
    assert_eq!(world.label("RESULT, never happened").stands(), "RECOVERING Help");
}
