//! kill -9 of the real engine at every call that changes the disk while a session's commands follow
//! one another. A case is one kind of call of one thread.

use std::time::Duration;

use sim::real::sessions::SESSIONS;

use super::kills::{FAMILIES, family};
use super::list::Proof;
use super::real::session_census;

pub const PROOF: Proof = Proof {
    name: "session-kills",
    about: "kill -9 of the real engine at every call that changes the disk during a session",
    cases: Some(FAMILIES),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    family(&SESSIONS, session_census()?, number)
}
