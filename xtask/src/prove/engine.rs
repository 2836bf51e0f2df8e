//! The whole engine in the fake world, seed after seed: single loops, crowds, and every script
//! with two crashes and a failing disk.

use std::time::Duration;

use journal::Failure;
use sim::campaign::{Fate, live};
use sim::crowd;
use sim::dice::Dice;
use sim::story::{Trouble, play, scripts};
use sim::world::Luck;
use sim::{lifecycles, turns};

use super::list::Proof;

pub const PROOF: Proof = Proof {
    name: "engine",
    about: "the engine in the fake world by seed: crowds, turns, crashes, failing disks, clocks",
    cases: None,
    case,
};

fn case(seed: u64, _: Duration) -> Result<(), String> {
    let mut dice = Dice::new(seed);
    let luck = Luck {
        engine_crash: 3 + dice.below(12),
        shim_crash: 10 + dice.below(60),
        failure: 2 + dice.below(8),
    };
    live(seed, luck, 1 + dice.below(4), &Fate { people: true, crash_after: Vec::new() })?;
    crowd::live(seed, luck, 2 + dice.below(3))?;
    turns::live(seed, luck)?;
    lifecycles::live(seed, luck)?;
    for script in scripts() {
        let calm = play(&script, &Trouble::default())?;
        let kinds = [Failure::SyncLost, Failure::SyncKept, Failure::NoSpace];
        let nth = 1 + dice.next() % calm.appends;
        let trouble = Trouble {
            crash_after: vec![dice.below(calm.ticks + 1), dice.below(calm.ticks + 1)],
            append: Some((nth, *dice.one_of(&kinds))),
        };
        let told = play(&script, &trouble)?;
        if (told.status, &told.story) != (calm.status, &calm.story) {
            return Err(format!("{}, {trouble:?}: another story: {:?}", script.name, told.story));
        }
    }
    Ok(())
}
