//! A thousand words of each of two processes about a task that an agent works at. A case is all of
//! them.

use std::time::Duration;

use sim::real::claims::claim;

use super::list::Proof;
use super::real::exe;

/// Words of each process.
const TIMES: usize = 1_000;
/// How often it is shown.
const CASES: u64 = 3;

pub const PROOF: Proof = Proof {
    name: "claims",
    about: "two processes say 1 000 times each how far a task is; none is lost, no page is half",
    cases: Some(CASES),
    case,
};

fn case(_: u64, _: Duration) -> Result<(), String> {
    let seen = claim(&exe()?, TIMES).map_err(|why| why.to_string())?;
    println!("{seen:?}");
    Ok(())
}
