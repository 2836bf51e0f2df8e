//! kill -9 of the real engine at every call that changes the disk while it makes a checkpoint and
//! goes back to it. A case is one kind of call of one thread.

use std::time::Duration;

use sim::real::saves::SAVES;

use super::kills::{FAMILIES, family};
use super::list::Proof;
use super::real::save_census;

pub const PROOF: Proof = Proof {
    name: "save-kills",
    about: "kill -9 of the real engine at every disk call while it saves and goes back",
    cases: Some(FAMILIES),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    family(&SAVES, save_census()?, number)
}
