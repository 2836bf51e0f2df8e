//! Going on from a turn that ended before its plan was done: a new turn with the old plan, what was
//! done of it kept with its evidence. The checks run again, whatever they came to then.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::patch::fresh;
use super::plan::{Plan, SkipReason, Status, Step};
use super::refusal::Refusal;
use super::stamp::Stamp;
use super::state::{Body, Outcome, Phase, State};
use crate::machine::At;

/// The plan to go on with.
///
/// # Errors
/// The turn is not over, was completed or answered, or never had a plan.
pub fn continued(state: &State) -> Result<Plan, Refusal> {
    let life = state.life();
    let refused = || {
        let turn = life.map_or_else(Default::default, |life| life.body.start.id.clone());
        Refusal::NotContinuable { turn, state: state.name() }
    };
    let Some(Phase::Done(over)) = life.map(|life| &life.phase) else { return Err(refused()) };
    match over.outcome {
        Outcome::Completed | Outcome::Answered => return Err(refused()),
        Outcome::Blocked { .. } | Outcome::Denied { .. } | Outcome::Cancelled { .. } => {}
    }
    let work = life.and_then(|life| life.body.work.as_deref());
    work.map(|work| work.plan.clone()).ok_or_else(refused)
}

/// That plan as this turn's own.
#[must_use]
pub fn again(body: &Body, old: &Plan, at: At) -> Plan {
    let mut constraints = body.start.constraints.clone();
    let more = old.constraints.iter().filter(|one| !body.start.constraints.contains(one));
    constraints.extend(more.map(ToString::to_string));
    Plan {
        plan_id: body.plan_id(),
        constraints,
        steps: old.steps.iter().map(kept).collect::<Vec<Step>>(),
        verification: body.start.verification.clone().unwrap_or_else(|| old.verification.clone()),
        created_at: Stamp(at),
        version: 1,
        ..old.clone()
    }
}

/// What was done stays done; what a person left out stays left out; the rest is there to be done.
fn kept(step: &Step) -> Step {
    let left_out = step.status == Status::Skipped
        && matches!(step.skip_reason, Some(SkipReason::Person | SkipReason::AlreadyDone));
    if step.status == Status::Done || left_out { step.clone() } else { fresh(step) }
}
