//! Our patches against `git apply`: a million diffs by seed, many of them damaged. A case is a
//! thousand of them, judged by one git.

use std::time::Duration;

use sim::patches::compare;

use super::list::Proof;

/// Diffs of one case: enough that starting git costs nothing.
const DIFFS: u64 = 1_000;

pub const PROOF: Proof = Proof {
    name: "patch",
    about: "1 000 000 random diffs: the same bytes as git apply, and never laxer",
    cases: Some(1_000),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    compare(number * DIFFS..(number + 1) * DIFFS).map(drop)
}
