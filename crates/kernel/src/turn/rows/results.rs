//! How the calls of a step end, and what makes a step done: measured changes, commands that ran and
//! checks that passed. What an agent says of itself proves nothing.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::command::{Command, Control, Ended, Payload, StepFacts};
use super::super::draft::Draft;
use super::super::event::{Event, Left, Of};
use super::super::evidence::{
    ArtifactCheck, CallLine, CommandRun, Failure, FailureKind, StepEvidence,
};
use super::super::line;
use super::super::plan::{Artifact, ArtifactKind, Runner, Step};
use super::super::slot;
use super::super::standing::{Next, calls_of, next_call};
use super::super::state::{AskedFrom, Back, Counted, Origin, Position, Rung};
use super::shared;
use crate::policy::{self, PathClass, Touched, glob};

/// A call has ended: the step's own, one that its agent asked for, or the one that keeps the tree.
pub fn ended(draft: &mut Draft<'_>, at: &Position, command: &Command) {
    let Command::ToolCallResult { key, ended, .. } = command else { return };
    if let Some(n) = slot::inner_of(&draft.life, key) {
        let tool = at.inner.iter().find(|inner| inner.n == n);
        let tool = tool.map_or_else(String::new, |inner| inner.request.name.clone());
        return record(draft, Of::Inner { n }, &tool, ended);
    }
    if draft.life.body.checkpoint_due(at) {
        return kept(draft, ended);
    }
    let tool = tool_of(draft, at);
    match ended {
        Ended::Ok(payload) => match &**payload {
            Payload::Step(facts) => went_well(draft, at, &tool, facts, ended),
            Payload::Intake { .. }
            | Payload::Context(_)
            | Payload::Planner(_)
            | Payload::Verify(_)
            | Payload::Undone
            | Payload::Answer(_)
            | Payload::Summary { .. }
            | Payload::Git { .. } => went_badly(draft, &tool, ended),
        },
        Ended::Failed(_) | Ended::Never | Ended::Unknown | Ended::Waits | Ended::Allowed => {
            went_badly(draft, &tool, ended);
        }
    }
}

/// The tree is kept, or the step has failed before it began.
fn kept(draft: &mut Draft<'_>, ended: &Ended) {
    if let Ended::Ok(_) = ended {
        record(draft, Of::Checkpoint, crate::call::CHECKPOINT, ended);
    } else {
        let failure = failure(draft, crate::call::CHECKPOINT, ended);
        draft.fall(failure);
    }
}

/// The tool of the call that the step is at.
fn tool_of(draft: &Draft<'_>, at: &Position) -> String {
    let step = draft.life.body.step(at);
    let next = step.and_then(|step| next_call(step, at.at));
    match (next, step) {
        (Some(Next::Template(n)), Some(step)) => {
            step.tool_calls.get(n).map_or_else(String::new, |call| call.name.clone())
        }
        (Some(Next::Agent), _) => crate::call::AGENT.to_string(),
        (Some(Next::Collab), _) => "collab".to_string(),
        (Some(Next::Verify(_)), _) => crate::call::RUN.to_string(),
        (Some(Next::Template(_)) | None, _) => String::new(),
    }
}

fn facts(ended: &Ended) -> Option<&StepFacts> {
    match ended {
        Ended::Ok(payload) => match &**payload {
            Payload::Step(facts) => Some(facts),
            Payload::Intake { .. }
            | Payload::Context(_)
            | Payload::Planner(_)
            | Payload::Verify(_)
            | Payload::Undone
            | Payload::Answer(_)
            | Payload::Summary { .. }
            | Payload::Git { .. } => None,
        },
        Ended::Failed(fault) => fault.done.as_deref(),
        Ended::Never | Ended::Unknown | Ended::Waits | Ended::Allowed => None,
    }
}

fn record(draft: &mut Draft<'_>, of: Of, tool: &str, ended: &Ended) {
    let facts = facts(ended).cloned().unwrap_or_default();
    let line = CallLine {
        call_id: facts.call_id,
        tool: tool.into(),
        ok: matches!(ended, Ended::Ok(_)),
        exit_code: facts.exit_code,
    };
    let left = Left {
        lines: facts.files.iter().map(|changed| changed.lines).sum(),
        files: facts.files.into_iter().map(|changed| changed.file).collect(),
        commands: facts.commands,
        claim: facts.note,
        digest: facts.digest,
        result_hash: facts.result_hash,
        unchanged: facts.unchanged,
        bare: facts.bare,
    };
    draft.push(Event::CallRecorded { of, line, left: Box::new(left) });
}

fn failure(draft: &Draft<'_>, tool: &str, ended: &Ended) -> Failure {
    let (code, detail) = shared::bad(ended);
    let mut failure = draft.failure(FailureKind::Tool, &code, &detail);
    failure.tool = Some(tool.into());
    if let Ended::Failed(fault) = ended {
        if !fault.signature.is_empty() {
            failure.signature.clone_from(&fault.signature);
        }
        failure.errors.clone_from(&fault.errors);
        failure.errors.truncate(super::super::bounds::CHECK_ERRORS_MAX);
        failure.call_id = fault.done.as_ref().map(|facts| facts.call_id.clone());
    }
    failure
}

/// What it changed all the same is recorded first, so that it can be taken back.
fn went_badly(draft: &mut Draft<'_>, tool: &str, ended: &Ended) {
    let failure = failure(draft, tool, ended);
    if facts(ended).is_some() {
        record(draft, Of::Step, tool, ended);
    }
    match passed(draft) {
        Some(rule) => draft.deny("policy", rule),
        None => draft.fall(failure),
    }
}

/// Which of a parent's limits all that was changed so far breaks: commands that an agent runs by
/// our tools are measured like its own, and nobody could judge them before.
fn passed(draft: &Draft<'_>) -> Option<&'static str> {
    let changed = draft.life.body.work.as_ref().map(|work| work.changed.keys());
    let touched: Vec<Touched> =
        changed.into_iter().flatten().map(|path| Touched::new(path, PathClass::Ordinary)).collect();
    breach(draft, &touched, 0)
}

/// Which of a parent's limits these further changes break.
pub fn breach(draft: &Draft<'_>, touched: &[Touched], lines: u64) -> Option<&'static str> {
    let limits = &draft.life.body.start.limits;
    let outside = |path: &str| !limits.confine.iter().any(|pattern| glob::path(pattern, path));
    if !limits.confine.is_empty() && touched.iter().any(|one| outside(&one.path)) {
        return Some("confine");
    }
    let limit = limits.change?;
    let work = draft.life.body.work.as_ref()?;
    let paths: Vec<String> = work.changed.keys().cloned().collect();
    let changed = policy::Changed { paths: &paths, lines: work.changed.values().sum() };
    let limit =
        policy::ChangeLimit { files: limit.files, lines: limit.lines, modules: limit.modules };
    (!touched.is_empty() && changed.would_pass(limit, touched, lines)).then_some("change_limit")
}

fn went_well(draft: &mut Draft<'_>, at: &Position, tool: &str, facts: &StepFacts, ended: &Ended) {
    record(draft, Of::Step, tool, ended);
    if let Some(rule) = passed(draft) {
        return draft.deny("policy", rule);
    }
    match &facts.control {
        Control::Ask { questions } if !questions.is_empty() => {
            return shared::ask(draft, questions, AskedFrom::Execution { back: at.back() });
        }
        Control::Replan { reason } => return replan(draft, at, reason),
        Control::Ask { .. } | Control::Done => {}
    }
    let Some(step) = draft.life.body.step(at).cloned() else { return };
    let done = usize::try_from(at.at).unwrap_or(usize::MAX).saturating_add(1);
    if done < calls_of(&step) {
        return over_budget(draft);
    }
    // What its agent left as it was counts after the step's own checks too.
    let unchanged = draft.life.position().map(|at| at.unchanged.clone()).unwrap_or_default();
    match evidence(&step, &unchanged) {
        Ok(evidence) => finished(draft, at, evidence),
        Err(reason) => {
            let mut failure =
                draft.failure(FailureKind::Tool, "E_MODEL", "turn.phantom_completion");
            failure.signature.push_str(&reason);
            draft.fall(failure);
        }
    }
}

/// A step that goes on may not do so beyond the turn's calls.
fn over_budget(draft: &mut Draft<'_>) {
    let body = &draft.life.body;
    if body.ledger.calls >= body.start.limits.calls {
        let failure = draft.failure(FailureKind::Limit, "E_BUDGET", "calls");
        draft.fall(failure);
    }
}

/// The agent wants another plan.
fn replan(draft: &mut Draft<'_>, at: &Position, reason: &str) {
    let body = &draft.life.body;
    let left = body.replanner().is_some() && body.ledger.replans < body.start.limits.replans;
    let mut failure = draft.failure(FailureKind::Ambiguous, "E_MODEL", "replan");
    failure.step_id = Some(at.step.clone());
    let rung = if left && !body.start.profile.reports_up() {
        Rung::Replan {
            n: body.next.replan,
            attempt: 1,
            invalid: 0,
            note: Some(reason.into()),
            error: None,
            counted: Counted::Yes,
        }
    } else {
        Rung::Spent
    };
    draft.push(Event::ReplanAsked { failure: Box::new(failure), rung: Box::new(rung) });
    draft.land();
}

/// The step is done; a fix leads back to what it repairs.
fn finished(draft: &mut Draft<'_>, at: &Position, evidence: StepEvidence) {
    draft.push(Event::StepDone { step: at.step.clone(), evidence: Box::new(evidence) });
    let spent = draft.life.body.ledger.calls >= draft.life.body.start.limits.calls;
    match &at.origin {
        // A person may have left out meanwhile what it repairs.
        Origin::Fix { back: Back::Step(id), .. } if draft.still_wanted(id) => {
            draft.start(id, Origin::Main);
        }
        Origin::Fix { back: Back::Step(_), .. } => draft.go_on(),
        Origin::Fix { back: Back::Verify, .. } => draft.finish(),
        Origin::Main if spent => draft.fail("E_BUDGET", "calls"),
        Origin::Main => draft.go_on(),
    }
}

/// What proves the step, or what of it is missing.
fn evidence(step: &Step, unchanged: &[String]) -> Result<StepEvidence, String> {
    let mut evidence = step.evidence.clone().unwrap_or_default();
    let looked = |artifact: &Artifact| look(artifact, &evidence, unchanged);
    evidence.checks = step.expected_artifacts.iter().map(looked).collect();
    // An agent that was to leave nothing in particular has to have left something.
    let idle = evidence.files_changed.is_empty() && unchanged.is_empty();
    if step.runner == Runner::Agent && step.expected_artifacts.is_empty() && idle {
        return Err(String::from("nothing_changed"));
    }
    match evidence.checks.iter().find(|check| !check.ok) {
        Some(missing) => Err(missing.artifact.clone()),
        None => Ok(evidence),
    }
}

fn look(artifact: &Artifact, evidence: &StepEvidence, unchanged: &[String]) -> ArtifactCheck {
    let value = artifact.value.as_str();
    let fits = |path: &str| path == value || glob::path(value, path);
    let (ok, reason) = match artifact.kind {
        ArtifactKind::File if evidence.files_changed.iter().any(|one| fits(&one.path)) => {
            (true, "changed")
        }
        ArtifactKind::File if unchanged.iter().any(|path| fits(path)) => (true, "unchanged"),
        ArtifactKind::File => (false, "not_changed"),
        ArtifactKind::Command => {
            let argv = line::split(value).unwrap_or_default();
            let ran = |run: &CommandRun| run.argv == argv && run.exit_code == Some(0);
            (evidence.commands_run.iter().any(ran), "ran")
        }
        ArtifactKind::Note => {
            let said = evidence.claim.as_deref().is_some_and(|text| !text.trim().is_empty());
            (said, "said")
        }
    };
    ArtifactCheck { artifact: value.into(), ok, reason: reason.into() }
}
