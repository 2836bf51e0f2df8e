//! The whole engine in the fake world, by seed. The long form is `cargo xtask prove engine`.

use std::collections::BTreeSet;

use sim::campaign::{Ended, Fate, live};
use sim::world::Luck;
use sim::{lifecycles, turns};

const NEVER: usize = usize::MAX;
const CALM: Luck = Luck { engine_crash: NEVER, shim_crash: NEVER, failure: NEVER };
const ROUGH: Luck = Luck { engine_crash: 5, shim_crash: 25, failure: 4 };

/// Lives of turns: enough for every state.
const TURNS: u64 = 120;
/// Lives of lifecycles; each has turns of its own.
const LIFECYCLES: u64 = 60;

fn lived(seed: u64, luck: Luck, fate: &Fate) -> Ended {
    live(seed, luck, 3, fate).unwrap_or_else(|why| panic!("{why}"))
}

fn crashing(after: &[usize]) -> Fate {
    Fate { people: false, crash_after: after.to_vec() }
}

#[test]
fn a_calm_life_is_completed() {
    let ended = lived(1, CALM, &Fate::default());
    assert_eq!((ended.status, ended.lives), ("completed", 1));
}

/// The engine dies between every two steps, and between every two pairs of steps: the loop's own
/// story is the same as if it had not.
#[test]
fn invariant_unlaunched_is_silent_and_a_crash_changes_no_story() {
    let calm = lived(1, CALM, &Fate::default());
    for first in 0..calm.ticks {
        let ended = lived(1, CALM, &crashing(&[first]));
        assert_eq!((ended.status, &ended.story), ("completed", &calm.story), "after {first}");
        for second in first..calm.ticks {
            let ended = lived(1, CALM, &crashing(&[first, second]));
            assert_eq!(&ended.story, &calm.story, "after {first} and {second}");
        }
    }
}

/// A loop without tasks asks an agent for them and has agents do them; a death of the engine
/// between any two steps changes nothing of it.
#[test]
fn invariant_a_crash_changes_no_story_of_agents() {
    let broken_down = |fate: &Fate| live(1, CALM, 0, fate).unwrap_or_else(|why| panic!("{why}"));
    let calm = broken_down(&Fate::default());
    assert_eq!((calm.status, calm.lives), ("completed", 1));
    let added = calm.story.iter().filter(|fact| *fact == "TaskAdded").count();
    assert_eq!(added, 2, "{:?}", calm.story);
    for first in 0..calm.ticks {
        let ended = broken_down(&crashing(&[first]));
        assert_eq!((ended.status, &ended.story), ("completed", &calm.story), "after {first}");
    }
}

/// A start that is lost before its launch four times in a row is given up, and the loop says so.
#[test]
fn the_fourth_loss_before_launch_blocks_the_loop() {
    let always = Luck { engine_crash: 1, ..CALM };
    let Err(why) = live(1, always, 1, &Fate::default()) else { panic!("it can never end") };
    assert!(why.contains("no end"), "{why}");
    let often = Luck { engine_crash: 2, ..CALM };
    let blocked = (0..40)
        .map(|seed| lived(seed, often, &Fate::default()))
        .find(|ended| ended.status == "paused")
        .expect("one of them loses a start four times");
    assert_eq!(blocked.story.last().map(String::as_str), Some("LoopPaused"));
}

#[test]
fn rough_lives_keep_every_invariant() {
    let people = Fate { people: true, crash_after: Vec::new() };
    for seed in 0..600 {
        lived(seed, ROUGH, &people);
    }
    for seed in 0..200 {
        live(seed, ROUGH, 0, &people).unwrap_or_else(|why| panic!("{why}"));
    }
}

/// Lifecycles that live at random, with real turns and calls below them, go through all their
/// states, whatever dies on the way.
#[test]
fn rough_lives_of_lifecycles_keep_every_invariant() {
    let mut states = BTreeSet::new();
    for seed in 0..LIFECYCLES {
        let luck = if seed % 2 == 0 { ROUGH } else { CALM };
        let ended = lifecycles::live(seed, luck).unwrap_or_else(|why| panic!("{why}"));
        states.extend(ended.states);
    }
    let all: BTreeSet<&str> = kernel::lifecycle::STATES.into_iter().collect();
    assert_eq!(states, all);
}

/// Turns that live at random go through all their states, whatever dies on the way.
#[test]
fn rough_lives_of_turns_keep_every_invariant() {
    let mut states = BTreeSet::new();
    for seed in 0..TURNS {
        let luck = if seed % 2 == 0 { ROUGH } else { CALM };
        let ended = turns::live(seed, luck).unwrap_or_else(|why| panic!("{why}"));
        states.extend(ended.states);
    }
    let all: BTreeSet<&str> = "INTAKE CLARIFYING CONTEXT_BUILDING PLANNING \
        AWAITING_CONFIRMATION EXECUTING VERIFYING RECOVERING SUMMARIZING DONE"
        .split_whitespace()
        .collect();
    assert_eq!(states, all);
}
