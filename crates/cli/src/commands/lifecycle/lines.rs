//! What is told of a lifecycle while it runs: one line for each fact that a person would want to
//! hear of. The rest is in the journal.

use std::fmt::Display;

use kernel::lifecycle::{
    Event, Evidence, Failure, Halted, NoteKind, Outcome, Plan, State, Status, Taken, Verdict,
    WorkResult,
};
use runtime::query;
use serde_json::json;

use crate::ctx::Ctx;

/// The line of a fact, if it has one.
pub fn told(ctx: &Ctx, state: &State, event: &Event) -> Option<String> {
    let line = |key, args: &[(&str, &dyn Display)]| Some(line_of(ctx, key, args));
    let who = |by: &str| query::told_by(by, ctx.lang);
    let by = |key, speaker: &String| line(key, &[("by", &who(speaker))]);
    let why = |key, text: &String| line(key, &[("why", &first(text))]);
    let failed = |key, failure: &Failure| line(key, &[("why", &summary(ctx, failure))]);
    match event {
        Event::UserInputRequirement { taken } => Some(requirement(ctx, taken)),
        Event::PrdGenerated { plan, .. } => Some(planned(ctx, plan)),
        Event::UserConfirm { approval } => by("confirmed", &approval.by),
        Event::UserCancel { by: speaker, .. } => by("cancelled", speaker),
        Event::PlanFailed { failure, .. } => Some(not_planned(ctx, failure)),
        Event::RetryPlan { .. } => line("plan-again", &[]),
        Event::PlanAmended { plan, reason, .. } => Some(amended(ctx, plan, reason)),
        Event::Pause { by: speaker, .. } => by("held", speaker),
        Event::Resume { by: speaker } => by("resumed", speaker),
        Event::UserAbort { by: speaker, .. } => by("aborted", speaker),
        Event::AllTasksDone { result } => line("done", &[("result", &outcome(ctx, *result))]),
        Event::ArchiveComplete { archive } => line("archived", &[("path", archive)]),
        Event::ArchiveFault { detail, .. } => why("archive-fault", detail),
        Event::NoteTaken { kind, text, .. } => noted(ctx, *kind, text),
        Event::TaskStarted { task } => Some(begun(ctx, state, task)),
        Event::TaskClosed { task, status, .. } => Some(closed(ctx, task, *status)),
        Event::TaskReopened { task, by } => line("reopened", &[("task", task), ("by", &who(by))]),
        Event::ProgressClaimed { by, task, status, .. } => claimed(ctx, by, task, *status),
        Event::CheckpointMade { task, checkpoint } => Some(kept(ctx, task, checkpoint)),
        Event::EvidenceRecorded { evidence, .. } => Some(checked(ctx, evidence)),
        Event::ErrorDetected { task, failure } => Some(red(ctx, task, failure)),
        Event::FixAttempted { failure, .. } => failed("fix-failed", failure),
        Event::FixSuccess => line("fixed", &[]),
        Event::FixFailed3x { failure } => failed("fix-limit", failure),
        Event::ForceStop { by: speaker } => by("stopped", speaker),
        Event::Halt { halted } => Some(halt(ctx, halted)),
        Event::HumanIntervention { helped } => by("helped", &helped.by),
        Event::SkipTask { by, task, .. } => line("skipped", &[("task", task), ("by", &who(by))]),
        Event::RollbackBegan { .. } => line("rolling", &[]),
        Event::RollbackStopped { report } => {
            why("roll-stopped", &query::told_detail(report, ctx.lang))
        }
        Event::Rollback { to } => line("rolled-back", &[("name", to)]),
        Event::StepBegan { .. }
        | Event::FixBegan { .. }
        | Event::TurnSpent { .. }
        | Event::DigestsSeen { .. }
        | Event::RollbackPlanned { .. }
        | Event::RollbackConfirmed { .. }
        | Event::RollbackLeft
        | Event::ArchiveRetried
        | Event::TurnLeft { .. }
        | Event::ChildSettled { .. }
        | Event::NeverBegan => None,
    }
}

fn line_of(ctx: &Ctx, key: &str, args: &[(&str, &dyn Display)]) -> String {
    ctx.tell(&format!("lifecycle-line-{key}"), args)
}

fn summary(ctx: &Ctx, failure: &Failure) -> String {
    first(&query::told_summary(&failure.summary, ctx.lang))
}

fn requirement(ctx: &Ctx, taken: &Taken) -> String {
    match taken {
        Taken::First(begin) => line_of(ctx, "requirement", &[("text", &first(&begin.ask.text))]),
        Taken::Again { ask, revision } => {
            line_of(ctx, "again", &[("text", &first(&ask.text)), ("n", revision)])
        }
    }
}

fn planned(ctx: &Ctx, plan: &Plan) -> String {
    let (n, tasks) = (plan.revision, plan.tasks.len());
    line_of(ctx, "plan", &[("n", &n), ("tasks", &tasks), ("goal", &first(&plan.goal))])
}

/// Every problem of a plan, not only the first: each has its line in the document.
fn not_planned(ctx: &Ctx, failure: &Failure) -> String {
    let why = query::told_summary(&failure.summary, ctx.lang);
    line_of(ctx, "plan-failed", &[("why", &why)])
}

fn amended(ctx: &Ctx, plan: &Plan, reason: &str) -> String {
    line_of(ctx, "amended", &[("n", &plan.revision), ("why", &reason)])
}

/// Of what was noted, warnings are told at once.
fn noted(ctx: &Ctx, kind: NoteKind, text: &str) -> Option<String> {
    match kind {
        NoteKind::Warning => {
            let text = query::told_warning(&first(text), ctx.lang);
            Some(line_of(ctx, "warning", &[("text", &text)]))
        }
        NoteKind::Progress | NoteKind::Scratch | NoteKind::Error | NoteKind::Decision => None,
    }
}

fn begun(ctx: &Ctx, state: &State, task: &str) -> String {
    let work = state.life().and_then(|life| life.phase.work());
    let spec = work.and_then(|work| work.plan.task(task));
    let title = spec.map(|spec| spec.title.as_str()).unwrap_or_default();
    line_of(ctx, "task", &[("task", &task), ("title", &title)])
}

fn closed(ctx: &Ctx, task: &str, status: Status) -> String {
    line_of(ctx, "closed", &[("task", &task), ("status", &status.said())])
}

/// That work goes on is no news.
fn claimed(ctx: &Ctx, by: &str, task: &str, status: Status) -> Option<String> {
    if status == Status::InProgress {
        return None;
    }
    let (by, said) = (query::told_by(by, ctx.lang), status.said());
    Some(line_of(ctx, "claimed", &[("by", &by), ("task", &task), ("status", &said)]))
}

fn kept(ctx: &Ctx, task: &str, checkpoint: &str) -> String {
    line_of(ctx, "checkpoint", &[("name", &checkpoint), ("task", &task)])
}

fn checked(ctx: &Ctx, evidence: &Evidence) -> String {
    let verdict = verdict(ctx, evidence.verdict);
    line_of(ctx, "check", &[("check", &evidence.check_id), ("verdict", &verdict)])
}

fn red(ctx: &Ctx, task: &str, failure: &Failure) -> String {
    line_of(ctx, "error", &[("task", &task), ("why", &summary(ctx, failure))])
}

fn halt(ctx: &Ctx, halted: &Halted) -> String {
    let why = ctx.say(&format!("lifecycle-why-{}", halted.why.word()));
    let detail = first(&query::told_detail(&halted.detail, ctx.lang));
    match detail.is_empty() {
        true => line_of(ctx, "halt", &[("why", &why)]),
        false => line_of(ctx, "halt-detail", &[("why", &why), ("detail", &detail)]),
    }
}

/// How all of it ended, in words.
fn outcome(ctx: &Ctx, result: WorkResult) -> String {
    ctx.say(&format!("lifecycle-outcome-{}", Outcome::from(result).word()))
}

/// What a check came to, in words.
pub fn verdict(ctx: &Ctx, verdict: Verdict) -> String {
    ctx.say(&format!("turn-verdict-{}", word(&json!(verdict))))
}

/// The first line of a text.
pub fn first(text: &str) -> String {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}

/// The word of something that is written as one.
pub fn word(value: &serde_json::Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
