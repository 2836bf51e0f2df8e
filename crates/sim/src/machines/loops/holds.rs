//! What must hold of every loop, in every state and on every step. Each has the name under which
//! it is promised.

use kernel::loops::{
    Command, Event, How, Kind, Life, Phase, State, TaskStatus, Verdict, Work, choose, owed,
};
use kernel::owed::{Owed, Posture};

use super::super::call::broken;
use super::subject::Loops;
use crate::subject::Step;

/// What must hold in a state.
pub fn stands(state: &State) -> Result<(), String> {
    let owes = owed(state);
    invariant_one_action(state, &owes)?;
    let Some(life) = state.life() else { return Ok(()) };
    invariant_no_orphan_status(life, &owes)?;
    if life.body.iteration > life.body.max_iterations {
        return broken("invariant_count_once: over the bound", life.body.iteration);
    }
    if choose(&life.body) != choose(&life.body) {
        return broken("invariant_choice_total", &life.phase);
    }
    invariant_end_has_reason(life)?;
    invariant_done_is_proven(life)?;
    tasks(life)
}

/// At most one child, and none that is told to run unless an action is under way.
fn invariant_one_action(state: &State, owes: &[Owed]) -> Result<(), String> {
    let children = owes.iter().filter(|owed| matches!(owed, Owed::Child { .. })).count();
    let acting = state.life().is_some_and(|life| matches!(life.phase, Phase::Acting(_)));
    let run = |owed: &Owed| matches!(owed, Owed::Child { posture: Posture::Run, .. });
    let fair = children <= 1 && (acting || !owes.iter().any(run));
    if fair { Ok(()) } else { broken("invariant_one_action", owes) }
}

/// A running loop waits for a child, a person or the end of a lease.
fn invariant_no_orphan_status(life: &Life, owes: &[Owed]) -> Result<(), String> {
    let fair = life.phase.status() != "running" || owes.len() == 1;
    if fair { Ok(()) } else { broken("invariant_no_orphan_status", &life.phase) }
}

fn invariant_end_has_reason(life: &Life) -> Result<(), String> {
    let view = kernel::loops::view::draw(life, 1);
    let null = |key: &str| view[key].is_null();
    let fair = match life.phase.status() {
        "failed" => !null("failure_reason") && !null("completed_at"),
        "running" => null("failure_reason") && null("completed_at"),
        "completed" => !null("completed_at"),
        _ => true,
    };
    if fair { Ok(()) } else { broken("invariant_end_has_reason", &life.phase) }
}

fn invariant_done_is_proven(life: &Life) -> Result<(), String> {
    let Phase::Completed { how: How::Validated { digest }, .. } = &life.phase else {
        return Ok(());
    };
    let fair = life.body.work().and_then(Work::fresh).is_some_and(|proof| {
        let seen = proof.verdict == Verdict::Accepted || proof.counts.passed > 0;
        proof.passed() && proof.digest == *digest && seen
    });
    if fair { Ok(()) } else { broken("invariant_done_is_proven", &life.body) }
}

/// At most the task of the action under way is in progress, unless an outside skill drives; and
/// no number is used twice.
fn tasks(life: &Life) -> Result<(), String> {
    let body = &life.body;
    let at_it = body.tasks.iter().filter(|task| task.status == TaskStatus::InProgress).count();
    let held = life.phase.action().is_some_and(|action| action.kind == Kind::Develop);
    let outside =
        body.course().is_some_and(|course| course.driver != kernel::loops::Driver::Engine);
    if !outside && at_it > usize::from(held) {
        return broken("invariant_nobody_is_at_it", &life.phase);
    }
    let mut ids: Vec<_> = body.tasks.iter().map(|task| &task.id).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() != body.tasks.len() {
        return broken("invariant_ledger: a number twice", ids);
    }
    Ok(())
}

/// What must hold of a step.
pub fn moved(step: &Step<'_, Loops>) -> Result<(), String> {
    invariant_pause_wins(step)?;
    invariant_count_once(step)?;
    invariant_serials_grow(step)?;
    invariant_late_ends_are_heard(step)
}

/// From a state that stands still only a word that says so leads on.
fn invariant_pause_wins(step: &Step<'_, Loops>) -> Result<(), String> {
    let still = ["paused", "failed", "completed"].contains(&step.before.name());
    if !still || step.after.name() == step.before.name() {
        return Ok(());
    }
    let name = step.said.command.name();
    let mut may = vec!["start", "resume", "retry", "reopen", "complete", "answer"];
    if step.after.name() != "running" {
        may.extend(["stop", "delete"]);
    } else if let Command::Timeout { slot } = &step.said.command
        && slot.starts_with("reset/")
    {
        // The end of a rate limit that the settings said to wait for.
        may.push("timeout");
    }
    if may.contains(&name) { Ok(()) } else { broken("invariant_pause_wins", name) }
}

/// Exactly the recorded ends of develop, debug and validate count, each once.
fn invariant_count_once(step: &Step<'_, Loops>) -> Result<(), String> {
    let mut ends = 0;
    for event in step.events {
        if let Event::ActionEnded { kind, counted, .. } = event {
            if *counted != kind.counted() {
                return broken("invariant_count_once", event);
            }
            ends += u32::from(*counted);
        }
    }
    let (Some(before), Some(after)) = (step.before.life(), step.after.life()) else {
        return Ok(());
    };
    if after.body.iteration != before.body.iteration + ends {
        return broken("invariant_count_once", (before.body.iteration, ends));
    }
    Ok(())
}

/// The next serial never falls, and what is newly owed has a new serial or goes on with its action.
fn invariant_serials_grow(step: &Step<'_, Loops>) -> Result<(), String> {
    let (Some(before), Some(after)) = (step.before.life(), step.after.life()) else {
        return Ok(());
    };
    if after.body.next_n < before.body.next_n || after.body.next_task < before.body.next_task {
        return broken("invariant_serials_grow", after.body.next_n);
    }
    let old = owed(step.before);
    for new in owed(step.after) {
        let slot = slot(&new);
        if old.iter().any(|owed| self::slot(owed) == slot) {
            continue;
        }
        let Some(n) = serial(slot) else { continue };
        let goes_on = before.phase.action().is_some_and(|action| action.n == n);
        if n < before.body.next_n && !goes_on {
            return broken("invariant_owed_keys_are_never_reused", slot);
        }
    }
    Ok(())
}

/// The path below the run id.
pub fn slot(owed: &Owed) -> &str {
    match owed {
        Owed::Child { slot, .. }
        | Owed::Timer { slot, .. }
        | Owed::Question { slot, .. }
        | Owed::Effect { slot, .. } => slot,
    }
}

/// The number in `a3/work`, `q3`, `lease/3`, `reset/3`.
fn serial(slot: &str) -> Option<u32> {
    let digits: String =
        slot.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// A child that lives on is waited for, in whatever state; its end is never lost.
fn invariant_late_ends_are_heard(step: &Step<'_, Loops>) -> Result<(), String> {
    let alive = |state: &State| state.action().and_then(|action| action.child.clone());
    let (Some(child), None) = (alive(step.before), alive(step.after)) else { return Ok(()) };
    let ended = step.events.iter().any(|event| matches!(event, Event::LegEnded { .. }));
    if ended { Ok(()) } else { broken("invariant_late_ends_are_heard", child) }
}
