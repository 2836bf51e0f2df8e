//! Every machine, explored deeper than the tests do: a case is a scene at one more step of depth,
//! until a scene is whole or its share of time is over.

use std::time::{Duration, Instant};

use sim::explore::{Limits, Walked, explore};
use sim::machines::{call, collab, lifecycle, loops, session, turn};

use super::list::Proof;

/// Steps beyond the tests' depth.
const DEEPER_MAX: u64 = 8;
/// The scenes of collabs, each walked whole.
const COLLABS: u64 = collab::SCENES.len() as u64;
/// Steps from every sample of a turn: the tests take two.
const TURN_DEPTH: usize = 4;
/// Steps from every sample of a lifecycle: the tests take two.
const LIFECYCLE_DEPTH: usize = 4;
/// The same of a session.
const SESSION_DEPTH: usize = 3;
/// The scenes of loops.
const SCENES: u64 = loops::SCENES.len() as u64;

pub const PROOF: Proof = Proof {
    name: "explore",
    about: "every machine walked breadth first, each scene deeper and deeper",
    cases: Some(4 + COLLABS + SCENES * DEEPER_MAX),
    case,
};

fn case(number: u64, left: Duration) -> Result<(), String> {
    let until = Some(Instant::now() + left);
    let Some(number) = number.checked_sub(1) else {
        return told("call", &explore(&call::Calls, Limits { depth: usize::MAX, until })?);
    };
    let Some(number) = number.checked_sub(1) else {
        return told("turn", &explore(&turn::Turns, Limits { depth: TURN_DEPTH, until })?);
    };
    let Some(number) = number.checked_sub(1) else {
        let limits = Limits { depth: LIFECYCLE_DEPTH, until };
        return told("lifecycle", &explore(&lifecycle::Lifecycles, limits)?);
    };
    let Some(number) = number.checked_sub(1) else {
        let limits = Limits { depth: SESSION_DEPTH, until };
        return told("session", &explore(&session::Sessions, limits)?);
    };
    let Some(number) = number.checked_sub(COLLABS) else {
        let scene = collab::SCENES[usize::try_from(number).expect("a scene's index")];
        let limits = Limits { depth: usize::MAX, until };
        return told(scene.name, &explore(&collab::Collabs { scene }, limits)?);
    };
    let index = usize::try_from(number % SCENES).expect("a scene's index");
    let scene = loops::SCENES[index];
    let deeper = usize::try_from(1 + number / SCENES).expect("a small number");
    let limits = Limits { depth: scene.depth + deeper, until };
    told(scene.name, &explore(&loops::Loops { scene }, limits)?)
}

fn told(name: &str, walked: &Walked) -> Result<(), String> {
    let Walked { states, moves, refusals, depth, whole, .. } = walked;
    let whole = if *whole { "whole" } else { "cut" };
    println!("{name}: {states} states, {moves} moves, {refusals} refusals, depth {depth}, {whole}");
    Ok(())
}
