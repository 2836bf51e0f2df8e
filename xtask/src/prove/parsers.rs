//! Mutations of what test runners print, seed after seed: no parser panics, counts stay sane, and
//! forged lines turn no red run green. A case is one seed of the tests that have them.

use std::time::Duration;

use super::list::Proof;
use super::tested::Tested;

/// Mutated captures of one case: some seconds.
const ROUNDS: u64 = 20_000;
/// The tests' own seeds come first.
const SEED_FIRST: u64 = 1_000;

const TESTS: [Tested; 2] = [
    of("fuzz::mutated_captures_are_read_without_harm"),
    of("fuzz::invariant_forged_lines_never_turn_red_to_green"),
];

const fn of(name: &'static str) -> Tested {
    Tested { package: "loopwright-runtime", target: "checks", name }
}

pub const PROOF: Proof = Proof {
    name: "parsers",
    about: "mutated and forged output of every test runner by seed, twenty thousand a case",
    cases: None,
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    let told = [
        ("LOOPWRIGHT_PARSER_ROUNDS", ROUNDS.to_string()),
        ("LOOPWRIGHT_PARSER_SEED", (SEED_FIRST + number).to_string()),
    ];
    TESTS.iter().try_for_each(|test| test.run(&told))
}
