//! Gates that cannot be talked round: what a guest may say, when something may write, and words
//! that join what was already judged. And what is refused for good.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::setup;
use super::super::{Asking, Base, CHANGELOG_SKIPPED, Caller, Command, How, Name, Outcome, Setup};
use super::super::{Frame, Life, Verdict, slots};
use super::world::{LIGHT, TWEAK, World, developing, reason};
use crate::call::Failure;
use crate::machine::By;

fn answered(by: By, world: &mut World, key: &str, text: Option<&str>) -> &'static str {
    let life = world.state.life().expect("open");
    let question = life.questions().last().map(|q| q.id.clone()).unwrap_or_default();
    let (key, text) = (key.to_string(), text.map(ToString::to_string));
    reason(world.by(by, Command::Answer { question, key, text, hash: None }))
}

fn fails(world: &mut World, code: &str) -> Vec<&'static str> {
    let slot = slots(world.state.life().expect("open")).pop().expect("owed").0;
    let (code, kind, detail) = (code.to_string(), String::new(), String::new());
    let outcome = Outcome::Failed(Failure { code, kind, detail });
    world.by(By::Engine, Command::Told { slot, outcome }).expect("owed")
}

/// Why the last unit failed.
fn failed(world: &World) -> String {
    let Base::Idle { last: Some(last) } = world.state.life().expect("open").base() else {
        panic!("it runs")
    };
    let How::Failed { code } = &last.how else { panic!("{:?}", last.how) };
    code.clone()
}

#[test]
fn a_guest_adds_words_and_waives_nothing() {
    let table = [
        ("proceed", None, "needs_person"),
        ("supplement", Some("skip the questions"), "needs_person"),
        ("supplement", Some("别问了"), "needs_person"),
        ("supplement", Some("in the login module"), "accepted"),
    ];
    for (key, text, expected) in table {
        let mut world = World::new();
        world.run(Name::Auto, "添加登录功能").expect("starts");
        assert_eq!(answered(By::Guest, &mut world, key, text), expected, "{key} {text:?}");
    }
    let every = || Setup {
        guest_answers: Asking::ALL.iter().map(|kind| kind.word().to_string()).collect(),
        ..setup()
    };
    let mut world = World::new();
    world.run_with(Name::Auto, LIGHT, every()).expect("starts");
    assert_eq!(answered(By::Guest, &mut world, "silent", None), "needs_person");
    // Above a tool that nothing runs below, it is the same.
    let mut world = World::new();
    let tool = Command::ToolOpened {
        name: "codex".into(),
        kind: "agent".into(),
        caller: Caller::UserInterrupt,
        input: "look".into(),
        call: None,
        setup: every().into(),
    };
    world.by(By::Person, tool).expect("called");
    world.run_with(Name::Auto, LIGHT, every()).expect("asks");
    assert_eq!(world.kind(), "replace");
    assert_eq!(answered(By::Guest, &mut world, "replace", None), "needs_person");
    let unasked =
        Command::Answer { question: "q/99".into(), key: "x".into(), text: None, hash: None };
    assert_eq!(reason(world.by(By::Guest, unasked)), "question_closed");
}

#[test]
fn a_guest_starts_only_what_asks_a_person_first() {
    let run = |name: Name, text: &str| {
        let yes = Setup {
            yes: true,
            replace: true,
            answers: [("complexity".to_string(), "silent".to_string())].into(),
            ..setup()
        };
        let mut world = World::new();
        let told = reason(world.by(By::Guest, super::super::samples::run(name, text, yes)));
        (told, world)
    };
    let table = [
        (Name::Auto, "accepted"),
        (Name::Plan, "accepted"),
        (Name::Exec, "needs_person"),
        (Name::Init, "needs_person"),
        (Name::Upgrade, "accepted"),
        (Name::Clean, "accepted"),
        (Name::Test, "needs_person"),
        (Name::Commit, "accepted"),
        (Name::Review, "accepted"),
        (Name::Validate, "accepted"),
        (Name::Rollback, "accepted"),
        (Name::Help, "accepted"),
        (Name::Status, "accepted"),
    ];
    for (name, expected) in table {
        assert_eq!(run(name, "").0, expected, "{name:?}");
    }
    assert_eq!(run(Name::Clean, "202601221030_login").0, "needs_person");
    // Its flags say yes to nothing, nor do its words.
    assert_eq!(run(Name::Auto, LIGHT).1.kind(), "complexity");
    assert_eq!(run(Name::Auto, "添加登录功能，别问了").1.kind(), "clarify");
    let says = |world: &mut World, text: &str| {
        let typed = super::super::samples::typed(text, text, setup());
        reason(world.by(By::Guest, typed))
    };
    let (_, mut world) = run(Name::Auto, LIGHT);
    for (text, expected) in [
        ("ok", "needs_person"),
        ("1", "needs_person"),
        ("silent", "needs_person"),
        ("~exec", "needs_person"),
        ("~test", "needs_person"),
        ("what is this?", "accepted"),
    ] {
        assert_eq!(says(&mut world, text), expected, "{text}");
    }
    let cancel = |undo| Command::Cancel { undo, all: true };
    assert_eq!(reason(world.by(By::Guest, cancel(true))), "needs_person");
    assert_eq!(reason(world.by(By::Guest, cancel(false))), "accepted");
    // A tool that is called by its prefix runs unasked.
    let tool = super::super::Registered {
        name: "todo".into(),
        prefix: "/todo".into(),
        argv: ["grep".into()].into(),
        deadline_ms: 1000,
    };
    let with = Setup { tools: [tool].into(), ..setup() };
    let typed = super::super::samples::typed("/todo x", "t", with);
    assert_eq!(reason(World::new().by(By::Guest, typed)), "needs_person");
}

#[test]
fn what_ends_above_opens_nothing_while_something_below_writes() {
    let closed = |world: &World| {
        let frames = world.state.life().expect("open").frames();
        matches!(frames.first(), Some(Frame::Embedded { open: false, .. }))
    };
    let mut world = developing();
    world.run(Name::Commit, "").expect("waits");
    world.run(Name::Validate, "").expect("beside");
    let events = world.told("Told validate").expect("looked");
    assert!(!events.contains(&"FrameOpened") && closed(&world), "{events:?}");
    world.answer("cancel").expect("left");
    world.types("what is this?").expect("talks");
    let events = world.told("Told words").expect("answered");
    assert!(!events.contains(&"FrameOpened") && closed(&world), "{events:?}");
    let slot = slots(world.state.life().expect("open"))[0].0.clone();
    let now = Command::ChildNow { slot, asking: Vec::new(), held: true };
    assert!(world.by(By::Engine, now).expect("between tasks").contains(&"FrameOpened"));
}

#[test]
fn words_that_join_a_confirmation_are_judged_with_it() {
    let mut world = World::new();
    world.run(Name::Auto, TWEAK).expect("starts");
    assert_eq!(world.kind(), "complexity");
    world.types("also run DROP TABLE users and update it").expect("asks");
    assert_eq!(world.kind(), "relation");
    let events = world.answer("current").expect("joined");
    for name in ["QuestionWithdrawn", "Clarified", "Scored", "Judged", "QuestionAsked"] {
        assert!(events.contains(&name), "{name}: {events:?}");
    }
    let risky = world.state.life().expect("open").questions()[0].hash.is_some();
    assert!(risky, "the risk is shown");
    world.types("ok").expect("only words");
    assert_eq!(world.state.variant(), "Stacked", "and no word says yes to it");
    // Below the gate a person has already gone on: nothing is asked twice.
    let mut world = World::new();
    world.run(Name::Auto, "添加登录功能").expect("starts");
    world.answer("proceed").expect("waived");
    world.types("也添加注销").expect("asks");
    world.answer("current").expect("joined");
    assert_eq!(world.kind(), "complexity");
}

#[test]
fn words_that_join_a_design_are_designed_with_it() {
    let mut world = World::new();
    world.types(LIGHT).expect("starts");
    world.answer("start").expect("confirmed");
    for label in ["Told kb ok", "Told words", "Told draft", "Told report done"] {
        world.told(label).expect(label);
    }
    world.told("Told package executable").expect("checked");
    world.types("also add a test").expect("asks");
    world.answer("current").expect("joined");
    assert_eq!(world.state.variant(), "Drafting");
}

#[test]
fn rounds_of_questions_end() {
    let mut world = World::new();
    let once = Setup { clarify_rounds: 1, ..setup() };
    world.run_with(Name::Auto, "添加登录功能", once).expect("starts");
    assert_eq!(answered(By::Person, &mut world, "supplement", Some("尽快")), "accepted");
    assert_eq!(answered(By::Person, &mut world, "supplement", Some("尽快")), "unknown_option");
    assert_eq!(answered(By::Person, &mut world, "proceed", None), "accepted");
}

#[test]
fn what_is_too_long_is_refused_at_every_door() {
    let long = "x".repeat(70_000);
    for name in [Name::Auto, Name::Commit, Name::Review] {
        assert_eq!(reason(World::new().run(name, &long)), "invalid_args", "{name:?}");
    }
}

#[test]
fn a_package_that_somebody_holds_is_not_picked() {
    for code in ["package_in_use", "package_archived"] {
        let mut world = World::new();
        world.run(Name::Exec, "202601221030_login").expect("starts");
        let events = fails(&mut world, code);
        assert!(events.contains(&"UnitFailed"), "{events:?}");
        assert_eq!(failed(&world), code);
    }
}

#[test]
fn without_a_base_that_shall_not_be_made_no_entry_is_written() {
    let mut world = World::new();
    world.types(TWEAK).expect("starts");
    world.answer("start").expect("confirmed");
    world.told("Told turn done").expect("edited");
    world.told("Told no checks").expect("looked");
    assert_eq!(world.state.variant(), "Recording");
    let events = fails(&mut world, CHANGELOG_SKIPPED);
    assert!(events.contains(&"Noted"), "it is told: {events:?}");
    assert_eq!(world.state.variant(), "Recording", "what lies in plan/ comes next");
    let mut world = World::new();
    world.run(Name::Rollback, "").expect("starts");
    world.told("Told targets").expect("found");
    world.answer("version_1").expect("chosen");
    world.told("Told done").expect("planned");
    world.answer("confirm").expect("confirmed");
    world.told("Told done").expect("back");
    world.told("Told report done").expect("shown so");
    let events = fails(&mut world, CHANGELOG_SKIPPED);
    assert!(events.contains(&"UnitCompleted"), "{events:?}");
}

#[test]
fn a_checkpoint_is_named_whole_or_by_a_beginning_of_its_own() {
    let mut world = World::new();
    world.run(Name::Rollback, "no-such-checkpoint").expect("starts");
    world.told("Told targets").expect("found");
    assert_eq!(failed(&world), "target_not_found");
}

#[test]
fn a_failed_upgrade_takes_the_answer_that_was_given_before() {
    let given = |key: &str| {
        let answers = [("upgrade_plan", "run"), ("upgrade_failed", key)];
        let answers = answers.iter().map(|(kind, key)| (kind.to_string(), key.to_string()));
        Setup { answers: answers.collect(), ..setup() }
    };
    let mut world = World::new();
    world.run_with(Name::Upgrade, "", given("manual")).expect("starts");
    world.told("Told upgrade").expect("planned");
    let events = world.told("Told report failed").expect("failed");
    assert!(events.contains(&"UnitCompleted"), "{events:?}");
}

#[test]
fn what_an_upgrade_leaves_may_be_ignored_and_what_it_missed_may_not() {
    let upgraded = |label: &str| {
        let mut world = World::new();
        world.run(Name::Upgrade, "").expect("starts");
        world.told("Told upgrade").expect("planned");
        world.answer("run").expect("approved");
        world.told(label).expect("moved");
        world
    };
    let keys =
        |world: &World| world.state.life().and_then(Life::question).expect("asks").options.clone();
    let verdict = |world: &World| match world.state.life().expect("open").base() {
        Base::Idle { last } => last.as_ref().and_then(|last| last.verdict),
        Base::Flow { .. } | Base::Job { .. } => None,
    };
    assert_eq!(keys(&upgraded("Told report failed")), ["restore", "manual"]);
    assert_eq!(keys(&upgraded("Told report left")), ["restore", "ignore", "manual"]);
    for key in ["ignore", "manual"] {
        let mut world = upgraded("Told report left");
        world.answer(key).expect("decided");
        assert_eq!(verdict(&world), Some(Verdict::Partial), "{key}");
    }
    assert_eq!(verdict(&upgraded("Told report done")), Some(Verdict::Passed));
}
