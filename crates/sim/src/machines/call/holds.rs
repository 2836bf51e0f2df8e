//! What must hold of every call, in every state and on every step. Each has the name under which it
//! is promised.

use kernel::call::{Call, Class, Command, Finding, Gate, Launch, Outcome, State, UnknownGate};
use kernel::machine::Machine as _;
use kernel::owed::Effect;

use super::subject::{Calls, broken, class};
use crate::subject::Step;

/// Whether the command proves that the recorded start launched nothing.
pub fn proof(command: &Command) -> bool {
    if let Command::Lost { launch, .. } = command {
        return *launch == Launch::Never;
    }
    if let Command::Probed { finding, .. } = command {
        return *finding == Finding::NeverLaunched;
    }
    false
}

/// Nothing acts, is stopped or is looked at unless its start is on record.
pub fn record_before_act(state: &State, effect: &Effect) -> Result<(), String> {
    let recorded = |attempt: &u32, epoch: &u64| {
        state.attempt() == Some(*attempt) && state.epoch() == Some(*epoch)
    };
    let probed = matches!(state, State::Unknown { gate: UnknownGate::Probe, .. });
    let fair = match (effect, state) {
        (Effect::Prepare { attempt }, State::Allowed { gate: Gate::Ready, .. }) => {
            state.attempt() == Some(*attempt)
        }
        (Effect::Act { attempt, epoch }, State::Started { .. })
        | (Effect::Kill { attempt, epoch }, State::Started { .. }) => recorded(attempt, epoch),
        (Effect::Probe { attempt, epoch, .. }, _) => probed && recorded(attempt, epoch),
        (_, _) => false,
    };
    if fair { Ok(()) } else { broken("invariant_record_before_act", effect) }
}

/// A state that waits for nothing of the world is an end.
pub fn ends_are_quiet(state: &State) -> Result<(), String> {
    let quiet = Call::owed(state).is_empty();
    let may = match state {
        State::New | State::Denied { .. } | State::Settled { .. } | State::Undone { .. } => true,
        State::Asked { .. }
        | State::Allowed { .. }
        | State::Started { .. }
        | State::Undoing { .. }
        | State::Unknown { .. } => false,
    };
    if quiet == may { Ok(()) } else { broken("invariant_no_orphan_status", state.name()) }
}

/// Unknown is left by a look, an exit record, a person or an undo, and leads back to Allowed only
/// on proof that nothing was started.
pub fn invariant_unknown_never_reruns(step: &Step<'_, Calls>) -> Result<(), String> {
    let State::Unknown { .. } = step.before else { return Ok(()) };
    let by = step.said.command.name();
    let fair = match step.after {
        State::Unknown { .. } => true,
        State::Allowed { .. } => proof(&step.said.command),
        State::Started { .. } => by == "Probed",
        State::Settled { .. } | State::Undoing { .. } => {
            ["Probed", "Exited", "Settle", "Undo"].contains(&by)
        }
        State::New | State::Asked { .. } | State::Denied { .. } | State::Undone { .. } => false,
    };
    if fair { Ok(()) } else { broken("invariant_unknown_never_reruns", by) }
}

/// What may have acted once and must not act twice comes back only on proof.
pub fn invariant_once(step: &Step<'_, Calls>) -> Result<(), String> {
    let (State::Started { .. }, State::Allowed { .. }) = (step.before, step.after) else {
        return Ok(());
    };
    match class(step.before) {
        Some(Class::Once | Class::Guarded) if !proof(&step.said.command) => {
            broken("invariant_once", &step.said.command)
        }
        Some(Class::Once | Class::Guarded | Class::Read | Class::Converge) | None => Ok(()),
    }
}

/// What was stopped has no process left, or is unknown with their names.
pub fn invariant_no_orphan(step: &Step<'_, Calls>) -> Result<(), String> {
    let Command::Exited { exit, .. } = &step.said.command else { return Ok(()) };
    let State::Settled { outcome: Outcome::Stopped | Outcome::TimedOut { .. }, .. } = step.after
    else {
        return Ok(());
    };
    if exit.survivors.is_empty() { Ok(()) } else { broken("invariant_no_orphan", exit) }
}
