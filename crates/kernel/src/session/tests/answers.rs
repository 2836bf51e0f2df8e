//! What is bounded and what was said before: fixes that end, answers given before their questions,
//! and what a loop's end means for a package.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::setup;
use super::super::{Driver, Event, Name, Setup};
use super::world::{LIGHT, TWEAK, World};

fn with_answers(pairs: &[(&str, &str)]) -> Setup {
    let answers = pairs.iter().map(|(kind, key)| (kind.to_string(), key.to_string()));
    Setup { answers: answers.collect(), ..setup() }
}

fn options(world: &World) -> Vec<String> {
    let open = world.state.life().expect("open").questions();
    open.last().map(|q| q.options.clone()).unwrap_or_default()
}

fn written(world: &mut World) {
    for label in ["Told kb ok", "Told words", "Told draft", "Told report done"] {
        world.told(label).expect(label);
    }
}

#[test]
fn a_package_is_fixed_three_times_and_no_more() {
    let mut world = World::new();
    world.run(Name::Auto, LIGHT).expect("starts");
    world.answer("silent").expect("confirmed");
    written(&mut world);
    for _ in 0..3 {
        world.told("Told package invalid").expect("checked");
        assert_eq!(options(&world), ["fix", "stop"]);
        world.answer("fix").expect("fixed");
        world.told("Told draft").expect("drafted");
        world.told("Told report done").expect("written");
    }
    world.told("Told package invalid").expect("checked");
    assert_eq!(options(&world), ["stop"]);
    for key in ["fix", "force"] {
        assert_eq!(super::world::reason(world.answer(key)), "gate_closed", "{key}");
    }
    world.answer("stop").expect("ended");
    assert_eq!(world.state.name(), "Idle");
}

#[test]
fn red_tests_are_fixed_three_times_and_no_more() {
    let mut world = super::world::developing();
    for label in ["Told developed", "Told no risks"] {
        world.told(label).expect(label);
    }
    for _ in 0..3 {
        world.told("Told checks").expect("found");
        world.told("Told tests red").expect("red");
        assert_eq!(options(&world), ["fix", "skip", "stop"]);
        world.answer("fix").expect("fixed");
        world.told("Told turn done").expect("turned");
    }
    world.told("Told checks").expect("found");
    world.told("Told tests red").expect("red");
    assert_eq!(options(&world), ["skip", "stop"]);
    world.answer("skip").expect("waived");
    assert_eq!(world.state.variant(), "Closing");
}

#[test]
fn answers_given_before_are_taken_when_asked() {
    let mut world = World::new();
    let said = with_answers(&[("complexity", "interactive"), ("design_done", "run")]);
    world.run_with(Name::Auto, LIGHT, said).expect("starts");
    written(&mut world);
    world.told("Told package executable").expect("checked");
    assert_eq!(world.state.variant(), "Opening", "approved as it was said before");
    let mut world = World::new();
    world.run_with(Name::Exec, "", with_answers(&[("markers", "done")])).expect("starts");
    world.told("Told one package").expect("listed");
    world.told("Told package marks").expect("opened");
    assert_eq!(world.state.variant(), "Marking");
    // Words are needed for an adjustment, and an interruption is looked at.
    for (kind, key) in [("design_done", "adjust"), ("design_done", "nonsense")] {
        let mut world = World::new();
        let said = with_answers(&[("complexity", "interactive"), (kind, key)]);
        world.run_with(Name::Auto, LIGHT, said).expect("starts");
        written(&mut world);
        world.told("Told package executable").expect("checked");
        assert_eq!(world.state.variant(), "Approving", "{key}");
    }
    let mut world = World::new();
    let said = with_answers(&[("complexity", "silent"), ("interrupted", "retry")]);
    world.run_with(Name::Auto, TWEAK, said).expect("starts");
    world.told("Told turn failed").expect("failed");
    assert_eq!(world.state.variant(), "Held", "no endless retry");
}

#[test]
fn nobody_accepts_a_risk_before_it_is_shown() {
    let risky = "delete rows with `DELETE FROM users` in src/db.rs, it should return 0 and errors \
         must show in tests";
    let mut world = World::new();
    let said = with_answers(&[("complexity", "silent"), ("risk", "confirm")]);
    world.run_with(Name::Auto, risky, said).expect("starts");
    assert_eq!((world.state.variant(), world.kind()), ("Confirming", "complexity"));
}

#[test]
fn a_loop_that_ended_validated_did_all_tasks() {
    let table = [
        ("Told developed", "Closing", 0, true),
        ("Told developed in part", "Closing", 1, false),
        ("Told aborted", "Idle", 1, false),
    ];
    for (label, variant, undone, done) in table {
        let mut world = World::new();
        let setup = Setup { driver: Driver::Loop, ..setup() };
        world.run_with(Name::Auto, LIGHT, setup).expect("starts");
        world.answer("silent").expect("confirmed");
        written(&mut world);
        world.told("Told package executable").expect("checked");
        world.told("Told package executable").expect("opened");
        world.told(label).expect(label);
        assert_eq!(world.state.variant(), variant, "{label}");
        let ended = world.events.iter().find_map(|event| {
            let Event::Developed { developed } = event else { return None };
            Some(developed.clone())
        });
        let ended = ended.expect("an end");
        assert_eq!((ended.undone.len(), !ended.done.is_empty()), (undone, done), "{label}");
    }
}
