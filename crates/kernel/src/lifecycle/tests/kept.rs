//! What is kept when something is changed, stopped or fails again: the words that were asked, what
//! a turn spent, what is to be repaired.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;

use super::super::samples::{self, plan};
use super::super::*;
use super::world::World;
use crate::machine::{At, By};
use crate::owed::{ChildAsk, Owed};
use crate::turn::Wish;

/// What the turn that is owed is asked for.
fn wish(world: &World) -> Wish {
    let asked = owed(&world.state).into_iter().find_map(|owed| match owed {
        Owed::Child { ask: ChildAsk::NewTurn(wish), .. } => Some(*wish),
        Owed::Child { .. } | Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. } => {
            None
        }
    });
    asked.expect("a turn is owed")
}

/// A plan is being made of these words.
fn planning() -> World {
    let mut world = World { state: State::New, events: vec![], now: At(1) };
    let begin = Box::new(samples::begin(Source::Text));
    world.say(By::Person, Command::UserInputRequirement { begin, busy_with: None });
    world
}

fn modify(world: &mut World, text: &str) {
    world.say(By::Person, Command::UserModify { text: text.into(), digest: "d9".into() });
}

fn amend(patch: Patch, findings: &[&str]) -> Command {
    let finding = |hash: &&str| Finding {
        class: "ehrb".into(),
        what: (*hash).into(),
        task: None,
        risk_hash: (*hash).into(),
    };
    let findings = findings.iter().map(finding).collect();
    Command::Amend(Box::new(Amendment { patch, findings, programs: vec![] }))
}

fn adding(id: &str, needs: &[&str]) -> Patch {
    Patch { add: vec![samples::spec(id, needs)], ..Patch::default() }
}

#[test]
fn what_was_asked_first_is_told_to_the_planner_with_what_it_is_changed_to() {
    let mut world = planning();
    modify(&mut world, "With a test");
    let words = wish(&world).request;
    let (first, then) = (words.find("Add login").unwrap(), words.find("With a test").unwrap());
    assert!(first < then, "{words}");
    modify(&mut world, "And a page");
    let words = wish(&world).request;
    for said in ["Add login", "With a test", "And a page"] {
        assert!(words.contains(said), "{said}: {words}");
    }
    let shown = shown(&world.state, None).unwrap().requirement.text;
    assert_eq!(shown, "Add login\n\nWith a test\n\nAnd a page");
}

#[test]
fn a_draft_is_told_whole_to_whoever_changes_it() {
    let mut world = planning();
    let mut draft = plan();
    draft.constraints.push("No new crates".into());
    let task = &mut draft.tasks[1];
    (task.detail, task.files) = ("Keep the old one".into(), vec!["src/a.rs".into()]);
    task.verify = Verify::Checks(vec![samples::check("own")]);
    let (key, plan, spent) = (world.key(), Box::new(draft), Spent::default());
    world.engine(Command::PlanReady { key, plan, spent, programs: vec![] });
    modify(&mut world, "Other");
    let words = wish(&world).request;
    let all = ["Login", "No new crates", "T-2: Do T-2", "Keep the old one", "src/a.rs", "make own"];
    for part in all.into_iter().chain(["Depends: T-1", "make test"]) {
        assert!(words.contains(part), "{part}: {words}");
    }
}

#[test]
fn a_plan_that_is_amended_is_asked_about_anew() {
    let mut world = planning();
    world.label("plan ready");
    let Phase::Confirming(first) = world.phase().clone() else { panic!("{:?}", world.phase()) };
    world.now = At(500);
    world.say(By::Person, amend(adding("T-9", &[]), &["risk-1"]));
    let Phase::Confirming(again) = world.phase() else { panic!("{:?}", world.phase()) };
    assert!(again.expires.unwrap() > first.expires.unwrap());
    assert_eq!(again.new_risks, ["risk-1"]);
    let refused = world.try_say(By::Person, amend(Patch::default(), &[]));
    assert_eq!(refused, Err("invalid_args"));
}

#[test]
fn a_task_that_is_added_while_sealing_is_never_archived_open() {
    let two = Plan { tasks: vec![samples::spec("T-1", &[]), samples::spec("T-2", &[])], ..plan() };
    let mut world = World::at_work(two, |begin| begin.options.fix_limit = 0);
    world.label("saved");
    world.fails("a");
    world.labels(&["skip", "saved"]);
    world.proved("e1");
    assert!(world.key().starts_with("digest/"), "{}", world.key());
    // What it needs was given up: it can never be reached.
    world.say(By::Person, amend(adding("T-9", &["T-1"]), &[]));
    assert_eq!(world.work().task("T-9").unwrap().status, Status::Skipped);
    let mut ready = world.clone();
    world.label("tree as it was");
    assert!(matches!(world.phase(), Phase::Archiving(now) if now.work.all_closed()));
    ready.say(By::Person, amend(adding("T-10", &["T-2"]), &[]));
    assert!(ready.key().starts_with("save/T-10/"), "{}", ready.key());
}

#[test]
fn what_a_planner_spent_counts() {
    for label in ["plan ready", "plan failed", "plan ready, not valid"] {
        let mut world = planning();
        world.label(label);
        assert_eq!(world.state.life().unwrap().body.spent.turns, 1, "{label}");
    }
    let mut read = World { state: State::New, events: vec![], now: At(1) };
    let begin = Box::new(samples::begin(Source::File));
    read.say(By::Person, Command::UserInputRequirement { begin, busy_with: None });
    read.label("plan ready");
    assert_eq!(read.state.life().unwrap().body.spent, Spent::default(), "nobody was asked");
}

/// Each way to stop a turn: what it spent and changed until then is told at its end.
#[test]
fn a_turn_that_is_cut_is_heard_of_all_the_same() {
    let failed =
        |status| Command::UpdateProgress { task: String::from("T-1"), status, summary: None };
    let pause = || Command::Pause { how: PauseHow::Now, reason: None };
    let ways = [
        (false, pause()),
        (false, failed(Status::Failed)),
        (false, failed(Status::Blocked)),
        (false, Command::UserAbort { reason: None }),
        (true, pause()),
        (true, Command::ForceStop),
        (true, failed(Status::Failed)),
    ];
    for (fixing, way) in ways {
        let mut world = World::at_work(plan(), |_| {});
        world.label("saved");
        if fixing {
            world.fails("a");
        }
        let (key, name) = (world.key(), way.name());
        let before = world.state.life().unwrap().body.spent;
        world.say(By::Person, way);
        assert_eq!(world.state.settling(), core::slice::from_ref(&key), "{name}");
        let spent = Spent { turns: 1, wall_ms: 9, cost_micros: 3, tokens: 4 };
        let files_changed = vec!["half.rs".to_string()];
        let settled = Command::Settled { key, unknown: None, files_changed, spent };
        world.engine(settled.clone());
        let now = world.state.life().unwrap().body.spent;
        assert_eq!(now.turns, before.turns + 1, "{name}");
        assert_eq!((now.cost_micros, now.tokens), (3, 4), "{name}");
        assert_eq!(now.wall_ms, before.wall_ms + 9, "{name}");
        assert!(world.work().task("T-1").unwrap().files_changed.contains(&"half.rs".into()));
        assert_eq!(world.try_say(By::Engine, settled), Err("not_owed"), "{name}: once");
    }
    let mut asked = planning();
    modify(&mut asked, "Other");
    assert_eq!(asked.state.settling(), ["plan/1/1"]);
}

#[test]
fn what_is_to_be_repaired_outlives_an_attempt_that_fails_by_something_else() {
    let mut world = World::at_work(plan(), |_| {});
    world.label("saved");
    let red = Failure { check: Some("test".into()), ..failed("E_BUILD_FAIL", "check", "3 red") };
    let by = |failure| {
        TurnOutcome::Blocked(Box::new(TurnFault { failure, reset_at: None, agent: None }))
    };
    world.turn(by(red), &["a.rs"], vec![]);
    world.turn(by(failed("E_MODEL", "bad_json", "not JSON")), &["a.rs"], vec![]);
    let words = wish(&world).request;
    assert!(words.contains("3 red") && words.contains("not JSON"), "{words}");
    // Nothing was changed, whatever the turn calls that.
    for (nth, outcome) in [
        by(failed("E_MODEL", "turn.phantom_completion", "phantom")),
        by(failed("E_BUILD_FAIL", "check", "3 red")),
    ]
    .into_iter()
    .enumerate()
    {
        world.turn(outcome, &[], vec![]);
        let attempts = &world.work().attempts;
        let last = attempts.last().unwrap();
        assert_eq!((last.failure.code.as_str(), attempts.len()), (NO_CHANGE, nth + 2));
        assert_eq!(last.failure.signature, "no_change:3 red");
    }
    let Phase::Blocked(now) = world.phase() else { panic!("{:?}", world.phase()) };
    assert_eq!(now.failure.as_ref().map(|one| one.code.as_str()), Some(NO_CHANGE));
    assert_eq!(now.cause.as_ref().map(|one| one.summary.as_str()), Some("3 red"));
    let shown = shown(&world.state, None).unwrap().failure.unwrap();
    assert_eq!((shown.cause.as_deref(), shown.repeat), (Some("3 red"), true));
}

fn failed(code: &str, kind: &str, summary: &str) -> Failure {
    Failure {
        code: code.into(),
        kind: kind.into(),
        summary: summary.into(),
        signature: summary.into(),
        repeat: false,
        check: None,
        errors: vec![],
        digest: None,
    }
}

#[test]
fn a_turn_is_told_the_time_of_each_of_its_checks() {
    let mut slow = plan();
    slow.checks[0].timeout_s = 7;
    let mut world = World::at_work(slow, |_| {});
    world.label("saved");
    assert_eq!(wish(&world).checks_ms.get("make test"), Some(&7_000));
}
