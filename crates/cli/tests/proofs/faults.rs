//! A disk that refuses: by injection at a call of the engine, and a small disk that is really full.

use std::collections::BTreeMap;

use sim::real::census::{self, Point};
use sim::real::changes::CHANGES;
use sim::real::collected;
use sim::real::faults::{Refusal, Span, applies, at, during};
use sim::real::full_disk;
use sim::real::play::Play;
use sim::real::saves::SAVES;
use sim::real::script::LOOP;

use crate::exe;

/// Points of the short form.
const SHORT: usize = 8;
/// Points of the short form of a collection.
const SHORT_COLLECTED: usize = 6;

fn refuse_at(points: &[Point], spans: &[Span]) {
    let mut told = BTreeMap::new();
    let mut broken = Vec::new();
    for (n, point) in points.iter().enumerate() {
        let refusal = if n % 2 == 0 { Refusal::NoSpace } else { Refusal::Io };
        for span in spans {
            match at(exe(), point, refusal, *span) {
                Ok(how) => *told.entry(how).or_insert(0) += 1,
                Err(why) => broken.push(why),
            }
        }
    }
    println!("{told:?}");
    assert!(broken.is_empty(), "{broken:#?}");
}

fn points() -> Vec<Point> {
    census::take(exe(), &LOOP).unwrap().points.into_iter().filter(applies).collect()
}

#[test]
fn invariant_a_refused_write_loses_nothing_and_runs_nothing_twice() {
    refuse_at(&census::spread(&points(), SHORT), &[Span::Once]);
}

#[test]
fn a_disk_that_stays_broken_is_told_and_gone_on_from() {
    refuse_at(&census::spread(&points(), SHORT / 2), &[Span::Stays]);
}

#[test]
fn a_disk_that_is_really_full_is_told_and_gone_on_from() {
    let broken: Vec<_> = [0, 4 << 10, 64 << 10]
        .into_iter()
        .filter_map(|free| full_disk::with_room_for(exe(), free).err())
        .collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Refuses some calls of a play, each once.
fn refuse_during(play: &Play, most: usize) {
    let census = census::take(exe(), play).unwrap();
    let points: Vec<Point> = census.points.iter().filter(|one| applies(one)).cloned().collect();
    let (mut told, mut broken) = (BTreeMap::new(), Vec::new());
    for (n, point) in census::spread(&points, most).iter().enumerate() {
        let refusal = if n % 2 == 0 { Refusal::NoSpace } else { Refusal::Io };
        match during(exe(), play, point, refusal, &census.story) {
            Ok(how) => *told.entry(how).or_insert(0) += 1,
            Err(why) => broken.push(why),
        }
    }
    println!("{told:?}");
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn invariant_a_refused_write_costs_no_checkpoint_and_no_way_back() {
    refuse_during(&SAVES, SHORT);
}

#[test]
fn invariant_a_refused_write_costs_a_collection_nothing_but_its_end() {
    let points = collected::points(exe()).unwrap();
    let points: Vec<Point> = points.into_iter().filter(applies).collect();
    for (n, point) in census::spread(&points, SHORT_COLLECTED).iter().enumerate() {
        let refusal = if n % 2 == 0 { Refusal::NoSpace } else { Refusal::Io };
        collected::refused(exe(), point, refusal).unwrap();
    }
}

#[test]
fn invariant_a_refused_write_costs_no_change_and_no_undo() {
    refuse_during(&CHANGES, SHORT);
}

/// A rollback that could not move on left what it had taken out of the tree in a place of its own.
#[test]
fn reg_what_a_refused_rename_left_waiting_goes_aside() {
    let census = census::take(exe(), &SAVES).unwrap();
    let renames = |point: &&Point| point.call == "renameat2";
    let all: Vec<Point> = census.points.iter().filter(renames).cloned().collect();
    assert!(all.len() >= 4, "{all:?}");
    for point in &all {
        during(exe(), &SAVES, point, Refusal::Io, &census.story).unwrap();
    }
}

#[test]
#[ignore = "every point twice, hundreds of runs"]
fn prove_a_refused_write_at_every_point() {
    refuse_at(&points(), &[Span::Once, Span::Stays]);
}

/// What each hand does first while it saves; git was thought missing for good when one failed.
#[test]
fn reg_a_program_that_could_not_be_started_once_is_started_later() {
    let census = census::take(exe(), &SAVES).unwrap();
    let first = |point: &&Point| point.call == "openat" && point.n == 1;
    let all: Vec<Point> = census.points.iter().filter(first).cloned().collect();
    assert!(!all.is_empty(), "something is opened");
    for point in &all {
        during(exe(), &SAVES, point, Refusal::NoSpace, &census.story).unwrap();
    }
}
