//! The whole engine in the fake world, by seed. The long form is `cargo xtask prove engine`.

use sim::campaign::live;
use sim::world::Luck;

const CALM: Luck = Luck { engine_crash: usize::MAX, shim_crash: usize::MAX, failure: usize::MAX };
const CRASHING: Luck = Luck { engine_crash: 3, shim_crash: usize::MAX, failure: usize::MAX };
const ROUGH: Luck = Luck { engine_crash: 5, shim_crash: 25, failure: 4 };

fn lived(seed: u64, luck: Luck, people: bool) -> sim::campaign::Ended {
    live(seed, luck, 3, people).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn a_calm_life_is_completed() {
    let ended = lived(1, CALM, false);
    assert_eq!((ended.status, ended.lives), ("completed", 1));
}

#[test]
fn engine_crashes_between_any_two_steps_change_nothing_in_the_story() {
    let calm = lived(1, CALM, false).story;
    for seed in 0..300 {
        let ended = lived(seed, CRASHING, false);
        assert!(ended.lives > 1, "seed {seed} never crashed");
        assert_eq!((ended.status, &ended.story), ("completed", &calm), "seed {seed}");
    }
}

#[test]
fn rough_lives_keep_every_invariant() {
    for seed in 0..600 {
        lived(seed, ROUGH, true);
    }
}
