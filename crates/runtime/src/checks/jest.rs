//! Reads Jest and Vitest: the JSON report both write in one shape, else their text. A test file
//! that failed without a failed test, because it did not load or a hook of it threw, is one failed
//! test.

use std::collections::HashSet;

use serde::Deserialize;

use super::parse::{Form, Output};
use super::reports;
use super::result::{Counts, Status, TestResult};
use super::tally::Tally;
use super::text::{millis, plain_lines};

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
    let Some(report) = reports::json::<Report>(output) else { return read_text(output, tally) };
    for file in report.test_results {
        let before = tally.counts.failed;
        for test in file.assertion_results {
            tally.add(test.into_result(&file.name));
        }
        if file.status == "failed" && tally.counts.failed == before {
            let mut result = TestResult::new(&file.name, &file.name, Status::Failed);
            result.error_message = file.message.as_deref().map(plain_lines);
            tally.add(result);
        }
    }
    Form::Fits
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
        result.duration_ms = millis(self.duration.unwrap_or(0.0));
        let messages = self.failure_messages.unwrap_or_default();
        if let (Status::Failed, Some(first)) = (status, messages.first()) {
            let text = plain_lines(first);
            let message = text.split("\n    at ").next().unwrap_or(&text).to_owned();
            result.stack_trace = (message.len() < text.len()).then(|| text.clone());
            result.error_message = Some(message);
        }
        result
    }
}

/// Both write their totals last; Jest to stderr, Vitest to stdout and errors to stderr. So each
/// stream has its own last totals, and the redder ones count.
pub(super) fn read_text(output: &Output, tally: &mut Tally<'_>) -> Form {
    let mut failed = Failed::default();
    let mut found: Option<Counts> = None;
    for stream in [&output.stdout, &output.stderr] {
        let mut last = None;
        stream.each_line(|line| {
            last = totals(line).or(last);
            failed.line(line);
        });
        found = match (found, last) {
            (Some(known), Some(last)) if known.failed >= last.failed => Some(known),
            (known, last) => last.or(known),
        };
    }
    let Some(counts) = found else { return Form::Other };
    let counts = counts.plus(Counts::of(0, failed.files.len() as u64, 0));
    tally.counts = tally.counts.plus(counts);
    let most = usize::try_from(counts.failed).unwrap_or(usize::MAX);
    let named = failed.files.into_iter().map(|file| TestResult::new(&file, &file, Status::Failed));
    named.chain(failed.tests).take(most).for_each(|result| tally.list(result));
    Form::Fits
}

/// What the text says failed. Names come more than once where many fail.
#[derive(Default)]
struct Failed {
    file: String,
    files: Vec<String>,
    tests: Vec<TestResult>,
    seen: HashSet<(String, String)>,
}

impl Failed {
    fn line(&mut self, line: &str) {
        if let Some(file) = line.strip_prefix("FAIL ") {
            self.enter(file);
        } else if let Some(title) = line.strip_prefix("  ● ") {
            let file = self.file.clone();
            match title {
                "Console" => {}
                "Test suite failed to run" => self.add(&file, None),
                title => self.add(&file, Some(&title.replace(" › ", " "))),
            }
        } else if let Some(place) = line.strip_prefix(" FAIL  ") {
            match (place.split_once(" [ "), place.split_once(" > ")) {
                (Some((file, _)), _) if place.ends_with(" ]") => self.add(file, None),
                (_, Some((file, name))) => self.add(file, Some(&name.replace(" > ", " "))),
                // Jest pads the word where it colours it.
                (_, None) => self.enter(place),
            }
        }
    }

    fn enter(&mut self, file: &str) {
        // Slow files have their time behind them.
        file.split(" (").next().unwrap_or(file).trim().clone_into(&mut self.file);
    }

    fn add(&mut self, file: &str, name: Option<&str>) {
        if !self.seen.insert((file.to_owned(), name.unwrap_or_default().to_owned())) {
            return;
        }
        match name {
            Some(name) => self.tests.push(TestResult::new(file, name.trim(), Status::Failed)),
            None => self.files.push(file.to_owned()),
        }
    }
}

/// `Tests:       1 failed, 2 passed, 3 total` or `      Tests  1 failed | 2 passed (3)`.
fn totals(line: &str) -> Option<Counts> {
    // Output that Jest repeats stands further in than its own lines.
    let (parts, separator) = match line.strip_prefix("Tests:") {
        Some(rest) => (rest, ", "),
        None => (line.trim_start().strip_prefix("Tests  ")?.rsplit_once(" (")?.0, " | "),
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
