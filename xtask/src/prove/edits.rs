//! Ten thousand edits of a loop's file by two processes while the engine runs the loop, in both
//! manners. A case is a tenth of them.

use std::time::Duration;

use sim::real::edits::{Manner, edit};

use super::list::Proof;
use super::real::exe;

/// Edits of one case.
const TIMES: usize = 1_000;
/// Cases of each manner.
const TENTHS: u64 = 10;

pub const PROOF: Proof = Proof {
    name: "edits",
    about: "10 000 edits of a loop's file by two processes, in each of two manners",
    cases: Some(2 * TENTHS),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    let manner = if number < TENTHS { Manner::Whole } else { Manner::Rough };
    let seen = edit(&exe()?, manner, TIMES).map_err(|why| why.to_string())?;
    println!("{manner:?}: {seen:?}");
    Ok(())
}
