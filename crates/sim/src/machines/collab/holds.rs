//! What must hold of every run, in every state and on every step. Each has the name under which it
//! is promised.

use std::collections::BTreeSet;

use kernel::collab::view::{Meta, Snapshot, percent, snapshot};
use kernel::collab::{
    Command, Event, LAUNCHES_MAX, Level, Participant, Phase, State, decide, evolve, owed,
    timer_command,
};
use kernel::machine::{At, By, Said};
use kernel::owed::Owed;

use super::super::call::broken;
use super::scene::now;
use super::subject::Collabs;
use crate::subject::Step;

/// What must hold in a state.
pub fn stands(state: &State) -> Result<(), String> {
    invariant_one_launch_alive(state)?;
    invariant_budget(state)?;
    invariant_no_orphan(state)?;
    ends(state)?;
    invariant_snapshot(state)?;
    timers_are_taken_once(state)
}

/// The calls that are owed, by slot.
pub fn calls(state: &State) -> BTreeSet<String> {
    let slot = |owed: Owed| match owed {
        Owed::Child { slot, .. } => Some(slot),
        Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. } => None,
    };
    owed(state).into_iter().filter_map(slot).collect()
}

fn invariant_one_launch_alive(state: &State) -> Result<(), String> {
    let calls = calls(state);
    let owners: BTreeSet<&str> = calls.iter().filter_map(|slot| slot.split('/').next()).collect();
    if owners.len() == calls.len() { Ok(()) } else { broken("invariant_one_launch_alive", calls) }
}

fn invariant_budget(state: &State) -> Result<(), String> {
    let Some(run) = state.run() else { return Ok(()) };
    let due = match state {
        State::Running { due, .. } => Some(*due),
        State::New
        | State::Init { .. }
        | State::Degraded { .. }
        | State::Success { .. }
        | State::Failed { .. } => None,
    };
    for one in state.participants() {
        let late = match &one.phase {
            Phase::Running { due: own, .. } => due.is_some_and(|due| *own > due),
            Phase::Pending
            | Phase::Starting { .. }
            | Phase::Backoff { .. }
            | Phase::Stopping { .. }
            | Phase::Ended { .. } => false,
        };
        if late || one.retries > run.plan.max_retries || one.launches > LAUNCHES_MAX {
            return broken("invariant_budget", one);
        }
    }
    Ok(())
}

/// Whoever has not ended is waited for by something that is owed; and a run whose participants
/// have all ended is over or asks a person.
fn invariant_no_orphan(state: &State) -> Result<(), String> {
    let all = state.participants();
    let open: Vec<&Participant> = all.iter().filter(|one| one.ended_at().is_none()).collect();
    let slots: Vec<String> = owed(state).iter().map(|owed| slot(owed).to_owned()).collect();
    let live = matches!(state, State::Init { .. } | State::Running { .. });
    if live && !all.is_empty() && open.is_empty() {
        return broken("invariant_no_orphan: all have ended", state.variant());
    }
    if !live && !open.is_empty() {
        return broken("invariant_stop_all: somebody has not ended", state.variant());
    }
    for one in open {
        let waits = matches!(one.phase, Phase::Pending);
        let own = format!("{}/", one.name);
        if !waits && !slots.iter().any(|slot| slot.starts_with(&own)) {
            return broken("invariant_no_orphan", one);
        }
    }
    if state.ended() != (owed(state).is_empty() && *state != State::New) {
        return broken("invariant_no_orphan: only an end owes nothing", state.variant());
    }
    Ok(())
}

fn slot(owed: &Owed) -> &str {
    match owed {
        Owed::Child { slot, .. }
        | Owed::Timer { slot, .. }
        | Owed::Question { slot, .. }
        | Owed::Effect { slot, .. } => slot,
    }
}

/// What a result is worth is what its participants prove.
fn ends(state: &State) -> Result<(), String> {
    let Some(run) = state.run() else { return Ok(()) };
    let all = state.participants();
    let proven = all.iter().any(|one| one.proven().is_some());
    let covered = |dimension: &&str| {
        run.plan.participants.iter().any(|member| {
            let one = all.iter().find(|one| one.name == member.name);
            member.dimension == *dimension && one.is_some_and(Participant::usable)
        })
    };
    let whole = run.plan.dimensions().iter().all(covered);
    match state {
        State::Success { mark: None, .. } if !whole => broken("invariant_success_is_covered", all),
        State::Degraded { shortfall, .. } => {
            let named = !shortfall.reason.is_empty() && !shortfall.missing.items().is_empty();
            if !named || whole {
                return broken("invariant_degraded_is_named", shortfall);
            }
            if !run.plan.lite && !proven {
                return broken("invariant_no_session_is_failed", all);
            }
            Ok(())
        }
        State::Success { mark: Some(mark), .. } => {
            let forced = mark.overridden && mark.note.is_some();
            let fair = mark.shortfall.level == Level::Acceptable || forced;
            if !fair || !(run.plan.lite || proven) {
                return broken("invariant_confirmed", mark);
            }
            Ok(())
        }
        State::Success { mark: None, .. }
        | State::New
        | State::Init { .. }
        | State::Running { .. }
        | State::Failed { .. } => Ok(()),
    }
}

fn invariant_snapshot(state: &State) -> Result<(), String> {
    let meta = Meta { run_id: "collab-1".to_owned(), parent: None, seq: 1, updated_at: now(state) };
    let Some(view) = snapshot(state, &meta, meta.updated_at) else { return Ok(()) };
    match serde_json::from_str::<Snapshot>(&view.text()) {
        Ok(back) if back == view => Ok(()),
        Ok(_) => broken("invariant_snapshot: it reads back as another", view),
        Err(why) => broken("invariant_snapshot", why),
    }
}

/// A timer that is owed is taken when it falls due, not before, and only once.
fn timers_are_taken_once(state: &State) -> Result<(), String> {
    for owed in owed(state) {
        let Owed::Timer { slot, due } = owed else { continue };
        let Some(command) = timer_command(&slot) else {
            return broken("invariant_owed_timer_is_taken: no such slot", slot);
        };
        let said = |at| Said { by: By::Timer, at, command: command.clone() };
        if decide(state, &said(At(due.0 - 1))).is_ok() {
            return broken("invariant_owed_timer_is_taken: too early", slot);
        }
        let Ok(events) = decide(state, &said(due)) else {
            return broken("invariant_owed_timer_is_taken", slot);
        };
        let mut after = state.clone();
        events.iter().for_each(|event| evolve(&mut after, event, due));
        if decide(&after, &said(due)).is_ok() {
            return broken("invariant_timer_fires_once", slot);
        }
    }
    Ok(())
}

/// What must hold of a step.
pub fn moved(step: &Step<'_, Collabs>) -> Result<(), String> {
    let (before, after) = (step.before, step.after);
    if before.ended() && after != before {
        return broken("invariant_final_is_final", after);
    }
    if after.name() == "FAILED"
        && !["INIT", "RUNNING", "DEGRADED", "FAILED"].contains(&before.name())
    {
        return broken("invariant_total: FAILED from", before.name());
    }
    // Ends that differ only in what led to them are one state of a walk, so all are looked at here.
    ends(after)?;
    invariant_dues_move_by_extend(step)?;
    invariant_records_grow(step)?;
    invariant_confirmed(step)?;
    if percent(after, step.said.at) < percent(before, step.said.at) {
        return broken("invariant_percent_never_falls", percent(after, step.said.at));
    }
    invariant_nothing_beside_a_live_launch(step)
}

fn invariant_dues_move_by_extend(step: &Step<'_, Collabs>) -> Result<(), String> {
    let (State::Running { due: old, .. }, State::Running { due: new, .. }) =
        (step.before, step.after)
    else {
        return Ok(());
    };
    let extended = matches!(step.said.command, Command::Extend { .. });
    if (old != new) == extended { Ok(()) } else { broken("invariant_budget: dues", (old, new)) }
}

/// Errors and retries are only added to.
fn invariant_records_grow(step: &Step<'_, Collabs>) -> Result<(), String> {
    for old in step.before.participants() {
        let Some(new) = step.after.participant(&old.name) else {
            return broken("invariant_records_grow: gone", &old.name);
        };
        let kept = new.errors.starts_with(&old.errors);
        let fair = kept && new.retries >= old.retries && new.launches >= old.launches;
        let ended = old.ended_at().is_none() || old.phase == new.phase;
        if !fair || !ended {
            return broken("invariant_records_grow", (old, new));
        }
    }
    Ok(())
}

/// A success with a mark has been confirmed, by a person or by what they said beforehand.
fn invariant_confirmed(step: &Step<'_, Collabs>) -> Result<(), String> {
    let State::Success { mark: Some(_), .. } = step.after else { return Ok(()) };
    if step.before.name() == "SUCCESS" {
        return Ok(());
    }
    let by = step.events.iter().find_map(|event| {
        if let Event::Confirmed { by, .. } = event { Some(by.as_str()) } else { None }
    });
    let fair = match by {
        Some("person") => step.said.by == By::Person,
        Some("preset") => true,
        Some(_) | None => false,
    };
    if fair { Ok(()) } else { broken("invariant_confirmed", by) }
}

/// A launch is owed anew only when the one before it has been told to have ended.
fn invariant_nothing_beside_a_live_launch(step: &Step<'_, Collabs>) -> Result<(), String> {
    for old in step.before.participants() {
        let (Some(was), Some(new)) = (old.launch(), step.after.participant(&old.name)) else {
            continue;
        };
        let next = new.launches > was.n;
        let told = matches!(
            &step.said.command,
            Command::CallEnded { p, launch, .. } if *p == old.name && *launch == was.n
        );
        if next && !told {
            return broken("invariant_one_launch_alive: a second launch", &step.said.command);
        }
    }
    Ok(())
}
