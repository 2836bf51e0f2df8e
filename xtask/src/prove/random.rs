//! Random lives of every machine, seed after seed: a case is a thousand lives of each.

use std::time::Duration;

use sim::machines::{call, collab, lifecycle, loops, session, turn};
use sim::random::{Lived, live};
use sim::subject::Subject;

use super::list::Proof;

/// Lives of one case; a thousand cases are a million lives a machine.
const LIVES: u64 = 1_000;
/// Commands of one life.
const LENGTH: usize = 40;

pub const PROOF: Proof = Proof {
    name: "random",
    about: "random lives of every machine; 1000 cases are a million lives each",
    cases: Some(1_000),
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    lives(&call::Calls, number)?;
    lives(&turn::Turns, number)?;
    lives(&lifecycle::Lifecycles, number)?;
    lives(&session::Sessions, number)?;
    lives(&collab::Collabs { scene: collab::SCENES[0] }, number)?;
    lives(&loops::Loops { scene: loops::SCENES[0] }, number)
}

/// A thousand lives of one machine.
pub(super) fn lives<S: Subject>(subject: &S, number: u64) -> Result<(), String> {
    let mut lived = Lived::default();
    // The short tests live the first seeds.
    let first = 1_000_000 + number * LIVES;
    (first..first + LIVES).try_for_each(|seed| live(subject, seed, LENGTH, &mut lived))
}
