//! Two processes say how far a task is while an agent works at it.

use sim::real::claims::claim;

use crate::exe;

/// Words of each process in the short form, and in the long one.
const SHORT: usize = 30;
const LONG: usize = 1_000;

#[test]
fn invariant_no_word_of_two_processes_is_lost_and_the_page_is_never_half() {
    println!("{:?}", claim(exe(), SHORT).unwrap());
}

#[test]
#[ignore = "a thousand words of each process"]
fn prove_no_word_is_lost_over_two_thousand() {
    println!("{:?}", claim(exe(), LONG).unwrap());
}
