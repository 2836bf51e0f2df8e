//! The scenarios of `scenarios/`: each is played as it is written, and again with the engine killed
//! on the way. What a scenario says is its own; here it is only held to it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod form;
#[path = "../loop_real/kit.rs"]
#[expect(dead_code, reason = "the house is shared with the loops' tests, which use more of it")]
mod kit;
mod rows;
mod stage;

use std::sync::Mutex;

use form::Scenario;
use stage::{Seen, Stage};

/// Played at once; most of the time they wait for a process.
const AT_ONCE: usize = 4;
/// Kill points of a scenario, unless `LOOPWRIGHT_SCENARIO_KILLS` is `all`.
const KILLS: u64 = 1;
/// What a restart may add to a log, or take from it: a call that asks is told of only where its
/// turn looks at it meanwhile.
const ADDED: [&str; 4] = ["reowed", "call_unknown", "call_waits", "call_allowed"];

/// Lines that differ, as a diff from the expected to the found.
fn differs(expected: &[String], found: &[String]) -> Option<String> {
    if expected == found {
        return None;
    }
    let same = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
    let marked = |mark: &'static str, lines: &[String]| -> Vec<String> {
        lines.iter().map(|line| mark.to_owned() + line).collect()
    };
    let (before, gone, come) = (&expected[..same], &expected[same..], &found[same..]);
    let tail = gone.iter().rev().zip(come.iter().rev()).take_while(|(a, b)| a == b).count();
    let (gone, after) = gone.split_at(gone.len() - tail);
    let come = &come[..come.len() - tail];
    let parts = [("  ", before), ("- ", gone), ("+ ", come), ("  ", after)];
    Some(parts.map(|(mark, lines)| marked(mark, lines)).concat().join("\n"))
}

/// What is not as the scenario says.
fn wrongs(scenario: &Scenario, log: &[String], stage: &Stage, seen: &Seen) -> Vec<String> {
    let (end, shown) = (&scenario.said.end, &seen.shown);
    let mut wrong = Vec::new();
    let mut held = |what: &str, expected: Option<&str>, found: Option<&str>| {
        if expected != found {
            wrong.push(format!("{what}: expected {expected:?}, found {found:?}"));
        }
    };
    held("outcome", Some(&end.outcome), shown["outcome"].as_str());
    held("verified", end.verified.as_deref(), shown["verified"].as_str());
    held("code", end.code.as_deref(), shown["error"]["code"].as_str());
    if end.detail.is_some() {
        held("detail", end.detail.as_deref(), shown["error"]["detail"].as_str());
    }
    for (path, text) in &end.files {
        held(path, Some(text), Some(&stage.house.read(path)));
    }
    if let Some(commits) = &end.commits {
        let found = stage::commits(&stage.house);
        held("commits", Some(&format!("{commits:?}")), Some(&format!("{found:?}")));
    }
    for path in end.absent.iter().filter(|path| stage.house.has(path)) {
        wrong.push(format!("{path} is there"));
    }
    wrong.extend(differs(&end.effects, &seen.effects).map(|diff| format!("effects:\n{diff}")));
    wrong.extend(differs(log, &seen.log).map(|diff| format!("log:\n{diff}")));
    wrong
}

/// Plays one, and tells what was wrong.
fn played(scenario: &Scenario, kill_at: Option<u64>) -> Option<String> {
    let stage = Stage::set(scenario);
    let play = std::panic::AssertUnwindSafe(|| {
        let mut seen = stage.play(scenario, kill_at);
        let mut log = scenario.log.clone();
        if kill_at.is_some() {
            for lines in [&mut log, &mut seen.log] {
                lines.retain(|line| !ADDED.iter().any(|word| line.starts_with(word)));
            }
        }
        wrongs(scenario, &log, &stage, &seen)
    });
    let wrong = std::panic::catch_unwind(play).unwrap_or_else(|why| {
        let text = why.downcast_ref::<String>().map_or("it panicked", String::as_str);
        vec![text.to_owned()]
    });
    let at = kill_at.map(|seq| format!(", killed at {seq}")).unwrap_or_default();
    let head = format!("{}{at}: {}\n", scenario.name, scenario.said.title);
    (!wrong.is_empty()).then(|| head + &wrong.join("\n"))
}

/// Plays them all, a few at once.
fn play(all: &[(&Scenario, Option<u64>)]) {
    let (next, wrong) = (Mutex::new(all.iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let one = next.lock().unwrap().next();
                    let Some((scenario, kill_at)) = one else { return };
                    wrong.lock().unwrap().extend(played(scenario, *kill_at));
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

#[test]
fn every_scenario_ends_as_it_is_written() {
    let all = form::all();
    assert!(all.iter().all(|one| !one.said.rows.is_empty()), "each shows a row");
    play(&all.iter().map(|one| (one, None)).collect::<Vec<_>>());
}

/// After which records the engine of a scenario is killed.
fn kills(scenario: &Scenario) -> Vec<u64> {
    let last = u64::try_from(scenario.log.len()).unwrap();
    if std::env::var("LOOPWRIGHT_SCENARIO_KILLS").is_ok_and(|how| how == "all") {
        return (1..last).collect();
    }
    let mut some: Vec<u64> = (1..=KILLS).map(|nth| (last * nth / (KILLS + 1)).max(1)).collect();
    some.dedup();
    some
}

#[test]
fn invariant_a_kill_between_two_events_changes_no_end() {
    let all = form::all();
    let with = |one| kills(one).into_iter().map(move |seq| (one, Some(seq)));
    play(&all.iter().flat_map(with).collect::<Vec<_>>());
}
