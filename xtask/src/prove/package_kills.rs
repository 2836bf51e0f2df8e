//! kill -9 of the real engine at every call that changes the disk while a package is archived and a
//! layout of old is moved. A case is one kind of call of one thread.

use std::time::Duration;

use sim::real::packaged::PACKAGES;

use super::kills::{FAMILIES, family};
use super::list::Proof;
use super::real::package_census;

pub const PROOF: Proof = Proof {
    name: "package-kills",
    about: "kill -9 of the real engine at every call that changes the disk while packages move",
    cases: Some(FAMILIES),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    family(&PACKAGES, package_census()?, number)
}
