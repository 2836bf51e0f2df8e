//! Lives of lifecycles: the page's rows, each as a story.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::super::samples::{blocked_by, check, plan, spec, turn_end};
use super::super::*;
use super::world::World;
use crate::machine::{At, By};
use crate::policy::Granted as Program;

fn free_third() -> Plan {
    let mut plan = plan();
    plan.tasks.push(spec("T-3", &[]));
    plan
}

fn why(world: &World) -> &'static str {
    if let Phase::Blocked(blocked) = world.phase() {
        return blocked.why.word();
    }
    world.phase().name()
}

#[test]
fn a_whole_life() {
    let mut world = World::at_work(plan(), |_| {});
    assert_eq!(world.owed(), ["save/T-1/1"]);
    world.label("saved");
    assert_eq!(world.owed(), ["task/T-1/2"]);
    world.proved("d1");
    world.labels(&["saved"]);
    world.proved("d2");
    assert_eq!(world.owed(), ["digest/5"], "two tasks, two saves");
    // The second task changed what the first one's pass speaks of.
    world.label("tree changed");
    assert_eq!(world.owed(), ["check/seal/6/0"]);
    world.check(Verdict::Pass, "e3");
    world.label("tree changed");
    assert_eq!(world.state.name(), "ARCHIVING");
    world.label("archived");
    let Phase::Idle(ended) = world.phase() else { panic!("not over") };
    assert_eq!(ended.outcome, Outcome::Completed);
    assert_eq!(world.owed(), Vec::<alloc::string::String>::new());
}

#[test]
fn three_failing_fixes_block_after_exactly_four_turns() {
    let mut world = World::at_work(plan(), |_| {});
    world.label("saved");
    for n in 0..4 {
        world.fails(&alloc::format!("f{n}"));
    }
    assert_eq!(why(&world), "fix_limit");
    // The planner's own, one for the task and three for its fixes.
    assert_eq!((world.count("TurnSpent"), attempts(world.phase())), (1 + 4, 3));
    assert_eq!(world.work().task("T-1").unwrap().status, Status::Blocked);
    // Help starts counting anew.
    world.label("guidance");
    assert_eq!(world.owed(), ["task/T-1/3"]);
    world.fails("f9");
    assert_eq!(attempts(world.phase()), 1);
}

#[test]
fn totals_end_fixing_whatever_the_row_says() {
    let mut world = World::at_work(plan(), |begin| begin.options.fix_total_per_task = 2);
    world.label("saved");
    (0..3).for_each(|n| world.fails(&alloc::format!("f{n}")));
    assert_eq!(why(&world), "fix_limit");
    world.label("guidance");
    world.fails("other");
    assert_eq!(&world.names()[world.names().len() - 2..], ["ERROR_DETECTED", "FIX_FAILED_3X"]);
    let mut none = World::at_work(plan(), |begin| begin.options.fix_limit = 0);
    none.label("saved");
    none.fails("x");
    assert_eq!((why(&none), attempts(none.phase())), ("fix_limit", 0));
}

#[test]
fn going_on_without_a_failed_task_is_partial_and_passes_blocked() {
    let change = |begin: &mut Begin| {
        begin.options.on_failure = OnFailure::Continue;
        begin.options.fix_limit = 1;
    };
    let mut world = World::at_work(free_third(), change);
    world.label("saved");
    world.fails("a");
    world.fails("b");
    assert!(world.names().windows(2).any(|two| two == ["FIX_FAILED_3X", "SKIP_TASK"]));
    assert_eq!(world.owed(), ["save/T-3/3"]);
    world.label("saved");
    world.proved("d3");
    let digest = Digest { covers: vec!["**".into()], digest: "d3".into() };
    world.engine(Command::Digested { key: world.key(), digests: vec![digest] });
    let status = |id: &str| world.work().task(id).unwrap().status;
    assert_eq!(
        [status("T-1"), status("T-2"), status("T-3")],
        [Status::Failed, Status::Skipped, Status::Done]
    );
    assert!(matches!(world.phase(), Phase::Archiving(a) if a.result == WorkResult::Partial));
}

#[test]
fn a_skip_of_the_last_task_archives_in_one_batch() {
    let one = Plan { tasks: vec![spec("T-1", &[])], ..plan() };
    let mut world = World::at_work(one, |begin| begin.options.fix_limit = 0);
    world.label("saved");
    world.fails("a");
    let before = world.events.len();
    world.label("skip");
    let names: Vec<_> = world.events[before..].iter().map(Event::name).collect();
    assert_eq!(names, ["SKIP_TASK", "ALL_TASKS_DONE"]);
}

#[test]
fn a_failure_that_comes_back_is_told_and_may_end_fixing() {
    let mut world = World::at_work(plan(), |_| {});
    world.label("saved");
    ["A", "B"].into_iter().for_each(|signature| world.fails(signature));
    let Phase::AutoFix(fix) = world.phase() else { panic!("not fixing") };
    assert!(!fix.failure.repeat);
    world.fails("A");
    let Phase::AutoFix(fix) = world.phase() else { panic!("not fixing") };
    assert!(fix.failure.repeat, "A, B, A");
    let mut strict = World::at_work(plan(), |begin| begin.options.stop_on_repeat = Switch::On);
    strict.label("saved");
    ["A", "B", "A"].into_iter().for_each(|signature| strict.fails(signature));
    assert_eq!(why(&strict), "same_failure");
}

#[test]
fn a_fix_that_changes_nothing_fails_without_a_check() {
    let mut world = World::at_work(plan(), |_| {});
    world.label("saved");
    world.fails("a");
    for _ in 0..3 {
        world.turn(TurnOutcome::Completed, &[], Vec::new());
    }
    assert_eq!((why(&world), world.count("EvidenceRecorded")), ("fix_limit", 0));
}

#[test]
fn no_word_counts() {
    let mut claimed = plan();
    claimed.tasks[0].claimed = true;
    let mut world = World::at_work(claimed.clone(), |_| {});
    world.label("saved");
    assert_eq!(world.owed(), ["check/T-1/2/0"], "a claim is checked first");
    world.check(Verdict::Pass, "d1");
    assert_eq!(world.work().task("T-1").unwrap().status, Status::Done);
    let mut bad = World::at_work(claimed, |_| {});
    bad.label("saved");
    bad.check(Verdict::Fail, "d1");
    assert_eq!(bad.owed(), ["task/T-1/3"]);
    assert_eq!((bad.count("ERROR_DETECTED"), attempts(bad.phase())), (0, 0));
    // An agent that says DONE with nothing run is checked, not believed.
    bad.label("progress: done");
    assert_eq!(bad.work().task("T-1").unwrap().status, Status::InProgress);
    bad.turn(TurnOutcome::Completed, &["a.rs"], Vec::new());
    assert_eq!(bad.owed(), ["check/T-1/4/0"]);
}

#[test]
fn a_pass_on_the_digest_that_failed_counts_as_flaky() {
    let mut world = World::at_work(plan(), |_| {});
    world.label("saved");
    world.turn(TurnOutcome::Completed, &["a.rs"], Vec::new());
    world.check(Verdict::Fail, "d1");
    world.turn(TurnOutcome::Completed, &["a.rs"], Vec::new());
    world.check(Verdict::Pass, "d1");
    assert_eq!(world.work().task("T-1").unwrap().status, Status::Done);
    assert!(world.work().evidence.last().unwrap().flaky);
}

#[test]
fn checks_that_go_stale_under_each_other_run_again_and_not_for_ever() {
    let two = Plan { checks: vec![check("a"), check("b")], ..plan() };
    let mut world = World::at_work(two, |_| {});
    world.label("saved");
    world.turn(TurnOutcome::Completed, &["a.rs"], Vec::new());
    let mut ran = 0;
    while world.state.name() == "EXECUTING" && ran < 50 {
        let (key, n) = (world.key(), ran);
        let id = if key.ends_with("/0") { "a" } else { "b" };
        let evidence = super::super::samples::evidence(
            &key,
            &check(id),
            Verdict::Pass,
            &alloc::format!("d{n}"),
        );
        world.engine(Command::Checked { key, end: CheckEnd::Ran(Box::new(evidence)) });
        ran += 1;
    }
    assert_eq!(why(&world), "tree_moving");
    assert!(ran < 20, "{ran}");
}

#[test]
fn a_hold_is_silent_and_a_cut_step_gets_a_new_key() {
    let mut world = World::at_work(plan(), |_| {});
    world.label("saved");
    world.label("pause now");
    assert!(world.owed().is_empty());
    let key = "task/T-1/2";
    let end = TurnEnd {
        turn: "t".into(),
        outcome: TurnOutcome::Cancelled { by: "parent".into() },
        files_changed: Vec::new(),
        evidence: Vec::new(),
        spent: Spent::default(),
        claim: None,
    };
    let ended = Command::TurnEnded { key: key.into(), end: Box::new(end) };
    assert_eq!(world.try_say(By::Engine, ended), Err("not_owed"));
    world.label("resume");
    assert_eq!(world.owed(), ["task/T-1/3"]);
    // One that may finish does, and nothing follows it until the hold is lifted.
    world.label("pause");
    assert_eq!(world.owed(), ["task/T-1/3"]);
    world.proved("d1");
    assert!(world.owed().is_empty());
    world.label("resume");
    assert_eq!(world.owed(), ["save/T-2/4"]);
    assert_eq!(world.count("FixAttempted"), 0);
}

#[test]
fn a_quota_spends_no_attempt_and_is_waited_out_only_by_setting() {
    for (named, owes) in [(true, 2), (false, 1)] {
        let mut world = World::at_work(plan(), |begin| {
            begin.options.resume_at_reset = if named { vec!["codex".into()] } else { vec![] };
        });
        world.labels(&["saved", "turn failed", "turn met a quota"]);
        assert_eq!((why(&world), attempts(world.phase())), ("quota", 1));
        assert_eq!(world.owed().len(), owes, "the question, and a timer if it is waited out");
        let due = || Command::Due { slot: world.owed().pop().unwrap_or_default() };
        let due = due();
        world.now = At(1_000_000);
        let went_on = world.try_say(By::Timer, due).is_ok();
        assert_eq!(went_on, named);
        if named {
            assert_eq!(world.owed(), ["task/T-1/3"]);
        }
    }
}

/// A fix is spent only on what a fix can reach; all else stops and says why.
#[test]
fn what_no_fix_can_reach_spends_none() {
    let table = [
        ("E_BUILD_FAIL", "check", "AUTO_FIX"),
        ("E_BUILD_FAIL", "unavailable", "cannot_verify"),
        ("E_CONFLICT", "changed_since_read", "AUTO_FIX"),
        ("E_MODEL", "not_json", "AUTO_FIX"),
        ("E_INVALID_ARGS", "bad_plan", "AUTO_FIX"),
        ("E_TOOL_TIMEOUT", "deadline", "AUTO_FIX"),
        ("E_REFUSED", "no_planner", "agent_unavailable"),
        ("E009", "exit", "AUTO_FIX"),
        ("E009", "no_answer", "AUTO_FIX"),
        ("E009", "auth", "agent_unavailable"),
        ("E001", "missing", "agent_unavailable"),
        ("E010", "network", "agent_unavailable"),
        ("E_IO", "no_space", "io"),
        ("E_BUDGET", "turns", "budget"),
        ("E_UNKNOWN_OUTCOME", "lost", "agent_blocked"),
        ("E_INTERNAL", "", "agent_blocked"),
    ];
    for (code, kind, expected) in table {
        let mut world = World::at_work(plan(), |_| {});
        world.label("saved");
        let (key, end) = (world.key(), turn_end(blocked_by(code, kind), &[]));
        world.engine(Command::TurnEnded { key, end });
        assert_eq!(why(&world), expected, "{code} {kind}");
        let fixes = u32::from(expected == "AUTO_FIX");
        assert_eq!(world.work().fixes_total, fixes, "{code}");
    }
}

#[test]
fn a_spent_budget_needs_more_of_it() {
    let mut world = World::at_work(plan(), |begin| begin.options.budget.turns = 2);
    world.label("saved");
    world.fails("a");
    assert_eq!(why(&world), "budget");
    let more = |add_budget| {
        Command::HumanIntervention(Box::new(Intervention {
            help: Help::Fixed,
            add_budget,
            accept_definition: None,
            unsettled: None,
        }))
    };
    assert_eq!(world.try_say(By::Person, more(None)), Err("budget"));
    world.say(By::Person, more(Some(Budget { turns: 5, wall_ms: 0, cost_micros: None })));
    assert_eq!(world.owed(), ["check/T-1/3/0"]);
}

#[test]
fn a_grant_covers_exactly_what_was_accepted() {
    let finding = |hash: &str| Finding {
        class: "c".into(),
        what: "w".into(),
        task: None,
        risk_hash: hash.into(),
    };
    let program = |word: &str| Program::new(&["make".into(), word.into()], ".");
    let table = [
        (vec!["r1"], vec![program("test")], "EXECUTING"),
        (vec!["r1"], vec![], "EXECUTING"),
        (vec!["r1", "r2"], vec![program("test")], "CONFIRMING"),
        (vec!["r1"], vec![program("test"), program("clean")], "CONFIRMING"),
    ];
    for (risks, programs, state) in table {
        let asked = if risks.len() > 1 { vec!["r2"] } else { vec![] };
        let plan = Plan { findings: risks.into_iter().map(finding).collect(), ..plan() };
        let mut world = World { state: State::New, events: Vec::new(), now: At(1) };
        let mut begin = super::super::samples::begin(Source::File);
        begin.grant = Some(Granted {
            question: "q".into(),
            digest: "d0".into(),
            risks: vec!["r1".into()],
            programs: Some(vec![program("test")]),
            by: "person".into(),
        });
        let begin = Box::new(begin);
        world.say(By::Person, Command::UserInputRequirement { begin, busy_with: None });
        let (key, plan) = (world.key(), Box::new(plan));
        let spent = Spent::default();
        world.engine(Command::PlanReady { key, plan, spent, programs });
        assert_eq!(world.state.name(), state);
        if let Phase::Confirming(now) = world.phase() {
            assert_eq!(now.new_risks, asked);
        }
    }
}

#[test]
fn a_plan_that_is_no_plan_is_named() {
    let many: Vec<Spec> = (0..=TASKS_MAX).map(|n| spec(&alloc::format!("T-{n}"), &[])).collect();
    let table = [
        (vec![], "no_tasks"),
        (vec![spec("a", &["b"]), spec("b", &["a"])], "cycle"),
        (vec![spec("a", &[]), spec("a", &[])], "duplicate_id"),
        (vec![spec("a", &["x"])], "no_such_dependency"),
        (vec![spec("1.2.3.4", &[])], "too_deep"),
        (vec![spec("-a", &[])], "bad_id"),
        (vec![Spec { files: vec!["../x".into()], ..spec("a", &[]) }], "bad_path"),
        (many, "too_many_tasks"),
    ];
    for (tasks, problem) in table {
        let found = valid::flaws(&Plan { tasks, ..plan() });
        assert!(found.iter().any(|flaw| flaw.problem == problem), "{problem}: {found:?}");
    }
    assert_eq!(valid::flaws(&plan()), []);
}

#[test]
fn reopening_makes_what_hangs_on_it_prove_itself_again() {
    let mut world = World::at_work(plan(), |_| {});
    world.label("saved");
    world.proved("d1");
    world.label("saved");
    world.proved("d1");
    assert!(world.work().stale_checks().is_empty());
    world.label("progress: pending");
    assert_eq!(world.owed(), ["save/T-1/6"]);
    assert_eq!(world.work().stale_checks(), ["test"], "T-2 is done and has to prove it");
}

#[test]
fn an_abort_waits_for_what_it_stops() {
    let mut world = World::at_work(plan(), |_| {});
    world.label("saved");
    world.label("abort");
    assert!(world.owed().is_empty());
    assert_eq!(world.state.settling(), ["task/T-1/2"]);
    let files_changed = vec!["a.rs".into()];
    let key = "task/T-1/2".into();
    let spent = Spent { turns: 1, wall_ms: 7, ..Spent::default() };
    world.engine(Command::Settled { key, unknown: None, files_changed, spent });
    assert_eq!(world.owed(), ["archive/1"]);
    assert_eq!(world.work().task("T-1").unwrap().files_changed, ["a.rs"]);
    world.label("not archived");
    assert_eq!(world.owed(), ["archive-retry/1"]);
    world.now = At(1_000_000);
    world.say(By::Timer, Command::Due { slot: "archive-retry/1".into() });
    assert_eq!(world.owed(), ["archive/2"]);
}

#[test]
fn an_attempt_names_what_it_changed_whoever_found_it_wrong() {
    let mut world = World::at_work(plan(), |_| {});
    world.labels(&["saved", "turn failed", "turn done, no evidence"]);
    world.check(Verdict::Fail, "d1");
    let tried: Vec<_> = world.work().attempts.iter().map(|one| one.files_changed.clone()).collect();
    assert_eq!(tried, [["a.rs"]]);
}
