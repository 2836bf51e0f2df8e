//! Calls of a turn that ask a person: while one does the turn waits, and no time of it runs.

use alloc::string::ToString;

use super::super::*;
use super::world::World;
use crate::machine::By;

/// A call that asked was invisible: the turn seemed to be at work, and its time ran out.
#[test]
fn reg_a_call_that_asks_stops_the_turns_time() {
    let starts = [
        World::begun(|_| {}).labels(&["RESULT, ok", "RESULT, ok"]),
        World::at_work(|_| {}),
        World::at_work(|_| {}).labels(&["RESULT, ok", "RESULT, ok"]),
        World::at_work(|_| {}).label("RESULT, wants another plan"),
        World::begun(|_| {}).label("RESULT, chat"),
    ];
    for world in starts {
        let (at, effects) = (world.stands(), world.effects());
        let mut world = world.label("RESULT, a person is asked");
        assert!(world.life().waits(), "{at}: a person is asked");
        assert!(timers(world.life()).is_empty(), "{at}: no time runs against them");
        assert_eq!((world.stands(), world.effects()), (at.clone(), effects), "it is still owed");
        assert_eq!(world.refused("RESULT, a person is asked"), "not_owed", "{at}: told once");
        let (spent, left) = (world.life().body.clock.active_ms, world.life().body.clock.left_ms);
        world.now = world.now.plus(10 * ACTIVE_MS_MAX);
        let key = awaited(world.life()).expect("something is awaited");
        let ended = Ended::Allowed;
        world.say(By::Engine, Command::ToolCallResult { key, ended, spent: Spent::default() });
        assert!(!world.life().waits() && !timers(world.life()).is_empty(), "{at}: it goes on");
        let clock = &world.life().body.clock;
        assert_eq!((clock.active_ms, clock.left_ms), (spent, left), "{at}");
        assert_eq!(world.refused("RESULT, a person said yes"), "not_owed", "{at}: told once");
    }
}

#[test]
fn what_ends_a_call_that_asks_ends_the_wait() {
    let waits = || World::at_work(|_| {}).label("RESULT, a person is asked");
    let world = waits().step_failed("E_POLICY_DENIED", "timer", "x");
    assert_eq!((world.life().waits(), world.stands().as_str()), (false, "SUMMARIZING blocked"));
    assert!(!waits().label("CANCEL").life().waits());
    let world = waits().label("RESULT, never happened");
    assert_eq!(
        (world.life().waits(), world.effects()),
        (false, ["step/s1/2/1".to_string()].into())
    );
    let held = waits().labels(&["PAUSE", "RESUME"]);
    assert!(held.life().waits() && timers(held.life()).is_empty(), "a hold changes nothing of it");
}
