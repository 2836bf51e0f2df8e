//! What happened, one line each, for whoever does not watch a terminal. Ends and pauses are told
//! with the page that closes the view.

use kernel::loops::{
    ActionResult, CheckReport, Event, Gave, Kind, Leg, LegEnd, Life, State, Subject,
};
use kernel::machine::At;

use crate::commands::loops::page;
use crate::ctx::Ctx;
use crate::table::{COLUMNS, cut};

/// The lines of one event, by the state before it.
pub fn told(ctx: &Ctx, before: &State, event: &Event, at: At) -> Vec<String> {
    let Some(life) = before.life() else { return Vec::new() };
    let one = |key: &str| vec![ctx.say(key)];
    match event {
        Event::LoopStarted { course } => {
            vec![ctx.tell("lc-line-started", &[("mode", &course.mode.word())])]
        }
        Event::ActionChosen { kind, subject, .. } => {
            vec![chosen(ctx, life, *kind, subject)]
        }
        Event::LegBegan { leg, .. } => check_began(ctx, before, leg).into_iter().collect(),
        Event::LegEnded { end, .. } => leg_ended(ctx, end).into_iter().collect(),
        Event::ActionEnded { kind, result, validation, summary, .. } => {
            let mut lines = vec![ended(ctx, life, *kind, result, at)];
            if *kind == Kind::Debug && !summary.is_empty() {
                lines.push(cut(&indented(summary), COLUMNS));
            }
            if let Some(found) = validation {
                lines.push(indented(&page::counted(ctx, found)));
                // Else nobody would know why it is run again.
                lines.extend((!found.fresh).then(|| indented(&ctx.say("lc-line-moved"))));
            }
            lines
        }
        Event::ActionDropped { .. } => one("lc-line-dropped"),
        Event::TaskAdded { task, .. } => {
            vec![ctx.tell("lc-line-task-added", &[("task", &task.id), ("text", &task.description)])]
        }
        Event::TaskRequeued { task } => vec![ctx.tell("lc-line-requeued", &[("task", task)])],
        Event::ModeSet { mode } => vec![ctx.tell("lc-line-mode", &[("mode", &mode.word())])],
        Event::LoopResumed { .. } => one("lc-line-resumed"),
        Event::LoopRetried => one("lc-line-retried"),
        Event::LoopReopened => one("lc-line-reopened"),
        Event::ValidationStaled { why } => vec![ctx.tell("lc-line-staled", &[("why", why)])],
        Event::ValidationAccepted { .. } => one("lc-line-accepted"),
        Event::PauseCut => one("lc-line-cut"),
        Event::LeaseTaken { runner, .. } => {
            let runner = runner.clone().unwrap_or_else(|| "-".to_owned());
            vec![ctx.tell("lc-lent", &[("runner", &runner)])]
        }
        Event::SkillReported { .. } => one("lc-line-reported"),
        Event::LoopCreated { .. }
        | Event::LoopImported(_)
        | Event::LoopEdited { .. }
        | Event::LoopDeleted
        | Event::TaskEdited { .. }
        | Event::TaskRemoved { .. }
        | Event::TasksReordered { .. }
        | Event::LoopPaused { .. }
        | Event::LoopFailed { .. }
        | Event::LegChosen { .. }
        | Event::MenuOpened { .. }
        | Event::MenuAnswered { .. }
        | Event::LoopCompleted { .. }
        | Event::LeaseRenewed { .. }
        | Event::ViewsRemoved => Vec::new(),
    }
}

fn chosen(ctx: &Ctx, life: &Life, kind: Kind, subject: &Subject) -> String {
    let (n, max) = (life.body.iteration + u32::from(kind.counted()), life.body.max_iterations);
    let about = about(life, subject);
    let action = action(ctx, kind);
    let line = ctx.tell(
        "lc-line-action",
        &[("n", &n), ("max", &max), ("action", &action), ("about", &about)],
    );
    cut(line.trim_end(), COLUMNS)
}

/// What an action is about.
pub fn about(life: &Life, subject: &Subject) -> String {
    match subject {
        Subject::Loop => String::new(),
        Subject::Problem { text, .. } => text.clone(),
        Subject::Task { id } => {
            let what = life
                .body
                .task(id)
                .map(|task| task.command.as_deref().unwrap_or(&task.description).to_owned());
            format!("{id}: {}", what.unwrap_or_default())
        }
    }
}

/// An action in the reader's language.
pub fn action(ctx: &Ctx, kind: Kind) -> String {
    ctx.say(&format!("lc-action-{}", kind.word()))
}

fn check_began(ctx: &Ctx, state: &State, leg: &Leg) -> Option<String> {
    let Leg::Check(number) = leg else { return None };
    let argv = state.check(*number)?.argv.join(" ");
    Some(cut(&indented(&ctx.tell("lc-line-check", &[("n", number), ("argv", &argv)])), COLUMNS))
}

fn leg_ended(ctx: &Ctx, end: &LegEnd) -> Option<String> {
    match end {
        LegEnd::Ok(Gave::Check(report)) => Some(indented(&checked(ctx, report))),
        LegEnd::Ok(_)
        | LegEnd::Failed { .. }
        | LegEnd::TimedOut { .. }
        | LegEnd::Blocked { .. }
        | LegEnd::Unusable { .. }
        | LegEnd::Cancelled => None,
    }
}

fn checked(ctx: &Ctx, report: &CheckReport) -> String {
    let (verdict, time) = (page::verdict(ctx, report.verdict), spent(report.duration_ms));
    // Who counts no tests has nothing to count.
    if report.counts.total == 0 {
        let args: [(&str, &dyn std::fmt::Display); 3] =
            [("id", &report.id), ("verdict", &verdict), ("time", &time)];
        return ctx.tell("lc-line-checked-plain", &args);
    }
    ctx.tell(
        "lc-line-checked",
        &[
            ("id", &report.id),
            ("verdict", &verdict),
            ("passed", &report.counts.passed),
            ("failed", &report.counts.failed),
            ("time", &time),
        ],
    )
}

fn ended(ctx: &Ctx, life: &Life, kind: Kind, result: &ActionResult, at: At) -> String {
    let began = life.phase.action().map_or(at, |action| action.started_at);
    let (action, time) = (action(ctx, kind), spent(at.since(began)));
    let (key, why) = match result {
        // That the checks ran says nothing about what they found.
        ActionResult::Ok if kind == Kind::Validate => ("lc-line-ran", String::new()),
        ActionResult::Ok => ("lc-line-ok", String::new()),
        ActionResult::Failed { message } => ("lc-line-failed", message.clone()),
        ActionResult::Blocked { code, message } => {
            ("lc-line-blocked", page::blocked(ctx, code, message))
        }
        ActionResult::Dropped => return indented(&ctx.say("lc-line-dropped")),
    };
    let args: [(&str, &dyn std::fmt::Display); 3] =
        [("action", &action), ("time", &time), ("why", &why)];
    let used = if why.is_empty() { &args[..2] } else { &args[..] };
    cut(&indented(&ctx.tell(key, used)), COLUMNS)
}

fn indented(text: &str) -> String {
    format!("  {text}")
}

/// A duration for people.
pub fn spent(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms}ms"),
        1_000..60_000 => format!("{}.{}s", ms / 1000, ms % 1000 / 100),
        60_000..3_600_000 => format!("{}m {}s", ms / 60_000, ms / 1000 % 60),
        _ => format!("{}h {}m", ms / 3_600_000, ms / 60_000 % 60),
    }
}
