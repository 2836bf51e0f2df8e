//! Every byte of a real journal flipped, and every so many cut, as the commands of the real binary
//! tell of it. A case is a part of the bytes.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sim::real::flips::{Hurt, Patient, Shape};

use super::list::Proof;
use super::real::exe;

/// Parts of a closed journal: each takes one byte of so many, so that all parts are alike.
const PARTS: usize = 100;
/// Cases on a journal whose engine was killed. Its log is ten times as large and every bit of it
/// is flipped by the journal's own proof, so here only some of its bytes are.
const KILLED: usize = 20;
/// A case there takes one byte of so many: prime, so that it meets no column of a page again.
const KILLED_STRIDE: usize = 997;
/// Every how many bytes a file is also cut.
const CUT_EVERY: u64 = 61;

pub const PROOF: Proof = Proof {
    name: "flips",
    about: "every byte of a real journal flipped, many cut: the same answers or a named fault",
    cases: Some((PARTS + KILLED) as u64),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    /// The one at hand; the next shape begins with a new one.
    static PATIENT: Mutex<Option<(Shape, Patient)>> = Mutex::new(None);
    let first = usize::try_from(number).expect("a small number");
    let (shape, skip, stride) = match first.checked_sub(PARTS) {
        None => (Shape::Closed, first, PARTS),
        Some(nth) => (Shape::Killed, nth * KILLED_STRIDE / KILLED, KILLED_STRIDE),
    };
    let mut kept = PATIENT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut patient = match kept.take() {
        Some((was, patient)) if was == shape => patient,
        Some(_) | None => Patient::new(&exe()?, shape).map_err(|why| why.to_string())?,
    };
    let bytes = patient.bytes().map_err(|why| why.to_string())?;
    let mut broken = Vec::new();
    for (file, at) in bytes.into_iter().skip(skip).step_by(stride) {
        let hurts = if at % CUT_EVERY == 0 { &[Hurt::Flip, Hurt::Cut][..] } else { &[Hurt::Flip] };
        for hurt in hurts {
            broken.extend(patient.hurt(file, at, *hurt).err().map(|why| why.to_string()));
        }
    }
    println!("{:?}", std::mem::take(&mut patient.outcomes));
    *kept = Some((shape, patient));
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}
