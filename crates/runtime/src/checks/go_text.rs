//! Reads the text of `go test`. Without `-v` it names only what failed, so what passed is not
//! known. The lines of a package end with its own.

use super::go::{Test, Tests, report};
use super::parse::{Form, Output};
use super::result::{STACK_BYTES_MAX, Status};
use super::tally::Tally;
use super::text::seconds;

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    let mut reader = Reader::default();
    output.stdout.each_line(|line| reader.line(line));
    let Reader { mut tests, packages, open, is_verbose, with_tests } = reader;
    if packages == 0 {
        return Form::Other;
    }
    if !is_verbose {
        tests.retain(|_, test| test.status == Some(Status::Failed));
    }
    let is_cut = !open.is_empty();
    report(tests, tally);
    match (is_cut, is_verbose || !with_tests) {
        (true, _) => Form::Cut,
        (false, true) => Form::Fits,
        (false, false) => Form::Part,
    }
}

#[derive(Default)]
struct Reader {
    tests: Tests,
    packages: usize,
    /// Tests of the package whose own line has not come yet.
    open: Vec<(String, Test)>,
    is_verbose: bool,
    /// Whether any package had tests to run.
    with_tests: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if line.starts_with("=== RUN ") {
            self.is_verbose = true;
        } else if let Some((name, status, elapsed_ms)) = result(line) {
            let test = Test { status: Some(status), elapsed_ms, ..Test::default() };
            self.open.push((name.to_owned(), test));
        } else if let Some((package, status, rest)) = package(line) {
            self.close(package, status);
            self.with_tests |=
                !(rest.contains("[no test files]") || rest.contains("[no tests to run]"));
        } else if let Some((_, test)) = self.open.last_mut() {
            test.output.push(line, STACK_BYTES_MAX);
        }
    }

    fn close(&mut self, package: &str, status: Status) {
        self.packages += 1;
        for (name, test) in std::mem::take(&mut self.open) {
            let known = self.tests.entry((package.to_owned(), name)).or_default();
            // Of several ends the failed one stands.
            if known.status != Some(Status::Failed) {
                *known = test;
            }
        }
        self.tests.entry((package.to_owned(), String::new())).or_default().end(status);
    }
}

/// Whether a line is a package's own.
pub(super) fn is_package(line: &str) -> bool {
    package(line).is_some()
}

/// The package that a line says did not build.
pub(super) fn unbuilt(line: &str) -> Option<String> {
    let (package, status, rest) = package(line)?;
    (status == Status::Failed && rest.starts_with('[')).then(|| package.to_owned())
}

/// `    --- FAIL: TestSum/wrong (0.00s)`
fn result(line: &str) -> Option<(&str, Status, u64)> {
    let (word, rest) = line.trim_start().strip_prefix("--- ")?.split_once(": ")?;
    let status = match word {
        "PASS" => Status::Passed,
        "FAIL" => Status::Failed,
        "SKIP" => Status::Skipped,
        _ => return None,
    };
    let (name, time) = rest.rsplit_once(" (")?;
    Some((name, status, seconds(time.strip_suffix("s)")?)?))
}

/// `ok  <tab>example/sum<tab>0.003s`, `FAIL<tab>example/sum [build failed]`.
fn package(line: &str) -> Option<(&str, Status, &str)> {
    let (word, rest) = line.split_once('\t')?;
    let status = match word.trim_end() {
        "ok" => Status::Passed,
        "FAIL" => Status::Failed,
        "?" => Status::Skipped,
        _ => return None,
    };
    let (package, rest) = rest.trim().split_once(['\t', ' ']).unwrap_or((rest.trim(), ""));
    (!package.is_empty()).then_some((package, status, rest))
}
