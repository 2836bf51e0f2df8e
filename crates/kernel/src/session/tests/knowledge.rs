//! What flows do about a knowledge base, by the mode that is set, the state it is in and what is
//! asked for. A package that is run directly has its table beside the other picks.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::setup;
use super::super::{Base, Command, Event, Gave, Kb, KbState, Name, Outcome, Setup, Stage, slots};
use super::world::{LIGHT, TWEAK, World};
use crate::machine::By;

const STATES: [KbState; 5] =
    [KbState::Absent, KbState::Heavy, KbState::Partial, KbState::Ok, KbState::Old];

fn told(world: &mut World, state: KbState, ambiguous: &[&str]) {
    let life = world.state.life().expect("open");
    let slot = slots(life).pop().expect("something is owed").0;
    let ambiguous = ambiguous.iter().map(ToString::to_string).collect();
    let kb = Kb { root: "loopwright".into(), state, sources: true, ambiguous };
    let outcome = Outcome::Ok(Gave::Kb(kb).into());
    world.by(By::Engine, Command::Told { slot, outcome }).expect("owed");
}

/// A flow that looks at its knowledge base.
fn looking(mode: u8, words: &str, key: &str) -> World {
    let mut world = World::new();
    let setup = Setup { kb_mode: mode, ..setup() };
    world.run_with(Name::Auto, words, setup).expect("starts");
    world.answer(key).expect("confirmed");
    assert_eq!(world.var("CURRENT_STAGE"), "ANALYZE", "{words}");
    world
}

/// What becomes of a base in this state: what is asked or made, KB_SKIPPED, and what is shown.
fn decided(mode: u8, state: KbState, words: &str, key: &str) -> String {
    let mut world = looking(mode, words, key);
    told(&mut world, state, &[]);
    let mut way = String::new();
    if world.state.variant() == "AskKb" {
        way.push_str("asked ");
        world.answer("skip").expect("offered");
    }
    let Base::Flow { stage, .. } = world.state.life().expect("open").base() else {
        panic!("no flow")
    };
    if let Stage::Gathering { part, .. } = &**stage
        && format!("{part:?}") != "Context"
    {
        way.push_str(&format!("{part:?} "));
        world.told("Told report done").expect("made");
    }
    let shown: Vec<&str> = world
        .events
        .iter()
        .filter_map(|event| {
            if let Event::KbDecided { shown, .. } = event { Some(shown.as_str()) } else { None }
        })
        .collect();
    assert_eq!(shown.len(), 1, "decided once");
    format!("{way}{} {}", world.var("KB_SKIPPED"), shown[0])
}

#[test]
fn modes_states_and_wishes_decide_about_the_knowledge_base() {
    let docs = format!("{LIGHT}; docs only");
    let off = ["true off"; 5];
    let asks = |first| [first, "false loaded", "false loaded", "false loaded", "false loaded"];
    let makes = [
        "Make false created",
        "Rebuild false created",
        "false loaded",
        "false loaded",
        "false loaded",
    ];
    // Mode, words, how it goes on; then absent, heavy, partial, ok and old.
    let table: [(u8, &str, &str, [&str; 5]); 12] = [
        (0, LIGHT, "interactive", off),
        (0, LIGHT, "silent", off),
        (0, &docs, "silent", off),
        (1, LIGHT, "interactive", asks("asked true missing")),
        (1, LIGHT, "silent", asks("true missing")),
        (1, &docs, "interactive", asks("asked true missing")),
        (2, LIGHT, "interactive", makes),
        (2, LIGHT, "silent", makes),
        (2, &docs, "interactive", asks("asked true missing")),
        (2, &docs, "silent", asks("true missing")),
        (3, LIGHT, "silent", makes),
        (3, &docs, "silent", makes),
    ];
    for (mode, words, key, expected) in table {
        for (state, expected) in STATES.into_iter().zip(expected) {
            let found = decided(mode, state, words, key);
            assert_eq!(found, expected, "mode {mode}, {state:?}, {key}, {words}");
        }
    }
}

#[test]
fn a_tweak_looks_at_no_knowledge_base_in_any_mode() {
    for mode in 0..=3 {
        let mut world = World::new();
        let setup = Setup { kb_mode: mode, ..setup() };
        world.run_with(Name::Auto, TWEAK, setup).expect("starts");
        world.answer("silent").expect("confirmed");
        assert_eq!(
            (world.var("CURRENT_STAGE"), world.var("KB_SKIPPED")),
            ("TWEAK".into(), "true".into())
        );
    }
}

#[test]
fn a_second_directory_with_the_marker_is_noted() {
    let mut world = looking(2, LIGHT, "silent");
    told(&mut world, KbState::Ok, &["kb", "docs/kb"]);
    let Base::Flow { flow, .. } = world.state.life().expect("open").base() else {
        panic!("no flow")
    };
    assert_eq!(flow.findings, ["kb_root_ambiguous: kb, docs/kb"]);
}
