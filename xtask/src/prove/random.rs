//! Random lives of every machine, one machine after the other, seed after seed: a case is a
//! thousand lives of one.

use std::time::Duration;

use sim::machines::{call, collab, lifecycle, loops, session, turn};
use sim::random::{Lived, live};
use sim::subject::Subject;

use super::list::Proof;

/// Lives of one case.
const LIVES: u64 = 1_000;
/// Cases of one machine: a million lives.
const CASES: u64 = 1_000;
/// Commands of one life.
const LENGTH: usize = 40;

pub const PROOF: Proof = Proof {
    name: "random",
    about: "random lives of every machine; each thousand cases are a million lives of one",
    cases: Some(CASES * MACHINES.len() as u64),
    case,
};

/// The machines, each by its own thousand cases.
const MACHINES: [fn(u64) -> Result<(), String>; 6] = [
    |nth| lives(&call::Calls, nth),
    |nth| lives(&loops::Loops { scene: loops::SCENES[0] }, nth),
    |nth| lives(&collab::Collabs { scene: collab::SCENES[0] }, nth),
    |nth| lives(&turn::Turns, nth),
    |nth| lives(&lifecycle::Lifecycles, nth),
    |nth| lives(&session::Sessions, nth),
];

fn case(number: u64, _: Duration) -> Result<(), String> {
    let machine = usize::try_from(number / CASES).map_err(|_| "no such case")?;
    MACHINES[machine](number % CASES)
}

/// A thousand lives of one machine.
fn lives<S: Subject>(subject: &S, number: u64) -> Result<(), String> {
    let mut lived = Lived::default();
    // The short tests live the first seeds.
    let first = 1_000_000 + number * LIVES;
    (first..first + LIVES).try_for_each(|seed| live(subject, seed, LENGTH, &mut lived))
}
