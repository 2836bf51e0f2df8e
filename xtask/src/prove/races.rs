//! Writes and deletes while an editor saves or somebody swaps directories for links: a hundred
//! thousand rounds of each. A case is a part of the rounds of one test.

use std::time::Duration;

use super::list::Proof;
use super::tested::Tested;

/// Rounds of one case: some minutes where a sync is slow.
const ROUNDS: u64 = 2_500;
/// Cases of one test: a hundred thousand rounds.
const PARTS: u64 = 40;
const NAMES: [&str; 4] = [
    "races::invariant_no_edit_is_lost_to_a_write",
    "races::invariant_no_edit_is_lost_to_a_delete",
    "races::invariant_one_of_two_creators_wins_and_the_other_is_told",
    "races::invariant_no_write_lands_outside_when_its_directory_turns_into_a_link",
];

pub const PROOF: Proof = Proof {
    name: "races",
    about: "100 000 writes against an editor that saves, and against directories turned into links",
    cases: Some(PARTS * NAMES.len() as u64),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    let name = NAMES[usize::try_from(number / PARTS).expect("a small number")];
    let test = Tested { package: "loopwright-runtime", target: "change", name };
    test.run(&[("LOOPWRIGHT_RACES", ROUNDS.to_string())])
}
