//! What must hold of a turn.

use std::collections::BTreeSet;

use kernel::machine::{By, Machine as _, Said};
use kernel::owed::{Owed, Posture};
use kernel::turn::{
    Command, Event, Life, Origin, Outcome, Phase, State, Status, Turn, Verified, Work, evolve,
    subject, timers,
};

use super::super::call::broken;
use super::subject::Turns;
use crate::subject::Step;

/// The calls and acts that are owed.
pub fn effects(state: &State) -> BTreeSet<String> {
    let effect = |owed: Owed| match owed {
        Owed::Child { slot, .. } | Owed::Effect { slot, .. } => Some(slot),
        Owed::Timer { .. } | Owed::Question { .. } => None,
    };
    Turn::owed(state).into_iter().filter_map(effect).collect()
}

fn work(state: &State) -> Option<&Work> {
    state.life()?.body.work.as_deref()
}

/// What must hold of every state.
pub fn stands(state: &State) -> Result<(), String> {
    let Some(life) = state.life() else { return Ok(()) };
    timers_are_taken_once(state, life)?;
    let steps = work(state).map(|work| work.plan.steps.as_slice()).unwrap_or_default();
    if steps.iter().filter(|step| step.status == Status::InProgress).count() > 1 {
        return broken("invariant_one_step", steps);
    }
    let starts = |owed: &Owed| matches!(owed, Owed::Child { posture: Posture::Run, .. });
    let quiet = life.body.hold.is_some()
        || life.phase.over()
        || matches!(life.phase, Phase::Clarifying { .. });
    if quiet && Turn::owed(state).iter().any(starts) {
        return broken("invariant_no_start_after_stop", life.phase.name());
    }
    let (ledger, limits) = (&life.body.ledger, &life.body.start.limits);
    if ledger.fixes > limits.fixes
        || ledger.replans > limits.replans
        || ledger.revisions > limits.revisions
    {
        return broken("invariant_limits_are_kept", ledger);
    }
    completed(life)
}

/// A timer that is owed is taken, and only once.
fn timers_are_taken_once(state: &State, life: &Life) -> Result<(), String> {
    for (slot, due) in timers(life) {
        let at = due.max(life.body.updated_at);
        let said = Said { by: By::Timer, at, command: Command::Timeout { slot } };
        let Ok(events) = Turn::decide(state, &said) else {
            return broken("invariant_owed_timer_is_taken", &said.command);
        };
        let mut after = state.clone();
        events.iter().for_each(|event| evolve(&mut after, event, at));
        if Turn::decide(&after, &said).is_ok() {
            return broken("invariant_timer_fires_once", &said.command);
        }
    }
    Ok(())
}

fn completed(life: &Life) -> Result<(), String> {
    let (outcome, verified) = match &life.phase {
        Phase::Summarizing(now) => (&now.outcome, now.verified),
        Phase::Done(over) => (&over.outcome, over.verified),
        Phase::Intake { .. }
        | Phase::Clarifying { .. }
        | Phase::ContextBuilding { .. }
        | Phase::Planning { .. }
        | Phase::AwaitingConfirmation(_)
        | Phase::Executing(_)
        | Phase::Verifying(_)
        | Phase::Recovering(_) => return Ok(()),
    };
    let planned = life.body.start.mode == kernel::turn::Mode::Plan;
    let Some(work) = life.body.work.as_deref().filter(|_| *outcome == Outcome::Completed) else {
        return Ok(());
    };
    let required = work.plan.verification.required && verified != Verified::Passed;
    if !planned && (required || !work.plan.finished()) {
        return broken("invariant_completed_has_evidence", &work.plan.steps);
    }
    Ok(())
}

/// What must hold of every accepted command.
pub fn moved(step: &Step<'_, Turns>) -> Result<(), String> {
    if step.before.ended() {
        return broken("invariant_ended_is_ended", step.events);
    }
    let starts = |event: &Event| matches!(event, Event::StepStarted { origin: Origin::Main, .. });
    if let Some(work) = work(step.after).filter(|_| step.events.iter().any(starts)) {
        let same = work.hash == subject::plan(&work.plan, &work.reach);
        if !work.approved() || !same {
            return broken("invariant_approval_bound", &work.approval);
        }
    }
    let (Some(before), Some(after)) = (step.before.life(), step.after.life()) else {
        return Ok(());
    };
    let spent = |life: &Life| {
        let ledger = life.body.ledger;
        [
            u64::from(ledger.fixes),
            u64::from(ledger.replans),
            u64::from(ledger.revisions),
            u64::from(ledger.calls),
            ledger.tokens,
            ledger.cost_micros,
            life.body.clock.active_ms,
        ]
    };
    if spent(before).iter().zip(spent(after)).any(|(was, is)| is < *was) {
        return broken("invariant_counters", (before.body.ledger, after.body.ledger));
    }
    let done = work(step.before).map(|work| work.plan.steps.as_slice()).unwrap_or_default();
    for one in done.iter().filter(|one| one.status == Status::Done) {
        if work(step.after).and_then(|work| work.plan.step(&one.step_id)) != Some(one) {
            return broken("invariant_done_immutable", &one.step_id);
        }
    }
    Ok(())
}
