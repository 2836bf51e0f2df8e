//! Every byte of a real journal flipped, and every so many cut, as the commands of the real binary
//! tell of it. A case is a part of the bytes; the bytes beyond a journal's end are none.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sim::real::flips::{Hurt, Patient};

use super::list::Proof;
use super::real::exe;

/// Parts of a journal: each takes part of the bytes at this stride, so that all parts are alike.
const PARTS: usize = 200;
/// Every how many bytes a file is also cut.
const CUT_EVERY: u64 = 61;

pub const PROOF: Proof = Proof {
    name: "flips",
    about: "every byte of a real journal flipped, many cut: the same answers or a named fault",
    cases: Some(PARTS as u64),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    static PATIENT: Mutex<Option<Patient>> = Mutex::new(None);
    let mut kept = PATIENT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut patient = match kept.take() {
        Some(patient) => patient,
        None => Patient::new(&exe()?).map_err(|why| why.to_string())?,
    };
    let bytes = patient.bytes().map_err(|why| why.to_string())?;
    let first = usize::try_from(number).expect("a small number");
    let mut broken = Vec::new();
    for (file, at) in bytes.into_iter().skip(first).step_by(PARTS) {
        let hurts = if at % CUT_EVERY == 0 { &[Hurt::Flip, Hurt::Cut][..] } else { &[Hurt::Flip] };
        for hurt in hurts {
            broken.extend(patient.hurt(file, at, *hurt).err().map(|why| why.to_string()));
        }
    }
    println!("{:?}", std::mem::take(&mut patient.outcomes));
    *kept = Some(patient);
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}
