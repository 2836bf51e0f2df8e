//! Rows of a turn that looks for a way out of a failure.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;

use super::super::answer::Answer;
use super::super::bounds::PATCH_TRIES_MAX;
use super::super::command::{Command, Confirm, Ended, Payload, Planned, Word};
use super::super::draft::{Decision, Draft};
use super::super::event::Event;
use super::super::ladder::Fall;
use super::super::patch;
use super::super::plan::{Plan, Runner};
use super::super::refusal::Refusal;
use super::super::setup::Judged;
use super::super::slot;
use super::super::state::{
    ApprovedBy, AskedFrom, Back, Life, Origin, Recovering, Resume, Rung, Subject,
};
use super::super::subject::{self, Reach};
use super::super::valid::{Flaw, Wrong};
use super::{planning, shared};
use crate::machine::Said;
use crate::policy::{Verdict, Word as Policy};

/// What a turn that looks for a way out answers.
pub fn row(life: &Life, now: &Recovering, said: &Said<Command>) -> Decision {
    let mut draft = Draft::new(life, said);
    match (&now.rung, &said.command) {
        (Rung::Fix { n, .. }, Command::Timeout { .. }) => fix(&mut draft, now, *n),
        (Rung::Undo { .. }, Command::ToolCallResult { ended, .. }) => {
            undone(&mut draft, now, matches!(ended, Ended::Ok(_)));
        }
        (Rung::Undo { .. }, Command::Timeout { .. }) => undone(&mut draft, now, false),
        (Rung::Replan { .. }, Command::ToolCallResult { ended, .. }) => {
            replanned(&mut draft, now, ended);
        }
        (Rung::Replan { .. }, Command::Timeout { .. }) => {
            gave_up(&mut draft, now, "E_TOOL_TIMEOUT", "turn.timeout.plan");
        }
        (Rung::Help { n, .. }, Command::Confirm(confirm)) => {
            helped(&mut draft, now, *n, confirm)?;
        }
        (Rung::Help { .. }, Command::Timeout { .. }) => {
            let code = now.failure.code.clone();
            gave_up(&mut draft, now, &code, "turn.help_expired");
        }
        (Rung::Help { .. }, Command::SkipStep { step, reason }) => {
            skipped(&mut draft, now, step, reason)?;
        }
        (
            Rung::Degrade { .. }
            | Rung::Fix { .. }
            | Rung::Undo { .. }
            | Rung::Replan { .. }
            | Rung::Help { .. }
            | Rung::Spent,
            Command::UserMessage(_)
            | Command::ClarificationAnswer { .. }
            | Command::ToolCallRequest(_)
            | Command::ToolCallResult { .. }
            | Command::Confirm(_)
            | Command::Timeout { .. }
            | Command::Cancel
            | Command::Pause { .. }
            | Command::Resume
            | Command::EditPlan { .. }
            | Command::SkipStep { .. },
        ) => return shared::not_now(life, &said.command),
    }
    draft.done()
}

/// A step that repairs. A person who approved a plan with agents in it approved that agents work
/// within its reach; anything else is asked about.
fn fix(draft: &mut Draft<'_>, now: &Recovering, n: u32) {
    let step = draft.fix_step(n, &now.failure);
    let (id, hash) = (step.step_id.clone(), subject::step(&step));
    let covered = covers_agents(draft);
    let reach = draft.life.body.start.agent_step.reach.clone();
    draft.push(Event::FixStepAdded { step: Box::new(step) });
    if covered {
        draft.start(&id, Origin::Fix { n, back: now.back.clone() });
    } else {
        draft.ask(Subject::Patch, hash, reach, Resume::Fix { back: now.back.clone() });
    }
}

fn covers_agents(draft: &Draft<'_>) -> bool {
    let body = &draft.life.body;
    let allowed = body.start.agent_step.verdict.word() == Policy::Allow;
    let approved = body.work.as_ref().is_some_and(|work| {
        let person = work.approval.as_ref().is_some_and(|yes| match yes.by {
            ApprovedBy::Person { .. } => yes.hash == work.hash,
            ApprovedBy::Policy { .. } => false,
        });
        person && work.plan.steps.iter().any(|step| step.runner == Runner::Agent)
    });
    allowed || approved
}

/// One call is taken back, or a person has to look.
fn undone(draft: &mut Draft<'_>, now: &Recovering, ok: bool) {
    let Rung::Undo { n, i, left } = &now.rung else { return };
    let body = &draft.life.body;
    let next = if !ok {
        Rung::Help { n: body.next.help, until: body.expiry(draft.at) }
    } else if left.len() > 1 {
        let left = left[..left.len() - 1].to_vec();
        Rung::Undo { n: *n, i: i + 1, left }
    } else {
        Fall { body, failure: &now.failure, back: &now.back, at: None, now: draft.at }.rung()
    };
    draft.push(Event::UndoRecorded { ok, next: Box::new(next) });
    draft.land();
}

fn gave_up(draft: &mut Draft<'_>, now: &Recovering, code: &str, detail: &str) {
    let step = match &now.back {
        Back::Step(id) => Some(id.clone()),
        Back::Verify => None,
    };
    let (code, detail) = (code.to_string(), detail.to_string());
    draft.push(Event::GaveUp { code, detail, step, ends: true });
}

fn replanned(draft: &mut Draft<'_>, now: &Recovering, ended: &Ended) {
    let Some(Payload::Planner(planned)) = shared::payload(ended) else {
        let (code, detail) = shared::bad(ended);
        return gave_up(draft, now, &code, &detail);
    };
    match &**planned {
        Planned::Unread(flaw) => rejected(draft, now, flaw),
        Planned::Read { answer: Answer::Questions(asked), .. } => {
            shared::ask(draft, asked, AskedFrom::Execution { back: now.back.clone() });
        }
        Planned::Read { answer, bad_args, judged } => {
            let plan = next_plan(draft, answer, bad_args);
            match plan {
                Err(flaw) => rejected(draft, now, &flaw),
                Ok(plan) => {
                    let judged = judged.clone().unwrap_or_else(|| shared::unjudged(&draft.life));
                    patched(draft, now, plan, &judged);
                }
            }
        }
    }
}

fn next_plan(
    draft: &Draft<'_>,
    answer: &Answer,
    bad_args: &[super::super::valid::BadArgs],
) -> Result<Plan, Flaw> {
    let body = &draft.life.body;
    let ground = shared::ground(&draft.life, bad_args);
    let none = || Flaw::new(Wrong::Schema, "", "no plan");
    let work = body.work.as_ref().ok_or_else(none)?;
    match answer {
        Answer::Patch(change) => patch::apply(&work.plan, change, ground),
        Answer::Full(full) => {
            let new = planning::made(body, full, draft.at);
            patch::replace(&work.plan, &new, ground)
        }
        Answer::Questions(_) | Answer::Carried(_) => Err(none()),
    }
}

fn rejected(draft: &mut Draft<'_>, now: &Recovering, flaw: &Flaw) {
    let Rung::Replan { invalid, .. } = now.rung else { return };
    draft.push(Event::PlanRejected { error: planning::told(flaw) });
    if invalid + 1 >= PATCH_TRIES_MAX {
        gave_up(draft, now, "E_MODEL", flaw.what.word());
    }
}

fn patched(draft: &mut Draft<'_>, now: &Recovering, plan: Plan, judged: &Judged) {
    let (accepted, verdict) = draft.accepted(plan, judged);
    match verdict {
        Verdict::Deny { rule } => gave_up(draft, now, "E_POLICY_DENIED", &rule),
        Verdict::Ask { .. } => {
            let (hash, reach): (String, Reach) = (accepted.hash.clone(), accepted.reach.clone());
            draft.push(Event::PlanPatched { accepted: Box::new(accepted) });
            draft.ask(Subject::Patch, hash, reach, Resume::Ready);
        }
        Verdict::Allow { .. } => {
            draft.push(Event::PlanPatched { accepted: Box::new(accepted) });
            draft.go_on();
        }
    }
}

fn helped(
    draft: &mut Draft<'_>,
    now: &Recovering,
    n: u32,
    confirm: &Confirm,
) -> Result<(), Refusal> {
    let hash = help_hash(now);
    if confirm.prompt != slot::help(n) || confirm.hash != hash {
        return Err(Refusal::StaleApproval { prompt: slot::help(n), hash, allowed: vec![] });
    }
    match confirm.word {
        Word::No => {
            let (code, detail) = (now.failure.code.clone(), now.failure.detail.clone());
            gave_up(draft, now, &code, &detail);
        }
        Word::Yes => {
            let by = draft.word();
            draft.push(Event::HelpGiven { by });
            if let Back::Step(id) = &now.back {
                draft.start(id, Origin::Main);
            }
        }
    }
    Ok(())
}

/// What a cry for help is about: the failure as it was shown.
pub fn help_hash(now: &Recovering) -> String {
    crate::hash::sha256_hex(now.failure.signature.as_bytes())
}

fn skipped(
    draft: &mut Draft<'_>,
    now: &Recovering,
    step: &str,
    reason: &str,
) -> Result<(), Refusal> {
    if now.back != Back::Step(step.into()) {
        return Err(Refusal::NoSuch { step: step.into() });
    }
    let (id, by, reason) = (step.to_string(), draft.word(), reason.to_string());
    draft.push(Event::StepSkipped { step: id, by, reason });
    draft.go_on();
    Ok(())
}
