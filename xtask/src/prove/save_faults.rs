//! ENOSPC and EIO at every call of the real engine that changes the disk while files change, are
//! taken back, saved, rolled back and collected. A case is one kind of call of one thread, refused
//! in one way.

use std::collections::BTreeMap;
use std::time::Duration;

use sim::real::changes::CHANGES;
use sim::real::collected;
use sim::real::faults::{Refusal, applies, during};
use sim::real::saves::SAVES;
use sim::real::tracer::DURABLE;

use super::kills::{FAMILIES, of_family};
use super::list::Proof;
use super::real::{change_census, collection, exe, save_census};

const REFUSALS: [Refusal; 2] = [Refusal::NoSpace, Refusal::Io];
/// Both refusals of all kinds of calls of one play.
const OF_PLAY: u64 = FAMILIES * REFUSALS.len() as u64;

pub const PROOF: Proof = Proof {
    name: "save-faults",
    about: "a disk that refuses each write while the engine changes, saves, goes back, collects",
    cases: Some(2 * OF_PLAY + DURABLE.len() as u64),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    if let Some(number) = number.checked_sub(2 * OF_PLAY) {
        return collecting(DURABLE[usize::try_from(number).expect("a small number")]);
    }
    let (play, census) =
        if number < OF_PLAY { (&SAVES, save_census()?) } else { (&CHANGES, change_census()?) };
    let refusal = REFUSALS[usize::from(number % OF_PLAY >= FAMILIES)];
    let (thread, call) = of_family(number % FAMILIES);
    let points = census.points.iter().filter(|point| applies(point));
    let (mut told, mut broken) = (BTreeMap::new(), Vec::new());
    for point in points.filter(|point| point.thread == thread && point.call == call) {
        match during(&exe()?, play, point, refusal, &census.story) {
            Ok(how) => *told.entry(how).or_insert(0) += 1,
            Err(why) => broken.push(why.to_string()),
        }
    }
    println!("{thread} {call} {}: {told:?}", refusal.word());
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}

fn collecting(call: &str) -> Result<(), String> {
    let points = collection()?.iter().filter(|point| point.call == call && applies(point));
    let mut broken = Vec::new();
    for point in points {
        for refusal in REFUSALS {
            let held = collected::refused(&exe()?, point, refusal);
            broken.extend(held.err().map(|why| why.to_string()));
        }
    }
    println!("collecting {call}: {} broken", broken.len());
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}
