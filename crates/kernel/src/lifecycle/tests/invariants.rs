//! What holds in every state that any sequence of sample commands leads to.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::samples::{sample_commands, sample_states};
use super::super::*;
use crate::machine::At;
use crate::owed::Owed;

/// Sequences and their length: enough that each column is met thousands of times.
const SEQUENCES: u64 = 400;
const LENGTH: usize = 60;

/// A walk by a plain generator, so that a failure is found again.
fn walked(mut seed: u64, mut seen: impl FnMut(&State, &[Event], &State)) {
    let states = sample_states();
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap_or(0) % below
    };
    let mut state = states[next(states.len())].1.clone();
    for step in 0..LENGTH {
        let commands = sample_commands(&state);
        let (_, mut said) = commands[next(commands.len())].clone();
        said.at = At(said.at.0 + step as u64);
        let Ok(events) = decide(&state, &said) else { continue };
        let before = state.clone();
        for event in &events {
            evolve(&mut state, event, said.at);
        }
        seen(&before, &events, &state);
    }
}

fn everywhere(mut seen: impl FnMut(&State, &[Event], &State)) {
    for seed in 0..SEQUENCES {
        walked(seed, &mut seen);
    }
}

fn work(state: &State) -> Option<&Work> {
    state.life().and_then(|life| life.phase.work())
}

#[test]
fn invariant_done_has_evidence() {
    everywhere(|_, events, after| {
        let Some(work) = work(after) else { return };
        for event in events {
            if let Event::TaskClosed { task, status: Status::Done, .. } = event {
                let task = work.task(task).expect("it was closed");
                let passes = task.evidence.iter().filter_map(|id| work.record(id));
                let passed: Vec<&str> = passes
                    .filter(|evidence| evidence.verdict == Verdict::Pass)
                    .map(|evidence| evidence.check_id.as_str())
                    .collect();
                for check in work.checks_of(task).iter().filter(|check| check.required) {
                    assert!(passed.contains(&check.id.as_str()), "{task:?}");
                }
            }
            if let Event::AllTasksDone { .. } = event {
                assert_eq!(work.stale_checks(), Vec::<String>::new());
            }
        }
    });
}

#[test]
fn invariant_attempts_monotonic() {
    everywhere(|before, _, after| {
        let (Some(a), Some(b)) = (before.life(), after.life()) else { return };
        assert!(a.body.next.n <= b.body.next.n && a.body.next.k <= b.body.next.k);
        let (was, is) = (a.body.spent, b.body.spent);
        assert!(was.turns <= is.turns && was.wall_ms <= is.wall_ms);
        assert!(was.cost_micros <= is.cost_micros && was.tokens <= is.tokens);
        if let (Some(x), Some(y)) = (work(before), work(after)) {
            assert!(x.fixes_total <= y.fixes_total);
            for task in &x.tasks {
                let later = y.task(&task.spec.id).map_or(task.fixes, |task| task.fixes);
                assert!(task.fixes <= later);
            }
        }
        assert!(attempts(&b.phase) <= b.body.begin.options.fix_limit);
    });
}

#[test]
fn invariant_owner() {
    everywhere(|_, _, after| {
        let Some(life) = after.life() else { return };
        let over = after.ended();
        let settling = !after.settling().is_empty();
        let owes = !owed(after).is_empty();
        assert!(over || settling || owes || life.body.hold.is_some(), "{}", after.column());
        assert!(!over || !owes);
        // Nobody can let a run go on while it goes back: that is never held.
        let rolls = matches!(&life.phase, Phase::Blocked(now) if now.rolling.is_some());
        assert!(!rolls || owes, "{}", after.column());
    });
}

#[test]
fn invariant_hold_is_silent() {
    everywhere(|before, events, after| {
        let held = |state: &State| state.life().is_some_and(|life| life.body.hold.is_some());
        if !held(before) || !held(after) || events.is_empty() {
            return;
        }
        let slots = |state: &State| -> Vec<String> {
            let all = owed(state).into_iter().filter_map(|owed| match owed {
                Owed::Child { slot, .. } | Owed::Effect { slot, .. } => Some(slot),
                Owed::Timer { .. } | Owed::Question { .. } => None,
            });
            all.collect()
        };
        let known = slots(before);
        assert!(slots(after).iter().all(|slot| known.contains(slot)), "{:?}", slots(after));
    });
}

#[test]
fn invariant_approval_bound() {
    everywhere(|_, _, after| {
        if let Some(work) = work(after) {
            assert_eq!(work.approval.hash, work.plan.hash());
            assert_eq!(work.hash, work.plan.hash());
        }
    });
}

/// A key stands for one try: a step that is left is never owed again.
#[test]
fn invariant_one_start_per_key() {
    for seed in 0..SEQUENCES {
        let mut left: Vec<String> = Vec::new();
        walked(seed, |before, events, after| {
            let key = |state: &State| state.life().and_then(|life| life.phase.step_key());
            let (was, is) = (key(before), key(after));
            if was != is {
                left.extend(was);
            }
            // A new requirement in the same run has its own revision.
            assert!(is.is_none_or(|key| !left.contains(&key)), "{events:?}");
        });
    }
}

/// What is recorded says all: states and facts survive being written down.
#[test]
fn facts_and_states_are_what_was_written() {
    everywhere(|_, events, after| {
        let text = serde_json::to_string(after).expect("a state is JSON");
        assert_eq!(serde_json::from_str::<State>(&text).expect("and back"), *after);
        for event in events {
            let text = serde_json::to_string(event).expect("a fact is JSON");
            assert_eq!(serde_json::from_str::<Event>(&text).expect("and back"), *event);
        }
    });
}
