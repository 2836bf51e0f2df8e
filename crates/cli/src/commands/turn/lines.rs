//! What happened in a turn, one line each, for whoever follows it. Questions and ends are told with
//! the page that belongs to them.

use kernel::turn::{CheckResult, Event, Failure, Of, Rung, State, Step};
use runtime::query;
use serde_json::json;

use crate::ctx::Ctx;
use crate::table::{COLUMNS, cut};

/// The lines of one fact, by the state after it.
pub fn told(ctx: &Ctx, state: &State, event: &Event) -> Vec<String> {
    let line = planning(ctx, event)
        .or_else(|| working(ctx, state, event))
        .or_else(|| checking(ctx, event))
        .or_else(|| ending(ctx, event));
    line.map(|line| cut(&line, COLUMNS)).into_iter().collect()
}

fn word(value: &serde_json::Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Up to the plan, and its changes.
#[expect(clippy::wildcard_enum_match_arm, reason = "each part tells its own facts")]
fn planning(ctx: &Ctx, event: &Event) -> Option<String> {
    Some(match event {
        Event::IntakeAssessed { report, .. } => {
            let (intent, risk) = (word(&json!(report.intent)), word(&json!(report.risk_level)));
            ctx.tell("turn-line-intake", &[("intent", &intent), ("risk", &risk)])
        }
        Event::ContextBuilt { pack } => {
            let args: [(&str, &dyn std::fmt::Display); 2] =
                [("used", &pack.used_estimate), ("total", &pack.total_estimate)];
            ctx.tell("turn-line-context", &args)
        }
        Event::ContextCut => ctx.say("turn-warning-context-cut"),
        Event::PlanRejected { error } => ctx.tell("turn-line-rejected", &[("error", error)]),
        Event::PlannerDegraded { code } => ctx.tell("turn-line-planner", &[("code", code)]),
        Event::PlanAccepted { accepted } => {
            let plan = &accepted.plan;
            let risk = word(&json!(plan.risk_level));
            let args: [(&str, &dyn std::fmt::Display); 3] =
                [("steps", &plan.steps.len()), ("risk", &risk), ("goal", &plan.goal)];
            ctx.tell("turn-line-plan", &args)
        }
        Event::PlanPatched { accepted } | Event::PlanEdited { accepted, .. } => {
            ctx.tell("turn-line-changed", &[("version", &accepted.plan.version)])
        }
        _ => return None,
    })
}

/// Steps and their calls.
#[expect(clippy::wildcard_enum_match_arm, reason = "each part tells its own facts")]
fn working(ctx: &Ctx, state: &State, event: &Event) -> Option<String> {
    Some(match event {
        Event::StepStarted { step, attempt, .. } => {
            let title = titled(state, step);
            ctx.tell("turn-line-step", &[("step", step), ("attempt", attempt), ("title", &title)])
        }
        Event::StepDone { step, .. } => ctx.tell("turn-line-done", &[("step", step)]),
        Event::StepFailed { failure, rung } | Event::ReplanAsked { failure, rung } => {
            failed(ctx, failure, rung)
        }
        Event::StepBlocked { step, code } => {
            ctx.tell("turn-line-blocked", &[("step", step), ("code", code)])
        }
        Event::StepSkipped { step, reason, .. } => {
            ctx.tell("turn-line-skipped", &[("step", step), ("reason", reason)])
        }
        Event::Degraded { from, to, .. } => {
            ctx.tell("turn-line-degraded", &[("from", from), ("to", to)])
        }
        Event::CallRecorded { of: Of::Step | Of::Inner { .. }, line, .. } => {
            let end = if line.ok { "ok" } else { "failed" };
            let end = ctx.say(&format!("turn-line-call-{end}"));
            ctx.tell("turn-line-call", &[("tool", &line.tool), ("end", &end)])
        }
        Event::CallDenied { name, rule } => {
            ctx.tell("turn-line-denied", &[("tool", name), ("rule", rule)])
        }
        Event::CallWaits { key } => ctx.tell("turn-line-asks", &[("key", key)]),
        Event::CallUnknown { key } => ctx.tell("turn-line-unknown", &[("key", key)]),
        Event::FixStepAdded { step } => ctx.tell("turn-line-fix", &[("step", &step.step_id)]),
        Event::UndoRecorded { ok: true, .. } => ctx.say("turn-line-undone"),
        Event::UndoRecorded { ok: false, .. } => ctx.say("turn-line-not-undone"),
        _ => return None,
    })
}

/// Checks of the whole.
#[expect(clippy::wildcard_enum_match_arm, reason = "each part tells its own facts")]
fn checking(ctx: &Ctx, event: &Event) -> Option<String> {
    match event {
        Event::CheckRecorded { result }
        | Event::VerificationPassed { result, .. }
        | Event::CheckStale { result, .. }
        | Event::VerificationFailed { result, .. } => Some(checked(ctx, result)),
        Event::VerificationSkipped { .. } => Some(ctx.say("turn-warning-not-verified")),
        _ => None,
    }
}

/// What people and limits did to it.
#[expect(clippy::wildcard_enum_match_arm, reason = "each part tells its own facts")]
fn ending(ctx: &Ctx, event: &Event) -> Option<String> {
    Some(match event {
        Event::Failed { code, detail } | Event::GaveUp { code, detail, .. } => {
            ctx.tell("turn-line-gave-up", &[("code", code), ("detail", detail)])
        }
        Event::Denied { code, rule, .. } => {
            let rule = rule.clone().unwrap_or_default();
            ctx.tell("turn-line-gave-up", &[("code", code), ("detail", &rule)])
        }
        Event::QuestionsParked { .. } => ctx.say("turn-line-parked"),
        Event::Cancelled { by } => {
            ctx.tell("turn-line-cancelled", &[("by", &query::told_by(by, ctx.lang))])
        }
        Event::Held { by, .. } => {
            ctx.tell("turn-line-held", &[("by", &query::told_by(by, ctx.lang))])
        }
        Event::Resumed { by } => {
            ctx.tell("turn-line-resumed", &[("by", &query::told_by(by, ctx.lang))])
        }
        _ => return None,
    })
}

fn titled(state: &State, id: &str) -> String {
    let work = state.life().and_then(|life| life.body.work.as_deref());
    let step = work.and_then(|work| {
        let fix = |step: &&Step| step.step_id == id;
        work.plan.step(id).or_else(|| work.fixes.iter().find(fix))
    });
    step.map(|step| step.title.clone()).unwrap_or_default()
}

fn failed(ctx: &Ctx, failure: &Failure, rung: &Rung) -> String {
    let step = failure.step_id.clone().unwrap_or_default();
    let next = rung.kind().map(|kind| word(&json!(kind))).unwrap_or_else(|| "none".to_owned());
    let next = ctx.say(&format!("turn-rung-{next}"));
    ctx.tell("turn-line-failed", &[("step", &step), ("code", &failure.code), ("next", &next)])
}

fn checked(ctx: &Ctx, result: &CheckResult) -> String {
    let verdict = ctx.say(&format!("turn-verdict-{}", word(&json!(result.verdict))));
    ctx.tell("turn-line-check", &[("command", &result.command), ("verdict", &verdict)])
}
