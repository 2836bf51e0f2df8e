//! Rows of a turn that works at a step: what its agent asks for, what people change. How calls end
//! is in `results`.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec;

use super::super::bounds::{DENIALS_MAX, STUTTER_MAX};
use super::super::command::{Args, Asked, Command};
use super::super::draft::{Decision, Draft};
use super::super::event::Event;
use super::super::evidence::FailureKind;
use super::super::refusal::Refusal;
use super::super::standing::{Next, next_call};
use super::super::state::{Flight, Inner, Leave, Life, Position, Resume, Subject};
pub use super::results::ended;
use super::{results, shared};
use crate::call;
use crate::machine::Said;
use crate::policy::{Act, Verdict};

/// What a turn that works at a step answers.
pub fn row(life: &Life, at: &Position, said: &Said<Command>) -> Decision {
    let mut draft = Draft::new(life, said);
    match &said.command {
        Command::ToolCallRequest(asked) => request(&mut draft, at, asked)?,
        Command::ToolCallResult { .. } => ended(&mut draft, at, &said.command),
        Command::Timeout { .. } => {
            let failure = draft.failure(FailureKind::Tool, "E_TOOL_TIMEOUT", "turn.timeout.step");
            draft.fall(failure);
        }
        Command::EditPlan { patch, judged, bad_args } => {
            if life.body.hold.is_none() || at.flight == Flight::Perhaps {
                return Err(Refusal::PauseFirst { allowed: vec![] });
            }
            let plan = shared::edited(life, patch, bad_args)?;
            let (accepted, verdict) = draft.accepted(plan, judged);
            shared::undenied(&verdict)?;
            let (hash, reach) = (accepted.hash.clone(), accepted.reach.clone());
            let by = draft.word();
            draft.push(Event::PlanEdited { accepted: Box::new(accepted), by });
            if !matches!(verdict, Verdict::Allow { .. }) {
                draft.ask(Subject::Patch, hash, reach, Resume::At(Box::new(at.clone())));
            }
        }
        Command::SkipStep { step, reason } => {
            shared::skippable(life, step)?;
            let (step, by, reason) = (step.clone(), draft.word(), reason.clone());
            draft.push(Event::StepSkipped { step, by, reason });
        }
        Command::UserMessage(_)
        | Command::ClarificationAnswer { .. }
        | Command::Confirm(_)
        | Command::Cancel
        | Command::Pause { .. }
        | Command::Resume => return shared::not_now(life, &said.command),
    }
    draft.done()
}

/// A call that the step's agent asks for.
fn request(draft: &mut Draft<'_>, at: &Position, asked: &Asked) -> Result<(), Refusal> {
    let bad = |path: &str, expected: &str| Refusal::BadRequest {
        path: path.into(),
        expected: expected.into(),
    };
    if asked.name == "question" {
        return Err(Refusal::AskByControl);
    }
    let body = &draft.life.body;
    let next = body.step(at).and_then(|step| next_call(step, at.at));
    if next != Some(Next::Agent) || body.checkpoint_due(at) {
        return Err(bad("/by", "the agent of the step"));
    }
    if call::named(&asked.name).is_none_or(|tool| !offered(tool)) {
        return Err(bad("/name", "a tool"));
    }
    let request = match &asked.args {
        Args::Fit(request) => request,
        Args::Bad { path, expected } => return Err(bad(path, expected)),
    };
    if let Some(failure) = exhausted(draft, at, &asked.judged.hash) {
        draft.fall(failure);
        return Ok(());
    }
    if let Some(rule) = limited(draft, asked) {
        denied(draft, at, &asked.name, rule);
        return Ok(());
    }
    let leave = match &asked.judged.verdict {
        Verdict::Allow { .. } => Leave::Given,
        Verdict::Ask { .. } => Leave::Asked,
        Verdict::Deny { rule } => {
            denied(draft, at, &asked.name, rule);
            return Ok(());
        }
    };
    let (n, hash) = (at.last + 1, asked.judged.hash.clone());
    let inner = Inner { n, hash: hash.clone(), request: request.clone(), leave };
    draft.push(Event::CallAsked { inner: Box::new(inner) });
    if leave == Leave::Asked {
        let at = draft.life.position().cloned().unwrap_or_else(|| at.clone());
        draft.ask(Subject::Call, hash, asked.judged.reach.clone(), Resume::At(Box::new(at)));
    }
    Ok(())
}

/// Whether an agent may ask for this tool at all: what launches others, commits or takes back is
/// not its own.
fn offered(tool: &call::Tool) -> bool {
    match tool.acts {
        call::Acts::Reads | call::Acts::Changes => true,
        call::Acts::Runs => tool.name == call::RUN,
        call::Acts::Converges => tool.name == call::CHECKPOINT,
        call::Acts::Arranges | call::Acts::Commits => false,
    }
}

/// Which of a parent's limits it would break: that is seen before it happens.
fn limited(draft: &Draft<'_>, asked: &Asked) -> Option<&'static str> {
    match &asked.about.as_ref()?.act {
        Act::Change { paths, lines, .. } => results::breach(draft, paths, *lines),
        Act::Delete { paths } => results::breach(draft, paths, 0),
        Act::Look { .. } | Act::Run(_) | Act::Agent { .. } => None,
    }
}

/// Whether the step has asked for enough, or for the same too often with the same result.
fn exhausted(
    draft: &Draft<'_>,
    at: &Position,
    hash: &str,
) -> Option<super::super::evidence::Failure> {
    let body = &draft.life.body;
    if at.asked >= body.start.limits.step_calls {
        return Some(draft.failure(FailureKind::Limit, "E_BUDGET", "turn.too_many_calls"));
    }
    let pending = u32::try_from(at.inner.len()).unwrap_or(u32::MAX);
    if body.ledger.calls.saturating_add(pending) >= body.start.limits.calls {
        return Some(draft.failure(FailureKind::Limit, "E_BUDGET", "calls"));
    }
    let same = format!("{hash}:");
    let most = at.tally.iter().filter(|(both, _)| both.starts_with(&same)).map(|(_, n)| *n).max();
    let stutters = most.is_some_and(|times| times + 1 >= STUTTER_MAX);
    stutters.then(|| draft.failure(FailureKind::Tool, "E_MODEL", "turn.stuttering"))
}

/// A parent's limit ends the turn, the third no the step; else the asker is told and goes on.
fn denied(draft: &mut Draft<'_>, at: &Position, name: &str, rule: &str) {
    draft.push(Event::CallDenied { name: name.into(), rule: rule.into() });
    if matches!(rule, "change_limit" | "confine") {
        draft.deny("policy", rule);
    } else if at.denials + 1 >= DENIALS_MAX {
        let failure = draft.failure(FailureKind::Tool, "E_POLICY_DENIED", rule);
        draft.fall(failure);
    }
}
