//! Mutations of what test runners print, seed after seed: no parser panics, counts stay sane, and
//! forged lines turn no red run green. A case is one seed of the tests that have them.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::list::Proof;
use crate::root::root;

/// Mutated captures of one case: some seconds.
const ROUNDS: u64 = 20_000;
/// The tests' own seeds come first.
const SEED_FIRST: u64 = 1_000;

pub const PROOF: Proof = Proof {
    name: "parsers",
    about: "mutated and forged output of every test runner by seed, twenty thousand a case",
    cases: None,
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let args = ["test", "--quiet", "--locked", "--package", "loopwright-runtime", "--test"];
    let ran = Command::new(cargo)
        .args(args)
        .args(["checks", "--", "fuzz::"])
        .env("LOOPWRIGHT_PARSER_ROUNDS", ROUNDS.to_string())
        .env("LOOPWRIGHT_PARSER_SEED", (SEED_FIRST + number).to_string())
        .stdin(Stdio::null())
        .current_dir(root())
        .output();
    let ran = ran.map_err(|why| format!("cargo: {why}"))?;
    let said = String::from_utf8_lossy(&ran.stdout);
    // Tests that were renamed would run nothing and pass.
    match ran.status.success() && said.contains("3 passed") {
        true => Ok(()),
        false => Err(format!("{said}{}", String::from_utf8_lossy(&ran.stderr))),
    }
}
