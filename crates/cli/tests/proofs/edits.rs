//! Two processes edit a loop's file while the engine runs it.

use sim::real::edits::{Manner, edit};

use crate::exe;

/// Edits of the short form, and of the long one.
const SHORT: usize = 1_000;
const LONG: usize = 10_000;

#[test]
fn invariant_no_lost_pause_and_no_half_file_over_whole_edits() {
    println!("{:?}", edit(exe(), Manner::Whole, SHORT).unwrap());
}

#[test]
fn invariant_no_lost_pause_over_rough_edits() {
    println!("{:?}", edit(exe(), Manner::Rough, SHORT).unwrap());
}

#[test]
#[ignore = "ten thousand edits of each kind"]
fn prove_no_lost_pause_over_ten_thousand_edits() {
    for manner in [Manner::Whole, Manner::Rough] {
        println!("{:?}", edit(exe(), manner, LONG).unwrap());
    }
}
