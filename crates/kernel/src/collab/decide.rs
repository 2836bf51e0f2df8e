//! The door of the machine: state first, then one row function a state. The rows hold the rules.

use alloc::vec::Vec;

use super::bounds::TIMEOUT_MAX_MS;
use super::command::Command;
use super::event::Event;
use super::live::Live;
use super::refusal::Refusal;
use super::rights;
use super::rows;
use super::state::{Stage, State};
use super::valid::plan_hash;
use crate::machine::{By, Said};

/// What a row answers.
pub type Decided = Result<Vec<Event>, Refusal>;

/// Accepts a command by naming the facts it makes true, or refuses it.
///
/// # Errors
/// The refusal, with everything that this speaker could say instead.
pub fn decide(state: &State, said: &Said<Command>) -> Decided {
    ask(state, said).map_err(|mut refusal| {
        if let Some(list) = refusal.allowed_mut() {
            *list = allowed(state, &said.by);
        }
        refusal
    })
}

fn ask(state: &State, said: &Said<Command>) -> Decided {
    if state.ended() && !matches!(said.command, Command::Create { .. }) {
        return Err(Refusal::Ended { state: state.name() });
    }
    rights::check(&said.by, &said.command)?;
    if let (Some(run), Command::Create { plan, .. }) = (state.run(), &said.command) {
        return again(&run.plan_hash, plan_hash(plan));
    }
    match state {
        State::New => rows::fresh(state, said),
        State::Init { run, stage: Stage::Checking } => rows::checking(state, &run.plan, said),
        State::Init { stage: Stage::Launching { .. }, .. } => rows::launching(state, said),
        State::Running { .. } => rows::running(state, said),
        State::Degraded { .. } => rows::degraded(state, said),
        State::Success { .. } | State::Failed { .. } => rows::ended(state, said),
    }
}

/// Making a run that is there: the same plan is answered by the run, another one is refused.
fn again(known: &str, plan: alloc::string::String) -> Decided {
    if known == plan {
        return Ok(Vec::new());
    }
    Err(Refusal::KeyReused { expected: known.into(), actual: plan })
}

/// Every command that this speaker could say now to move the run. What the engine tells is not
/// said by anybody.
#[must_use]
pub fn allowed(state: &State, by: &By) -> Vec<&'static str> {
    let mut list = Vec::new();
    let steers = rights::steers(by);
    match state {
        State::New => list.extend(steers.then_some("Create")),
        State::Init { stage: Stage::Checking, .. } => list.extend(steers.then_some("Cancel")),
        State::Init { stage: Stage::Launching { cancelling, .. }, .. } => {
            list.extend((steers && cancelling.is_none()).then_some("Cancel"));
        }
        State::Running { started_at, due, .. } => {
            let open = Live::of(state).is_some_and(|live| !live.cancelling);
            list.extend((steers && open).then_some("Cancel"));
            let late = Live::of(state).is_some_and(|live| live.total_timed_out);
            let room = *due < started_at.plus(TIMEOUT_MAX_MS);
            list.extend((steers && open && !late && room).then_some("Extend"));
        }
        State::Degraded { .. } => {
            list.extend(by.may_approve().then_some("Answer"));
            list.extend(steers.then_some("Cancel"));
        }
        State::Success { .. } | State::Failed { .. } => {}
    }
    list
}

/// The refusal of a pair that the table does not list.
pub fn not_now(state: &State, command: &Command) -> Refusal {
    let (command, state) = (command.name(), state.name());
    Refusal::NotNow { command, state, allowed: Vec::new() }
}

/// A report or a timer of something this state does not owe.
pub fn not_owed(state: &State, command: &Command) -> Refusal {
    Refusal::NotOwed { command: command.name(), state: state.name() }
}

/// A participant that the plan does not know.
pub fn no_such(state: &State, p: &str) -> Refusal {
    let plan = state.run().map(|run| &run.plan);
    let names = plan.into_iter().flat_map(|plan| &plan.participants);
    let known = names.map(|member| member.name.clone()).collect();
    Refusal::NoSuch { what: "participant", id: p.into(), known }
}
