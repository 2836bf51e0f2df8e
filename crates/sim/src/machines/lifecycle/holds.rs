//! What must hold of a lifecycle: the named invariants of its page.

use kernel::lifecycle::{
    Event, Life, Lifecycle, Phase, State, Status, Work, attempts, evolve, owed,
};
use kernel::machine::Machine as _;
use kernel::owed::Owed;

use super::super::call::broken;
use super::subject::Lifecycles;
use crate::subject::Step;

/// Moves of `task_status`: the seed's twelve and our own.
const MOVES: [(&str, &str, &str); 19] = [
    ("IDLE", "USER_INPUT_REQUIREMENT", "PLANNING"),
    ("PLANNING", "PRD_GENERATED", "CONFIRMING"),
    ("CONFIRMING", "USER_CONFIRM", "EXECUTING"),
    ("CONFIRMING", "USER_CANCEL", "IDLE"),
    ("PLANNING", "USER_CANCEL", "IDLE"),
    ("EXECUTING", "ERROR_DETECTED", "AUTO_FIX"),
    ("AUTO_FIX", "FIX_SUCCESS", "EXECUTING"),
    ("AUTO_FIX", "FIX_FAILED_3X", "BLOCKED"),
    ("BLOCKED", "HUMAN_INTERVENTION", "EXECUTING"),
    ("BLOCKED", "ROLLBACK", "IDLE"),
    ("EXECUTING", "ALL_TASKS_DONE", "ARCHIVING"),
    ("ARCHIVING", "ARCHIVE_COMPLETE", "IDLE"),
    ("BLOCKED", "SKIP_TASK", "EXECUTING"),
    ("AUTO_FIX", "FORCE_STOP", "BLOCKED"),
    ("EXECUTING", "USER_ABORT", "ARCHIVING"),
    ("AUTO_FIX", "USER_ABORT", "ARCHIVING"),
    ("BLOCKED", "USER_ABORT", "ARCHIVING"),
    ("EXECUTING", "HALT", "BLOCKED"),
    ("AUTO_FIX", "HALT", "BLOCKED"),
];

fn work(state: &State) -> Option<&Work> {
    state.life()?.phase.work()
}

fn slots(state: &State) -> Vec<String> {
    let effects = Lifecycle::owed(state).into_iter().filter_map(|owed| match owed {
        Owed::Child { slot, .. } | Owed::Effect { slot, .. } => Some(slot),
        Owed::Timer { .. } | Owed::Question { .. } => None,
    });
    effects.collect()
}

/// What must hold of every state.
pub fn stands(state: &State) -> Result<(), String> {
    let Some(life) = state.life() else { return Ok(()) };
    let owes = !owed(state).is_empty() || !state.settling().is_empty();
    if !state.ended() && !owes && life.body.hold.is_none() {
        return broken("invariant_owner", state.column());
    }
    if state.ended() && owes {
        return broken("invariant_ended_owes_nothing", owed(state));
    }
    if slots(state).len() > 1 {
        return broken("invariant_one_step", slots(state));
    }
    if attempts(&life.phase) > life.body.begin.options.fix_limit {
        return broken("invariant_attempts_monotonic", attempts(&life.phase));
    }
    if let Some(work) = work(state)
        && (work.approval.hash != work.plan.hash() || work.hash != work.approval.hash)
    {
        return broken("invariant_approval_bound", &work.approval);
    }
    if let Phase::Archiving(now) = &life.phase
        && now.result == kernel::lifecycle::WorkResult::Completed
        && now.work.tasks.iter().any(|task| task.status != Status::Done)
    {
        return broken("invariant_completed_is_complete", &now.work.tasks);
    }
    Ok(())
}

/// What must hold of every accepted command.
pub fn moved(step: &Step<'_, Lifecycles>) -> Result<(), String> {
    let mut state = step.before.clone();
    for event in step.events {
        let from = state.name();
        evolve(&mut state, event, step.said.at);
        let to = state.name();
        if from != to && !MOVES.contains(&(from, event.name(), to)) {
            return broken("invariant_seed_table", (from, event.name(), to));
        }
        closed(&state, event)?;
    }
    let held = |state: &State| state.life().is_some_and(|life| life.body.hold.is_some());
    if held(step.before) && held(step.after) {
        let known = slots(step.before);
        if let Some(new) = slots(step.after).iter().find(|slot| !known.contains(slot)) {
            return broken("invariant_hold_is_silent", new);
        }
    }
    counters(step)
}

/// A task is done by fresh passes of all its required checks, and nothing is closed on stale ones.
fn closed(state: &State, event: &Event) -> Result<(), String> {
    let Some(work) = work(state) else { return Ok(()) };
    if let Event::TaskClosed { task, status: Status::Done, .. } = event {
        let Some(task) = work.task(task) else {
            return broken("invariant_done_has_evidence", task);
        };
        if work.missing(task).is_some() {
            return broken("invariant_done_has_evidence", &task.spec.id);
        }
    }
    if let Event::AllTasksDone { .. } = event {
        if !work.stale_checks().is_empty() {
            return broken("invariant_done_has_evidence", work.stale_checks());
        }
        // One that stands blocked while others went on is told as it is.
        let open = |status: Status| matches!(status, Status::Pending | Status::InProgress);
        if work.tasks.iter().any(|task| open(task.status)) {
            return broken("invariant_nothing_open_is_archived", &work.tasks);
        }
    }
    Ok(())
}

fn counters(step: &Step<'_, Lifecycles>) -> Result<(), String> {
    let (Some(before), Some(after)) = (step.before.life(), step.after.life()) else {
        return Ok(());
    };
    let (a, b) = (before.body.next, after.body.next);
    if b.n < a.n || b.k < a.k || b.roll < a.roll || after.body.seq < before.body.seq {
        return broken("invariant_attempts_monotonic", (a, b));
    }
    let spent = |life: &Life| {
        let spent = life.body.spent;
        [u64::from(spent.turns), spent.wall_ms, spent.cost_micros, spent.tokens]
    };
    if spent(before).iter().zip(spent(after)).any(|(was, is)| is < *was) {
        return broken("invariant_attempts_monotonic", (spent(before), spent(after)));
    }
    if let (Some(a), Some(b)) = (work(step.before), work(step.after))
        && b.fixes_total < a.fixes_total
    {
        return broken("invariant_attempts_monotonic", (a.fixes_total, b.fixes_total));
    }
    Ok(())
}
