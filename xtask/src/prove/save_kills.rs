//! kill -9 of the real engine at every call that changes the disk while it makes a checkpoint and
//! goes back to it, and of the client while it collects. A case is one kind of call of one thread.

use std::time::Duration;

use sim::real::collected;
use sim::real::saves::SAVES;
use sim::real::tracer::DURABLE;

use super::kills::{FAMILIES, family};
use super::list::Proof;
use super::real::{collection, exe, save_census};

pub const PROOF: Proof = Proof {
    name: "save-kills",
    about: "kill -9 of the real engine at every disk call while it saves, goes back, collects",
    cases: Some(FAMILIES + DURABLE.len() as u64),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    match number.checked_sub(FAMILIES) {
        None => family(&SAVES, save_census()?, number),
        Some(number) => collecting(DURABLE[usize::try_from(number).expect("a small number")]),
    }
}

fn collecting(call: &str) -> Result<(), String> {
    let points: Vec<_> = collection()?.iter().filter(|point| point.call == call).collect();
    let killed = |point| collected::killed(&exe()?, point).map_err(|why| why.to_string());
    let broken: Vec<String> = points.iter().filter_map(|point| killed(point).err()).collect();
    println!("collecting {call}: {} killed", points.len());
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}
