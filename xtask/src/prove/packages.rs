//! Packages by seed: a hundred thousand texts with every line end, marks nobody knows, fences and
//! comments, drawn as they were read and edited span by span. A case is a thousand of them.

use std::time::Duration;

use sim::packages::holds;

use super::list::Proof;

/// Texts of one case: writing down how far it is costs more than one of them.
const TEXTS: u64 = 1_000;

pub const PROOF: Proof = Proof {
    name: "packages",
    about: "100 000 made-up packages: parse and render give the same bytes, edits only their own",
    cases: Some(100),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    (number * TEXTS..(number + 1) * TEXTS)
        .try_for_each(|seed| holds(seed).map(drop).map_err(|why| format!("seed {seed}: {why}")))
}
