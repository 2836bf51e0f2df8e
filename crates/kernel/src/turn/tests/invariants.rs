//! What must always hold, looked at along random lives.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::samples::{sample_commands, sample_states};
use super::super::*;
use crate::machine::Said;
use crate::owed::Owed;

/// Commands of one life.
const LENGTH: usize = 40;
/// Lives.
const LIVES: u64 = 60;

/// A small generator: lives by seed, so that one that breaks can be lived again.
fn next(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap_or(0)
}

struct Lived {
    before: State,
    said: Said<Command>,
    events: Vec<Event>,
    after: State,
}

/// Lives a life of commands that are accepted, from a random sample on.
fn live(states: &[(&'static str, State)], seed: u64, mut look: impl FnMut(&Lived)) {
    let mut dice = seed.wrapping_add(1);
    let mut state = states[next(&mut dice) % states.len()].1.clone();
    for _ in 0..LENGTH {
        let said = sample_commands(&state);
        let quiet =
            |said: &Said<Command>| matches!(said.command, Command::Cancel | Command::Pause { .. });
        let at = next(&mut dice) % said.len();
        let (_, said) = said[at].clone();
        if quiet(&said) && !next(&mut dice).is_multiple_of(8) {
            continue;
        }
        // What is refused is not asked what would be taken instead: that costs most of the time.
        let Ok(events) = super::super::decide::ask(&state, &said) else { continue };
        let mut after = state.clone();
        events.iter().for_each(|event| evolve(&mut after, event, said.at));
        let lived = Lived { before: state, said, events, after };
        look(&lived);
        state = lived.after;
    }
}

fn lives(mut look: impl FnMut(&Lived)) {
    let states = sample_states();
    (0..LIVES).for_each(|seed| live(&states, seed, &mut look));
}

fn work(state: &State) -> Option<&Work> {
    state.life()?.body.work.as_deref()
}

#[test]
fn invariant_approval_bound() {
    lives(|lived| {
        let starts = lived
            .events
            .iter()
            .any(|event| matches!(event, Event::StepStarted { origin: Origin::Main, .. }));
        if let (true, Some(work), Some(life)) = (starts, work(&lived.after), lived.after.life())
            && matches!(life.phase, Phase::Executing(_))
        {
            assert!(work.approved(), "{:?}\n{:?}", lived.said, lived.events);
            assert_eq!(work.hash, subject::plan(&work.plan, &work.reach));
        }
    });
}

#[test]
fn invariant_approvals_die_with_edits() {
    lives(|lived| {
        let edited = lived.events.iter().find_map(|event| {
            if let Event::PlanEdited { accepted, .. } | Event::PlanPatched { accepted } = event {
                return Some(accepted);
            }
            None
        });
        let Some(accepted) = edited else { return };
        let before = work(&lived.before).expect("a plan that is changed was there");
        assert_ne!(before.hash, accepted.hash);
        let yes = work(&lived.after).and_then(|work| work.approval.as_ref());
        assert!(yes.is_none_or(|yes| yes.hash == accepted.hash), "{:?}", lived.said);
    });
}

#[test]
fn invariant_done_immutable() {
    lives(|lived| {
        let (Some(before), Some(after)) = (work(&lived.before), work(&lived.after)) else { return };
        for step in before.plan.steps.iter().filter(|step| step.status == Status::Done) {
            let same = after.plan.step(&step.step_id);
            assert_eq!(same, Some(step), "{:?}", lived.said);
            let evidence = step.evidence.as_ref().expect("what is done has evidence");
            assert!(evidence.checks.iter().all(|check| check.ok));
        }
    });
}

#[test]
fn invariant_one_step() {
    lives(|lived| {
        let Some(work) = work(&lived.after) else { return };
        let at_work = work.plan.steps.iter().filter(|step| step.status == Status::InProgress);
        assert!(at_work.count() <= 1, "{:?}", lived.events);
        let life = lived.after.life().expect("it has begun");
        let inner = life.position().map_or(0, |at| at.inner.len());
        let calls = owed(&lived.after)
            .into_iter()
            .filter(|owed| matches!(owed, Owed::Child { .. }))
            .count();
        assert!(calls <= 1 + inner, "{:?}", lived.events);
    });
}

#[test]
fn invariant_counters() {
    lives(|lived| {
        let (Some(before), Some(after)) = (lived.before.life(), lived.after.life()) else { return };
        let (b, a) = (before.body.ledger, after.body.ledger);
        let grows = a.fixes >= b.fixes
            && a.replans >= b.replans
            && a.revisions >= b.revisions
            && a.calls >= b.calls
            && a.tokens >= b.tokens
            && a.cost_micros >= b.cost_micros
            && after.body.clock.active_ms >= before.body.clock.active_ms;
        assert!(grows, "{b:?} {a:?}");
        let limits = &after.body.start.limits;
        assert!(a.fixes <= limits.fixes && a.replans <= limits.replans, "{a:?}");
        assert!(a.revisions <= limits.revisions && after.body.reowed <= REOWED_MAX, "{a:?}");
    });
}

#[test]
fn invariant_done_has_evidence() {
    lives(|lived| {
        let Some(life) = lived.after.life() else { return };
        let (outcome, verified) = if let Phase::Summarizing(now) = &life.phase {
            (&now.outcome, now.verified)
        } else if let Phase::Done(over) = &life.phase {
            (&over.outcome, over.verified)
        } else {
            return;
        };
        if *outcome != Outcome::Completed || life.body.start.mode == Mode::Plan {
            return;
        }
        let work = work(&lived.after).expect("a plan was completed");
        assert!(work.plan.finished(), "{:?}", work.plan.steps);
        let required = work.plan.verification.required;
        assert!(!required || verified == Verified::Passed, "{:?}", lived.events);
    });
}

#[test]
fn invariant_no_start_after_stop() {
    lives(|lived| {
        let Some(life) = lived.after.life() else { return };
        let children = owed(&lived.after).into_iter().filter_map(|owed| match owed {
            Owed::Child { slot, posture, .. } => Some((slot, posture)),
            Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. } => None,
        });
        let starting: Vec<String> = children
            .filter(|(_, posture)| *posture == crate::owed::Posture::Run)
            .map(|(slot, _)| slot)
            .collect();
        let asking = matches!(life.phase, Phase::Clarifying { .. });
        let cancelled = lived.events.iter().any(|event| matches!(event, Event::Cancelled { .. }));
        if life.body.hold.is_some() || asking || cancelled || life.phase.over() {
            assert!(starting.is_empty(), "{starting:?} after {:?}", lived.events);
        }
    });
}

/// Every key is owed for one thing only: once its result is in, it is never owed again.
#[test]
fn invariant_keys_are_never_used_again() {
    let states = sample_states();
    for seed in 0..LIVES {
        let mut over: BTreeSet<String> = BTreeSet::new();
        live(&states, seed, |lived| {
            if let Command::ToolCallResult { key, ended, .. } = &lived.said.command
                && !matches!(ended, Ended::Unknown | Ended::Waits | Ended::Allowed)
            {
                over.insert(key.clone());
            }
            for one in owed(&lived.after) {
                let (Owed::Child { slot, .. } | Owed::Effect { slot, .. }) = &one else { continue };
                assert!(!over.contains(slot), "{slot} again after {:?}", lived.events);
            }
        });
    }
}

#[test]
fn invariant_owed_timer_is_taken_once() {
    lives(|lived| {
        let Some(life) = lived.after.life() else { return };
        for (slot, due) in timers(life) {
            let at = due.max(life.body.updated_at);
            let command = Command::Timeout { slot };
            let said = Said { by: crate::machine::By::Timer, at, command };
            let events = decide(&lived.after, &said);
            let events = events.unwrap_or_else(|why| panic!("{:?} {why:?}", said.command));
            let mut after = lived.after.clone();
            events.iter().for_each(|event| evolve(&mut after, event, at));
            assert!(super::super::decide::ask(&after, &said).is_err(), "{:?} twice", said.command);
        }
    });
}

#[test]
fn invariant_ended_is_ended() {
    let mut facts = Vec::new();
    lives(|lived| facts.extend(lived.events.iter().take(2).cloned()));
    facts.truncate(2_000);
    let done = sample_states().into_iter().find(|(name, _)| *name == "done").expect("a sample").1;
    for fact in &facts {
        let mut after = done.clone();
        evolve(&mut after, fact, crate::machine::At(9_999_999));
        assert_eq!(after, done, "{}", fact.name());
    }
    assert!(owed(&done).is_empty());
}

#[test]
fn invariant_replay_is_live() {
    let states = sample_states();
    for seed in 0..40 {
        let mut journal = Vec::new();
        let mut first = None;
        let mut last = None;
        live(&states, seed, |lived| {
            first.get_or_insert_with(|| lived.before.clone());
            journal.extend(lived.events.iter().map(|event| {
                (serde_json::to_string(event).expect("a fact is written"), lived.said.at)
            }));
            last = Some(lived.after.clone());
        });
        let Some(mut state) = first else { continue };
        for (text, at) in journal {
            let event: Event = serde_json::from_str(&text).expect("a fact is read");
            evolve(&mut state, &event, at);
        }
        assert_eq!(Some(state), last);
    }
}

/// Each move of the seed's summary is there, and from planning only what is allowed or confirmed
/// is carried out.
#[test]
fn invariant_seed_paths() {
    const MOVES: [(&str, &str); 16] = [
        ("IDLE", "INTAKE"),
        ("INTAKE", "CLARIFYING"),
        ("INTAKE", "CONTEXT_BUILDING"),
        ("CONTEXT_BUILDING", "PLANNING"),
        ("PLANNING", "AWAITING_CONFIRMATION"),
        ("PLANNING", "EXECUTING"),
        ("AWAITING_CONFIRMATION", "EXECUTING"),
        ("EXECUTING", "RECOVERING"),
        ("EXECUTING", "VERIFYING"),
        ("VERIFYING", "SUMMARIZING"),
        ("VERIFYING", "RECOVERING"),
        ("RECOVERING", "EXECUTING"),
        ("RECOVERING", "SUMMARIZING"),
        ("SUMMARIZING", "DONE"),
        ("CLARIFYING", "INTAKE"),
        ("INTAKE", "SUMMARIZING"),
    ];
    let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (_, state) in sample_states() {
        for (_, said) in sample_commands(&state) {
            let Ok(events) = super::super::decide::ask(&state, &said) else { continue };
            let mut after = state.clone();
            events.iter().for_each(|event| evolve(&mut after, event, said.at));
            seen.insert((state.name(), after.name()));
            let planned = (state.name(), after.name()) == ("PLANNING", "EXECUTING");
            assert!(!planned || work(&after).is_some_and(Work::approved), "{:?}", said.command);
        }
    }
    let missing: Vec<_> = MOVES.iter().filter(|one| !seen.contains(*one)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
