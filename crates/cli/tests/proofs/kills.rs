//! kill -9 of the engine while it changes the disk: every so many points in CI, every point in the
//! long form.

use sim::real::asked::COLLAB;
use sim::real::broken::Broken;
use sim::real::census::{self, Census, Point};
use sim::real::changes::CHANGES;
use sim::real::collected;
use sim::real::debugged::DEBUG;
use sim::real::kills::{Met, Plan, Tally, at};
use sim::real::packaged::PACKAGES;
use sim::real::play::Play;
use sim::real::saves::SAVES;
use sim::real::script::LOOP;
use sim::real::sessions::SESSIONS;
use sim::real::skill::SKILL;
use sim::real::taken_in::TAKEN_IN;

use crate::exe;

/// Points of the short form: about a second each.
const SHORT: usize = 12;
/// Points of the short form of a collab, which starts three agents.
const SHORT_COLLAB: usize = 5;
/// Points of the short form of changes to files.
const SHORT_CHANGES: usize = 8;
/// Points of the short form of a loop that debugs: four agents and some turns each.
const SHORT_DEBUG: usize = 4;
/// Points of the short form of checkpoints and rollbacks.
const SHORT_SAVES: usize = 5;
/// Points of the short form of a session: ten commands and six agents each.
const SHORT_SESSIONS: usize = 4;
/// Points of the short form of a loop that an outside skill drives.
const SHORT_SKILL: usize = 6;
/// Points of the short form of a loop that is taken in.
const SHORT_TAKEN_IN: usize = 5;
/// Points of the short form of a collection.
const SHORT_COLLECTED: usize = 6;
/// Points of the short form of packages.
const SHORT_PACKAGES: usize = 8;
/// Second deaths of the short form: what the next engine does first, and where it appends.
const SECOND: [(&str, u32); 3] = [("pwrite64", 3), ("fsync", 2), ("renameat2", 1)];

/// Kills there; where this run never gets so far, since other threads did that work this time or
/// drawings fell together, at the call half as far in.
fn kill_near(play: &Play, census: &Census, mut first: Point) -> Result<Met, Broken> {
    loop {
        let plan = Plan { first: first.clone(), second: None };
        match at(exe(), play, &plan, &census.story)? {
            Met::NotReached if first.n > 1 => first.n /= 2,
            met @ (Met::Killed | Met::NotReached) => return Ok(met),
        }
    }
}

fn kill_at(play: &Play, census: &Census, points: &[Point]) {
    let mut tally = Tally::default();
    let mut broken = Vec::new();
    for point in points {
        match kill_near(play, census, point.clone()) {
            Ok(met) => tally.add(met),
            Err(why) => broken.push(why),
        }
    }
    println!("{} points: {tally:?}", points.len());
    assert!(broken.is_empty(), "{broken:#?}");
    tally.enough().unwrap();
}

#[test]
fn invariant_each_effect_once_over_kills_of_the_engine() {
    let census = census::take(exe(), &LOOP).unwrap();
    kill_at(&LOOP, &census, &census::spread(&census.points, SHORT));
}

#[test]
fn invariant_each_agent_once_over_kills_of_the_engine() {
    let census = census::take(exe(), &COLLAB).unwrap();
    kill_at(&COLLAB, &census, &census::spread(&census.points, SHORT_COLLAB));
}

#[test]
fn invariant_each_change_whole_over_kills_of_the_engine() {
    let census = census::take(exe(), &CHANGES).unwrap();
    kill_at(&CHANGES, &census, &census::spread(&census.points, SHORT_CHANGES));
}

#[test]
fn invariant_a_debugging_loop_goes_on_over_kills_of_the_engine() {
    let census = census::take(exe(), &DEBUG).unwrap();
    kill_at(&DEBUG, &census, &census::spread(&census.points, SHORT_DEBUG));
}

#[test]
fn invariant_what_a_skill_says_counts_once_over_kills_of_the_engine() {
    let census = census::take(exe(), &SKILL).unwrap();
    kill_at(&SKILL, &census, &census::spread(&census.points, SHORT_SKILL));
}

#[test]
fn invariant_a_loop_is_taken_in_once_over_kills_of_the_engine() {
    let census = census::take(exe(), &TAKEN_IN).unwrap();
    kill_at(&TAKEN_IN, &census, &census::spread(&census.points, SHORT_TAKEN_IN));
}

#[test]
fn invariant_no_package_is_lost_over_kills_of_the_engine() {
    let census = census::take(exe(), &PACKAGES).unwrap();
    kill_at(&PACKAGES, &census, &census::spread(&census.points, SHORT_PACKAGES));
}

#[test]
fn invariant_a_checkpoint_and_a_rollback_go_on_over_kills_of_the_engine() {
    let census = census::take(exe(), &SAVES).unwrap();
    kill_at(&SAVES, &census, &census::spread(&census.points, SHORT_SAVES));
}

#[test]
fn invariant_commands_that_follow_one_another_end_the_same_over_kills_of_the_engine() {
    let census = census::take(exe(), &SESSIONS).unwrap();
    kill_at(&SESSIONS, &census, &census::spread(&census.points, SHORT_SESSIONS));
}

#[test]
fn invariant_a_collection_goes_on_over_kills_of_it() {
    let points = collected::points(exe()).unwrap();
    assert!(points.len() > 10, "{points:?}");
    for point in census::spread(&points, SHORT_COLLECTED) {
        collected::killed(exe(), &point).unwrap();
    }
}

#[test]
fn invariant_each_effect_once_over_two_kills_in_a_row() {
    let census = census::take(exe(), &LOOP).unwrap();
    let points = census::spread(&census.points, SECOND.len());
    let mut tally = Tally::default();
    for (first, (call, n)) in points.into_iter().zip(SECOND) {
        let plan = Plan { first, second: Some((call.to_owned(), n)) };
        tally.add(at(exe(), &LOOP, &plan, &census.story).unwrap());
    }
    println!("{tally:?}");
    assert!(tally.killed > 0, "no second engine died");
}

#[test]
#[ignore = "some hundred runs; `cargo xtask prove kills` is the resumable form"]
fn prove_each_effect_once_over_kills_at_every_point() {
    let census = census::take(exe(), &LOOP).unwrap();
    kill_at(&LOOP, &census, &census.points);
}

#[test]
#[ignore = "some hundred runs; `cargo xtask prove collab-kills` is the resumable form"]
fn prove_each_agent_once_over_kills_at_every_point() {
    let census = census::take(exe(), &COLLAB).unwrap();
    kill_at(&COLLAB, &census, &census.points);
}
