//! kill -9 of the real shim at every system call it makes, and what it leaves looked at. A case is
//! one of the tests that do so; those of the short form come first.

use std::time::Duration;

use super::list::Proof;
use super::tested::Tested;

const NAMES: [&str; 2] = [
    "crash::invariant_one_exec_over_kills_at_every_durable_call",
    "crash::prove_one_exec_over_kills_at_every_call",
];

pub const PROOF: Proof = Proof {
    name: "shim-kills",
    about: "kill -9 of the real shim at each of its steps: never two starts, never a wrong word",
    cases: Some(NAMES.len() as u64),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    let name = NAMES[usize::try_from(number).expect("a small number")];
    Tested { package: "loopwright", target: "shim_real", name }.run(&[])
}
