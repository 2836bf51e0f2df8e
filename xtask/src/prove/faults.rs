//! ENOSPC and EIO at every call of the real engine that changes the disk, once and for good. A case
//! is one kind of call of one thread, refused in one way.

use std::collections::BTreeMap;
use std::time::Duration;

use sim::real::faults::{Refusal, Span, applies, at};
use sim::real::full_disk;
use sim::real::tracer::DURABLE;

use super::kills::of_family;
use super::list::Proof;
use super::real::{THREADS, census, exe};

const WAYS: [(Refusal, Span); 4] = [
    (Refusal::NoSpace, Span::Once),
    (Refusal::Io, Span::Once),
    (Refusal::NoSpace, Span::Stays),
    (Refusal::Io, Span::Stays),
];
const FAMILIES: u64 = (THREADS.len() * DURABLE.len()) as u64;
const REFUSED: u64 = FAMILIES * WAYS.len() as u64;
/// Disks that are really full, by what is left on them in pages.
const FULL: u64 = 32;
const PAGE: usize = 4096;

pub const PROOF: Proof = Proof {
    name: "faults",
    about: "a disk that refuses each write, sync or rename of the real engine, or is full",
    cases: Some(REFUSED + FULL),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    let small = |n: u64| usize::try_from(n).expect("a small number");
    if let Some(pages) = number.checked_sub(REFUSED) {
        let room = small(pages) * PAGE;
        return full_disk::with_room_for(&exe()?, room).map_err(|why| why.to_string());
    }
    let (refusal, span) = WAYS[small(number / FAMILIES)];
    let (thread, call) = of_family(number % FAMILIES);
    let points = census()?.points.iter().filter(|point| applies(point));
    let mut told = BTreeMap::new();
    let mut broken = Vec::new();
    for point in points.filter(|point| point.thread == thread && point.call == call) {
        match at(&exe()?, point, refusal, span) {
            Ok(how) => *told.entry(how).or_insert(0) += 1,
            Err(why) => broken.push(why.to_string()),
        }
    }
    println!("{thread} {call} {} {span:?}: {told:?}", refusal.word());
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}
