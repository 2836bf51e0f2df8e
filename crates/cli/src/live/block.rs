//! The block below the lines: where the loop stands this moment. Drawn from state and the clock.

use std::time::{SystemTime, UNIX_EPOCH};

use kernel::loops::{Life, Phase, TaskStatus};

use super::lines::{about, action, spent};
use crate::commands::loops::page;
use crate::ctx::Ctx;

/// Tasks shown around the one at work; the rest is counted.
const TASKS_SHOWN: usize = 7;

/// The lines of the block.
pub fn lines(ctx: &Ctx, life: &Life, last_output: Option<&str>) -> Vec<String> {
    let body = &life.body;
    let status = ctx.say(&format!("loop-status-{}", life.phase.status()));
    let (n, max) = (body.iteration, body.max_iterations);
    let iterations = ctx.tell("lc-iterations", &[("n", &n), ("max", &max)]);
    let mut all = vec![String::new(), format!("{status}  {iterations}  {}", body.title)];
    if let Phase::Acting(doing) = &life.phase {
        let leg = doing.leg().map(kernel::loops::Leg::word).unwrap_or_default();
        let time = spent(now_ms().saturating_sub(doing.started_at.0));
        let what = about(life, &doing.subject);
        all.push(format!("> {} / {leg}  {time}  {what}", action(ctx, doing.kind)));
    }
    all.extend(window(life));
    if let Some(found) = body.work().and_then(|work| work.validation.as_ref()) {
        all.push(page::counted(ctx, found));
    }
    if let Some(line) = last_output {
        all.push(format!("| {line}"));
    }
    all
}

/// The tasks around the first that is not finished.
fn window(life: &Life) -> Vec<String> {
    let tasks = page::tasks(life);
    let at = life
        .body
        .tasks
        .iter()
        .position(|task| matches!(task.status, TaskStatus::InProgress | TaskStatus::Pending))
        .unwrap_or(tasks.len());
    let first = at.saturating_sub(TASKS_SHOWN / 2).min(tasks.len().saturating_sub(TASKS_SHOWN));
    let shown = tasks.iter().skip(first).take(TASKS_SHOWN);
    let mut lines: Vec<String> = shown.map(|line| format!("  {line}")).collect();
    let left = tasks.len().saturating_sub(first + lines.len());
    if left > 0 {
        lines.push(format!("  … +{left}"));
    }
    lines
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
