//! invariant_identity over made-up packages. The long form is a proof.

use sim::packages::holds;

/// Texts of the short form.
const CASES: u64 = 10_000;

#[test]
fn invariant_identity() {
    // Seeds that the long form does not live.
    let (mut tasks, mut marked) = (0, 0);
    for seed in 1 << 32..(1 << 32) + CASES {
        let told = holds(seed).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        tasks += told.tasks;
        marked += u64::from(told.marked);
    }
    // Without enough of each the rest would prove nothing.
    assert!(tasks > 20_000 && marked > CASES / 3, "{tasks} tasks, {marked} marked");
}
