//! kill -9 of the real engine at every call that changes the disk while a loop debugs. A case is
//! one kind of call of one thread.

use std::time::Duration;

use sim::real::debugged::DEBUG;

use super::kills::{FAMILIES, family};
use super::list::Proof;
use super::real::debug_census;

pub const PROOF: Proof = Proof {
    name: "debug-kills",
    about: "kill -9 of the real engine at every call that changes the disk while a loop debugs",
    cases: Some(FAMILIES),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    family(&DEBUG, debug_census()?, number)
}
