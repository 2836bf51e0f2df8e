//! The column `rolling`: blocked, and on the way back to a checkpoint.

use super::super::batch::{Batch, Decision};
use super::super::command::{Command, Drawn, RolledEnd, Word};
use super::super::event::Event;
use super::super::phase::Rolling;
use super::super::refusal::{NotNow, Refusal};
use super::super::state::Life;
use super::shared;
use crate::machine::Said;

pub(in super::super) fn rolling(life: &Life, now: &Rolling, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::RollbackConfirm { question, plan_hash, word } => {
            confirm(life, now, said, (question, plan_hash, *word))
        }
        Command::ParentCancel => match now {
            Rolling::Plan { .. } | Rolling::Ask { .. } => shared::abort(life, said, None),
            Rolling::Run { .. } => under_way(life, said),
        },
        Command::Note { .. } => shared::note(life, said),
        Command::Settled { .. } => shared::settled(life, said),
        Command::Pause { .. } => shared::no_pause(life, said, NotNow::Rolling),
        Command::RollbackReady { plan, .. } if shared::owes(life, &said.command) => {
            ready(life, now, said, plan)
        }
        Command::RolledBack { end, .. } if shared::owes(life, &said.command) => {
            rolled(life, now, said, end)
        }
        Command::UserInputRequirement { .. } => shared::busy(life, &said.command),
        Command::UserConfirm(_) => shared::answered(life, &said.command),
        Command::Resume if shared::is_parent(&said.by) => shared::resume(life, said),
        Command::UserModify { .. }
        | Command::UserCancel
        | Command::UserAbort { .. }
        | Command::RetryPlan
        | Command::Resume
        | Command::ForceStop
        | Command::HumanIntervention(_)
        | Command::Rollback(_)
        | Command::SkipTask { .. }
        | Command::Amend(_)
        | Command::UpdateProgress { .. }
        | Command::Derived { .. } => under_way(life, said),
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

fn under_way(life: &Life, said: &Said<Command>) -> Decision {
    shared::refuse(life, &said.command, NotNow::Rolling)
}

fn confirm(
    life: &Life,
    now: &Rolling,
    said: &Said<Command>,
    (question, hash, word): (&str, &str, Word),
) -> Decision {
    let Rolling::Ask { plan_hash, .. } = now else { return under_way(life, said) };
    if life.phase.question_key().as_deref() != Some(question) {
        return shared::answered(life, &said.command);
    }
    let mut batch = Batch::new(life, said);
    match word {
        Word::Cancel => batch.push(Event::RollbackLeft),
        Word::Go if hash == plan_hash => {
            batch.push(Event::RollbackConfirmed { plan_hash: plan_hash.clone() });
        }
        Word::Go => {
            let (command, state) = (said.command.name(), life.phase.name());
            let allowed = alloc::vec![];
            return Err(Refusal::PlanChanged { command, state, allowed });
        }
    }
    batch.done()
}

/// The plan is drawn: one that was shown before goes on, another one is shown first.
fn ready(
    life: &Life,
    now: &Rolling,
    said: &Said<Command>,
    plan: &Result<Drawn, alloc::string::String>,
) -> Decision {
    let Rolling::Plan { wanted, .. } = now else { return shared::not_owed(&said.command) };
    let mut batch = Batch::new(life, said);
    match plan {
        Err(report) => batch.push(Event::RollbackStopped { report: report.clone() }),
        Ok(Drawn { plan_hash, calls }) => {
            let (plan_hash, calls) = (plan_hash.clone(), calls.clone());
            let seen = wanted.as_ref() == Some(&plan_hash);
            batch.push(Event::RollbackPlanned { plan_hash: plan_hash.clone(), calls });
            if seen {
                batch.push(Event::RollbackConfirmed { plan_hash });
            }
        }
    }
    batch.done()
}

fn rolled(life: &Life, now: &Rolling, said: &Said<Command>, end: &RolledEnd) -> Decision {
    let Rolling::Run { to, .. } = now else { return shared::not_owed(&said.command) };
    let mut batch = Batch::new(life, said);
    batch.push(match end {
        RolledEnd::Ok => Event::Rollback { to: to.clone() },
        RolledEnd::Stopped { report } => Event::RollbackStopped { report: report.clone() },
    });
    batch.done()
}
