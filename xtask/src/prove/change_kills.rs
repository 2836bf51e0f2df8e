//! kill -9 of the real engine at every call that changes the disk while its tools change files and
//! one change is taken back. A case is one kind of call of one thread.

use std::time::Duration;

use sim::real::changes::CHANGES;

use super::kills::{FAMILIES, family};
use super::list::Proof;
use super::real::change_census;

pub const PROOF: Proof = Proof {
    name: "change-kills",
    about: "kill -9 of the real engine at every call that changes the disk while files change",
    cases: Some(FAMILIES),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    family(&CHANGES, change_census()?, number)
}
