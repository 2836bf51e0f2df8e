//! Reads Jest and Vitest: the JSON report both write in one shape, else the `Tests` line of their
//! text. A test file that did not load is one failed test.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;

use super::parse::{Form, Output, REPORT_BYTES_MAX};
use super::result::{Counts, Status, TestResult};
use super::tally::Tally;
use super::text::plain;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    test_results: Vec<TestFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TestFile {
    #[serde(default)]
    name: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    assertion_results: Vec<Assertion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion {
    #[serde(default)]
    full_name: Option<String>,
    #[serde(default)]
    title: String,
    status: String,
    #[serde(default)]
    duration: Option<f64>,
    #[serde(default)]
    failure_messages: Option<Vec<String>>,
}

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    let Some(report) = output.report.as_deref().and_then(report) else {
        return read_text(output, tally);
    };
    for file in report.test_results {
        if file.assertion_results.is_empty() && file.status == "failed" {
            let mut result = TestResult::new(&file.name, &file.name, Status::Failed);
            result.error_message = file.message.as_deref().map(clean);
            tally.add(result);
        }
        for test in file.assertion_results {
            tally.add(test.into_result(&file.name));
        }
    }
    Form::Fits
}

fn report(path: &Path) -> Option<Report> {
    let file = File::open(path).ok()?;
    let meta = file.metadata().ok()?;
    let readable = meta.is_file() && meta.len() <= REPORT_BYTES_MAX;
    readable.then(|| serde_json::from_reader(BufReader::new(file)).ok())?
}

impl Assertion {
    fn into_result(self, file: &str) -> TestResult {
        let status = match self.status.as_str() {
            "passed" => Status::Passed,
            "pending" | "todo" | "disabled" | "skipped" => Status::Skipped,
            _ => Status::Failed,
        };
        let name = self.full_name.filter(|name| !name.trim().is_empty()).unwrap_or(self.title);
        let mut result = TestResult::new(file, name.trim(), status);
        let millis = self.duration.filter(|ms| ms.is_finite() && *ms >= 0.0).unwrap_or(0.0);
        result.duration_ms = std::time::Duration::try_from_secs_f64(millis / 1000.0)
            .map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let messages = self.failure_messages.unwrap_or_default();
        if let (Status::Failed, Some(first)) = (status, messages.first()) {
            let text = clean(first);
            let message = text.split("\n    at ").next().unwrap_or(&text).to_owned();
            result.stack_trace = (message.len() < text.len()).then(|| text.clone());
            result.error_message = Some(message);
        }
        result
    }
}

fn clean(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(|line| plain(line.as_bytes())).collect();
    lines.join("\n")
}

/// Both write their totals last; Jest to stderr, Vitest to stdout.
pub(super) fn read_text(output: &Output, tally: &mut Tally<'_>) -> Form {
    let mut last = None;
    for stream in [&output.stdout, &output.stderr] {
        stream.each_line(|line| last = totals(line).or(last));
    }
    let Some(counts) = last else { return Form::Other };
    tally.counts = tally.counts.plus(counts);
    Form::Fits
}

/// `Tests:       1 failed, 2 passed, 3 total` or `      Tests  1 failed | 2 passed (3)`.
fn totals(line: &str) -> Option<Counts> {
    let rest = line.trim_start().strip_prefix("Tests")?;
    let (parts, separator) = match rest.strip_prefix(':') {
        Some(rest) => (rest, ", "),
        None => (rest.strip_prefix("  ")?.rsplit_once(" (")?.0, " | "),
    };
    let mut counts = Counts::default();
    for part in parts.trim().split(separator) {
        let (number, word) = part.trim().split_once(' ')?;
        let number = number.parse().ok()?;
        counts = counts.plus(match word {
            "passed" => Counts::of(number, 0, 0),
            "failed" => Counts::of(0, number, 0),
            "skipped" | "pending" | "todo" => Counts::of(0, 0, number),
            "total" => Counts::default(),
            _ => return None,
        });
    }
    Some(counts)
}
