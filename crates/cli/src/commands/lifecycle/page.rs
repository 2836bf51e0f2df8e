//! The pages of a lifecycle for people: where it stands, and what exactly is being approved before
//! a yes is asked for. Drawn from state; it asks nothing itself.

use kernel::lifecycle::view::View;
use kernel::lifecycle::{
    self, Blocked, Confirming, Draft, Life, Phase, Plan, Rolling, State, Status, Verify, Why,
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
    let label = ctx.say(&format!("lifecycle-state-{}", word.to_lowercase().replace('_', "-")));
    format!("{label} ({word})")
}

/// What is shown first: state, task i of n, attempt, last checkpoint, open question, stale
/// evidence, what comes next and its command.
pub fn pointer(ctx: &Ctx, life: &Life, view: &View, open: &[OpenQuestion]) -> Vec<String> {
    let fact = |name: &str| ctx.say(&format!("lifecycle-fact-{name}"));
    let mut rows =
        vec![(fact("run"), view.run_id.clone()), (fact("state"), state(ctx, &view.task_status))];
    if let Some(outcome) = view.outcome {
        rows.push((fact("outcome"), ctx.say(&format!("lifecycle-outcome-{}", outcome.word()))));
    }
    if let Some(hold) = &view.hold {
        rows.push((fact("held"), query::told_by(&hold.by, ctx.lang)));
    }
    if let Some(at) = position(view) {
        rows.push((fact("task"), at));
    }
    if view.auto_fix_attempts > 0 {
        let told = format!("{}/{}", view.auto_fix_attempts, view.auto_fix_limit);
        rows.push((fact("attempt"), told));
    }
    rows.push((fact("checkpoint"), view.last_checkpoint.clone().unwrap_or_default()));
    rows.push((fact("question"), open.first().map(|one| one.id.clone()).unwrap_or_default()));
    rows.push((fact("stale"), stale(life).join(", ")));
    let (sentence, command) = next(ctx, view, open);
    rows.push((fact("next"), sentence));
    rows.push((fact("command"), command.unwrap_or_default()));
    rows.retain(|(_, value)| !value.is_empty());
    let mut lines: Vec<String> = resumed(ctx, life).into_iter().collect();
    lines.push(table::pairs(&rows));
    lines
}

/// What comes next and its command. What asks may be below it: then nothing goes on before that has
/// its answer.
pub fn next(ctx: &Ctx, view: &View, open: &[OpenQuestion]) -> (String, Option<String>) {
    let below = open.iter().find(|one| one.run != view.run_id);
    match below.filter(|_| view.waiting.is_none()) {
        Some(one) => (ctx.say("lifecycle-next-answer"), Some(one.command())),
        None => {
            let sentence = query::next_sentence(&view.next_action, ctx.lang);
            (sentence, view.next_action.command.clone())
        }
    }
}

/// Tasks that are done and whose proof no longer is one: they are checked again before the end.
fn stale(life: &Life) -> Vec<&str> {
    let Some(work) = life.phase.work() else { return Vec::new() };
    let stale = work
        .tasks
        .iter()
        .filter(|task| task.status == Status::Done && work.missing(task).is_some());
    stale.map(|task| task.spec.id.as_str()).collect()
}

/// `T-102, 2 of 4`
fn position(view: &View) -> Option<String> {
    let id = view.current_task.as_deref()?;
    let at = view.tasks.iter().position(|task| task.task.spec.id == id)?;
    Some(format!("{id}, {}/{}", at + 1, view.tasks.len()))
}

/// The sentence for one who comes back.
fn resumed(ctx: &Ctx, life: &Life) -> Option<String> {
    match &life.phase {
        Phase::Confirming(_) => Some(ctx.say("lifecycle-pointer-plan")),
        Phase::Blocked(blocked) => {
            let task = blocked.task.as_deref()?;
            Some(ctx.tell("lifecycle-pointer-stuck", &[("task", &task)]))
        }
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Executing(_)
        | Phase::AutoFix(_)
        | Phase::Archiving(_) => None,
    }
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
