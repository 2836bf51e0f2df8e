//! Agents of every kind that misbehave, with floods of a gibibyte. A case is one way, tried by all
//! kinds at once.

use std::time::Duration;

use sim::real::agent_children;

use super::list::Proof;
use super::real::exe;

/// How many ways there are; the list has just these.
const WAYS: u64 = agent_children::WAYS as u64;
const FLOOD_BYTES: u64 = 1 << 30;

pub const PROOF: Proof = Proof {
    name: "agent-children",
    about: "agents of every kind that hang, ignore TERM, daemonise, or flood 1 GiB",
    cases: Some(WAYS),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    let all = agent_children::all(FLOOD_BYTES);
    let way = &all[usize::try_from(number).expect("a small number")];
    agent_children::all_kinds(&exe()?, way).map_err(|why| why.to_string())
}
