//! A loop as a page of text: phase lines, tasks, the last validation, why it stands still and what
//! to do then. Secrets are taken out by whoever prints it.

use kernel::loops::{
    BRANCH_CHANGED, FailKind, Labels, Life, Origin, PauseReason, Paused, Phase, Task, TaskStatus,
    Validation, Verdict, Work,
};
use runtime::views::Notice;

use super::super::known;
use super::printed;
use super::show::status_word;
use crate::ctx::Ctx;
use crate::live::{Wait, wait_told};
use crate::table::{COLUMNS, cut};

/// Hypotheses are shown with this much of their text.
const HYPOTHESIS_CHARS: usize = 50;

/// So much of the page about development is shown with the status.
const DEVELOP_CHARS: usize = 1000;

/// Everything about a loop.
pub fn whole(ctx: &Ctx, life: &Life, wait: Option<&Wait>) -> String {
    let mut lines = vec![head(ctx, life), life.body.title.clone()];
    let (n, max) = (life.body.iteration, life.body.max_iterations);
    lines.push(ctx.tell("lc-iterations", &[("n", &n), ("max", &max)]));
    lines.extend(noted(ctx, &life.body.labels));
    lines.extend(phases(ctx, life));
    lines.extend(hypotheses(life));
    if !life.body.tasks.is_empty() {
        lines.push(ctx.say("lc-tasks"));
        lines.extend(tasks(life).into_iter().map(|line| format!("  {line}")));
    }
    lines.extend(last_run(ctx, life));
    lines.extend(doing(ctx, life));
    lines.extend(standing(ctx, life, wait));
    lines.join("\n")
}

/// What people noted about it.
fn noted(ctx: &Ctx, labels: &Labels) -> Vec<String> {
    let line = |name: &str, text: String| {
        let label = ctx.say(&format!("lc-label-{name}"));
        ctx.tell("cli-line", &[("label", &label), ("text", &text)])
    };
    let tags = Some(labels.tags.join(", ")).filter(|tags| !tags.is_empty());
    let priority = labels.priority.map(|priority| ctx.say(&format!("lc-{}", priority.word())));
    [("tags", tags), ("priority", priority), ("notes", labels.notes.clone())]
        .into_iter()
        .filter_map(|(name, text)| text.map(|text| line(name, text)))
        .collect()
}

/// How it stands, and what to do if it stands still.
pub fn brief(ctx: &Ctx, life: &Life, wait: Option<&Wait>) -> String {
    let mut lines = vec![head(ctx, life)];
    lines.extend(standing(ctx, life, wait));
    lines.join("\n")
}

/// What the menu's `status` shows.
pub fn status(ctx: &Ctx, life: &Life) -> String {
    let mut lines = phases(ctx, life);
    lines.extend(hypotheses(life));
    lines.extend(last_run(ctx, life));
    lines.extend(developed(ctx, &life.body.id));
    lines.join("\n")
}

/// The beginning of the page about development, if it is drawn.
fn developed(ctx: &Ctx, id: &str) -> Option<String> {
    let dir = ctx.state_dir().ok()??;
    let page = dir.path.join(format!("{id}.progress")).join("develop.md");
    let text = std::fs::read_to_string(page).ok()?;
    // What stands there for programs is no part of what a person reads.
    let text = text.split("<!-- loopwright:").next().unwrap_or_default();
    Some(text.trim_end().chars().take(DEVELOP_CHARS).collect())
}

fn head(ctx: &Ctx, life: &Life) -> String {
    let status = status_word(ctx, life.phase.status());
    match life.body.course() {
        Some(course) => format!("{}  {status}  {}", life.body.id, course.mode.word()),
        None => format!("{}  {status}", life.body.id),
    }
}

/// The three phase lines.
pub fn phases(ctx: &Ctx, life: &Life) -> Vec<String> {
    let body = &life.body;
    let total = body.tasks.len();
    let done =
        body.tasks.iter().filter(|t| matches!(t.status, TaskStatus::Completed { .. })).count();
    let develop = match total {
        0 => ctx.say("loop-phase-develop-none"),
        total => {
            let percent = done * 100 / total;
            let args: [(&str, &dyn std::fmt::Display); 3] =
                [("completed", &done), ("total", &total), ("percent", &percent)];
            ctx.tell("loop-phase-develop", &args)
        }
    };
    let line = |name: &str, text: String| {
        let label = ctx.say(&format!("loop-label-{name}"));
        ctx.tell("cli-line", &[("label", &label), ("text", &text)])
    };
    let (debug, validate) = match body.work() {
        Some(work) => (debugging(ctx, work), validation(ctx, work)),
        None => (ctx.say("loop-phase-debug-none"), ctx.say("loop-phase-validate-none")),
    };
    vec![line("develop", develop), line("debug", debug), line("validate", validate)]
}

fn debugging(ctx: &Ctx, work: &Work) -> String {
    match (&work.debug.confirmed, work.debug.iteration) {
        (Some(_), _) => ctx.say("loop-phase-debug-found"),
        (None, 0) => ctx.say("loop-phase-debug-none"),
        (None, n) => ctx.tell("loop-phase-debug-iteration", &[("n", &n)]),
    }
}

fn validation(ctx: &Ctx, work: &Work) -> String {
    match &work.validation {
        None => ctx.say("loop-phase-validate-none"),
        Some(found) if found.passed() => ctx.say("loop-phase-validate-passed"),
        Some(found) => ctx.tell("loop-phase-validate-failed", &[("n", &found.counts.failed)]),
    }
}

fn hypotheses(life: &Life) -> Vec<String> {
    let all = life.body.work().map(|work| work.debug.hypotheses.as_slice()).unwrap_or_default();
    let line = |found: &kernel::loops::Hypothesis| {
        let text: String = found.description.chars().take(HYPOTHESIS_CHARS).collect();
        format!("{}: {} - {text}", found.id, found.status.word())
    };
    all.iter().map(line).collect()
}

/// The task list with its marks.
pub fn tasks(life: &Life) -> Vec<String> {
    life.body
        .tasks
        .iter()
        .map(|task| {
            let mark = match &task.status {
                TaskStatus::Pending => "[ ]",
                TaskStatus::InProgress => "[>]",
                TaskStatus::Completed { .. } => "[x]",
                TaskStatus::Failed { .. } => "[!]",
            };
            let what = task.command.as_deref().unwrap_or(&task.description);
            let why = match &task.status {
                TaskStatus::Failed { error, .. } => format!(" ({error})"),
                TaskStatus::Pending | TaskStatus::InProgress | TaskStatus::Completed { .. } => {
                    String::new()
                }
            };
            cut(&format!("{mark} {}  {}  {what}{why}", task.id, doer(task)), COLUMNS - 2)
        })
        .collect()
}

/// Who does a task, what it may do there, and where the task came from if not from a person.
fn doer(task: &Task) -> String {
    let mut words = vec![task.tool.as_str()];
    if task.run.is_none() {
        words.push(task.mode.word());
    }
    if task.origin != Origin::Queue {
        words.push(task.origin.word());
    }
    words.join(" ")
}

fn last_run(ctx: &Ctx, life: &Life) -> Vec<String> {
    let Some(found) = life.body.work().and_then(|work| work.validation.as_ref()) else {
        return Vec::new();
    };
    let mut lines = vec![counted(ctx, found)];
    lines.extend(found.failed_tests.iter().map(|name| cut(&format!("  - {name}"), COLUMNS)));
    lines.extend(found.warnings.iter().map(|text| cut(&format!("  ! {text}"), COLUMNS)));
    lines
}

/// One line about a validation.
pub fn counted(ctx: &Ctx, found: &Validation) -> String {
    let verdict = verdict(ctx, found.verdict);
    let counts = found.counts;
    ctx.tell(
        "lc-last-run",
        &[
            ("verdict", &verdict),
            ("passed", &counts.passed),
            ("failed", &counts.failed),
            ("skipped", &counts.skipped),
        ],
    )
}

/// A verdict in the reader's language.
pub fn verdict(ctx: &Ctx, found: Verdict) -> String {
    ctx.say(&format!("lc-verdict-{}", found.word()))
}

fn doing(ctx: &Ctx, life: &Life) -> Option<String> {
    let Phase::Acting(action) = &life.phase else { return None };
    let leg = action.leg().map(kernel::loops::Leg::word).unwrap_or_default();
    let call = action.child.clone().unwrap_or_else(|| "-".to_owned());
    let kind = action.kind.word();
    Some(ctx.tell("lc-now", &[("action", &kind), ("leg", &leg), ("call", &call)]))
}

/// Why it does not go on by itself, and what to do.
pub fn standing(ctx: &Ctx, life: &Life, wait: Option<&Wait>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut told = |key: &str, detail: &str| {
        let why = ctx.say(key);
        lines.push(if detail.is_empty() { why } else { format!("{why} {detail}") });
        // Until somebody says what became of the call, nothing else is taken.
        if !wait.is_some_and(Wait::unknown) {
            lines.push(next(ctx, &ctx.tell(&format!("{key}.next"), &[("id", &life.body.id)])));
        }
    };
    match &life.phase {
        Phase::Paused(paused) => {
            let code = paused.code.as_deref().unwrap_or_default();
            let key = pause_key(life, paused);
            let detail = paused_detail(ctx, code, paused);
            let detail = format!("{} {}", detail.trim_end(), at_work(life, paused));
            told(&key, detail.trim());
        }
        Phase::Failed { kind, reason, .. } => {
            told(&format!("loop-failure-{}", kind.word()), &format!("({reason})"));
        }
        Phase::Created | Phase::Acting(_) | Phase::Choosing { .. } | Phase::Lent { .. } => {}
        Phase::Completed { how, .. } => lines.push(completed(ctx, how)),
    }
    if stopped_by_work(&life.phase) {
        lines.extend(printed::last(ctx, &life.body.id).into_iter().flatten());
    }
    if let Phase::Paused(paused) = &life.phase
        && paused.live().is_some()
    {
        let cut = paused.held.as_ref().is_some_and(|held| held.cut);
        lines.push(ctx.say(if cut { "lc-cutting" } else { "lc-draining" }));
    }
    lines.extend(in_tree(ctx, life));
    if let Phase::Created = &life.phase {
        lines.push(next(ctx, &ctx.tell("lc-next-start", &[("id", &life.body.id)])));
    }
    if let Phase::Lent { runner, .. } = &life.phase {
        let runner = runner.clone().unwrap_or_else(|| "-".to_owned());
        lines.push(ctx.tell("lc-lent", &[("runner", &runner)]));
    }
    if let Some(wait) = wait {
        lines.extend(wait_told(wait, ctx));
    }
    lines
}

/// What debugging left in the tree. While an action is under way it is put back by that.
pub fn in_tree(ctx: &Ctx, life: &Life) -> Option<String> {
    let work = life.body.work().filter(|_| !matches!(life.phase, Phase::Acting(_)))?;
    let paths = work.debug.in_tree();
    let told = || ctx.tell("lc-in-tree", &[("paths", &paths.join(", "))]);
    (!paths.is_empty()).then(told)
}

/// Whether a task or a check brought it to a stand, and not a person or a bound.
fn stopped_by_work(phase: &Phase) -> bool {
    match phase {
        Phase::Paused(paused) => {
            matches!(paused.reason, PauseReason::Stuck | PauseReason::TaskFailed)
        }
        Phase::Failed { kind, .. } => matches!(kind, FailKind::Error | FailKind::FailFast),
        Phase::Created
        | Phase::Acting(_)
        | Phase::Choosing { .. }
        | Phase::Lent { .. }
        | Phase::Completed { .. } => false,
    }
}

/// What a missing agent is called by.
const NO_AGENT: &str = "E001";
/// An agent that failed; a loop is paused by it only for want of quota.
const AGENT_FAILED: &str = "E009";

/// What a person or a rule did not allow.
const DENIED: &str = "E_POLICY_DENIED";

/// The sentence for a pause. Whoever has no agent has tried nothing that could be used up.
fn pause_key(life: &Life, paused: &Paused) -> String {
    let alone = life.body.course().is_some_and(|course| {
        course.settings.debug_rounds_max == 0 && course.settings.fix_tasks_max == 0
    });
    if paused.reason == PauseReason::Stuck && alone {
        return "loop-pause-stuck-alone".to_owned();
    }
    let named = match paused.code.as_deref() {
        Some(NO_AGENT) => Some("no_agent"),
        Some(DENIED) => Some("denied"),
        Some(_) if paused.detail.starts_with(BRANCH_CHANGED) => Some("branch_changed"),
        Some(AGENT_FAILED) => match paused.reset.and_then(|reset| reset.wake) {
            Some(_) => Some("quota-waits"),
            None => Some("quota"),
        },
        Some(_) | None => None,
    };
    format!("loop-pause-{}", named.unwrap_or_else(|| paused.reason.word()))
}

/// What stands behind a pause; for a rate limit also when it ends.
fn paused_detail(ctx: &Ctx, code: &str, paused: &Paused) -> String {
    let detail = blocked(ctx, code, &paused.detail);
    match (code, paused.reset) {
        (AGENT_FAILED, Some(reset)) => {
            let at = known::clock(reset.at.0);
            format!("{} {detail}", ctx.tell("lc-reset-at", &[("at", &at)]))
        }
        (AGENT_FAILED, None) => format!("{} {detail}", ctx.say("lc-reset-unknown")),
        (_, _) => detail,
    }
}

/// The task that a block came from.
fn at_work(life: &Life, paused: &Paused) -> String {
    let last = life.body.records.last().filter(|_| paused.reason == PauseReason::Blocked);
    let task = last.and_then(|record| life.body.task(record.task.as_deref()?));
    let told = |task: &Task| {
        let what = task.command.as_deref().unwrap_or(&task.description);
        format!("({}: {})", task.id, cut(what, HYPOTHESIS_CHARS))
    };
    task.map(told).unwrap_or_default()
}

/// What blocks, with its code once.
pub fn blocked(ctx: &Ctx, code: &str, message: &str) -> String {
    let bare = message.strip_prefix(code).map_or(message, |rest| rest.trim_start_matches(": "));
    match code {
        NO_AGENT => ctx.tell("lc-no-agent", &[("agent", &bare)]),
        "" => message.to_owned(),
        code => format!("[{code}] {bare}"),
    }
}

fn completed(ctx: &Ctx, how: &kernel::loops::How) -> String {
    match how {
        kernel::loops::How::Validated { .. } => ctx.say("lc-completed-validated"),
        kernel::loops::How::Forced { by, why } => {
            ctx.tell("lc-completed-forced", &[("by", by), ("why", why)])
        }
        kernel::loops::How::Imported { source } => {
            ctx.tell("lc-completed-imported", &[("source", source)])
        }
    }
}

/// A next step as a line.
pub fn next(ctx: &Ctx, text: &str) -> String {
    let label = ctx.say("cli-next");
    format!("  {}", ctx.tell("cli-line", &[("label", &label), ("text", &text)]))
}

/// A notice about a view, with its next step.
pub fn notice(ctx: &Ctx, notice: &Notice) -> String {
    let label = ctx.say("cli-notice");
    let text = notice.message(ctx.lang);
    let line = ctx.tell("cli-line", &[("label", &label), ("text", &text)]);
    format!("{line}\n{}", next(ctx, &notice.next_step(ctx.lang)))
}
