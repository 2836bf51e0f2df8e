//! Plans and the yes to them: what a person is shown, what a grant covers, what a change by a
//! person does.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::batch::{Batch, Close, Decision};
use super::command::{Amendment, Command, Confirm};
use super::event::{Asked, Event};
use super::phase::Confirming;
use super::plan::{Finding, Patch, Plan, Source};
use super::refusal::Refusal;
use super::state::{Approval, Life, Scope};
use super::task::{Spec, Status};
use super::valid;
use crate::machine::Said;
use crate::policy::Granted as Program;

/// A valid plan waits for a person, or goes on at once if a grant covers exactly it.
pub(super) fn shown(batch: &mut Batch<'_>, plan: Plan, programs: &[Program]) {
    let body = &batch.life.body;
    let Asked { expires, new_risks: new } = asked(batch, &plan);
    let covered = body.begin.grant.clone().filter(|grant| {
        let listed = |known: &Vec<Program>| programs.iter().all(|one| known.contains(one));
        new.is_empty()
            && plan.source_digest.as_ref() == Some(&grant.digest)
            && grant.programs.as_ref().is_none_or(listed)
    });
    let hash = plan.hash();
    let risks = plan.findings.iter().map(|finding| finding.risk_hash.clone()).collect();
    let (boxed, new_risks) = (Box::new(plan), new);
    batch.push(Event::PrdGenerated { plan: boxed, hash: hash.clone(), expires, new_risks });
    if let Some(grant) = covered {
        let approval = Approval {
            hash,
            by: grant.by,
            at: batch.at,
            question: grant.question,
            scope: Scope::Plan,
            risks,
            programs: programs.to_vec(),
        };
        batch.push(Event::UserConfirm { approval: Box::new(approval) });
        batch.advance(Close::Sealed);
    }
}

/// What a person is asked about a plan from now on.
fn asked(batch: &Batch<'_>, plan: &Plan) -> Asked {
    let begin = &batch.life.body.begin;
    let is_new = |finding: &&Finding| {
        let held = begin.grant.as_ref();
        !held.is_some_and(|grant| grant.risks.contains(&finding.risk_hash))
    };
    let new = plan.findings.iter().filter(is_new);
    Asked {
        expires: begin.options.confirm_expiry_ms.map(|ms| batch.at.plus(ms)),
        new_risks: new.map(|finding| finding.risk_hash.clone()).collect(),
    }
}

/// A person says yes to the plan that was shown.
pub(super) fn confirm(
    life: &Life,
    now: &Confirming,
    said: &Said<Command>,
    given: &Confirm,
) -> Decision {
    let (command, state) = (said.command.name(), life.phase.name());
    let expired = now.expires.is_some_and(|at| said.at >= at);
    if given.question != now.question || expired {
        return Err(Refusal::Answered { command, state, allowed: vec![] });
    }
    let same_source = match life.body.ask.source {
        Source::Text => true,
        Source::File | Source::Package => given.source_digest == now.plan.source_digest,
    };
    if given.plan_hash != now.hash || !same_source {
        return Err(Refusal::PlanChanged { command, state, allowed: vec![] });
    }
    let mut batch = Batch::new(life, said);
    let approval = Approval {
        hash: now.hash.clone(),
        by: batch.who(),
        at: said.at,
        question: now.question.clone(),
        scope: given.scope,
        risks: now.plan.findings.iter().map(|finding| finding.risk_hash.clone()).collect(),
        programs: given.programs.clone(),
    };
    batch.push(Event::UserConfirm { approval: Box::new(approval) });
    batch.advance(Close::Sealed);
    batch.done()
}

/// The plan that comes of a patch, or which tasks it may not touch.
pub(super) fn patched(
    plan: &Plan,
    open: &dyn Fn(&str) -> bool,
    patch: &Patch,
) -> Result<Plan, Refusal> {
    if patch.add.is_empty() && patch.update.is_empty() && patch.remove.is_empty() {
        return Err(Refusal::InvalidArgs { field: "patch", problem: "empty".into() });
    }
    let mut plan = plan.clone();
    let touched = patch.update.iter().map(|spec| &spec.id).chain(&patch.remove);
    let closed: Vec<String> = touched.filter(|id| !open(id)).cloned().collect();
    if let Some(id) = closed.iter().find(|id| plan.task(id).is_none()) {
        return Err(super::progress::no_such(plan.tasks.iter().map(|task| task.id.as_str()), id));
    }
    if !closed.is_empty() {
        return Err(Refusal::Immutable { tasks: closed, allowed: vec![] });
    }
    plan.tasks.retain(|task| !patch.remove.contains(&task.id));
    for task in &mut plan.tasks {
        if let Some(update) = patch.update.iter().find(|update| update.id == task.id) {
            *task = Spec::clone(update);
        }
    }
    plan.tasks.extend(patch.add.iter().cloned());
    plan.revision += 1;
    let flaws = valid::flaws(&plan);
    match flaws.first() {
        None => Ok(plan),
        Some(flaw) => Err(Refusal::InvalidArgs { field: "patch", problem: flaw.line() }),
    }
}

/// A person changes the plan that waits: a new revision, a new question.
pub(super) fn amend_shown(
    life: &Life,
    now: &Confirming,
    said: &Said<Command>,
    given: &Amendment,
) -> Decision {
    let plan = patched(&now.plan, &|id| now.plan.task(id).is_some(), &given.patch)?;
    let plan = Plan { findings: given.findings.clone(), ..plan };
    let mut batch = Batch::new(life, said);
    let (hash, reason) = (plan.hash(), given.patch.reason.clone());
    let (asked, plan) = (Some(Box::new(asked(&batch, &plan))), Box::new(plan));
    batch.push(Event::PlanAmended { plan, hash, approval: None, reason, asked });
    batch.done()
}

/// A person changes tasks that have not started; that is the approval of what comes of it.
pub(super) fn amend(life: &Life, said: &Said<Command>, given: &Amendment) -> Decision {
    let mut batch = Batch::new(life, said);
    let Some(work) = batch.work() else {
        return Err(Refusal::NoRun);
    };
    let open = |id: &str| work.task(id).is_some_and(|task| task.status == Status::Pending);
    let plan = patched(&work.plan, &open, &given.patch)?;
    let plan = Plan { findings: given.findings.clone(), ..plan };
    let hash = plan.hash();
    let approval = Approval {
        hash: hash.clone(),
        by: batch.who(),
        at: said.at,
        question: format!("amend/{}", plan.revision),
        scope: work.approval.scope,
        risks: plan.findings.iter().map(|finding| finding.risk_hash.clone()).collect(),
        programs: given.programs.clone(),
    };
    let (plan, approval) = (Box::new(plan), Some(Box::new(approval)));
    let reason = given.patch.reason.clone();
    batch.push(Event::PlanAmended { plan, hash, approval, reason, asked: None });
    batch.reopen_queue();
    batch.done()
}
