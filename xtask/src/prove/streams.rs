//! Mutations of what agents print, seed after seed: no reader panics, none grows, and the same
//! bytes give the same facts in any split. A case is one seed of the test that has them.

use std::time::Duration;

use super::list::Proof;
use super::tested::Tested;

/// Mutated streams of one case: some seconds.
const ROUNDS: u64 = 100_000;
/// The test's own seeds come first.
const SEED_FIRST: u64 = 1_000;

const TEST: Tested = Tested {
    package: "loopwright-runtime",
    target: "agent_streams",
    name: "fuzz::mutated_streams_are_read_without_harm",
};

pub const PROOF: Proof = Proof {
    name: "streams",
    about: "mutated streams of every kind of agent by seed, a hundred thousand a case",
    cases: None,
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    TEST.run(&[
        ("LOOPWRIGHT_STREAM_ROUNDS", ROUNDS.to_string()),
        ("LOOPWRIGHT_STREAM_SEED", (SEED_FIRST + number).to_string()),
    ])
}
