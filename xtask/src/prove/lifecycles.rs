//! Random lives of the lifecycle machine alone: a case is a thousand lives.

use std::time::Duration;

use sim::machines::lifecycle::Lifecycles;

use super::list::Proof;
use super::random::lives;

pub const PROOF: Proof = Proof {
    name: "lifecycles",
    about: "random lives of the lifecycle machine alone; 1000 cases are a million lives",
    cases: Some(1_000),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    lives(&Lifecycles, number)
}
