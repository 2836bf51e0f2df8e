//! Rows of a turn that waits for a yes. Free text is never one; a yes to anything but exactly what
//! was shown is stale.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;

use super::super::command::{Command, Confirm, Word};
use super::super::draft::{Decision, Draft};
use super::super::event::{AfterNo, Event};
use super::super::evidence::FailureKind;
use super::super::models::Scope;
use super::super::plan::{SkipReason, Status};
use super::super::refusal::Refusal;
use super::super::setup::Judged;
use super::super::state::{Counted, Life, Origin, Outcome, Phase, Prompt, Resume, Rung, Subject};
use super::{executing, shared};
use crate::machine::Said;

/// What a turn that waits for a yes answers.
pub fn row(life: &Life, prompt: &Prompt, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::Confirm(confirm) => confirmed(life, prompt, confirm, said),
        Command::Timeout { .. } => expired(life, prompt, said),
        Command::Cancel => git_declined(life, said),
        Command::ToolCallResult { .. } => ended(life, prompt, said),
        Command::EditPlan { patch, judged, bad_args } if plans(prompt) => {
            let plan = shared::edited(life, patch, bad_args)?;
            reprompt(life, prompt, said, plan, judged)
        }
        Command::SkipStep { step, .. } if plans(prompt) => {
            shared::skippable(life, step)?;
            let Some(work) = &life.body.work else { return shared::not_now(life, &said.command) };
            let mut plan = work.plan.clone();
            plan.version += 1;
            if let Some(step) = plan.step_mut(step) {
                step.status = Status::Skipped;
                step.skip_reason = Some(SkipReason::Person);
            }
            reprompt(life, prompt, said, plan, &shared::unjudged(life))
        }
        Command::EditPlan { .. }
        | Command::SkipStep { .. }
        | Command::UserMessage(_)
        | Command::ClarificationAnswer { .. }
        | Command::ToolCallRequest(_)
        | Command::Pause { .. }
        | Command::Resume => shared::not_now(life, &said.command),
    }
}

/// Whether the prompt is about the plan as a whole, so that changing it changes the prompt.
fn plans(prompt: &Prompt) -> bool {
    match prompt.subject {
        Subject::Plan | Subject::Patch => !matches!(prompt.resume, Resume::Fix { .. }),
        Subject::Call | Subject::Git => false,
    }
}

fn confirmed(life: &Life, prompt: &Prompt, confirm: &Confirm, said: &Said<Command>) -> Decision {
    if confirm.prompt != prompt.id() || confirm.hash != prompt.hash {
        let (prompt, hash) = (prompt.id(), prompt.hash.clone());
        return Err(Refusal::StaleApproval { prompt, hash, allowed: vec![] });
    }
    match confirm.word {
        Word::Yes => yes(life, prompt, confirm, said),
        Word::No => no(life, prompt, confirm.note.as_deref(), said),
    }
}

fn yes(life: &Life, prompt: &Prompt, confirm: &Confirm, said: &Said<Command>) -> Decision {
    let too_wide = match confirm.scope {
        Scope::SingleAction => None,
        Scope::Session => (!prompt.reach.lasting()).then_some("session"),
        Scope::Workspace => Some("workspace"),
    };
    if let Some(scope) = too_wide {
        return Err(Refusal::ScopeTooWide { scope, allowed: vec![] });
    }
    let mut draft = Draft::new(life, said);
    draft.push(Event::Confirmed {
        prompt: prompt.id(),
        subject: prompt.subject,
        scope: confirm.scope,
        by: draft.word(),
        note: confirm.note.clone(),
    });
    match &prompt.resume {
        Resume::Ready => draft.go_on(),
        Resume::Fix { back } => {
            let n = draft.life.body.ledger.fixes;
            let origin = Origin::Fix { n, back: back.clone() };
            draft.start(&alloc::format!("fix-{n}"), origin);
        }
        Resume::At(_) | Resume::Commit(_) => {}
    }
    draft.done()
}

fn no(life: &Life, prompt: &Prompt, note: Option<&str>, said: &Said<Command>) -> Decision {
    if prompt.subject == Subject::Git {
        return git_declined(life, said);
    }
    let mut draft = Draft::new(life, said);
    let step = step_of(life, prompt);
    let next = after_no(&draft, prompt, note, step.clone());
    let ends = matches!(next, AfterNo::End(_));
    let (by, note) = (draft.word(), note.map(String::from));
    draft.push(Event::Declined { prompt: prompt.id(), by, note, next });
    if let Some(step) = step.filter(|_| ends && prompt.subject != Subject::Plan) {
        draft.push(Event::StepBlocked { step, code: "E_POLICY_DENIED".into() });
    }
    draft.done()
}

/// With a note another plan is made, as long as there is one left; bare, it ends.
fn after_no(
    draft: &Draft<'_>,
    prompt: &Prompt,
    note: Option<&str>,
    step: Option<String>,
) -> AfterNo {
    let body = &draft.life.body;
    let said = note.filter(|note| !note.trim().is_empty());
    let replans = body.replanner().is_some() && body.ledger.replans < body.start.limits.replans;
    match (prompt.subject, said) {
        (Subject::Plan, Some(_))
            if body.ledger.revisions < body.start.limits.revisions && body.planner(0).is_some() =>
        {
            AfterNo::Revise
        }
        (Subject::Patch | Subject::Call, Some(note)) if replans => {
            let mut failure = draft.failure(FailureKind::Tool, "E_POLICY_DENIED", "user");
            failure.step_id = step;
            let rung = Rung::Replan {
                n: body.next.replan,
                attempt: 1,
                invalid: 0,
                note: Some(note.into()),
                error: None,
                counted: Counted::Yes,
            };
            AfterNo::Replan(Box::new(failure), Box::new(rung))
        }
        (Subject::Plan | Subject::Patch | Subject::Call | Subject::Git, _) => {
            AfterNo::End(refused(prompt.subject, step, "user"))
        }
    }
}

fn refused(subject: Subject, step: Option<String>, detail: &str) -> Outcome {
    let code = String::from("E_POLICY_DENIED");
    match subject {
        Subject::Plan => Outcome::Denied { code, by: "user".into(), rule: None },
        Subject::Patch | Subject::Call | Subject::Git => {
            Outcome::Blocked { code, detail: detail.into(), step }
        }
    }
}

/// The step that a no stops.
fn step_of(life: &Life, prompt: &Prompt) -> Option<String> {
    let plan = &life.body.work.as_ref()?.plan;
    let stands = match &prompt.resume {
        Resume::At(at) => Some(at.back()),
        Resume::Fix { back } => Some(back.clone()),
        Resume::Ready | Resume::Commit(_) => None,
    };
    match stands {
        Some(super::super::state::Back::Step(id)) => Some(id),
        Some(super::super::state::Back::Verify) => None,
        None => plan.ready().map(|step| step.step_id.clone()),
    }
}

/// Nobody answered: as a bare no.
fn expired(life: &Life, prompt: &Prompt, said: &Said<Command>) -> Decision {
    if prompt.subject == Subject::Git {
        return git_declined(life, said);
    }
    let mut draft = Draft::new(life, said);
    let step = step_of(life, prompt);
    let outcome = match prompt.subject {
        Subject::Plan => Outcome::Denied {
            code: "E_POLICY_DENIED".into(),
            by: "timer".into(),
            rule: Some("turn.confirmation_expired".into()),
        },
        Subject::Patch | Subject::Call | Subject::Git => {
            refused(prompt.subject, step.clone(), "turn.confirmation_expired")
        }
    };
    draft.push(Event::ConfirmationExpired { prompt: prompt.id(), outcome });
    if let Some(step) = step.filter(|_| prompt.subject != Subject::Plan) {
        draft.push(Event::StepBlocked { step, code: "E_POLICY_DENIED".into() });
    }
    draft.done()
}

fn git_declined(life: &Life, said: &Said<Command>) -> Decision {
    let mut draft = Draft::new(life, said);
    let by = draft.word();
    draft.push(Event::GitDeclined { by });
    draft.push(Event::Ended);
    draft.done()
}

/// The agent that waits for this prompt has ended: nobody needs an answer any more. A call that
/// another answer let run may end meanwhile, and the prompt stays.
fn ended(life: &Life, prompt: &Prompt, said: &Said<Command>) -> Decision {
    let Command::ToolCallResult { key, .. } = &said.command else {
        return shared::not_now(life, &said.command);
    };
    let mut draft = Draft::new(life, said);
    if super::super::slot::inner_of(life, key).is_none() {
        draft.push(Event::PromptVoided { prompt: prompt.id() });
    }
    let Some(at) = draft.life.position().cloned() else {
        return shared::not_now(life, &said.command);
    };
    if let Phase::Executing(_) | Phase::AwaitingConfirmation(_) = &draft.life.phase {
        executing::ended(&mut draft, &at, &said.command);
    }
    draft.done()
}

/// A changed plan is another subject: the prompt that was open is gone, and so is any yes.
fn reprompt(
    life: &Life,
    prompt: &Prompt,
    said: &Said<Command>,
    plan: super::super::plan::Plan,
    judged: &Judged,
) -> Decision {
    let mut draft = Draft::new(life, said);
    let (mut accepted, verdict) = draft.accepted(plan, judged);
    shared::undenied(&verdict)?;
    accepted.rule = None;
    let (hash, reach) = (accepted.hash.clone(), accepted.reach.clone());
    let by = draft.word();
    draft.push(Event::PlanEdited { accepted: Box::new(accepted), by });
    draft.ask(prompt.subject, hash, reach, prompt.resume.clone());
    draft.done()
}
