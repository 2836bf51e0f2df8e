//! Rows of a run whose calls are owed and of which no process has started yet.

use super::super::command::Command;
use super::super::decide::{Decided, not_now, not_owed};
use super::super::draft::Draft;
use super::super::event::Event;
use super::super::live::Live;
use super::super::participant::Phase;
use super::super::state::State;
use super::{running, shared};
use crate::machine::Said;

/// What a run answers whose calls are owed.
pub fn row(state: &State, said: &Said<Command>) -> Decided {
    match &said.command {
        Command::CallStarted { p, launch, .. } => call_started(state, (p, *launch), said),
        Command::CallEnded { p, launch, outcome } => {
            shared::call_ended(state, (p, *launch), outcome, said)
        }
        Command::BackoffDue { p, launch } => shared::backoff_due(state, (p, *launch), said),
        Command::StopDue { p, launch } => shared::stop_due(state, (p, *launch), said),
        Command::Cancel { scope } => shared::cancel(state, scope, said),
        Command::SessionSeen { p, .. } | Command::AttemptDue { p, .. } => {
            Err(shared::nothing(state, p, &said.command))
        }
        Command::GateChecked(_) | Command::TotalDue | Command::QuestionDue { .. } => {
            Err(not_owed(state, &said.command))
        }
        Command::Create { .. } | Command::Answer { .. } | Command::Extend { .. } => {
            Err(not_now(state, &said.command))
        }
    }
}

/// The first process: the run's time begins with it.
fn call_started(state: &State, (p, launch): (&str, u32), said: &Said<Command>) -> Decided {
    let (one, _) = shared::at_launch(state, p, launch, &said.command)?;
    let Command::CallStarted { at, .. } = &said.command else {
        return Err(not_owed(state, &said.command));
    };
    let (Phase::Starting { .. }, Some(live)) = (&one.phase, Live::of(state)) else {
        return Err(not_owed(state, &said.command));
    };
    let mut draft = Draft::new(state, said.at);
    draft.push(Event::RunStarted { started_at: *at, due: at.plus(live.plan.timeout_ms) });
    let started = running::started(&draft.state, &said.command)?;
    draft.push(started);
    draft.done()
}
