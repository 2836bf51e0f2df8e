//! The column `PLANNING`: a plan is being made, or could not be made.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::super::approve;
use super::super::batch::{Batch, Decision};
use super::super::bounds::PLAN_ATTEMPTS_MAX;
use super::super::command::{Command, PlanFault};
use super::super::event::{CancelWhy, Event};
use super::super::phase::{Draft, Failure, Planning};
use super::super::plan::{Plan, Source};
use super::super::setup::Spent;
use super::super::state::Life;
use super::super::valid;
use super::shared;
use crate::machine::Said;
use crate::policy::Granted;

pub(in super::super) fn planning(life: &Life, now: &Planning, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::UserModify { text, digest } => shared::modify(life, said, text, digest),
        Command::UserCancel => shared::cancel(life, said, CancelWhy::Asked),
        Command::ParentCancel => shared::cancel(life, said, CancelWhy::Parent),
        Command::RetryPlan => retry(life, now, said),
        Command::Pause { .. } => shared::pause(life, said),
        Command::Resume => shared::resume(life, said),
        Command::Note { .. } => shared::note(life, said),
        Command::Settled { .. } => shared::settled(life, said),
        Command::PlanReady { plan, programs, spent, .. } if shared::owes(life, &said.command) => {
            ready(spending(life, said, *spent), now, plan, programs)
        }
        Command::PlanFailed { fault, spent, .. } if shared::owes(life, &said.command) => {
            failed(spending(life, said, *spent), now, fault)
        }
        Command::UserInputRequirement { .. } => shared::busy(life, &said.command),
        Command::UserConfirm(_)
        | Command::UserAbort { .. }
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
        | Command::Archived { .. }
        | Command::Due { .. } => shared::not_owed(&said.command),
    }
}

fn retry(life: &Life, now: &Planning, said: &Said<Command>) -> Decision {
    match now.step {
        Draft::Stuck { n, failed, .. } if failed < PLAN_ATTEMPTS_MAX => {
            let mut batch = Batch::new(life, said);
            batch.push(Event::RetryPlan { n: n + 1, correction: None });
            batch.done()
        }
        Draft::Stuck { .. } | Draft::Drafting { .. } => shared::not_now(life, &said.command),
    }
}

/// What a planner spent is recorded first, whatever came of it. Reading a document spends nothing.
fn spending<'a>(life: &Life, said: &'a Said<Command>, spent: Spent) -> Batch<'a> {
    let mut batch = Batch::new(life, said);
    if life.body.ask.source == Source::Text {
        let (task, spent, files_changed) = (None, Spent { turns: 1, ..spent }, Vec::new());
        batch.push(Event::TurnSpent { task, spent, files_changed });
    }
    batch
}

/// A plan is there. One that is not valid is as good as none.
fn ready(mut batch: Batch<'_>, now: &Planning, plan: &Plan, programs: &[Granted]) -> Decision {
    let flaws = valid::flaws(plan);
    if !flaws.is_empty() {
        let lines: Vec<_> = flaws.iter().map(valid::Flaw::line).collect();
        let summary = lines.join("\n");
        let failure = Failure {
            code: "E_MODEL".into(),
            kind: "plan_invalid".into(),
            signature: summary.clone(),
            summary,
            repeat: false,
            check: None,
            errors: Vec::new(),
            digest: None,
        };
        let fault = PlanFault { failure, reset_at: None, correctable: true };
        return failed(batch, now, &fault);
    }
    let plan = Plan { revision: now.revision, ..plan.clone() };
    approve::shown(&mut batch, plan, programs);
    batch.done()
}

/// No plan: what an agent made and is not valid gets one corrective try, whatever else waits for a
/// person.
fn failed(mut batch: Batch<'_>, now: &Planning, fault: &PlanFault) -> Decision {
    let Draft::Drafting { n, correction, .. } = &now.step else { return batch.done() };
    let (failure, reset_at) = (Box::new(fault.failure.clone()), fault.reset_at);
    batch.push(Event::PlanFailed { failure, reset_at });
    let by_agent = batch.life.body.ask.source == Source::Text;
    if by_agent && fault.correctable && correction.is_none() {
        let correction = Some(fault.failure.summary.clone());
        batch.push(Event::RetryPlan { n: n + 1, correction });
    }
    batch.done()
}
