//! The columns `IDLE`: waiting for a requirement, or over.

use alloc::boxed::Box;
use alloc::vec;

use super::super::batch::Decision;
use super::super::command::Command;
use super::super::event::{Event, Taken};
use super::super::phase::Outcome;
use super::super::refusal::{NotNow, Refusal};
use super::super::setup::Begin;
use super::super::state::Life;
use super::shared;
use crate::machine::Said;

const STATE: &str = "IDLE";

/// A run that waits for its requirement.
pub(in super::super) fn fresh(said: &Said<Command>) -> Decision {
    let command = said.command.name();
    match &said.command {
        Command::UserInputRequirement { begin, busy_with } => take(begin, busy_with.as_deref()),
        Command::ParentCancel => Ok(vec![Event::NeverBegan]),
        Command::Resume | Command::Pause { .. } if shared::is_parent(&said.by) => Ok(vec![]),
        Command::Resume => Err(Refusal::NotHeld { command, state: STATE, allowed: vec![] }),
        Command::Note { .. } => Err(Refusal::NoRun),
        Command::UserModify { .. }
        | Command::UserConfirm(_)
        | Command::UserCancel
        | Command::UserAbort { .. }
        | Command::RetryPlan
        | Command::Pause { .. }
        | Command::ForceStop
        | Command::HumanIntervention(_)
        | Command::Rollback(_)
        | Command::RollbackConfirm { .. }
        | Command::SkipTask { .. }
        | Command::Amend(_)
        | Command::UpdateProgress { .. } => {
            let why = NotNow::Needs(shared::needed(&said.command).to_vec());
            Err(Refusal::NotNow { command, state: STATE, why, allowed: vec![] })
        }
        Command::Derived { .. } => Err(Refusal::Derived { command, state: STATE, allowed: vec![] }),
        Command::PlanReady { .. }
        | Command::PlanFailed { .. }
        | Command::SourceChanged { .. }
        | Command::Saved { .. }
        | Command::TurnEnded { .. }
        | Command::Checked { .. }
        | Command::Digested { .. }
        | Command::CallUnknown { .. }
        | Command::RollbackReady { .. }
        | Command::RolledBack { .. }
        | Command::Archived { .. }
        | Command::Settled { .. }
        | Command::Due { .. } => shared::not_owed(&said.command),
    }
}

fn take(begin: &Begin, busy_with: Option<&str>) -> Decision {
    let command = "USER_INPUT_REQUIREMENT";
    if let Some(holder) = busy_with {
        let holder = holder.into();
        return Err(Refusal::Busy { command, state: STATE, holder, allowed: vec![] });
    }
    if begin.ask.text.trim().is_empty() && begin.ask.path.is_none() {
        return Err(Refusal::InvalidArgs { field: "text", problem: "empty".into() });
    }
    let begin = Begin { options: begin.options.clone().bounded(), ..begin.clone() };
    Ok(vec![Event::UserInputRequirement { taken: Taken::First(Box::new(begin)) }])
}

/// A run that is over: the next requirement is a new run.
pub(in super::super) fn ended(life: &Life, outcome: Outcome, said: &Said<Command>) -> Decision {
    if let Command::Note { .. } = &said.command {
        return shared::note(life, said);
    }
    over(outcome, &said.command, said)
}

/// A run that was cancelled before it had a requirement.
pub(in super::super) fn never(said: &Said<Command>) -> Decision {
    over(Outcome::Cancelled, &said.command, said)
}

fn over(outcome: Outcome, command: &Command, said: &Said<Command>) -> Decision {
    match command {
        Command::ParentCancel => Ok(vec![]),
        Command::Pause { .. } | Command::Resume if shared::is_parent(&said.by) => Ok(vec![]),
        Command::Note { .. } => Err(Refusal::NoRun),
        Command::UserInputRequirement { .. }
        | Command::UserModify { .. }
        | Command::UserConfirm(_)
        | Command::UserCancel
        | Command::UserAbort { .. }
        | Command::RetryPlan
        | Command::Pause { .. }
        | Command::Resume
        | Command::ForceStop
        | Command::HumanIntervention(_)
        | Command::Rollback(_)
        | Command::RollbackConfirm { .. }
        | Command::SkipTask { .. }
        | Command::Amend(_)
        | Command::UpdateProgress { .. } => {
            Err(Refusal::Ended { command: command.name(), outcome: outcome.word() })
        }
        Command::Derived { .. } => {
            let command = command.name();
            Err(Refusal::Derived { command, state: STATE, allowed: vec![] })
        }
        Command::PlanReady { .. }
        | Command::PlanFailed { .. }
        | Command::SourceChanged { .. }
        | Command::Saved { .. }
        | Command::TurnEnded { .. }
        | Command::Checked { .. }
        | Command::Digested { .. }
        | Command::CallUnknown { .. }
        | Command::RollbackReady { .. }
        | Command::RolledBack { .. }
        | Command::Archived { .. }
        | Command::Settled { .. }
        | Command::Due { .. } => shared::not_owed(command),
    }
}
