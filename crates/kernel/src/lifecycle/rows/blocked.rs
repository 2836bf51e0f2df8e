//! The column `BLOCKED`: a person is needed.

use super::super::approve;
use super::super::batch::Decision;
use super::super::command::Command;
use super::super::help;
use super::super::phase::Blocked;
use super::super::progress;
use super::super::state::Life;
use super::shared;
use crate::machine::Said;

pub(in super::super) fn blocked(life: &Life, now: &Blocked, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::UserAbort { reason } => shared::abort(life, said, reason.as_deref()),
        Command::ParentCancel => shared::abort(life, said, None),
        Command::HumanIntervention(given) => help::intervene(life, now, said, given),
        Command::Rollback(wish) => help::roll_back(life, now, said, wish),
        Command::SkipTask { dependants } => help::skip(life, now, said, *dependants),
        Command::Amend(given) => approve::amend(life, said, given),
        Command::UpdateProgress { .. } => progress::blocked(life, now, said),
        Command::Pause { .. } => shared::pause_waiting(life, said),
        Command::Resume => shared::resume(life, said),
        Command::Note { .. } => shared::note(life, said),
        Command::Settled { .. } => shared::settled(life, said),
        Command::Due { slot } => help::reset(life, now, said, slot),
        Command::UserInputRequirement { .. } => shared::busy(life, &said.command),
        Command::UserConfirm(_) | Command::RollbackConfirm { .. } => {
            shared::answered(life, &said.command)
        }
        Command::UserModify { .. }
        | Command::UserCancel
        | Command::RetryPlan
        | Command::ForceStop
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
        | Command::Archived { .. } => shared::not_owed(&said.command),
    }
}
