//! The column `ARCHIVING`: what is left to end has to end, then the record is written.

use alloc::vec;

use super::super::batch::{Batch, Decision};
use super::super::bounds::ARCHIVE_WAITS_MS;
use super::super::command::Command;
use super::super::event::Event;
use super::super::phase::{Archive, Archiving};
use super::super::refusal::NotNow;
use super::super::slot;
use super::super::state::Life;
use super::shared;
use crate::machine::{At, Said};

pub(in super::super) fn archiving(life: &Life, now: &Archiving, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::ParentCancel => Ok(vec![]),
        Command::Note { .. } => shared::note(life, said),
        Command::Resume => shared::not_held(life, said),
        Command::Pause { .. } => {
            let why = NotNow::Needs(shared::needed(&said.command).to_vec());
            shared::no_pause(life, said, why)
        }
        Command::Archived { end, .. } if shared::owes(life, &said.command) => {
            archived(life, now, said, end)
        }
        Command::Settled { .. } => shared::settled(life, said),
        Command::Due { slot } => retry(life, now, said, slot),
        Command::UserInputRequirement { .. } => shared::busy(life, &said.command),
        Command::UserConfirm(_) => shared::answered(life, &said.command),
        Command::UserModify { .. }
        | Command::UserCancel
        | Command::UserAbort { .. }
        | Command::RetryPlan
        | Command::ForceStop
        | Command::HumanIntervention(_)
        | Command::Rollback(_)
        | Command::RollbackConfirm { .. }
        | Command::SkipTask { .. }
        | Command::Amend(_)
        | Command::UpdateProgress { .. }
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

fn archived(
    life: &Life,
    now: &Archiving,
    said: &Said<Command>,
    end: &Result<alloc::string::String, alloc::string::String>,
) -> Decision {
    let mut batch = Batch::new(life, said);
    match end {
        Ok(archive) => batch.push(Event::ArchiveComplete { archive: archive.clone() }),
        Err(detail) => {
            let (detail, retry_at) = (detail.clone(), next_try(now, said.at));
            batch.push(Event::ArchiveFault { detail, retry_at });
        }
    }
    batch.done()
}

fn next_try(now: &Archiving, at: At) -> At {
    let tries = match now.step {
        Archive::Writing { tries, .. } => usize::try_from(tries).unwrap_or(usize::MAX),
        Archive::Settling { .. } => 1,
    };
    let last = ARCHIVE_WAITS_MS.len() - 1;
    let wait = ARCHIVE_WAITS_MS.get(tries.saturating_sub(1).min(last));
    at.plus(wait.copied().unwrap_or_default())
}

fn retry(life: &Life, now: &Archiving, said: &Said<Command>, slot: &str) -> Decision {
    match now.step {
        Archive::Writing { tries, retry_at: Some(due) }
            if slot == slot::retry_key(tries) && said.at >= due =>
        {
            let mut batch = Batch::new(life, said);
            batch.push(Event::ArchiveRetried);
            batch.done()
        }
        Archive::Writing { .. } | Archive::Settling { .. } => shared::not_owed(&said.command),
    }
}
