//! Hurt journals, as the commands of the real binary tell of them.

use sim::real::flips::{Hurt, Patient, Shape};

use crate::exe;

/// Every how many bytes in the short form: prime, so that it meets no column of a page again.
const STRIDE: usize = 4_999;

#[test]
fn invariant_a_hurt_journal_is_named_or_the_same() {
    let mut patient = Patient::new(exe(), Shape::Killed).unwrap();
    let bytes = patient.bytes().unwrap();
    let head = bytes.iter().filter(|(file, _)| *file == "head").step_by(9);
    let spread: Vec<_> = bytes.iter().step_by(STRIDE).chain(head).copied().collect();
    for (file, at) in spread {
        for hurt in [Hurt::Flip, Hurt::Cut] {
            patient.hurt(file, at, hurt).unwrap();
        }
    }
    println!("{:#?}", patient.outcomes);
    assert!(patient.outcomes.keys().any(|word| !word.ends_with("same")));
}
