//! Tasks that misbehave, one by one.

use sim::real::children;

use crate::exe;

/// Late enough for a busy machine to start a process, soon enough to wait for.
const DEADLINE_MS: u64 = 3_000;
/// A flood of the short form.
const FLOOD_MIB: u64 = 64;
/// The deadline of a flood that must come to its own end.
const FLOOD_DEADLINE_MS: u64 = 300_000;

fn all(flood_mib: u64) {
    let broken: Vec<_> = children::all(flood_mib)
        .iter()
        .filter_map(|child| {
            let to_its_end = child.flood && child.ended == "exit";
            let deadline_ms = if to_its_end { FLOOD_DEADLINE_MS } else { DEADLINE_MS };
            children::one(exe(), child, deadline_ms).err()
        })
        .collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn invariant_no_survivors_and_a_right_end_of_every_child() {
    all(FLOOD_MIB);
}

#[test]
#[ignore = "prints 1 GiB"]
fn prove_a_gibibyte_costs_no_memory() {
    all(1 << 10);
}
