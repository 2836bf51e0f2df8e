//! The pages of a lifecycle for people: where it stands, and what exactly is being approved before
//! a yes is asked for. Drawn from state; it asks nothing itself.

use edge::lifecycles;
use kernel::lifecycle::view::View;
use kernel::lifecycle::{
    self, Blocked, Confirming, Draft, Life, Phase, Plan, Rolling, State, Verify, Why,
};
use kernel::machine::At;
use runtime::query::{self, OpenQuestion};
use runtime::views::local_minute;

use super::super::checkpoint;
use super::lines::first;
use crate::asked;
use crate::ctx::Ctx;
use crate::table;

/// Lines of a failure that fit a page; the rest is in the record.
const SUMMARY_LINES: usize = 20;
/// The kind of a failure by a rate limit.
const QUOTA: &str = "quota";

/// A state in the reader's language, with its own word.
pub fn state(ctx: &Ctx, word: &str) -> String {
    lifecycles::state(ctx.lang, word)
}

/// What is shown first.
pub fn pointer(ctx: &Ctx, life: &Life, view: &View, open: &[OpenQuestion]) -> Vec<String> {
    let (sentence, rows) = lifecycles::pointer(ctx.lang, life, view, open);
    sentence.into_iter().chain([table::pairs(&rows)]).collect()
}

/// A question with everything one has to know before answering it.
pub fn question_lines(ctx: &Ctx, state: &State, question: &OpenQuestion) -> Vec<String> {
    let mut lines = Vec::new();
    if question.machine == "lifecycle"
        && let Some(life) = state.life()
    {
        match &life.phase {
            Phase::Confirming(now) => {
                let granted = life.body.begin.grant.is_some();
                lines.extend(shown(ctx, now, &|risk| granted && now.new_risks.contains(risk)));
            }
            Phase::Blocked(now) => lines.extend(blocked(ctx, now)),
            Phase::Planning(now) => lines.extend(unplanned(ctx, &now.step)),
            Phase::Idle(_) | Phase::Executing(_) | Phase::AutoFix(_) | Phase::Archiving(_) => {}
        }
    }
    lines.push(question.text(ctx.lang));
    lines
}

/// What one has to know of a run that stands still, or of the way back that is asked about.
fn blocked(ctx: &Ctx, now: &Blocked) -> Vec<String> {
    if let Some(Rolling::Ask { to, calls, conflicts, .. }) = &now.rolling {
        // The plan is drawn anew: what cannot be shown is still bound to its hash.
        return checkpoint::way_back(ctx, to, calls, *conflicts).into_iter().collect();
    }
    stuck(ctx, now)
}

/// What failed, why that cannot be gone on from, and until when.
pub fn stuck(ctx: &Ctx, now: &Blocked) -> Vec<String> {
    let mut lines = failed(ctx, now.failure.as_ref());
    lines.extend(failed(ctx, now.cause.as_ref()));
    let told = now.failure.as_ref().is_some_and(|failure| failure.summary == now.detail);
    if !now.detail.is_empty() && !told {
        lines.push(query::told_detail(&now.detail, ctx.lang));
    }
    if now.why == Why::Quota {
        let agent = now.agent.as_deref().unwrap_or("-");
        lines.push(limited(ctx, agent, now.reset_at));
    }
    lines
}

/// Why there is no plan, and until when.
pub fn unplanned(ctx: &Ctx, step: &Draft) -> Vec<String> {
    let Draft::Stuck { failure, reset_at, .. } = step else { return Vec::new() };
    let mut lines = failed(ctx, Some(failure));
    if reset_at.is_some() || failure.kind == QUOTA {
        lines.push(limited(ctx, "-", *reset_at));
    }
    lines
}

/// When a rate limit ends, if that was told.
fn limited(ctx: &Ctx, agent: &str, reset_at: Option<At>) -> String {
    let until = match reset_at {
        Some(at) => local_minute(at),
        None => ctx.say("lifecycle-page-not-told"),
    };
    ctx.tell("lifecycle-page-quota", &[("agent", &agent), ("until", &until)])
}

/// The checkpoint that a way back would lead to.
pub fn kept(ctx: &Ctx, view: &View) -> Option<String> {
    let name = view.last_checkpoint.as_ref()?;
    Some(ctx.tell("lifecycle-page-kept", &[("name", name)]))
}

/// The same with its answers.
pub fn asked_lines(ctx: &Ctx, state: &State, question: &OpenQuestion) -> Vec<String> {
    let mut lines = question_lines(ctx, state, question);
    lines.extend(asked::options(ctx, question));
    lines
}

/// Exactly what a yes would be about: tasks, checks with their commands, dangers, hash. Beside a
/// grant it is told which dangers are new.
fn shown(ctx: &Ctx, now: &Confirming, is_new: &dyn Fn(&String) -> bool) -> Vec<String> {
    let plan = &now.plan;
    let mut lines = vec![ctx.say("lifecycle-page-tasks")];
    for spec in &plan.tasks {
        let files = if spec.files.is_empty() {
            String::new()
        } else {
            format!(" ({})", spec.files.join(", "))
        };
        lines.push(format!("  {}: {}{files}", spec.id, spec.title));
        if !spec.depends.is_empty() {
            lines.push(format!("      ← {}", spec.depends.join(", ")));
        }
        if let Verify::Checks(checks) = &spec.verify {
            lines.extend(checks.iter().map(|check| format!("      $ {}", check.line())));
        }
    }
    lines.extend(checks(ctx, plan));
    for finding in &plan.findings {
        let new = match is_new(&finding.risk_hash) {
            true => ctx.say("lifecycle-page-new"),
            false => String::new(),
        };
        let args: [(&str, &dyn std::fmt::Display); 3] =
            [("class", &finding.class), ("what", &finding.what), ("new", &new)];
        lines.push(ctx.tell("lifecycle-page-risk", &args).trim_end().to_owned());
    }
    lines.extend(
        plan.warnings
            .iter()
            .map(|warning| query::told_warning(&first(warning), ctx.lang))
            .map(|text| ctx.tell("lifecycle-line-warning", &[("text", &text)])),
    );
    lines.push(ctx.tell("turn-hash", &[("hash", &now.hash)]));
    lines
}

/// The checks of tasks that name none of their own.
fn checks(ctx: &Ctx, plan: &Plan) -> Vec<String> {
    if plan.tasks.iter().all(|spec| matches!(spec.verify, Verify::Checks(_))) {
        return Vec::new();
    }
    if plan.checks.is_empty() {
        return vec![ctx.say("lifecycle-page-no-checks")];
    }
    let lines = plan.checks.iter().map(|check| match check.argv.is_empty() {
        true => format!("  {}", ctx.say("lifecycle-page-artefacts")),
        false => format!("  $ {}", check.line()),
    });
    std::iter::once(ctx.say("lifecycle-page-checks")).chain(lines).collect()
}

/// A failure: its summary and its first errors.
pub fn failed(ctx: &Ctx, failure: Option<&lifecycle::Failure>) -> Vec<String> {
    let Some(failure) = failure else { return Vec::new() };
    let summary = query::told_summary(&failure.summary, ctx.lang);
    let mut lines: Vec<String> = summary.lines().take(SUMMARY_LINES).map(str::to_owned).collect();
    let head = lines.first().cloned().unwrap_or_default();
    lines.splice(..lines.len().min(1), [format!("{}: {head}", failure.code)]);
    lines.extend(failure.errors.iter().map(|error| {
        let place = match (&error.file, error.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            (None, _) => String::new(),
        };
        format!("  {place}{}", error.message)
    }));
    lines
}
