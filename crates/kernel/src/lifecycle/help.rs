//! The ways out of `BLOCKED`: help, a way back, going on without the task.

use alloc::boxed::Box;
use alloc::vec;

use super::batch::{Batch, Close, Decision};
use super::command::{Command, Dependants, Help, Intervention, RollbackWish};
use super::event::{Event, Helped};
use super::phase::{Blocked, OnFail, Rolling, Why};
use super::refusal::Refusal;
use super::slot;
use super::standing::SETTING;
use super::state::Life;
use super::task::Status;
use crate::machine::Said;

/// A person gives words or says that it is fixed.
pub(super) fn intervene(
    life: &Life,
    now: &Blocked,
    said: &Said<Command>,
    given: &Intervention,
) -> Decision {
    possible(now, given)?;
    if let Help::Guidance(text) = &given.help
        && text.trim().is_empty()
    {
        return Err(Refusal::InvalidArgs { field: "text", problem: "empty".into() });
    }
    let mut batch = Batch::new(life, said);
    let by = batch.who();
    go_on(&mut batch, now, given, by);
    batch.done()
}

/// What the reason of the block needs before anything can go on.
fn possible(now: &Blocked, given: &Intervention) -> Result<(), Refusal> {
    match now.why {
        Why::OutcomeUnknown => match &given.unsettled {
            Some(call) => Err(Refusal::Unsettled { call: call.clone(), allowed: vec![] }),
            None => Ok(()),
        },
        Why::Budget if given.add_budget.is_none() => Err(Refusal::Budget { allowed: vec![] }),
        Why::DefinitionChanged if given.accept_definition.as_ref() != Some(&now.detail) => {
            Err(Refusal::DefinitionChanged { hash: now.detail.clone(), allowed: vec![] })
        }
        Why::FixLimit
        | Why::SameFailure
        | Why::ForceStop
        | Why::CannotVerify
        | Why::DefinitionChanged
        | Why::TreeMoving
        | Why::PolicyDenied
        | Why::Io
        | Why::AgentUnavailable
        | Why::AgentBlocked
        | Why::Quota
        | Why::CheckpointFailed
        | Why::BranchChanged
        | Why::Budget
        | Why::RollbackFailed => Ok(()),
    }
}

fn go_on(batch: &mut Batch<'_>, now: &Blocked, given: &Intervention, by: alloc::string::String) {
    let guidance = match &given.help {
        Help::Guidance(text) => Some(text.clone()),
        Help::Fixed => None,
    };
    let helped = Helped {
        by,
        guidance: guidance.clone(),
        add_budget: given.add_budget,
        accept_definition: given.accept_definition.clone(),
    };
    batch.push(Event::HumanIntervention { helped: Box::new(helped) });
    let Some(task) = &now.task else { return batch.advance(Close::Sealed) };
    let open = batch.work().and_then(|work| work.task(task)).map(|task| task.checkpoint.is_some());
    match (open, &given.help) {
        (None, _) => batch.advance(Close::Sealed),
        // Nothing was kept before it: that comes first.
        (Some(false), Help::Guidance(_)) => batch.save(task, guidance),
        (Some(_), Help::Fixed) => batch.check(task, 0, OnFail::Fix),
        (Some(true), Help::Guidance(_)) => batch.turn(task, guidance),
    }
}

/// The rate limit is over, and the setting says that this is help enough.
pub(super) fn reset(life: &Life, now: &Blocked, said: &Said<Command>, slot: &str) -> Decision {
    let due = now.reset_at.filter(|_| waits_out(life, now));
    if !due.is_some_and(|at| said.at >= at && slot == slot::reset_key(now.q)) {
        return Err(Refusal::NotOwed { what: slot.into() });
    }
    let mut batch = Batch::new(life, said);
    let helped =
        Helped { by: SETTING.into(), guidance: None, add_budget: None, accept_definition: None };
    batch.push(Event::HumanIntervention { helped: Box::new(helped) });
    match &now.task {
        Some(task) => batch.turn(task, None),
        None => batch.advance(Close::Sealed),
    }
    batch.done()
}

/// Whether the end of the rate limit is waited for.
pub(super) fn waits_out(life: &Life, now: &Blocked) -> bool {
    let named = &life.body.begin.options.resume_at_reset;
    now.why == Why::Quota && now.agent.as_ref().is_some_and(|agent| named.contains(agent))
}

/// A person wants to go back to a checkpoint: the plan is drawn first.
pub(super) fn roll_back(
    life: &Life,
    now: &Blocked,
    said: &Said<Command>,
    wish: &RollbackWish,
) -> Decision {
    let to = wish.to.clone().or_else(|| now.work.last_checkpoint.clone());
    let Some(to) = to.filter(|_| wish.intact) else {
        let to = wish.to.clone();
        return Err(Refusal::NoCheckpoint { to, allowed: vec![] });
    };
    if let Some(holder) = &wish.busy_with {
        let (command, state) = (said.command.name(), life.phase.name());
        let holder = holder.clone();
        return Err(Refusal::Busy { command, state, holder, allowed: vec![] });
    }
    let (id, wanted) = (life.body.next.roll, wish.plan_hash.clone());
    let rolling = Rolling::Plan { id, to, wanted, conflicts: wish.conflicts };
    let mut batch = Batch::new(life, said);
    // A held run starts nothing, and while it goes back nobody can let it go on.
    if life.body.hold.is_some() {
        let by = batch.who();
        batch.push(Event::Resume { by });
    }
    batch.push(Event::RollbackBegan { rolling });
    batch.done()
}

/// A person goes on without the task.
pub(super) fn skip(
    life: &Life,
    now: &Blocked,
    said: &Said<Command>,
    dependants: Dependants,
) -> Decision {
    let Some(task) = &now.task else { return Err(Refusal::NoTask { allowed: vec![] }) };
    let mut batch = Batch::new(life, said);
    let (by, status) = (batch.who(), Status::Skipped);
    let satisfied = dependants == Dependants::Run;
    batch.push(Event::SkipTask { by, task: task.clone(), status, satisfied });
    if !satisfied {
        batch.skip_dependants(task);
    }
    batch.advance(Close::AtOnce);
    batch.done()
}
