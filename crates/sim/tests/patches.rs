//! Our patches against `git apply`. The long form is a proof.

use sim::patches::compare;

/// Diffs of the short form.
const CASES: u64 = 2_000;

#[test]
fn invariant_never_laxer_than_git_and_the_same_bytes() {
    // Seeds that the long form does not live.
    let told = compare(1 << 32..(1 << 32) + CASES).unwrap();
    assert_eq!(told.both + told.stricter + told.turned + told.glued, CASES);
    assert!(told.glued <= CASES / 500, "{told:?}");
    // Without enough of each the rest would prove nothing.
    assert!(told.both > CASES / 4 && told.stricter > CASES / 20, "{told:?}");
}
