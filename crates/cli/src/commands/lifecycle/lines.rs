//! What is told of a lifecycle while it runs: one line for each fact that a person would want to
//! hear of. The rest is in the journal.

use std::fmt::Display;

use kernel::lifecycle::{Event, Failure, NoteKind, State, Status, Taken};
use serde_json::json;

use crate::ctx::Ctx;

/// The line of a fact, if it has one.
pub fn told(ctx: &Ctx, state: &State, event: &Event) -> Option<String> {
    // That work goes on is no news.
    if let Event::ProgressClaimed { status: Status::InProgress, .. } = event {
        return None;
    }
    whole(ctx, event).or_else(|| of_task(ctx, state, event)).or_else(|| trouble(ctx, event))
}

/// The lines of the run as a whole.
fn whole(ctx: &Ctx, event: &Event) -> Option<String> {
    let line = |key: &str, args: &[(&str, &dyn Display)]| {
        Some(ctx.tell(&format!("lifecycle-line-{key}"), args))
    };
    match event {
        Event::UserInputRequirement { taken } => Some(requirement(ctx, taken)),
        Event::PrdGenerated { plan, .. } => {
            let (n, tasks) = (plan.revision, plan.tasks.len());
            line("plan", &[("n", &n), ("tasks", &tasks), ("goal", &first(&plan.goal))])
        }
        Event::UserConfirm { approval } => line("confirmed", &[("by", &approval.by)]),
        Event::UserCancel { by, .. } => line("cancelled", &[("by", by)]),
        Event::PlanFailed { failure, .. } => {
            let why = runtime::query::told_summary(&failure.summary, ctx.lang);
            line("plan-failed", &[("why", &why)])
        }
        Event::RetryPlan { .. } => line("plan-again", &[]),
        Event::PlanAmended { plan, reason, .. } => {
            line("amended", &[("n", &plan.revision), ("why", reason)])
        }
        Event::Pause { by, .. } => line("held", &[("by", by)]),
        Event::Resume { by } => line("resumed", &[("by", by)]),
        Event::UserAbort { by, .. } => line("aborted", &[("by", by)]),
        Event::AllTasksDone { result } => line("done", &[("result", &word(&json!(result)))]),
        Event::ArchiveComplete { archive } => line("archived", &[("path", archive)]),
        Event::ArchiveFault { detail, .. } => line("archive-fault", &[("why", detail)]),
        Event::NoteTaken { kind: NoteKind::Warning, text, .. } => {
            line("warning", &[("text", &first(text))])
        }
        Event::TaskStarted { .. }
        | Event::TaskClosed { .. }
        | Event::TaskReopened { .. }
        | Event::ProgressClaimed { .. }
        | Event::CheckpointMade { .. }
        | Event::EvidenceRecorded { .. }
        | Event::NoteTaken { .. } => None,
        Event::ErrorDetected { .. }
        | Event::FixSuccess
        | Event::FixFailed3x { .. }
        | Event::HumanIntervention { .. }
        | Event::Rollback { .. }
        | Event::SkipTask { .. }
        | Event::ForceStop { .. }
        | Event::Halt { .. }
        | Event::StepBegan { .. }
        | Event::FixBegan { .. }
        | Event::TurnSpent { .. }
        | Event::DigestsSeen { .. }
        | Event::FixAttempted { .. }
        | Event::RollbackBegan { .. }
        | Event::RollbackPlanned { .. }
        | Event::RollbackConfirmed { .. }
        | Event::RollbackStopped { .. }
        | Event::RollbackLeft
        | Event::ArchiveRetried
        | Event::ChildSettled { .. }
        | Event::NeverBegan => None,
    }
}

fn requirement(ctx: &Ctx, taken: &Taken) -> String {
    match taken {
        Taken::First(begin) => {
            ctx.tell("lifecycle-line-requirement", &[("text", &first(&begin.ask.text))])
        }
        Taken::Again { ask, revision } => {
            let args: [(&str, &dyn Display); 2] = [("text", &first(&ask.text)), ("n", revision)];
            ctx.tell("lifecycle-line-again", &args)
        }
    }
}

/// The lines of tasks.
fn of_task(ctx: &Ctx, state: &State, event: &Event) -> Option<String> {
    let line = |key: &str, args: &[(&str, &dyn Display)]| {
        Some(ctx.tell(&format!("lifecycle-line-{key}"), args))
    };
    match event {
        Event::TaskStarted { task } => {
            let title = title(state, task);
            line("task", &[("task", task), ("title", &title)])
        }
        Event::TaskClosed { task, status, .. } => {
            line("closed", &[("task", task), ("status", &status.said())])
        }
        Event::TaskReopened { task, by } => line("reopened", &[("task", task), ("by", by)]),
        Event::ProgressClaimed { by, task, status, .. } => {
            line("claimed", &[("by", by), ("task", task), ("status", &status.said())])
        }
        Event::CheckpointMade { task, checkpoint } => {
            line("checkpoint", &[("name", checkpoint), ("task", task)])
        }
        Event::EvidenceRecorded { evidence, .. } => line(
            "check",
            &[("check", &evidence.check_id), ("verdict", &word(&json!(evidence.verdict)))],
        ),
        Event::UserInputRequirement { .. }
        | Event::PrdGenerated { .. }
        | Event::UserConfirm { .. }
        | Event::UserCancel { .. }
        | Event::AllTasksDone { .. }
        | Event::ArchiveComplete { .. }
        | Event::UserAbort { .. }
        | Event::PlanFailed { .. }
        | Event::RetryPlan { .. }
        | Event::Pause { .. }
        | Event::Resume { .. }
        | Event::PlanAmended { .. }
        | Event::ArchiveFault { .. }
        | Event::NoteTaken { .. } => None,
        Event::ErrorDetected { .. }
        | Event::FixSuccess
        | Event::FixFailed3x { .. }
        | Event::HumanIntervention { .. }
        | Event::Rollback { .. }
        | Event::SkipTask { .. }
        | Event::ForceStop { .. }
        | Event::Halt { .. }
        | Event::StepBegan { .. }
        | Event::FixBegan { .. }
        | Event::TurnSpent { .. }
        | Event::DigestsSeen { .. }
        | Event::FixAttempted { .. }
        | Event::RollbackBegan { .. }
        | Event::RollbackPlanned { .. }
        | Event::RollbackConfirmed { .. }
        | Event::RollbackStopped { .. }
        | Event::RollbackLeft
        | Event::ArchiveRetried
        | Event::ChildSettled { .. }
        | Event::NeverBegan => None,
    }
}

/// The lines of what went wrong, and of the ways out.
fn trouble(ctx: &Ctx, event: &Event) -> Option<String> {
    let line = |key: &str, args: &[(&str, &dyn Display)]| {
        Some(ctx.tell(&format!("lifecycle-line-{key}"), args))
    };
    let summary =
        |failure: &Failure| first(&runtime::query::told_summary(&failure.summary, ctx.lang));
    match event {
        Event::ErrorDetected { task, failure } => {
            line("error", &[("task", task), ("why", &summary(failure))])
        }
        Event::FixAttempted { failure, .. } => line("fix-failed", &[("why", &summary(failure))]),
        Event::FixSuccess => line("fixed", &[]),
        Event::FixFailed3x { failure } => line("fix-limit", &[("why", &summary(failure))]),
        Event::ForceStop { by } => line("stopped", &[("by", by)]),
        Event::Halt { halted } => {
            let why = ctx.say(&format!("lifecycle-why-{}", halted.why.word()));
            line("halt", &[("why", &why), ("detail", &first(&halted.detail))])
        }
        Event::HumanIntervention { helped } => line("helped", &[("by", &helped.by)]),
        Event::SkipTask { by, task, .. } => line("skipped", &[("task", task), ("by", by)]),
        Event::RollbackBegan { .. } => line("rolling", &[]),
        Event::RollbackStopped { report } => line("roll-stopped", &[("why", &first(report))]),
        Event::Rollback { to } => line("rolled-back", &[("name", to)]),
        Event::UserInputRequirement { .. }
        | Event::PrdGenerated { .. }
        | Event::UserConfirm { .. }
        | Event::UserCancel { .. }
        | Event::AllTasksDone { .. }
        | Event::ArchiveComplete { .. }
        | Event::UserAbort { .. }
        | Event::PlanFailed { .. }
        | Event::RetryPlan { .. }
        | Event::Pause { .. }
        | Event::Resume { .. }
        | Event::PlanAmended { .. }
        | Event::TaskStarted { .. }
        | Event::StepBegan { .. }
        | Event::FixBegan { .. }
        | Event::CheckpointMade { .. }
        | Event::TurnSpent { .. }
        | Event::EvidenceRecorded { .. }
        | Event::DigestsSeen { .. }
        | Event::TaskClosed { .. }
        | Event::TaskReopened { .. }
        | Event::ProgressClaimed { .. }
        | Event::RollbackPlanned { .. }
        | Event::RollbackConfirmed { .. }
        | Event::RollbackLeft
        | Event::ArchiveFault { .. }
        | Event::ArchiveRetried
        | Event::ChildSettled { .. }
        | Event::NoteTaken { .. }
        | Event::NeverBegan => None,
    }
}

/// The first line of a text.
pub fn first(text: &str) -> String {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}

/// The word of something that is written as one.
pub fn word(value: &serde_json::Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn title(state: &State, task: &str) -> String {
    let work = state.life().and_then(|life| life.phase.work());
    let spec = work.and_then(|work| work.plan.task(task));
    spec.map(|spec| spec.title.clone()).unwrap_or_default()
}
