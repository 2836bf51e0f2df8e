//! Facts about the plan, the hold and notes.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::super::bounds;
use super::super::event::{CancelWhy, Event, Taken};
use super::super::phase::{
    Confirming, Doing, Draft, Ended, Executing, Failure, Outcome, Phase, Planning,
};
use super::super::plan::{Ask, Plan};
use super::super::setup::{Begin, Spent};
use super::super::slot;
use super::super::state::{Approval, Body, Hold, Life, Note, NoteKind, Numbers, Work};
use super::super::task::{Status, Task};
use crate::machine::At;

/// A lifecycle with its first requirement.
pub(super) fn born(begin: &Begin, at: At) -> Life {
    let body = Body {
        ask: begin.ask.clone(),
        budget: begin.options.budget,
        spent: Spent::default(),
        left: Vec::new(),
        begin: begin.clone(),
        seq: 1,
        created_at: at,
        updated_at: at,
        next: Numbers { n: 1, k: 1, roll: 1 },
        hold: None,
        notes: Vec::new(),
    };
    Life { body, phase: drafting(1, None) }
}

fn drafting(revision: u32, before: Option<Box<Plan>>) -> Phase {
    let step = Draft::Drafting { n: 1, failed: 0, correction: None };
    Phase::Planning(Box::new(Planning { revision, step, before }))
}

pub(super) fn apply(life: &mut Life, event: &Event, at: At) {
    if let Event::UserInputRequirement { taken } = event {
        again(life, taken);
    } else if let Event::PrdGenerated { plan, hash, expires, new_risks } = event {
        life.phase = Phase::Confirming(Box::new(Confirming {
            question: slot::confirm_key(plan.revision),
            plan: (**plan).clone(),
            hash: hash.clone(),
            asked_at: at,
            expires: *expires,
            new_risks: new_risks.clone(),
        }));
    } else if let Event::UserConfirm { approval } = event {
        confirmed(life, approval);
    } else if let Event::UserCancel { why, .. } = event {
        cancelled(life, *why, at);
    } else if let Event::PlanFailed { failure, reset_at } = event {
        failed(life, failure, *reset_at);
    } else if let Event::RetryPlan { n, correction } = event {
        if let Phase::Planning(planning) = &mut life.phase {
            let (n, correction) = (*n, correction.clone());
            let failed = planning.step.failed();
            planning.step = Draft::Drafting { n, failed, correction };
        }
    } else if let Event::PlanAmended { .. } = event {
        amended(life, event, at);
    } else if let Event::Pause { by, reason, keep, cut } = event {
        let (keep, mut cut) = (keep.clone(), cut.clone());
        if let Some(hold) = &life.body.hold {
            cut.extend(hold.cut.iter().cloned());
        }
        let (by, reason) = (by.clone(), reason.clone());
        life.body.hold = Some(Hold { by, at, reason, keep, cut });
    } else if let Event::Resume { .. } = event {
        life.body.hold = None;
    } else if let Event::NoteTaken { by, kind, task, text } = event {
        let (by, task, text) = (by.clone(), task.clone(), text.clone());
        note(life, Note { at, by, kind: *kind, task, text });
    }
}

fn failed(life: &mut Life, failure: &Failure, reset_at: Option<At>) {
    if let Phase::Planning(planning) = &mut life.phase
        && let Draft::Drafting { n, failed, .. } = planning.step
    {
        let (failure, failed) = (failure.clone(), failed + 1);
        planning.step = Draft::Stuck { n, failed, failure, reset_at };
    }
}

/// Notes are capped. The newest page of scratch stays: it stands for all before it.
pub(super) fn note(life: &mut Life, note: Note) {
    let notes = &mut life.body.notes;
    notes.push(note);
    if notes.len() <= bounds::NOTES_MAX {
        return;
    }
    let scratch = notes.iter().rposition(|note| note.kind == NoteKind::Scratch);
    notes.remove(usize::from(scratch == Some(0)));
}

/// The second half of a change of the requirement: what was there is kept as input.
fn again(life: &mut Life, taken: &Taken) {
    let Taken::Again { ask, revision } = taken else { return };
    let before = match &mut life.phase {
        Phase::Idle(ended) => ended.plan.take(),
        Phase::Planning(planning) => planning.before.take(),
        Phase::Confirming(_)
        | Phase::Executing(_)
        | Phase::AutoFix(_)
        | Phase::Blocked(_)
        | Phase::Archiving(_) => None,
    };
    life.body.ask = Ask::clone(ask);
    life.phase = drafting(*revision, before);
}

fn cancelled(life: &mut Life, why: CancelWhy, at: At) {
    let (plan, revision) = match &life.phase {
        Phase::Planning(planning) => (planning.before.clone(), planning.revision),
        Phase::Confirming(confirming) => {
            (Some(Box::new(confirming.plan.clone())), confirming.plan.revision)
        }
        Phase::Idle(_)
        | Phase::Executing(_)
        | Phase::AutoFix(_)
        | Phase::Blocked(_)
        | Phase::Archiving(_) => return,
    };
    let outcome = Outcome::Cancelled;
    let (archive, work) = (None, None);
    life.phase = Phase::Idle(Box::new(Ended { outcome, at, archive, plan, work, revision }));
    match why {
        // The requirement is taken again in the same batch; a hold of the run stays.
        CancelWhy::Modify | CancelWhy::SourceChanged => {}
        CancelWhy::Asked | CancelWhy::Expired | CancelWhy::Parent => {
            life.body.hold = None;
            life.body.left.clear();
        }
    }
}

fn confirmed(life: &mut Life, approval: &Approval) {
    let Phase::Confirming(confirming) = &life.phase else { return };
    let plan = confirming.plan.clone();
    let tasks = plan.tasks.iter().map(|spec| Arc::new(Task::new(spec.clone()))).collect();
    let work = Work {
        hash: confirming.hash.clone(),
        plan,
        approval: approval.clone(),
        tasks,
        evidence: Vec::new(),
        digests: Vec::new(),
        last_checkpoint: None,
        checkpoints: Vec::new(),
        attempts: Vec::new(),
        fixes_total: 0,
        unknown_calls: Vec::new(),
        rollbacks: 0,
        accepted: Vec::new(),
    };
    // What comes first is chosen in the same batch.
    let doing = Doing::Seal { n: life.body.next.n, rounds: 0 };
    life.phase = Phase::Executing(Box::new(Executing { work, doing }));
}

fn amended(life: &mut Life, event: &Event, at: At) {
    let Event::PlanAmended { plan, hash, approval, asked, .. } = event else { return };
    if let Phase::Confirming(confirming) = &mut life.phase {
        confirming.plan = Plan::clone(plan);
        confirming.hash.clone_from(hash);
        confirming.question = slot::confirm_key(plan.revision);
        confirming.asked_at = at;
        if let Some(asked) = asked {
            confirming.expires = asked.expires;
            confirming.new_risks.clone_from(&asked.new_risks);
        }
        return;
    }
    let Some(work) = life.phase.work_mut() else { return };
    if let Some(approval) = approval {
        work.approval = Approval::clone(approval);
    }
    let mut tasks = Vec::with_capacity(plan.tasks.len());
    for spec in &plan.tasks {
        tasks.push(match work.tasks.iter().find(|task| task.spec.id == spec.id) {
            Some(known) if known.status != Status::Pending => Arc::clone(known),
            Some(known) => Arc::new(Task { spec: spec.clone(), ..(**known).clone() }),
            None => Arc::new(Task::new(spec.clone())),
        });
    }
    work.tasks = tasks;
    work.plan = Plan::clone(plan);
    work.hash.clone_from(hash);
}
