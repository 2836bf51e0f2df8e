//! The page's examples, each as a life.

use alloc::string::{String, ToString};
use alloc::vec;

use super::super::*;
use super::world::World;
use crate::machine::By;
use crate::owed::{Owed, Posture};

#[test]
fn a_whole_turn() {
    let world = World::at_work(|_| {}).labels(&["RESULT, ok", "RESULT, ok", "RESULT, passed"]);
    assert_eq!(world.outcome(), "completed passed");
    let world = world.labels(&["RESULT, commit asked", "CONFIRM, yes", "RESULT, ok"]);
    let Phase::Done(over) = &world.life().phase else { panic!("{}", world.stands()) };
    assert_eq!(over.git, Some(GitResult::Committed { commit: "c".to_string() }));
}

#[test]
fn a_yes_is_of_exactly_what_was_shown() {
    let world = World::begun(|_| {}).labels(&["RESULT, ok", "RESULT, ok", "RESULT, plan asked"]);
    assert_eq!(world.refused("CONFIRM, stale"), "stale_approval");
    assert_eq!(world.refused("CONFIRM, by an agent"), "needs_person");
    assert_eq!(world.refused("CONFIRM, yes for the workspace"), "scope_too_wide");
    assert_eq!(world.refused("ANSWER"), "not_now", "free text is never an approval");
    let Phase::AwaitingConfirmation(shown) = world.life().phase.clone() else { panic!() };
    let mut edited = world.label("EDIT_PLAN, covered");
    let old = Confirm {
        prompt: shown.id(),
        hash: shown.hash.clone(),
        word: Word::Yes,
        scope: Scope::SingleAction,
        note: None,
    };
    assert_eq!(edited.try_say(By::Person, Command::Confirm(old)), Err("stale_approval"));
    assert_eq!(edited.label("CONFIRM, yes").stands(), "EXECUTING s1");
}

#[test]
fn the_same_failure_twice_is_undone_then_replanned() {
    let world = World::at_work(|_| {}).step_failed("E_CONFLICT", "no_match", "x");
    let due = world.due("fix/1").expect("a wait before the fix");
    assert_eq!(due.since(world.life().body.updated_at), FIX_DELAYS_MS[0]);
    let world = world.fires("fix/1");
    assert_eq!(
        (world.stands().as_str(), world.effects()),
        ("EXECUTING fix-1", vec!["step/fix-1/1/1".to_string()])
    );
    let world = world.label("RESULT, ok");
    assert_eq!(world.effects(), ["step/s1/2/1"], "the failed step runs again");
    let world = world.step_failed("E_CONFLICT", "no_match", "x");
    assert_eq!(world.stands(), "RECOVERING Undo");
    let mut world = world;
    while world.stands() == "RECOVERING Undo" {
        world = world.label("RESULT, ok");
    }
    assert_eq!(world.stands(), "RECOVERING Replan");
    assert_eq!((world.life().body.ledger.fixes, world.life().body.ledger.replans), (1, 1));
}

#[test]
fn a_failed_check_is_never_done() {
    let world = World::at_work(|_| {}).labels(&["RESULT, ok", "RESULT, ok", "RESULT, failed"]);
    assert_eq!(world.stands(), "RECOVERING Fix");
    let world = world.fires("fix/1").label("RESULT, ok");
    assert_eq!(
        (world.stands().as_str(), world.effects()),
        ("VERIFYING 0", vec!["verify/2/0".to_string()])
    );
    let world = world.label("RESULT, passed");
    assert_eq!(world.outcome(), "completed passed");
}

#[test]
fn checks_that_prove_nothing() {
    let checking = World::at_work(|_| {}).labels(&["RESULT, ok", "RESULT, ok"]);
    assert_eq!(checking.clone().label("RESULT, no tests").stands(), "RECOVERING Fix");
    assert_eq!(checking.clone().label("RESULT, unavailable").stands(), "RECOVERING Help");
    for mode in [VerifyMode::Custom, VerifyMode::Build, VerifyMode::Lint] {
        let empty = checking.clone().checks_as(mode, true).label("RESULT, no tests");
        let Phase::Recovering(now) = &empty.life().phase else { panic!("{}", empty.stands()) };
        assert_eq!(now.failure.detail, "turn.no_tests_ran", "{mode:?}");
        let noted = checking.clone().checks_as(mode, false).label("RESULT, no tests");
        assert_eq!(noted.outcome(), "completed failed", "{mode:?}");
    }
    let moved = checking.label("RESULT, moved");
    assert_eq!(moved.stands(), "VERIFYING 0", "once more");
    let moved = moved.label("RESULT, moved");
    let Phase::Recovering(now) = &moved.life().phase else { panic!("{}", moved.stands()) };
    assert_eq!(now.failure.code, "E_CONFLICT");
}

#[test]
fn a_changed_definition_is_a_conflict() {
    let mut world = World::at_work(|_| {}).labels(&["RESULT, ok", "RESULT, ok"]);
    if let State::Begun(life) = &mut world.state
        && let Some(work) = &mut life.body.work
    {
        work.definitions.insert("cargo test".to_string(), "then".to_string());
    }
    let result = CheckResult {
        command: "cargo test".to_string(),
        exit_code: Some(0),
        verdict: CheckVerdict::Pass,
        timed_out: false,
        summary: String::new(),
        tests: None,
        errors: vec![],
        suggestion: None,
        digest: "d".to_string(),
        definition_hash: Some("now".to_string()),
    };
    let payload = Payload::Verify(alloc::boxed::Box::new(result));
    let world = world.result(Ended::Ok(alloc::boxed::Box::new(payload)));
    let Phase::Recovering(now) = &world.life().phase else { panic!("{}", world.stands()) };
    assert_eq!(
        (now.failure.code.as_str(), now.failure.detail.as_str()),
        ("E_CONFLICT", "definition_changed")
    );
}

#[test]
fn a_step_that_changed_nothing_is_not_done() {
    let mut world = World::at_work(|_| {});
    if let State::Begun(life) = &mut world.state
        && let Some(work) = &mut life.body.work
    {
        let value = "src/main.rs".to_string();
        work.plan.steps[0].expected_artifacts = vec![Artifact { kind: ArtifactKind::File, value }];
    }
    let nothing = world.clone().step_done(|facts| facts.files.clear());
    let failed = nothing.events.iter().any(|event| {
        matches!(event, Event::StepFailed { failure, .. }
            if failure.detail == "turn.phantom_completion")
    });
    assert!(failed, "{:?}", nothing.events.last());
    let unchanged = world.step_done(|facts| {
        facts.files.clear();
        facts.unchanged.push("src/main.rs".to_string());
    });
    assert_eq!(unchanged.stands(), "EXECUTING s2");
}

#[test]
fn an_agent_that_goes_round_in_circles() {
    let mut world = World::at_work(|_| {});
    for _ in 0..2 {
        world = world.labels(&["REQUEST, allowed", "RESULT, inner call"]);
    }
    let world = world.label("REQUEST, allowed");
    let Phase::Recovering(now) = &world.life().phase else { panic!("{}", world.stands()) };
    assert_eq!(now.failure.detail, "turn.stuttering");
    let asking = World::at_work(|_| {});
    assert_eq!(asking.refused("REQUEST, question"), "ask_by_control");
    let denied = asking.labels(&["REQUEST, denied", "REQUEST, denied"]);
    assert_eq!(denied.stands(), "EXECUTING s1");
    assert_eq!(denied.label("REQUEST, denied").stands(), "RECOVERING Replan");
}

#[test]
fn questions_wait_for_ever_and_are_still_answered() {
    let world = World::begun(|_| {}).label("RESULT, questions").fires("clarify/0/expiry");
    assert_eq!(world.stands(), "CLARIFYING Parked");
    assert!(timers(world.life()).is_empty(), "it waits without limit");
    let answered = world.clone().labels(&["ANSWER", "ANSWER"]);
    assert_eq!(
        (answered.stands().as_str(), answered.effects()),
        ("INTAKE 1", vec!["intake/1".to_string()])
    );
    assert_eq!(world.label("ANSWER, proceed").stands(), "CONTEXT_BUILDING");
}

#[test]
fn planners_fall_back_and_counters_stay() {
    let world = World::begun(|_| {}).labels(&["RESULT, ok", "RESULT, ok"]);
    let corrected = world.clone().label("RESULT, plan invalid");
    assert_eq!(corrected.stands(), "PLANNING Correct");
    assert_eq!(corrected.label("RESULT, plan invalid").outcome(), "blocked E_MODEL schema skipped");
    let second = world.label("RESULT, not ok");
    assert_eq!(
        (second.stands().as_str(), second.effects()),
        ("PLANNING First", vec!["plan/2".to_string()])
    );
    assert_eq!(second.label("RESULT, not ok").outcome(), "blocked E_IO busy skipped");
}

/// A person's note was gone once the plan that was made for it had to be corrected.
#[test]
fn reg_a_correction_keeps_what_a_person_said() {
    let world = World::begun(|_| {}).labels(&["RESULT, ok", "RESULT, ok", "RESULT, plan asked"]);
    let world = world.labels(&["CONFIRM, no with a note", "RESULT, plan invalid"]);
    let Phase::Planning { why: Why::Correct { error, note }, .. } = &world.life().phase else {
        panic!("{}", world.stands())
    };
    assert_eq!((error.as_str(), note.as_deref()), ("schema: prose", Some("smaller")));
    let next = world.clone().label("RESULT, not ok");
    let Phase::Planning { why, .. } = &next.life().phase else { panic!("{}", next.stands()) };
    assert_eq!(why.note().map(String::as_str), Some("smaller"), "whoever plans next is told too");
    assert_eq!(world.life().body.rejected.as_deref(), Some("schema: prose"));
    let taken = world.clone().label("RESULT, plan asked");
    assert_eq!(taken.life().body.rejected, None);
    let over = world.label("RESULT, plan invalid");
    assert_eq!(over.life().body.rejected.as_deref(), Some("schema: prose"), "told at the end");
}

#[test]
fn a_plan_file_needs_no_model() {
    let file = |start: &mut Start| {
        start.planner = Planner::File { sha256: "f".to_string() };
        start.agents.clear();
        start.request.clear();
    };
    let mut world = World::begun(file).labels(&["RESULT, ok", "RESULT, ok"]);
    let call =
        ToolCallTemplate { name: "read".to_string(), args_hint: serde_json::Map::new(), why: None };
    let mut drafted = samples::drafted();
    drafted.steps.truncate(1);
    drafted.steps[0].runner = Some(Runner::Tools);
    drafted.steps[0].tool_calls = vec![call.clone(), call];
    drafted.verification = None;
    let verdict = crate::policy::Verdict::Allow { rule: "read".to_string() };
    let planned = samples::next_answer(world.life(), &drafted, verdict, world.now);
    let payload = Payload::Planner(alloc::boxed::Box::new(planned));
    world = world.result(Ended::Ok(alloc::boxed::Box::new(payload)));
    assert_eq!(world.effects(), ["step/s1/1/1"], "reading needs no checkpoint");
    world = world.step_done(|_| {});
    assert_eq!(world.effects(), ["step/s1/1/2"]);
    world = world.step_done(|_| {});
    assert_eq!(world.outcome(), "completed skipped", "no check is never a pass");
}

#[test]
fn a_blocked_step_under_continue_is_never_completed() {
    let go_on = |start: &mut Start| {
        start.on_failure = OnFailure::Continue;
        (start.limits.fixes, start.limits.replans) = (0, 0);
        start.agents.truncate(1);
    };
    let world = World::at_work(go_on).step_failed("E_MODEL", "schema", "x");
    assert_eq!(world.stands(), "VERIFYING 0", "the second step hangs on the first");
    let work = world.life().body.work.as_ref().expect("a plan");
    let steps: alloc::vec::Vec<Status> = work.plan.steps.iter().map(|step| step.status).collect();
    assert_eq!(steps, [Status::Blocked, Status::Skipped]);
    assert_eq!(world.label("RESULT, passed").outcome(), "blocked E_MODEL  passed");
}

#[test]
fn a_hold_starts_nothing_and_shifts_what_is_waited_for() {
    let world = World::at_work(|_| {}).label("PAUSE");
    assert_eq!(world.refused("EDIT_PLAN, covered"), "pause_first");
    let stopped = world.label("RESULT, never happened");
    assert_eq!(stopped.life().body.reowed, 1);
    assert_eq!(stopped.clone().label("EDIT_PLAN, covered").stands(), "EXECUTING s1");
    assert_eq!(
        stopped.clone().label("EDIT_PLAN, not covered").stands(),
        "AWAITING_CONFIRMATION patch"
    );
    assert_eq!(stopped.label("RESUME").effects(), ["step/s1/2/1"], "under the next attempt");
    let mut waiting = World::begun(|_| {}).label("RESULT, questions");
    let due = waiting.due("clarify/0/expiry").expect("an expiry");
    waiting = waiting.label("PAUSE");
    assert!(timers(waiting.life()).is_empty());
    waiting.now = waiting.now.plus(5_000);
    let held = waiting.life().body.updated_at;
    waiting.say(By::Person, Command::Resume);
    let pause = waiting.now.since(held);
    assert_eq!(waiting.due("clarify/0/expiry"), Some(due.plus(pause)));
}

#[test]
fn a_held_turn_shows_what_it_asks_and_takes_the_answer() {
    let world = World::begun(|_| {}).labels(&["RESULT, ok", "RESULT, ok", "RESULT, plan asked"]);
    let open = asked(world.life());
    let held = world.label("PAUSE");
    assert!(owed(&held.state).is_empty(), "nobody is asked meanwhile");
    assert_eq!(asked(held.life()), open, "the prompt stands");
    let agreed = held.label("CONFIRM, yes");
    let starts = |one: &Owed| !matches!(one, Owed::Child { posture: Posture::Hold, .. });
    assert_eq!(agreed.stands(), "EXECUTING s1");
    assert!(!owed(&agreed.state).iter().any(starts), "a yes begins nothing while it is held");
    let held = World::begun(|_| {}).label("RESULT, questions").label("PAUSE");
    assert!(!asked(held.life()).is_empty());
    let answered = held.labels(&["ANSWER", "ANSWER"]);
    assert_eq!((answered.stands().as_str(), answered.effects()), ("INTAKE 1", vec![]));
}

#[test]
fn an_effect_that_never_happens_is_owed_again_a_few_times() {
    let mut world = World::at_work(|_| {});
    for _ in 0..REOWED_MAX {
        world = world.label("RESULT, never happened");
        assert_eq!(world.stands(), "EXECUTING s1");
    }
    assert_eq!(world.label("RESULT, never happened").stands(), "RECOVERING Help");
}

#[test]
fn waiting_for_a_person_is_no_active_time() {
    let world = World::begun(|_| {}).label("RESULT, questions");
    let before = world.life().body.clock.active_ms;
    let mut world = world;
    world.now = world.now.plus(3_600_000);
    let world = world.labels(&["ANSWER", "ANSWER"]);
    assert_eq!(world.life().body.clock.active_ms, before);
    let left = ACTIVE_MS_MAX - before;
    assert_eq!(world.due("deadline"), Some(world.life().body.updated_at.plus(left)));
    assert_eq!(world.fires("deadline").outcome(), "blocked E_TOOL_TIMEOUT turn.deadline skipped");
}

#[test]
fn a_parents_limits_end_the_turn() {
    let limited = |start: &mut Start| {
        start.limits.change = Some(ChangeLimit { files: 1, lines: 2, modules: 1 });
    };
    let world = World::at_work(limited);
    assert_eq!(
        world.clone().label("REQUEST, beyond a limit").outcome(),
        "denied policy change_limit skipped"
    );
    assert_eq!(world.step_done(|_| {}).outcome(), "denied policy change_limit skipped");
    let confined = |start: &mut Start| start.limits.confine = vec!["docs/**".to_string()];
    let world = World::at_work(confined);
    assert_eq!(world.step_done(|_| {}).outcome(), "denied policy confine skipped");
}

#[test]
fn a_budget_that_is_spent_ends_the_turn() {
    let mut world = World::begun(|start| start.limits.budget_tokens = Some(100));
    let ended = Ended::Never;
    let key = awaited(world.life()).expect("intake");
    let spent = Spent { tokens: 100, cost_micros: 0 };
    world.say(By::Engine, Command::ToolCallResult { key, ended, spent });
    assert_eq!(world.outcome(), "blocked E_BUDGET tokens skipped");
}
