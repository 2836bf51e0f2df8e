//! Reads pytest: its JUnit report, else the last summary line of its text. Captured output comes
//! before that line, so nothing a test prints can stand in for it.

use super::junit;
use super::parse::{Form, Output};
use super::result::{Counts, Status, TestResult};
use super::tally::Tally;

/// The exit code of a run that found no tests.
pub(super) const NONE: i32 = 5;

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    if let Some(results) = output.report.as_deref().and_then(junit::read) {
        results.into_iter().for_each(|result| tally.add(result));
        return Form::Fits;
    }
    read_text(output, tally)
}

pub(super) fn read_text(output: &Output, tally: &mut Tally<'_>) -> Form {
    let mut last = None;
    let mut failed: Vec<TestResult> = Vec::new();
    let mut in_summary = false;
    output.stdout.each_line(|line| {
        if let Some(counts) = summary(line) {
            last = Some(counts);
        } else if line.starts_with('=') && line.contains(" short test summary info ") {
            in_summary = true;
            failed.clear();
        } else if in_summary {
            failed.extend(failed_line(line));
        }
    });
    let Some(counts) = last else { return Form::Other };
    tally.counts = tally.counts.plus(counts);
    failed.truncate(usize::try_from(counts.failed).unwrap_or(usize::MAX));
    failed.into_iter().for_each(|result| tally.list(result));
    Form::Fits
}

/// `1 failed, 2 passed, 1 error in 0.10s`, bare or between `=` signs.
fn summary(line: &str) -> Option<Counts> {
    let line = line.trim_matches(['=', ' ']);
    let (parts, time) = line.rsplit_once(" in ")?;
    let seconds = time.split(' ').next()?.strip_suffix('s')?;
    seconds.parse::<f64>().ok()?;
    if parts == "no tests ran" {
        return Some(Counts::default());
    }
    let mut counts = Counts::default();
    for part in parts.split(", ") {
        let (number, word) = part.split_once(' ')?;
        let number = number.parse().ok()?;
        counts = counts.plus(match word {
            "passed" | "xpassed" | "subtests passed" => Counts::of(number, 0, 0),
            "failed" | "error" | "errors" | "subtests failed" => Counts::of(0, number, 0),
            "skipped" | "xfailed" => Counts::of(0, 0, number),
            "deselected" | "warning" | "warnings" | "rerun" => Counts::default(),
            _ => return None,
        });
    }
    Some(counts)
}

/// `FAILED tests/test_a.py::test_b - AssertionError: …`
fn failed_line(line: &str) -> Option<TestResult> {
    let rest = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))?;
    let (place, message) = match rest.split_once(" - ") {
        Some((place, message)) => (place, Some(message.to_owned())),
        None => (rest, None),
    };
    let (suite, name) = place.split_once("::").unwrap_or(("", place));
    let mut result = TestResult::new(suite, name, Status::Failed);
    result.error_message = message;
    Some(result)
}
