//! Rollback over random repositories: staged, unstaged, untracked, ignored, modes, links, line
//! ends, nested, submodule, sparse; a run and a user change them; no byte of the user's is lost.

use std::time::Duration;

use sim::marks::{case, kills};

use super::list::Proof;

/// Every so many cases a rollback and a making are cut off at each of their steps.
const CUT_EVERY: u64 = 250;

pub const PROOF: Proof = Proof {
    name: "rollback",
    about: "5 000 random repositories rolled back; some cut off at every step",
    cases: Some(5_000),
    case: one,
};

fn one(number: u64, _: Duration) -> Result<(), String> {
    // The short tests live the first seeds.
    let seed = 10_000 + number;
    if number.is_multiple_of(CUT_EVERY) {
        kills::rollback(seed)?;
        kills::checkpoint(seed)?;
    }
    case::case(seed)
}
