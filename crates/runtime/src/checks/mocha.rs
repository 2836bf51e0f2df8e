//! Reads Mocha: its JSON report, else the last lines of its text. What tests print stands before
//! the numbers, and errors after `failing`: nothing behind that word is a number.

use serde::Deserialize;
use serde_json::Value;

use super::parse::{Form, Output};
use super::reports;
use super::result::{Counts, STACK_BYTES_MAX, Status, TestResult};
use super::tally::Tally;
use super::text::{Tail, millis, plain_lines};

/// Names the suite where the text does not say the file.
const SUITE: &str = "mocha";

#[derive(Deserialize)]
struct Report {
    passes: Vec<Test>,
    failures: Vec<Test>,
    pending: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    full_title: String,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    duration: Option<f64>,
    #[serde(default)]
    err: Value,
}

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    let Some(report) = reports::json::<Report>(output) else { return read_text(output, tally) };
    let lists = [
        (report.passes, Status::Passed),
        (report.failures, Status::Failed),
        (report.pending, Status::Skipped),
    ];
    for (tests, status) in lists {
        for test in tests {
            let suite = test.file.as_deref().unwrap_or(SUITE);
            let mut result = TestResult::new(suite, test.full_title.trim(), status);
            result.duration_ms = millis(test.duration.unwrap_or(0.0));
            let said = |key: &str| Some(plain_lines(test.err.get(key)?.as_str()?));
            result.error_message = said("message");
            result.stack_trace = said("stack");
            tally.add(result);
        }
    }
    Form::Fits
}

pub(super) fn read_text(output: &Output, tally: &mut Tally<'_>) -> Form {
    let mut reader = Reader::default();
    output.stdout.each_line(|line| reader.line(line));
    let Some(counts) = reader.counts else { return Form::Other };
    tally.counts = tally.counts.plus(counts);
    reader.close();
    let expected = usize::try_from(counts.failed).unwrap_or(usize::MAX);
    reader.failed.into_iter().take(expected).for_each(|result| tally.list(result));
    Form::Fits
}

#[derive(Default)]
struct Reader {
    counts: Option<Counts>,
    failed: Vec<TestResult>,
    /// The words of a name that goes on over lines.
    name: Option<String>,
    text: Tail,
}

impl Reader {
    fn line(&mut self, line: &str) {
        match self.counts {
            Some(counts) if counts.failed > 0 => self.error(line),
            Some(_) | None => self.number(line),
        }
    }

    /// `  2 passing (35ms)`, `  1 pending`, `  3 failing`, in this order.
    fn number(&mut self, line: &str) {
        let Some((number, word)) = line.strip_prefix("  ").and_then(|l| l.split_once(' ')) else {
            return;
        };
        let Ok(number) = number.parse::<u64>() else { return };
        self.counts = match (word, self.counts) {
            (word, _) if word.starts_with("passing (") => Some(Counts::of(number, 0, 0)),
            ("pending", Some(seen)) => Some(Counts::of(seen.passed, 0, number)),
            ("failing", Some(seen)) => Some(Counts::of(seen.passed, number, seen.skipped)),
            (_, seen) => seen,
        };
    }

    /// `  1) sum`, the rest of the name further in and with a colon at its end, then the error.
    fn error(&mut self, line: &str) {
        let next = format!("  {}) ", self.failed.len() + 1);
        let part = match (&self.name, line.strip_prefix(&next)) {
            (None, Some(part)) => {
                self.close();
                part
            }
            (Some(_), _) if line.starts_with("    ") => line,
            (Some(_), _) => {
                self.name = None;
                return;
            }
            (None, None) => return self.text.push(line, STACK_BYTES_MAX),
        };
        let known = self.name.take().map_or_else(String::new, |name| name + " ");
        let name = known + part.trim();
        match name.strip_suffix(':') {
            Some(whole) => {
                self.failed.push(TestResult::new(SUITE, whole, Status::Failed));
            }
            None => self.name = Some(name),
        }
    }

    fn close(&mut self) {
        let text = std::mem::take(&mut self.text).into_text(STACK_BYTES_MAX);
        if let Some(last) = self.failed.last_mut() {
            last.error_message = text;
        }
    }
}
