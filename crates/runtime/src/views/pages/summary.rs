//! `summary.md`: how a loop ended, in one page. Drawn when it completes or fails; an end that is
//! taken up again leaves the page of that end until the next.

use kernel::loops::view::{Document, rfc3339};
use kernel::loops::{Body, How, Phase, TaskStatus, Validation};
use kernel::machine::At;

use super::sheet::{Sheet, flat, mark};
use crate::words::Lang;

/// The pages and logs that lie beside it.
const BESIDE: [&str; 5] = ["develop.md", "debug.md", "validate.md", "changes.log", "debug.log"];

/// Draws the page; none while the loop has not ended.
pub(in super::super) fn summary(
    body: &Body,
    phase: &Phase,
    document: &Document,
    lang: Lang,
) -> Option<String> {
    let (at, status, how) = match phase {
        Phase::Completed { at, how } => (*at, "completed", Some(how)),
        Phase::Failed { at, .. } => (*at, "failed", None),
        Phase::Created
        | Phase::Acting(_)
        | Phase::Choosing { .. }
        | Phase::Lent { .. }
        | Phase::Paused(_) => return None,
    };
    let mut sheet = Sheet::new(lang);
    sheet.heading("# Loop Summary");
    sheet.field("Loop ID", &body.id);
    sheet.field("Title", &body.title);
    sheet.field("Task", &body.description);
    sheet.field("Started", &rfc3339(body.created_at));
    sheet.field("Completed", &rfc3339(at));
    sheet.field("Duration", &duration(body.created_at, at));
    sheet.field("Status", status);
    sheet.blank();
    match (how, phase) {
        (Some(how), _) => ended_well(&mut sheet, how),
        (None, Phase::Failed { kind, reason, .. }) => {
            let (kind, reason) = (kind.word(), flat(reason));
            sheet.say("view-summary-failed", &[("kind", &kind), ("reason", &reason)]);
        }
        (None, _) => {}
    }
    let in_tree = body.work().map(|work| work.debug.in_tree()).unwrap_or_default();
    if !in_tree.is_empty() {
        sheet.say("view-summary-in-tree", &[("paths", &flat(&in_tree.join(", ")))]);
    }
    phases(&mut sheet, body, document);
    tasks(&mut sheet, body);
    sheet.heading("## Artifacts");
    for name in BESIDE {
        sheet.line(&format!("- `{name}`"));
    }
    Some(sheet.end())
}

fn ended_well(sheet: &mut Sheet, how: &How) {
    match how {
        How::Validated { digest } => sheet.say("view-summary-validated", &[("digest", digest)]),
        How::Forced { by, why } => {
            sheet.say("view-summary-forced", &[("by", by), ("why", &flat(why))]);
        }
        How::Imported { source } => {
            sheet.say("view-summary-imported", &[("source", &flat(source))]);
        }
    }
}

/// `1h 2m`, `2m 3s`, `4s`.
fn duration(from: At, to: At) -> String {
    let seconds = to.since(from) / 1000;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m {s}s"),
        (h, m, _) => format!("{h}h {m}m"),
    }
}

fn phases(sheet: &mut Sheet, body: &Body, document: &Document) {
    sheet.heading("## Phases");
    sheet.line("| Phase | Result |");
    sheet.line("|---|---|");
    let skill = document.skill_state.as_ref();
    let (done, total) =
        skill.map_or((0, 0), |skill| (skill.develop.completed, skill.develop.total));
    sheet.line(&format!("| Iterations | {}/{} |", body.iteration, body.max_iterations));
    sheet.line(&format!("| Develop | {done}/{total} |"));
    let debug = body.work().map(|work| &work.debug);
    let cause = debug.and_then(|debug| debug.confirmed.clone()).unwrap_or_else(|| "-".into());
    let rounds = debug.map_or(0, |debug| debug.iteration);
    sheet.line(&format!("| Debug | {rounds}, {cause} |"));
    let found = body.work().and_then(|work| work.validation.as_ref());
    sheet.line(&format!("| Validate | {} |", found.map_or_else(|| "-".into(), result)));
}

fn result(found: &Validation) -> String {
    let counts = &found.counts;
    let word = found.verdict.word();
    let (passed, failed, skipped) = (counts.passed, counts.failed, counts.skipped);
    format!("{word}: passed {passed}, failed {failed}, skipped {skipped}")
}

fn tasks(sheet: &mut Sheet, body: &Body) {
    sheet.heading("## Tasks");
    for task in &body.tasks {
        let error = match &task.status {
            TaskStatus::Failed { error, .. } if !error.is_empty() => format!(": {}", flat(error)),
            TaskStatus::Failed { .. }
            | TaskStatus::Pending
            | TaskStatus::InProgress
            | TaskStatus::Completed { .. } => String::new(),
        };
        let mark = mark(&task.status);
        sheet.line(&format!("- [{mark}] {} {}{error}", task.id, flat(&task.description)));
    }
    if body.tasks.is_empty() {
        sheet.say("view-page-none", &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_names_its_two_largest_parts() {
        for (ms, text) in [(4_200, "4s"), (123_000, "2m 3s"), (3_720_000, "1h 2m"), (0, "0s")] {
            assert_eq!(duration(At(1_000), At(1_000 + ms)), text);
        }
    }
}
