//! Packages that are picked: whose marks they bear, what becomes of the knowledge base, and by
//! whose word they are run. And a tweak whose edits are taken back.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::super::samples::setup;
use super::super::{
    Asking, Base, Command, Event, Gave, How, Kb, KbState, Name, Outcome, Report, Setup, Stage,
    owed, slots,
};
use super::world::{LIGHT, TWEAK, World, reason};
use crate::machine::By;
use crate::owed::Owed;

fn tell(world: &mut World, gave: Gave) {
    let life = world.state.life().expect("open");
    let slot = slots(life).pop().expect("something is owed").0;
    let outcome = Outcome::Ok(gave.into());
    world.by(By::Engine, Command::Told { slot, outcome }).expect("owed");
}

fn opened(setup: Setup) -> World {
    let mut world = World::new();
    world.run_with(Name::Exec, "", setup).expect("starts");
    world.told("Told one package").expect("listed");
    world
}

fn stage(world: &World) -> &Stage {
    match world.state.life().expect("open").base() {
        Base::Flow { stage, .. } => stage,
        Base::Idle { .. } | Base::Job { .. } => panic!("no flow"),
    }
}

fn slot(world: &World) -> String {
    slots(world.state.life().expect("open")).pop().expect("one").0
}

/// What becomes of a knowledge base in this state when a package is run directly.
fn decided(mode: u8, state: KbState) -> String {
    let mut world = opened(Setup { kb_mode: mode, ..setup() });
    world.told("Told package executable").expect("opened");
    assert_eq!(world.var("CURRENT_STAGE"), "DEVELOP");
    let (root, ambiguous) = ("loopwright".into(), Vec::new());
    tell(&mut world, Gave::Kb(Kb { root, state, sources: true, ambiguous }));
    let asked = world.state.variant() == "AskKb";
    if asked {
        assert_eq!((world.kind(), world.var("CURRENT_STAGE")), ("kb_missing", "DEVELOP".into()));
        world.answer("skip").expect("offered");
    }
    let made = if let Stage::Gathering { part, .. } = stage(&world) {
        format!("{part:?} ")
    } else {
        String::new()
    };
    if !made.is_empty() {
        world.told("Told report done").expect("made");
    }
    assert_eq!(world.state.variant(), "Opening");
    world.told("Told package executable").expect("looked at again");
    assert_eq!(world.state.variant(), "Running");
    let asked = if asked { "asked " } else { "" };
    format!("{asked}{made}{}", world.var("KB_SKIPPED"))
}

#[test]
fn the_knowledge_base_of_a_package_that_is_run_directly() {
    let states = [KbState::Absent, KbState::Heavy, KbState::Partial, KbState::Ok, KbState::Old];
    let table = [
        (0, ["true", "true", "true", "true", "true"]),
        (1, ["asked true", "false", "false", "false", "false"]),
        (2, ["Make false", "Rebuild false", "false", "false", "false"]),
        (3, ["Make false", "Rebuild false", "false", "false", "false"]),
    ];
    for (mode, expected) in table {
        for (state, expected) in states.iter().zip(expected) {
            assert_eq!(decided(mode, *state), expected, "mode {mode}, {state:?}");
        }
    }
}

#[test]
fn an_overview_that_is_picked_makes_no_knowledge_base() {
    let mut world = opened(Setup { kb_mode: 3, ..setup() });
    world.told("Told package overview").expect("opened");
    assert_eq!((world.state.variant(), world.kind()), ("AskType", "overview"));
    assert_eq!(world.var("KB_SKIPPED"), "null");
}

#[test]
fn marks_of_others_become_ours_before_a_package_runs() {
    let mut world = opened(setup());
    world.told("Told package of others").expect("opened");
    assert_eq!((world.state.variant(), slot(&world).as_str()), ("Marking", "flow/1/marks/1/1"));
    world.told("Told report failed").expect("tried once more");
    assert_eq!(slot(&world), "flow/1/marks/1/2");
    world.told("Told report done").expect("rewritten");
    assert_eq!(world.state.variant(), "Opening");
    // Somebody put them back meanwhile: another call, never the report of the first.
    world.told("Told package of others").expect("looked at");
    assert_eq!(slot(&world), "flow/1/marks/2/1");
}

#[test]
fn what_a_capital_x_means_is_asked_and_written() {
    for key in ["failed", "done"] {
        let mut world = opened(setup());
        world.told("Told package marks").expect("opened");
        assert_eq!(world.kind(), "markers");
        world.answer(key).expect("offered");
        let Stage::Marking { marks, .. } = stage(&world) else { panic!("not rewritten") };
        assert_eq!(format!("{marks:?}").to_lowercase(), format!("some({key})"));
    }
}

#[test]
fn an_approved_package_with_marks_of_others_is_still_the_one_that_was_approved() {
    let mut world = World::new();
    world.types(LIGHT).expect("asked");
    world.answer("start").expect("begins");
    for label in ["Told kb ok", "Told words", "Told draft", "Told report done"] {
        world.told(label).expect(label);
    }
    world.told("Told package executable").expect("checked");
    world.answer("run").expect("approved");
    world.told("Told package of others").expect("opened");
    let told = serde_json::json!({ "context": { "hash": "h2" } });
    tell(&mut world, Gave::Report(Report { success: true, told }));
    let Stage::Opening { approval: Some(approval), .. } = stage(&world) else { panic!("lost") };
    assert_eq!(approval.hash.as_deref(), Some("h2"));
    // What is found is not what the rewriting left.
    let mut other = World::new();
    other.state = world.state.clone();
    other.told("Told package executable").expect("opened");
    assert_eq!(other.state.variant(), "Checking");
    world.told("Told package changed").expect("opened");
    assert_eq!(world.state.variant(), "Running");
}

#[test]
fn what_was_edited_before_it_began_is_looked_at_and_asked_again() {
    let mut world = World::new();
    world.types(LIGHT).expect("asked");
    world.answer("start").expect("begins");
    for label in ["Told kb ok", "Told words", "Told draft", "Told report done"] {
        world.told(label).expect(label);
    }
    world.told("Told package executable").expect("checked");
    world.answer("run").expect("approved");
    world.told("Told package executable").expect("opened");
    assert_eq!(world.state.variant(), "Running");
    world.told("Told package edited").expect("not begun");
    assert_eq!(world.state.variant(), "Opening");
    let mut changed = World::new();
    changed.state = world.state.clone();
    let events = changed.told("Told package changed").expect("opened");
    assert!(events.contains(&"PackageChanged"), "{events:?}");
    changed.told("Told package changed").expect("checked");
    assert_eq!((changed.state.variant(), changed.kind()), ("Approving", "design_done"));
    // What was put back meanwhile is what was approved.
    world.told("Told package executable").expect("opened");
    assert_eq!(world.state.variant(), "Running");
    // A package of another's is never drafted anew.
    let mut world = opened(setup());
    for label in ["Told package executable", "Told kb ok", "Told package executable"] {
        world.told(label).expect(label);
    }
    for label in ["Told package edited", "Told package changed", "Told package changed"] {
        world.told(label).expect(label);
    }
    let life = world.state.life().expect("open");
    assert_eq!(life.questions()[0].options, ["run", "cancel"]);
}

#[test]
fn a_package_runs_by_the_word_of_a_person() {
    let approval = |world: &World| {
        let Stage::Running { approval, .. } = stage(world) else { panic!("it does not run") };
        (approval.question.clone(), approval.by.clone())
    };
    let mut world = opened(setup());
    for label in ["Told package executable", "Told kb ok", "Told package executable"] {
        world.told(label).expect(label);
    }
    assert_eq!(approval(&world), ("~exec".into(), By::Person.word().to_string()));
    let mut world = World::new();
    world.run(Name::Auto, LIGHT).expect("asked");
    let question = world.state.life().expect("open").questions()[0].id.clone();
    world.answer("silent").expect("begins");
    for label in ["Told kb ok", "Told words", "Told draft", "Told report done"] {
        world.told(label).expect(label);
    }
    world.told("Told package executable").expect("checked");
    world.told("Told package executable").expect("opened");
    assert_eq!(approval(&world), (question, By::Person.word().to_string()));
}

#[test]
fn a_tweak_that_edits_is_stopped_and_its_edits_taken_back() {
    let undo = || Command::Cancel { undo: true, all: false };
    let mut world = World::new();
    world.types(TWEAK).expect("asked");
    assert_eq!(reason(world.by(By::Person, undo())), "use_rollback");
    world.answer("start").expect("begins");
    world.by(By::Person, undo()).expect("taken");
    assert_eq!((world.state.variant(), world.var("CURRENT_STAGE")), ("Recalling", "TWEAK".into()));
    let children = owed(&world.state);
    assert!(!children.iter().any(|one| matches!(one, Owed::Child { .. })), "the turn is stopped");
    world.told("Told turn cancelled").expect("it has stopped");
    let Stage::Undoing { turn, .. } = stage(&world) else { panic!("not undone") };
    assert_eq!(turn, "turn-1");
    world.told("Told done").expect("one call");
    tell(&mut world, Gave::Done(serde_json::json!({ "nothing": true })));
    // The call that found nothing more is the last that has to be over.
    let Some(Event::Stopping { how, children, .. }) = world.events.last() else {
        panic!("goes on")
    };
    assert!(matches!(how, How::Cancelled { .. }) && children == &["flow/1/undo/2"], "{children:?}");
    // One that never began has left nothing.
    let mut world = World::new();
    world.types(TWEAK).expect("asked");
    world.answer("start").expect("begins");
    world.by(By::Person, undo()).expect("taken");
    world.told("Told stopped").expect("it has stopped");
    assert_eq!(world.state.name(), "Idle");
}

#[test]
fn a_label_or_a_name_answers_the_question_that_is_open() {
    let says = |world: &mut World, text: &str, meant: Vec<(Asking, String)>| {
        let input_id = format!("label-{text}");
        let (text, setup) = (text.to_string(), setup().into());
        world.by(By::Person, Command::Say { text, input_id, meant, setup }).expect("heard")
    };
    let mut world = World::new();
    world.run(Name::Auto, LIGHT).expect("asked");
    let other = vec![(Asking::Replace, "keep".to_string()), (Asking::Complexity, "start".into())];
    says(&mut world, "Start", other);
    let answered = |event: &Event| matches!(event, Event::QuestionAnswered { .. });
    assert!(!world.events.iter().any(answered), "that option is not offered here");
    let mut world = World::new();
    world.run(Name::Auto, LIGHT).expect("asked");
    says(&mut world, "确认执行（静默）", vec![(Asking::Complexity, "silent".to_string())]);
    assert_eq!(world.state.variant(), "Gathering");
    let mut world = World::new();
    world.run(Name::Exec, "").expect("starts");
    world.told("Told two packages").expect("listed");
    says(&mut world, "b", Vec::new());
    let Base::Flow { flow, .. } = world.state.life().expect("open").base() else { panic!() };
    assert_eq!(flow.current.as_ref().map(|package| package.name.as_str()), Some("b"));
}
