//! `validate.md`: every validation that is still known, the newest last and whole. Of earlier ones
//! the numbers and the names of what failed are kept.

use kernel::loops::view::{Document, rfc3339};
use kernel::loops::{
    ActionRecord, Body, Kind, RESULTS_KEPT, RunRecord, TestResult, TestStatus, Validation, Verdict,
    Work,
};

use super::sheet::{Sheet, flat, of_kind};
use crate::words::Lang;

/// Draws the page.
pub(in super::super) fn validate(body: &Body, document: &Document, lang: Lang) -> String {
    let mut sheet = Sheet::new(lang);
    let found = body.work().and_then(|work| work.validation.as_ref());
    sheet.heading("# Validation Report");
    sheet.field("Loop ID", &body.id);
    sheet.field("Task", &body.description);
    sheet.field("Validated", &found.map_or_else(|| "-".into(), |found| rfc3339(found.at)));
    sheet.blank();
    let records = of_kind(body, Kind::Validate);
    sheet.bounds(body, records.len());
    for record in &records {
        sheet.heading(&format!("## Iteration {} - Validation Run", record.iteration));
        match found.filter(|found| found.at == record.ended_at) {
            Some(found) => run(&mut sheet, found),
            None => older(&mut sheet, record),
        }
    }
    decision(&mut sheet, body.work(), found);
    sheet.close("validate", document.skill_state.as_ref().map(|skill| &skill.validate))
}

fn older(sheet: &mut Sheet, record: &ActionRecord) {
    if let Some(found) = &record.run {
        numbers(sheet, found);
        for name in &found.failed_tests {
            sheet.line(&format!("- {}", flat(name)));
        }
        let more = found.counts.failed.saturating_sub(found.failed_tests.len() as u64);
        if more > 0 {
            sheet.say("view-page-more-failed", &[("n", &more)]);
        } else if found.counts.failed == 0 {
            sheet.line("_All tests passed_");
        }
        return;
    }
    if record.summary.trim().is_empty() {
        sheet.outcome(record);
    } else {
        let summary = flat(&record.summary);
        sheet.say("view-page-older-run", &[("summary", &summary)]);
    }
}

fn run(sheet: &mut Sheet, found: &Validation) {
    let kept = RunRecord::of(found);
    numbers(sheet, &kept);
    let failed: Vec<_> =
        found.results.iter().filter(|one| one.status == TestStatus::Failed).collect();
    for one in &failed {
        failure(sheet, one);
    }
    if failed.is_empty() && found.counts.failed == 0 {
        sheet.line("_All tests passed_");
    }
    if found.truncated {
        sheet.blank();
        sheet.say("view-page-truncated", &[("n", &RESULTS_KEPT)]);
    }
}

/// The numbers of a run, up to its failed tests.
fn numbers(sheet: &mut Sheet, found: &RunRecord) {
    sheet.line("### Test Execution Summary");
    sheet.blank();
    sheet.item("Total Tests", &found.counts.total.to_string());
    sheet.item("Passed", &found.counts.passed.to_string());
    sheet.item("Failed", &found.counts.failed.to_string());
    sheet.item("Skipped", &found.counts.skipped.to_string());
    sheet.item("Duration", &format!("{} ms", found.duration_ms));
    let rate = found.pass_rate_tenths.map_or_else(|| "unknown".into(), percent);
    sheet.item("Pass Rate", &rate);
    sheet.heading("### Coverage Report");
    match found.coverage_tenths {
        Some(tenths) => sheet.line(&format!("**Overall Coverage**: {}", percent(tenths))),
        None => sheet.line("_No coverage data available_"),
    }
    sheet.heading("### Failed Tests");
}

fn percent(tenths: u32) -> String {
    match tenths % 10 {
        0 => format!("{}%", tenths / 10),
        rest => format!("{}.{rest}%", tenths / 10),
    }
}

fn failure(sheet: &mut Sheet, one: &TestResult) {
    sheet.heading(&format!("#### {}", flat(&one.test_name)));
    sheet.item("Suite", &one.suite);
    if let Some(message) = &one.error_message {
        sheet.line("- **Error**:");
        sheet.blank();
        sheet.quote(message);
    }
    if let Some(stack) = &one.stack_trace {
        sheet.line("- **Stack**:");
        sheet.blank();
        sheet.quote(stack);
    }
}

fn decision(sheet: &mut Sheet, work: Option<&Work>, found: Option<&Validation>) {
    sheet.heading("## Validation Decision");
    let Some(found) = found else {
        return sheet.say("view-page-none", &[]);
    };
    sheet.line(&format!("**Result**: {}", if found.passed() { "PASS" } else { "FAIL" }));
    let fresh = work.and_then(Work::fresh).is_some();
    if !fresh {
        sheet.blank();
        sheet.say("view-page-stale", &[]);
    }
    sheet.heading("### Next Actions");
    let next = match found.verdict {
        Verdict::Passed | Verdict::Accepted if fresh => "view-page-next-done",
        Verdict::Passed | Verdict::Accepted => "view-page-next-validate",
        Verdict::Failed => "view-page-next-debug",
        Verdict::DefinitionChanged | Verdict::Unparsed => "view-page-next-ask",
        Verdict::NoTests | Verdict::CoverageBelow => "view-page-next-tests",
    };
    sheet.say(next, &[]);
}
