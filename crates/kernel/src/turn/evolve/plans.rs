//! The facts about plans and the prompts in front of them.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::event::{Accepted, AfterNo, Event};
use super::super::models::Scope;
use super::super::plan::{SkipReason, Status, Step};
use super::super::setup::{Checkpoints, Mode};
use super::super::state::{
    Approval, ApprovedBy, Back, Ending, Kept, Leave, Life, Outcome, Phase, Recovering, Resume,
    Rung, Subject, Verified, Why, Work,
};
use super::{doing, ending};

pub(super) fn apply(life: &mut Life, event: &Event) {
    if let Event::PlanRejected { error } = event {
        rejected(life, error);
    } else if let Event::PlanAccepted { accepted } = event {
        taken(life, accepted);
    } else if let Event::PlanEdited { accepted, .. } | Event::PlanPatched { accepted } = event {
        changed(life, accepted);
    } else if let Event::ConfirmationAsked { prompt } = event {
        life.body.next.confirm = life.body.next.confirm.max(prompt.k + 1);
        life.phase = Phase::AwaitingConfirmation(prompt.clone());
    } else if let Event::PlannerDegraded { .. } = event {
        if let Phase::Planning { why, agent, .. } = &life.phase {
            let (why, agent) = (why.clone(), agent + 1);
            planning(life, why, agent);
        }
    } else if let Event::Confirmed { prompt, subject, scope, .. } = event {
        confirmed(life, prompt, *subject, *scope);
    } else if let Event::Declined { note, next, .. } = event {
        declined(life, note.as_deref(), next);
    } else if let Event::ConfirmationExpired { outcome, .. } = event {
        let verified = ending::verified(life);
        ending::sum_up(life, outcome.clone(), verified);
    } else if let Event::FixStepAdded { step } = event {
        if let Some(work) = &mut life.body.work {
            work.fixes.push(Step::clone(step));
        }
    } else if let Event::PromptVoided { .. } = event {
        voided(life);
    }
}

pub(super) fn planning(life: &mut Life, why: Why, agent: u32) {
    life.body.next.plan += 1;
    life.phase = Phase::Planning { why, n: life.body.next.plan, agent };
    life.body.clock.left_ms = life.body.start.limits.plan_ms;
}

fn rejected(life: &mut Life, error: &str) {
    life.body.rejected = Some(error.into());
    match &mut life.phase {
        Phase::Planning { agent, why, .. } => {
            let (agent, note) = (*agent, why.note().cloned());
            life.body.ledger.corrections += 1;
            planning(life, Why::Correct { error: error.into(), note }, agent);
        }
        Phase::Recovering(now) => {
            if let Rung::Replan { attempt, invalid, error: last, .. } = &mut now.rung {
                *attempt += 1;
                *invalid += 1;
                *last = Some(error.into());
                life.body.clock.left_ms = life.body.start.limits.plan_ms;
            }
        }
        Phase::Intake { .. }
        | Phase::Clarifying { .. }
        | Phase::ContextBuilding { .. }
        | Phase::AwaitingConfirmation(_)
        | Phase::Executing(_)
        | Phase::Verifying(_)
        | Phase::Summarizing(_)
        | Phase::Done(_) => {}
    }
}

fn approval(accepted: &Accepted) -> Option<Approval> {
    let rule = accepted.rule.clone()?;
    Some(Approval { hash: accepted.hash.clone(), by: ApprovedBy::Policy { rule } })
}

fn taken(life: &mut Life, accepted: &Accepted) {
    let kept = match life.body.start.checkpoints {
        Checkpoints::Off => Kept::NotNeeded,
        Checkpoints::Turn | Checkpoints::Step => Kept::Due,
    };
    let old = life.body.work.take();
    life.body.rejected = None;
    life.body.next.checkpoint = life.body.next.checkpoint.max(1);
    life.body.work = Some(Box::new(Work {
        plan: accepted.plan.clone(),
        hash: accepted.hash.clone(),
        reach: accepted.reach.clone(),
        definitions: accepted.definitions.clone(),
        approval: approval(accepted),
        fixes: Vec::new(),
        // A revised plan may use ids again, its keys may not.
        attempts: old.map_or_else(BTreeMap::new, |old| old.attempts),
        tried: Vec::new(),
        changed: BTreeMap::new(),
        writes: Vec::new(),
        kept,
        fallen: BTreeMap::new(),
        rounds: Vec::new(),
        bare: false,
    }));
    if life.body.start.mode == Mode::Plan {
        ending::sum_up(life, Outcome::Completed, Verified::Skipped);
    }
}

/// A changed plan is another one: the yes to the old one is gone. One that was found to lie within
/// what a person said yes to is under that yes still, or its calls would be asked about again.
fn changed(life: &mut Life, accepted: &Accepted) {
    life.body.rejected = None;
    let Some(work) = &mut life.body.work else { return };
    let person = work.approval.take().filter(|old| old.hash == work.hash).map(|old| old.by);
    let person = person.filter(|by| matches!(by, ApprovedBy::Person { .. }));
    work.plan.clone_from(&accepted.plan);
    work.hash.clone_from(&accepted.hash);
    work.reach.clone_from(&accepted.reach);
    work.definitions.clone_from(&accepted.definitions);
    work.approval =
        approval(accepted).map(|Approval { hash, by }| Approval { hash, by: person.unwrap_or(by) });
}

fn confirmed(life: &mut Life, id: &str, subject: Subject, scope: Scope) {
    let Phase::AwaitingConfirmation(prompt) = &life.phase else { return };
    let prompt = prompt.clone();
    match subject {
        Subject::Plan | Subject::Patch => {
            let fix = matches!(prompt.resume, Resume::Fix { .. });
            if let Some(work) = life.body.work.as_mut().filter(|_| !fix) {
                let by = ApprovedBy::Person { prompt: id.into(), scope };
                work.approval = Some(Approval { hash: prompt.hash.clone(), by });
            }
            if let Resume::At(at) = prompt.resume {
                life.phase = Phase::Executing(at);
            }
        }
        Subject::Call => {
            if let Resume::At(mut at) = prompt.resume {
                let asked = at.inner.iter_mut().filter(|inner| inner.leave == Leave::Asked);
                asked.for_each(|inner| inner.leave = Leave::Given);
                life.phase = Phase::Executing(at);
            }
        }
        Subject::Git => {
            if let Resume::Commit(mut summing) = prompt.resume {
                summing.stage = Ending::Committing;
                life.phase = Phase::Summarizing(summing);
                ending::begin_commit(life);
            }
        }
    }
}

fn declined(life: &mut Life, note: Option<&str>, next: &AfterNo) {
    match next {
        AfterNo::Revise => {
            life.body.ledger.revisions += 1;
            planning(life, Why::Revise { note: note.unwrap_or("").to_string() }, 0);
        }
        AfterNo::Replan(failure, rung) => {
            let back = declined_at(life, failure.step_id.as_ref());
            doing::unstart(life, failure.step_id.as_ref());
            let (failure, rung) = ((**failure).clone(), (**rung).clone());
            doing::recover(life, Recovering { failure, back, rung });
        }
        AfterNo::End(outcome) => {
            let verified = ending::verified(life);
            ending::sum_up(life, outcome.clone(), verified);
        }
    }
}

fn declined_at(life: &Life, step: Option<&String>) -> Back {
    match (life.position(), step) {
        (Some(at), _) => at.back(),
        (None, Some(step)) => Back::Step(step.clone()),
        (None, None) => match &life.phase {
            Phase::AwaitingConfirmation(prompt) => match &prompt.resume {
                Resume::Fix { back } => back.clone(),
                Resume::Ready | Resume::At(_) | Resume::Commit(_) => Back::Verify,
            },
            Phase::Intake { .. }
            | Phase::Clarifying { .. }
            | Phase::ContextBuilding { .. }
            | Phase::Planning { .. }
            | Phase::Executing(_)
            | Phase::Verifying(_)
            | Phase::Recovering(_)
            | Phase::Summarizing(_)
            | Phase::Done(_) => Back::Verify,
        },
    }
}

/// The agent ended before anybody answered for its call.
fn voided(life: &mut Life) {
    let Phase::AwaitingConfirmation(prompt) = &life.phase else { return };
    if let Resume::At(at) = &prompt.resume {
        let mut at = at.clone();
        at.inner.retain(|inner| inner.leave == Leave::Given);
        life.phase = Phase::Executing(at);
    }
}

/// A pending step that nobody will do.
pub(super) fn skip(step: &mut Step, reason: SkipReason) {
    step.status = Status::Skipped;
    step.skip_reason = Some(reason);
}
