//! Auto runs at random, seed after seed: a case is a thousand whole loops that nobody steers.

use std::time::Duration;

use sim::machines::loops::autos;

use super::list::Proof;

/// Runs of one case; three hundred cases are what the page asks for.
const RUNS: u64 = 1_000;

pub const PROOF: Proof = Proof {
    name: "autos",
    about: "auto loops end within the bound of their choices; 300 cases are 300,000 runs",
    cases: Some(300),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    // The short test lives the first seeds.
    let first = 1_000_000 + number * RUNS;
    (first..first + RUNS).try_for_each(|seed| autos::live(seed).map(drop))
}
