//! Reads `go test -json`. A test that has subtests is not counted beside them, unless it failed
//! while none of them did. A package that failed without a failed test did not build: one failed.
//! The plain text of `go test` names only what failed and is not read.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::parse::{Form, Output};
use super::result::{STACK_BYTES_MAX, Status, TestResult};
use super::tally::Tally;
use super::text::Tail;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    #[serde(default)]
    package: String,
    #[serde(default)]
    test: String,
    #[serde(default)]
    elapsed: f64,
    #[serde(default)]
    output: String,
}

#[derive(Default)]
struct Test {
    status: Option<Status>,
    elapsed_ms: u64,
    output: Tail,
}

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    // A package stands under the empty test name.
    let mut tests: BTreeMap<(String, String), Test> = BTreeMap::new();
    output.stdout.each_line(|line| {
        let Some(event) =
            serde_json::from_str::<Event>(line).ok().filter(|e| !e.package.is_empty())
        else {
            return;
        };
        let test = tests.entry((event.package, event.test)).or_default();
        let status = match event.action.as_str() {
            "pass" => Status::Passed,
            "fail" => Status::Failed,
            "skip" => Status::Skipped,
            "output" => {
                return event.output.lines().for_each(|l| test.output.push(l, STACK_BYTES_MAX));
            }
            _ => return,
        };
        test.status = Some(status);
        let elapsed = std::time::Duration::try_from_secs_f64(event.elapsed).unwrap_or_default();
        test.elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        if status == Status::Passed {
            test.output = Tail::default();
        }
    });
    let form = match tests.values().all(|test| test.status.is_some()) {
        _ if tests.is_empty() => return Form::Other,
        true => Form::Fits,
        false => Form::Cut,
    };
    report(tests, tally);
    form
}

fn report(tests: BTreeMap<(String, String), Test>, tally: &mut Tally<'_>) {
    let mut counted: Vec<(String, String, Test)> = Vec::new();
    // Backwards, so that subtests come before the test they belong to, and tests before packages.
    for ((package, name), test) in tests.into_iter().rev() {
        let Some(status) = test.status else { continue };
        let below = |other: &&(String, String, Test)| {
            let rest = other.1.strip_prefix(&name);
            other.0 == package && (name.is_empty() || rest.is_some_and(|r| r.starts_with('/')))
        };
        let mut children = counted.iter().rev().take_while(|c| c.0 == package).filter(below);
        let alone = if status == Status::Failed {
            !children.any(|child| child.2.status == Some(Status::Failed))
        } else {
            !name.is_empty() && children.next().is_none()
        };
        if alone {
            counted.push((package, name, test));
        }
    }
    for (package, name, test) in counted.into_iter().rev() {
        let name = if name.is_empty() { "build" } else { &name };
        let status = test.status.unwrap_or(Status::Failed);
        let mut result = TestResult::new(&package, name, status);
        result.duration_ms = test.elapsed_ms;
        if status == Status::Failed {
            result.error_message = test.output.into_text(STACK_BYTES_MAX);
        }
        tally.add(result);
    }
}
