//! The column `EXECUTING`: tasks are done one after another.

use super::super::approve;
use super::super::batch::{Batch, Decision};
use super::super::checked;
use super::super::command::{CheckEnd, Command};
use super::super::ends;
use super::super::phase::{Doing, Executing, Step};
use super::super::progress;
use super::super::state::Life;
use super::shared;
use crate::machine::Said;

pub(in super::super) fn executing(life: &Life, now: &Executing, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::UserAbort { reason } => shared::abort(life, said, reason.as_deref()),
        Command::ParentCancel => shared::abort(life, said, None),
        Command::Pause { .. } => shared::pause(life, said),
        Command::Resume => shared::resume(life, said),
        Command::Amend(given) => approve::amend(life, said, given),
        Command::UpdateProgress { .. } => progress::executing(life, now, said),
        Command::Note { .. } => shared::note(life, said),
        Command::Settled { .. } => shared::settled(life, said),
        Command::Saved { .. }
        | Command::TurnEnded { .. }
        | Command::Checked { .. }
        | Command::Digested { .. }
        | Command::CallUnknown { .. }
            if shared::owes(life, &said.command) =>
        {
            ended(life, now, said)
        }
        Command::UserInputRequirement { .. } => shared::busy(life, &said.command),
        Command::UserConfirm(_) => shared::answered(life, &said.command),
        Command::UserModify { .. }
        | Command::UserCancel
        | Command::RetryPlan
        | Command::ForceStop
        | Command::HumanIntervention(_)
        | Command::Rollback(_)
        | Command::RollbackConfirm { .. }
        | Command::SkipTask { .. }
        | Command::Derived { .. } => shared::not_now(life, &said.command),
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
        | Command::Due { .. } => shared::not_owed(&said.command),
    }
}

/// The end of the step that is owed, if it is an end of that kind.
fn ended(life: &Life, now: &Executing, said: &Said<Command>) -> Decision {
    let mut batch = Batch::new(life, said);
    match &now.doing {
        Doing::Task { task, step: Step::Save { guidance, .. } } => {
            if let Command::Saved { end, .. } = &said.command {
                ends::saved(&mut batch, task, guidance.clone(), end);
                return batch.done();
            }
        }
        Doing::Task { task, step: Step::Turn { .. } } => {
            if let Command::TurnEnded { end, .. } = &said.command {
                ends::task_turn(&mut batch, task, end);
                return batch.done();
            }
        }
        Doing::Task { task, step: step @ Step::Check { .. } } => {
            if let Some(end) = end_of_check(&said.command) {
                checked::task_check(&mut batch, task, step, end);
                return batch.done();
            }
        }
        Doing::Seal { rounds, .. } => {
            if let Command::Digested { digests, .. } = &said.command {
                checked::digested(&mut batch, *rounds, digests);
                return batch.done();
            }
        }
        doing @ Doing::SealCheck { .. } => {
            if let Some(end) = end_of_check(&said.command) {
                checked::seal_check(&mut batch, doing, end);
                return batch.done();
            }
        }
    }
    unknown(life, said, batch)
}

pub(super) const fn end_of_check(command: &Command) -> Option<&CheckEnd> {
    if let Command::Checked { end, .. } = command { Some(end) } else { None }
}

/// A call of which nobody can tell; anything else is no end of this step.
pub(super) fn unknown(life: &Life, said: &Said<Command>, mut batch: Batch<'_>) -> Decision {
    if let Command::CallUnknown { call, .. } = &said.command
        && ends::is_call(&life.phase)
    {
        ends::unknown(&mut batch, call);
        return batch.done();
    }
    shared::not_owed(&said.command)
}
