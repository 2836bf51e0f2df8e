//! Hostile repositories against everything of ours that opens a workspace. A case is one of them.

use std::time::Duration;

use sim::marks::hostile;

use super::list::Proof;

pub const PROOF: Proof = Proof {
    name: "hostile",
    about: "every hostile repository: nothing it names is run, nothing outside is touched",
    cases: Some(hostile::COUNT as u64),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    hostile::one(usize::try_from(number).expect("a small number"))
}
