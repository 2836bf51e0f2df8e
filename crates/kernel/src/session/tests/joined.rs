//! Words that belong to what runs: heard where a draft can still be made with them, and told of
//! where nothing hears them. And what is taken back of a tweak that wrote in several turns.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::owes::owed;
use super::super::samples::outcomes;
use super::super::{Base, Command, Gave, Name, Outcome, Stage, Tests, TurnEnd, Turned, slots};
use super::world::{LIGHT, TWEAK, World, developing};
use crate::machine::By;
use crate::owed::{ChildAsk, Owed};

const MORE: &str = "also add a `--quiet` flag";

fn joins(world: &mut World, words: &str) -> Vec<&'static str> {
    world.types(words).expect("asked");
    assert_eq!(world.kind(), "relation");
    world.answer("current").expect("joined")
}

fn drafting() -> World {
    let mut world = World::new();
    world.run(Name::Auto, LIGHT).expect("starts");
    world.answer("silent").expect("confirmed");
    for label in ["Told kb ok", "Told words"] {
        world.told(label).expect(label);
    }
    assert_eq!(world.state.variant(), "Drafting");
    world
}

fn slot(world: &World) -> String {
    slots(world.state.life().expect("open"))[0].0.clone()
}

fn findings(world: &World) -> Vec<String> {
    let Base::Flow { flow, .. } = world.state.life().expect("open").base() else {
        panic!("no flow")
    };
    flow.findings.clone()
}

#[test]
fn words_are_drafted_with_the_rest() {
    let mut world = drafting();
    let before = slot(&world);
    joins(&mut world, MORE);
    assert_eq!(world.state.variant(), "Drafting");
    assert_ne!(slot(&world), before, "asked anew");
    let life = world.state.life().expect("open");
    let Base::Flow { stage, .. } = life.base() else { panic!("no flow") };
    assert!(matches!(&**stage, Stage::Drafting { wish: Some(wish), .. } if wish == MORE));
    assert!(findings(&world).is_empty());
}

#[test]
fn words_that_come_while_the_package_is_written_are_drafted_after_it() {
    let mut world = drafting();
    world.told("Told draft").expect("writes");
    joins(&mut world, MORE);
    assert_eq!(world.state.variant(), "Writing", "what is being written is written first");
    world.told("Told report done").expect("written");
    world.told("Told package executable").expect("looked at");
    assert_eq!(world.state.variant(), "Drafting");
    for label in ["Told draft", "Told report done", "Told package executable"] {
        world.told(label).expect(label);
    }
    assert_eq!(world.state.variant(), "Opening", "once");
    // Approved and not begun, it is drafted anew all the same.
    joins(&mut world, "also rename the flag");
    assert_eq!(world.state.variant(), "Drafting");
}

#[test]
fn a_risk_in_them_is_accepted_first() {
    let mut world = drafting();
    joins(&mut world, "also add a step that runs rm -rf / in production");
    assert_eq!((world.state.variant(), world.kind()), ("Held", "risk"));
    world.answer("confirm").expect("accepted");
    assert_eq!(world.state.variant(), "Drafting");
}

#[test]
fn words_that_nothing_hears_are_told_of() {
    let mut world = developing();
    let before = slot(&world);
    joins(&mut world, MORE);
    assert_eq!((world.state.variant(), slot(&world)), ("Running", before));
    assert_eq!(findings(&world), ["words_left: ".to_string() + MORE]);
    for label in ["Told developed", "Told no risks", "Told no checks"] {
        world.told(label).expect(label);
    }
    for _ in 0..5 {
        world.told("Told report done").expect("closed");
    }
    world.told("Told done").expect("accepted");
    let life = world.state.life().expect("open");
    let Base::Idle { last: Some(last) } = life.base() else { panic!("not over") };
    assert_eq!(last.verdict.map(|verdict| verdict.word()), Some("partial"));
    // A job takes none in, and does not offer to.
    let mut world = World::new();
    world.run(Name::Init, "").expect("starts");
    world.types(MORE).expect("asked");
    let life = world.state.life().expect("open");
    assert_eq!(life.questions()[0].options, ["new", "cancel"]);
}

fn turned(world: &mut World, run: &str, end: TurnEnd) {
    let turned = Turned { run: run.to_string(), end, changed: Vec::new(), summary: String::new() };
    let outcome = Outcome::Ok(Box::new(Gave::Turned(turned)));
    let slot = slot(world);
    world.by(By::Engine, Command::Told { slot, outcome }).expect("told");
}

fn nothing(world: &mut World) {
    let outcome = Outcome::Ok(Box::new(Gave::Done(serde_json::json!({ "nothing": true }))));
    let slot = slot(world);
    world.by(By::Engine, Command::Told { slot, outcome }).expect("told");
}

fn undoes(world: &World) -> Option<String> {
    owed(&world.state).into_iter().find_map(|owed| match owed {
        Owed::Child { ask: ChildAsk::TakeBack { run, .. }, .. } => Some(run),
        Owed::Child { .. } | Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. } => {
            None
        }
    })
}

#[test]
fn every_turn_of_a_tweak_is_taken_back_the_newest_first() {
    let outgrown = || TurnEnd::Outgrown { rule: "change_limit".into(), risky: false };
    let begun = || {
        let mut world = World::new();
        world.types(TWEAK).expect("asks");
        world.answer("start").expect("begins");
        turned(&mut world, "turn-1", outgrown());
        world.answer("force").expect("goes on");
        world
    };
    let mut world = begun();
    turned(&mut world, "turn-2", outgrown());
    world.answer("cancel").expect("taken back");
    assert_eq!(undoes(&world).as_deref(), Some("turn-2"));
    let second = slot(&world);
    nothing(&mut world);
    assert_eq!(undoes(&world).as_deref(), Some("turn-1"));
    assert_ne!(slot(&world), second);
    nothing(&mut world);
    assert_eq!((undoes(&world), world.state.name()), (None, "Ending"), "nothing is left");
    // One that never began leaves what those before it wrote.
    let mut world = begun();
    world.by(By::Person, Command::Cancel { undo: true, all: false }).expect("stops");
    world.told("Told stopped").expect("never began");
    assert_eq!(undoes(&world).as_deref(), Some("turn-1"));
}

#[test]
fn a_check_that_is_not_required_blocks_nothing() {
    let checks = |required: bool| {
        let found = outcomes().into_iter().find(|(label, _)| *label == "Told checks");
        let Some((_, Outcome::Ok(gave))) = found else { panic!("no sample") };
        let Gave::Found(super::super::Found::Test { mut checks }) = *gave else { panic!("none") };
        checks[0].required = required;
        Outcome::Ok(Box::new(Gave::Found(super::super::Found::Test { checks })))
    };
    for (required, asked) in [(true, "test_blocking"), (false, "none")] {
        let mut world = developing();
        for label in ["Told developed", "Told no risks"] {
            world.told(label).expect(label);
        }
        let slot = slot(&world);
        let outcome = checks(required);
        world.by(By::Engine, Command::Told { slot, outcome }).expect("found");
        world.told("Told tests red").expect("ran");
        assert_eq!(world.kind(), asked);
        let noted: &[&str] = if required { &[] } else { &["optional_check_failed: cargo"] };
        assert_eq!(findings(&world), noted);
    }
    let Outcome::Ok(gave) = checks(false) else { panic!("none") };
    let Gave::Found(super::super::Found::Test { checks }) = *gave else { panic!("none") };
    let late = Tests { timed_out: true, ran: Vec::from(["x".into()]), ..Tests::default() };
    let seen = Tests::default().with(late, &checks[0]);
    assert!(seen.green && !seen.timed_out, "what may fail may be late");
}
