//! The column `CONFIRMING`: a plan waits for a person.

use super::super::approve;
use super::super::batch::Decision;
use super::super::command::Command;
use super::super::event::CancelWhy;
use super::super::phase::Confirming;
use super::super::plan::{Ask, Source};
use super::super::slot;
use super::super::state::Life;
use super::shared;
use crate::machine::Said;

pub(in super::super) fn confirming(
    life: &Life,
    now: &Confirming,
    said: &Said<Command>,
) -> Decision {
    match &said.command {
        Command::UserModify { text, digest } => shared::modify(life, said, text, digest),
        Command::UserConfirm(given) => approve::confirm(life, now, said, given),
        Command::UserCancel => shared::cancel(life, said, CancelWhy::Asked),
        Command::ParentCancel => shared::cancel(life, said, CancelWhy::Parent),
        Command::Pause { .. } => shared::pause_waiting(life, said),
        Command::Resume => shared::resume(life, said),
        Command::Amend(given) => approve::amend_shown(life, now, said, given),
        Command::Note { .. } => shared::note(life, said),
        Command::Settled { .. } => shared::settled(life, said),
        Command::Due { slot } if due(life, now, said, slot) => {
            shared::cancel(life, said, CancelWhy::Expired)
        }
        Command::SourceChanged { digest } => changed(life, now, said, digest),
        Command::UserInputRequirement { .. } => shared::busy(life, &said.command),
        Command::UserAbort { .. }
        | Command::RetryPlan
        | Command::ForceStop
        | Command::HumanIntervention(_)
        | Command::Rollback(_)
        | Command::RollbackConfirm { .. }
        | Command::SkipTask { .. }
        | Command::UpdateProgress { .. }
        | Command::Derived { .. } => shared::not_now(life, &said.command),
        Command::PlanReady { .. }
        | Command::PlanFailed { .. }
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

fn due(life: &Life, now: &Confirming, said: &Said<Command>, slot: &str) -> bool {
    let over = now.expires.is_some_and(|at| said.at >= at);
    over && life.body.hold.is_none() && slot == slot::expiry_key(now.plan.revision)
}

/// The document was edited after it was shown: it is read again as a new revision.
fn changed(life: &Life, now: &Confirming, said: &Said<Command>, digest: &str) -> Decision {
    let read = match life.body.ask.source {
        Source::Text => false,
        Source::File | Source::Package => now.plan.source_digest.as_deref() != Some(digest),
    };
    if !read {
        return shared::not_owed(&said.command);
    }
    let ask = Ask { digest: digest.into(), ..life.body.ask.clone() };
    shared::again(life, said, CancelWhy::SourceChanged, ask)
}
