//! Agents of every kind that misbehave.

use sim::real::agent_children::{all, all_kinds};

use crate::exe;

/// A flood of the short form, by each of seven.
const FLOOD_BYTES: u64 = 8 << 20;

#[test]
fn invariant_no_survivors_and_a_right_report_of_every_agent() {
    let ways = all(FLOOD_BYTES);
    let broken: Vec<_> = ways.iter().filter_map(|way| all_kinds(exe(), way).err()).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
#[ignore = "prints 14 GiB; `cargo xtask prove agent-children` is the resumable form"]
fn prove_a_gibibyte_of_every_agent_costs_no_memory() {
    let ways = all(1 << 30);
    let broken: Vec<_> = ways.iter().filter_map(|way| all_kinds(exe(), way).err()).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}
