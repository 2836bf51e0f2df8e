//! Tasks that misbehave, with floods of a gibibyte. A case is one of them.

use std::time::Duration;

use sim::real::children;

use super::list::Proof;
use super::real::exe;

/// How many there are; the list has just these.
const CHILDREN: u64 = 11;
const FLOOD_MIB: u64 = 1 << 10;
/// As long as the flood of a slow machine takes.
const FLOOD_DEADLINE_MS: u64 = 20 * 60 * 1000;
const DEADLINE_MS: u64 = 3_000;

pub const PROOF: Proof = Proof {
    name: "children",
    about: "tasks that hang, ignore TERM, daemonise, or flood 1 GiB",
    cases: Some(CHILDREN),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    let all = children::all(FLOOD_MIB);
    if all.len() as u64 != CHILDREN {
        return Err(format!("{} children, not {CHILDREN}", all.len()));
    }
    let child = &all[usize::try_from(number).expect("a small number")];
    let to_its_end = child.flood && child.ended == "exit";
    let deadline_ms = if to_its_end { FLOOD_DEADLINE_MS } else { DEADLINE_MS };
    children::one(&exe()?, child, deadline_ms).map_err(|why| why.to_string())
}
