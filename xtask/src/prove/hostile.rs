//! Hostile repositories against everything of ours that opens a workspace: what keeps and restores
//! trees, and the commands of the real binary. A case is one repository and one of the two.

use std::time::Duration;

use sim::marks::{doors, hostile};

use super::list::Proof;
use super::real::exe;

pub const PROOF: Proof = Proof {
    name: "hostile",
    about: "every hostile repository: nothing it names is run, nothing outside is touched",
    cases: Some((hostile::COUNT + doors::COUNT) as u64),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    let number = usize::try_from(number).expect("a small number");
    match number.checked_sub(hostile::COUNT) {
        None => hostile::one(number),
        Some(number) => doors::one(&exe()?, number),
    }
}
