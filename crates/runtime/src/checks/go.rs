//! Reads `go test -json`, else its text. A test that has subtests is not counted beside them,
//! unless it failed while none of them did. A package that failed without a failed test did not
//! build, or ended while a test still ran: then that one failed. Of several ends the failed one
//! stands, for what a test prints can look like one.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::go_text;
use super::parse::{Form, Output};
use super::result::{STACK_BYTES_MAX, Status, TestResult};
use super::tally::{NAME_BYTES_MAX, Tally};
use super::text::{Tail, head, millis};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    #[serde(default)]
    package: String,
    /// Stands in place of the package where a build speaks.
    #[serde(default)]
    import_path: String,
    #[serde(default)]
    test: String,
    #[serde(default)]
    elapsed: f64,
    #[serde(default)]
    output: String,
}

/// One test, or a package under the empty name.
#[derive(Default)]
pub(super) struct Test {
    pub status: Option<Status>,
    pub elapsed_ms: u64,
    pub output: Tail,
}

impl Test {
    pub(super) fn end(&mut self, status: Status) {
        if self.status != Some(Status::Failed) {
            self.status = Some(status);
        }
    }
}

/// By package and name.
pub(super) type Tests = BTreeMap<(String, String), Test>;

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    let mut tests = Tests::new();
    let mut unbuilt = Vec::new();
    let mut is_text = false;
    output.stdout.each_line(|line| match serde_json::from_str(line) {
        Ok(event) => take(event, &mut tests),
        // Before 1.24 what did not build is told between the events, in plain text.
        Err(_) => match go_text::unbuilt(line) {
            Some(package) => unbuilt.push(package),
            None => is_text |= go_text::is_package(line),
        },
    });
    // Packages speak for themselves only where no events are asked for: what looks like one there
    // was printed by a test. A red one is believed all the same.
    let is_red = tests.values().any(|test| test.status == Some(Status::Failed));
    if tests.is_empty() || (is_text && !is_red) {
        return go_text::read(output, tally);
    }
    for package in unbuilt {
        tests.entry((package, String::new())).or_default().end(Status::Failed);
    }
    let is_whole = tests.values().all(|test| test.status.is_some());
    report(tests, tally);
    if is_whole { Form::Fits } else { Form::Cut }
}

fn take(event: Event, tests: &mut Tests) {
    let package = match event.action.as_str() {
        "build-output" => event.import_path.split(' ').next().unwrap_or_default().to_owned(),
        _ => event.package,
    };
    if package.is_empty() {
        return;
    }
    let name = head(&event.test, NAME_BYTES_MAX).to_owned();
    let test = tests.entry((package, name)).or_default();
    match event.action.as_str() {
        "pass" => test.end(Status::Passed),
        "fail" => test.end(Status::Failed),
        "skip" => test.end(Status::Skipped),
        "output" | "build-output" => {
            event.output.lines().for_each(|line| test.output.push(line, STACK_BYTES_MAX));
            return;
        }
        _ => return,
    }
    test.elapsed_ms = millis(event.elapsed * 1000.0);
    if test.status == Some(Status::Passed) {
        test.output = Tail::default();
    }
}

/// What happened below a test or package.
#[derive(Clone, Copy, Default)]
struct Below {
    any: bool,
    failed: bool,
}

pub(super) fn report(mut tests: Tests, tally: &mut Tally<'_>) {
    end_the_unfinished(&mut tests);
    let below = below(&tests);
    for ((package, name), test) in tests {
        let Some(status) = test.status else { continue };
        let below = below.get(&(package.clone(), name.clone())).copied().unwrap_or_default();
        let counts = match status {
            Status::Failed => !below.failed,
            Status::Passed | Status::Skipped => !name.is_empty() && !below.any,
        };
        if counts {
            let name = if name.is_empty() { "build" } else { &name };
            let mut result = TestResult::new(&package, name, status);
            result.duration_ms = test.elapsed_ms;
            if status == Status::Failed {
                result.error_message = test.output.into_text(STACK_BYTES_MAX);
            }
            tally.add(result);
        }
    }
}

/// A package that failed took the tests with it that still ran.
fn end_the_unfinished(tests: &mut Tests) {
    let failed: Vec<String> = tests
        .iter()
        .filter(|((_, name), test)| name.is_empty() && test.status == Some(Status::Failed))
        .map(|((package, _), _)| package.clone())
        .collect();
    for package in failed {
        let of_it = (package.clone(), String::new())..;
        let of_it = tests.range_mut(of_it).take_while(|((of, _), _)| *of == package);
        for (_, test) in of_it.filter(|(_, test)| test.status.is_none()) {
            test.status = Some(Status::Failed);
        }
    }
}

/// For every test and package, what its own tests came to.
fn below(tests: &Tests) -> HashMap<(String, String), Below> {
    let mut all: HashMap<(String, String), Below> = HashMap::new();
    for ((package, name), test) in tests.iter().filter(|((_, name), _)| !name.is_empty()) {
        let failed = test.status == Some(Status::Failed);
        let above = name.rmatch_indices('/').map(|(at, _)| &name[..at]).chain([""]);
        for above in above {
            let known = all.entry((package.clone(), above.to_owned())).or_default();
            // Those further up know already.
            if known.any && known.failed >= failed {
                break;
            }
            *known = Below { any: true, failed: known.failed || failed };
        }
    }
    all
}
