//! Another branch under a session: whatever stands still stays so, and a job stops after its step.

use super::super::{Base, Command, Name, Phase, slots};
use super::world::{TWEAK, World, developing};
use crate::machine::By;

fn noticed(world: &mut World, key: &str) -> alloc::vec::Vec<&'static str> {
    world.by(By::Engine, Command::Noticed { key: key.into() }).expect("noticed")
}

fn lost() -> World {
    let mut world = World::new();
    world.types(TWEAK).expect("asks");
    world.answer("start").expect("begins");
    world.told("Told turn lost").expect("asks where");
    assert_eq!(world.kind(), "locate");
    world
}

#[test]
fn what_is_held_for_a_place_is_not_gone_on_with_on_another_branch() {
    let mut world = lost();
    let events = noticed(&mut world, "git:other");
    assert_eq!(events, ["QuestionWithdrawn", "Interrupted", "QuestionAsked", "Entered"]);
    assert_eq!(world.kind(), "interrupted");
    assert!(noticed(&mut world, "git:other").is_empty(), "once");
    world.answer("continue").expect("back");
    assert_eq!(world.kind(), "locate", "asked as it was");
    assert!(noticed(&mut world, "git:main").is_empty());
}

#[test]
fn what_was_cut_off_before_is_asked_about_the_branch() {
    let mut world = World::new();
    world.types(TWEAK).expect("asks");
    world.answer("start").expect("begins");
    world.told("Told turn failed").expect("held");
    noticed(&mut world, "git:other");
    let about = world.state.life().expect("open").questions()[0].about.clone();
    assert_eq!(about["cause"], "branch_changed");
    world.answer("continue").expect("back");
    assert_eq!(world.state.variant(), "Editing");
}

#[test]
fn whatever_the_hands_refuse_there_is_held_and_goes_on_later() {
    let mut world = developing();
    world.told("Told elsewhere").expect("held");
    assert_eq!((world.state.variant(), world.kind()), ("Held", "interrupted"));
    world.answer("continue").expect("back");
    assert_eq!(world.state.variant(), "Running");
}

#[test]
fn without_a_branch_a_commit_is_no_other_one() {
    let mut world = World::new();
    world.state = super::super::State::New;
    world.by(By::Person, Command::Open { key: "detached:aaa".into() }).expect("opens");
    world.run(Name::Commit, "").expect("starts");
    assert!(noticed(&mut world, "detached:bbb").is_empty());
    assert!(!noticed(&mut world, "git:main").is_empty());
}

#[test]
fn a_job_is_held_after_its_step() {
    // What asks is held at once, and asks again.
    let mut world = World::new();
    world.run(Name::Commit, "").expect("starts");
    world.told("Told commit").expect("asks");
    noticed(&mut world, "git:other");
    assert_eq!((world.kind(), world.var("EXEC_STATUS").as_str()), ("interrupted", "ERROR"));
    world.answer("continue").expect("back");
    assert_eq!(world.kind(), "commit_how");
    // What works ends its step and begins no other.
    let mut world = World::new();
    world.run(Name::Rollback, "cp-1").expect("starts");
    for label in ["Told targets", "Told done"] {
        world.told(label).expect(label);
    }
    world.answer("confirm").expect("works");
    let slot = slots(world.state.life().expect("open"))[0].0.clone();
    noticed(&mut world, "git:other");
    assert_eq!(slots(world.state.life().expect("open"))[0].0, slot, "what runs is let end");
    world.told("Told done").expect("rolled back");
    assert_eq!(world.kind(), "interrupted");
    let Base::Job { job } = world.state.life().expect("open").base() else { panic!("over") };
    let Phase::Held { at, .. } = &job.phase else { panic!("not held") };
    assert!(matches!(**at, Phase::Working { cut: false, .. }), "{at:?}");
    world.answer("retry").expect("goes on");
    world.told("Told report done").expect("shown in the archive");
    assert_eq!(world.kind(), "none", "not held any more");
}

#[test]
fn a_step_that_was_refused_there_is_tried_again_by_a_person() {
    let mut world = World::new();
    world.run(Name::Commit, "").expect("starts");
    world.told("Told commit").expect("asks");
    world.answer("local").expect("works");
    let slot = slots(world.state.life().expect("open"))[0].0.clone();
    world.told("Told elsewhere").expect("held");
    assert_eq!(world.kind(), "interrupted");
    world.answer("continue").expect("back");
    assert_eq!(slots(world.state.life().expect("open"))[0].0, slot);
    world.told("Told elsewhere").expect("held");
    world.answer("cancel").expect("ended");
    assert_eq!(world.state.name(), "Idle");
}
