//! kill -9 of the real engine at every call that changes the disk while it asks two agents. A case
//! is one kind of call of one thread.

use std::time::Duration;

use sim::real::asked::COLLAB;

use super::kills::{FAMILIES, family};
use super::list::Proof;
use super::real::collab_census;

pub const PROOF: Proof = Proof {
    name: "collab-kills",
    about: "kill -9 of the real engine at every call that changes the disk during a collab",
    cases: Some(FAMILIES),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    family(&COLLAB, collab_census()?, number)
}
