//! kill -9 of the real engine at every call that changes the disk while a loop of an old place is
//! taken in, edited and deleted. A case is one kind of call of one thread.

use std::time::Duration;

use sim::real::taken_in::TAKEN_IN;

use super::kills::{FAMILIES, family};
use super::list::Proof;
use super::real::import_census;

pub const PROOF: Proof = Proof {
    name: "import-kills",
    about: "kill -9 of the real engine at every call that changes the disk for a loop taken in",
    cases: Some(FAMILIES),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    family(&TAKEN_IN, import_census()?, number)
}
