//! kill -9 of the real engine at every call that changes the disk. A case is one kind of call of
//! one thread; then some where the next engine is killed as well.

use std::time::Duration;

use sim::real::census::{Census, Point, Thread};
use sim::real::kills::{Met, Plan, at};
use sim::real::play::Play;
use sim::real::script::LOOP;
use sim::real::tracer::DURABLE;

use super::list::Proof;
use super::real::{THREADS, census, exe};

const CALLS: u64 = DURABLE.len() as u64;
/// Kinds of calls, by thread.
pub const FAMILIES: u64 = THREADS.len() as u64 * CALLS;
/// Where the second engine dies: what it does first, and what it does often.
const SECOND: [&str; 5] = ["pwrite64", "fsync", "renameat2", "rename", "write"];
/// How many of each are tried, after how many first kills.
const SECOND_MAX: u64 = 6;
const FIRST: u64 = 4;

pub const PROOF: Proof = Proof {
    name: "kills",
    about: "kill -9 of the real engine at every call that changes the disk, and twice in a row",
    cases: Some(FAMILIES + SECOND.len() as u64 * FIRST),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    match number.checked_sub(FAMILIES) {
        None => family(&LOOP, census()?, number),
        Some(number) => twice(number),
    }
}

/// The thread and the call of a case.
pub fn of_family(number: u64) -> (Thread, &'static str) {
    let index = |n: u64| usize::try_from(n).expect("a small number");
    (THREADS[index(number / CALLS)], DURABLE[index(number % CALLS)])
}

/// Kills at every such call of a play.
pub fn family(play: &Play, census: &Census, number: u64) -> Result<(), String> {
    let (thread, call) = of_family(number);
    let all = census.points.iter().filter(|point| point.thread == thread && point.call == call);
    let (mut killed, mut not_reached) = (0, 0);
    let mut broken = Vec::new();
    for point in all {
        let plan = Plan { first: point.clone(), second: None };
        match at(&exe()?, play, &plan, &census.story) {
            Ok(Met::Killed) => killed += 1,
            Ok(Met::NotReached) => not_reached += 1,
            Err(why) => broken.push(why.to_string()),
        }
    }
    println!("{thread} {call}: {killed} killed, {not_reached} not reached");
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}

fn twice(number: u64) -> Result<(), String> {
    let call = SECOND[usize::try_from(number / FIRST).expect("a small number")];
    let census = census()?;
    let nth = usize::try_from(1 + number % FIRST).expect("a small number");
    let first = census.points.len() * nth / usize::try_from(FIRST + 1).expect("a small number");
    let first: &Point = &census.points[first];
    let mut killed = 0;
    for n in 1..=SECOND_MAX {
        let n = u32::try_from(n).expect("a small number");
        let plan = Plan { first: first.clone(), second: Some((call.to_owned(), n)) };
        let met = at(&exe()?, &LOOP, &plan, &census.story).map_err(|why| why.to_string())?;
        killed += u32::from(met == Met::Killed);
    }
    println!("{first} then {call}: {killed} of {SECOND_MAX} killed twice");
    Ok(())
}
