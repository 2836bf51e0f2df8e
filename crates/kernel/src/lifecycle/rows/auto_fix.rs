//! The column `AUTO_FIX`: a failure is being fixed, so many times and no more.

use super::super::batch::{Batch, Decision};
use super::super::checked;
use super::super::command::Command;
use super::super::ends;
use super::super::event::Event;
use super::super::phase::{AutoFix, FixStep};
use super::super::progress;
use super::super::state::Life;
use super::executing::{end_of_check, unknown};
use super::shared;
use crate::machine::Said;

pub(in super::super) fn auto_fix(life: &Life, now: &AutoFix, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::UserAbort { reason } => shared::abort(life, said, reason.as_deref()),
        Command::ParentCancel => shared::abort(life, said, None),
        Command::ForceStop => {
            let mut batch = Batch::new(life, said);
            let by = batch.who();
            batch.push(Event::ForceStop { by });
            batch.done()
        }
        Command::Pause { .. } => shared::pause(life, said),
        Command::Resume => shared::resume(life, said),
        Command::UpdateProgress { .. } => progress::fixing(life, now, said),
        Command::Note { .. } => shared::note(life, said),
        Command::Settled { .. } => shared::settled(life, said),
        Command::TurnEnded { .. } | Command::Checked { .. } | Command::CallUnknown { .. }
            if shared::owes(life, &said.command) =>
        {
            ended(life, now, said)
        }
        Command::UserInputRequirement { .. } => shared::busy(life, &said.command),
        Command::UserConfirm(_) => shared::answered(life, &said.command),
        Command::UserModify { .. }
        | Command::UserCancel
        | Command::RetryPlan
        | Command::HumanIntervention(_)
        | Command::Rollback(_)
        | Command::RollbackConfirm { .. }
        | Command::SkipTask { .. }
        | Command::Amend(_)
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

fn ended(life: &Life, now: &AutoFix, said: &Said<Command>) -> Decision {
    let mut batch = Batch::new(life, said);
    match &now.step {
        FixStep::Turn { .. } => {
            if let Command::TurnEnded { end, .. } = &said.command {
                ends::fix_turn(&mut batch, now, end);
                return batch.done();
            }
        }
        FixStep::Check { .. } => {
            if let Some(end) = end_of_check(&said.command) {
                checked::fix_check(&mut batch, now, end);
                return batch.done();
            }
        }
    }
    unknown(life, said, batch)
}
