//! kill -9 of the real engine at every call that changes the disk while an outside skill drives a
//! loop by file and by command. A case is one kind of call of one thread.

use std::time::Duration;

use sim::real::skill::SKILL;

use super::kills::{FAMILIES, family};
use super::list::Proof;
use super::real::skill_census;

pub const PROOF: Proof = Proof {
    name: "skill-kills",
    about: "kill -9 of the real engine at every call that changes the disk for an outside skill",
    cases: Some(FAMILIES),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    family(&SKILL, skill_census()?, number)
}
