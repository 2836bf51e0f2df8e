//! `develop.md`: the tasks, and what each develop action did.

use kernel::loops::view::{Document, rfc3339};
use kernel::loops::{ActionRecord, ActionResult, Body, Kind, Task, TaskStatus};

use super::sheet::{Sheet, flat, mark, of_kind};
use crate::words::Lang;

/// Draws the page.
pub(in super::super) fn develop(body: &Body, document: &Document, lang: Lang) -> String {
    let mut sheet = Sheet::new(lang);
    sheet.heading("# Development Progress");
    sheet.field("Loop ID", &body.id);
    sheet.field("Task", &body.description);
    sheet.field("Started", &rfc3339(body.created_at));
    sheet.heading("## Task List");
    for (index, task) in body.tasks.iter().enumerate() {
        let (n, mark) = (index + 1, mark(&task.status));
        sheet.line(&format!("{n}. [{mark}] {}", flat(&task.description)));
    }
    if body.tasks.is_empty() {
        sheet.say("view-page-none", &[]);
    }
    sheet.heading("## Progress Timeline");
    let records = of_kind(body, Kind::Develop);
    sheet.bounds(body, records.len());
    for record in records {
        action(&mut sheet, body, record);
    }
    statistics(&mut sheet, body);
    let part = document.skill_state.as_ref().map(|skill| &skill.develop);
    sheet.close("develop", part)
}

fn action(sheet: &mut Sheet, body: &Body, record: &ActionRecord) {
    let task = record.task.as_deref().and_then(|id| body.task(id));
    let what =
        task.map_or_else(|| record.task.clone().unwrap_or_default(), |t| flat(&t.description));
    let (i, time) = (record.iteration, rfc3339(record.ended_at));
    sheet.heading(&format!("### Iteration {i} - {what} ({time})"));
    sheet.line("#### Task Details");
    sheet.blank();
    sheet.item("ID", record.task.as_deref().unwrap_or("-"));
    sheet.item("Tool", task.map_or("-", |task| &task.tool));
    sheet.item("Mode", task.map_or("-", |task| task.mode.word()));
    sheet.heading("#### Implementation Summary");
    sheet.outcome(record);
    sheet.heading("#### Files Changed");
    for path in &record.files_changed {
        sheet.line(&format!("- `{}`", flat(path)));
    }
    if record.files_changed.is_empty() {
        sheet.line("- No files changed");
    }
    let status = match record.result {
        ActionResult::Ok => "COMPLETED",
        ActionResult::Failed { .. } | ActionResult::Blocked { .. } | ActionResult::Dropped => {
            "FAILED"
        }
    };
    sheet.heading(&format!("#### Status: {status}"));
}

fn statistics(sheet: &mut Sheet, body: &Body) {
    let count = |is: fn(&Task) -> bool| body.tasks.iter().filter(|task| is(task)).count();
    let total = body.tasks.len();
    let completed = count(|task| matches!(task.status, TaskStatus::Completed { .. }));
    let percent = (completed * 100).checked_div(total).unwrap_or(0);
    sheet.heading("## Current Statistics");
    sheet.item("Total Tasks", &total.to_string());
    sheet.item("Completed", &completed.to_string());
    let working = count(|task| task.status == TaskStatus::InProgress);
    sheet.item("In Progress", &working.to_string());
    sheet.item("Pending", &count(|task| task.status == TaskStatus::Pending).to_string());
    sheet.item("Progress", &format!("{percent}%"));
}
