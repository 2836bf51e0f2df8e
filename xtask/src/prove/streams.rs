//! Mutations of what agents print, seed after seed: no reader panics, none grows, and the same
//! bytes give the same facts in any split. A case is one seed of the test that has them.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::list::Proof;
use crate::root::root;

/// Mutated streams of one case: some seconds.
const ROUNDS: u64 = 100_000;
/// The test's own seeds come first.
const SEED_FIRST: u64 = 1_000;

pub const PROOF: Proof = Proof {
    name: "streams",
    about: "mutated streams of every kind of agent by seed, a hundred thousand a case",
    cases: None,
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let args = ["test", "--quiet", "--locked", "--package", "loopwright-runtime", "--test"];
    let ran = Command::new(cargo)
        .args(args)
        .args(["agent_streams", "--", "--exact", "fuzz::mutated_streams_are_read_without_harm"])
        .env("LOOPWRIGHT_STREAM_ROUNDS", ROUNDS.to_string())
        .env("LOOPWRIGHT_STREAM_SEED", (SEED_FIRST + number).to_string())
        .stdin(Stdio::null())
        .current_dir(root())
        .output();
    let ran = ran.map_err(|why| format!("cargo: {why}"))?;
    let said = String::from_utf8_lossy(&ran.stdout);
    // A test that was renamed would run nothing and pass.
    match ran.status.success() && said.contains("1 passed") {
        true => Ok(()),
        false => Err(format!("{said}{}", String::from_utf8_lossy(&ran.stderr))),
    }
}
