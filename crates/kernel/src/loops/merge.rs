//! What the reports of one validate action add up to. Parsing is `runtime`'s: here are the order
//! of verdicts, the sums, and what an acceptance is bound to.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::json;

use super::bounds::{ERROR_MAX, RESULTS_KEPT, STACK_MAX, cut};
use super::state::Settings;
use super::validation::{
    Check, CheckReport, Counts, Covered, Level, TestResult, TestStatus, Validation, Verdict,
};
use crate::machine::At;

/// One report beside the check it is of.
struct Part<'a> {
    check: Option<&'a Check>,
    report: &'a CheckReport,
}

impl Part<'_> {
    /// A check that is no longer in the course is treated as required: unknown is not harmless.
    fn required(&self) -> bool {
        self.check.is_none_or(|check| check.required)
    }

    fn redefined(&self) -> bool {
        self.report.verdict == Verdict::DefinitionChanged
            || self.check.is_some_and(|check| check.definition_hash != self.report.definition_hash)
    }

    /// Only tests are counted; a static or build check speaks when it is red.
    fn tests(&self) -> bool {
        match self.report.level {
            Level::Test | Level::Custom => true,
            Level::Static | Level::Build => false,
        }
    }

    fn red(&self) -> bool {
        self.report.verdict == Verdict::Failed || self.report.counts.failed > 0
    }
}

/// Adds up the reports. No report at all is `no_tests`: nothing was proven.
pub(super) fn merge(
    checks: &[Check],
    settings: &Settings,
    reports: &[CheckReport],
    at: At,
) -> Validation {
    let parts: Vec<Part<'_>> = reports
        .iter()
        .map(|report| Part { check: checks.iter().find(|check| check.id == report.id), report })
        .collect();
    let (counts, mut results, mut truncated) = sums(&parts);
    results.sort_by_key(|result| match result.status {
        TestStatus::Failed => 0,
        TestStatus::Passed => 1,
        TestStatus::Skipped => 2,
    });
    truncated |= results.len() > RESULTS_KEPT;
    results.truncate(RESULTS_KEPT);
    let coverage = coverage(&parts);
    let otherwise = verdict_but_definitions(&parts, counts, coverage, settings);
    let redefined = parts.iter().any(|part| part.required() && part.redefined());
    let verdict = match (otherwise, redefined) {
        (Verdict::Failed, _) | (_, false) => otherwise,
        (_, true) => Verdict::DefinitionChanged,
    };
    Validation {
        verdict,
        counts,
        pass_rate_tenths: counts.pass_rate_tenths(),
        pass_rate_known: counts.any_ran()
            && parts.iter().filter(|p| p.required() && p.tests()).all(|p| p.report.pass_rate_known),
        coverage_tenths: coverage.unwrap_or(0),
        coverage_available: coverage.is_some(),
        failed_tests: failed_names(&results),
        results,
        truncated,
        argv: reports.iter().map(|report| report.argv.clone()).collect(),
        digest: reports.first().map(|report| report.digest_before.clone()).unwrap_or_default(),
        accept_hash: accept_hash(reports),
        acceptable: match verdict {
            Verdict::Unparsed => true,
            Verdict::DefinitionChanged => otherwise == Verdict::Passed,
            Verdict::Failed
            | Verdict::NoTests
            | Verdict::CoverageBelow
            | Verdict::Passed
            | Verdict::Accepted => false,
        },
        warnings: ids(&parts, |part| !part.required() && part.red()),
        red: ids(&parts, |part| part.required() && part.red()),
        fresh: !moved(reports),
        duration_ms: reports.iter().map(|report| report.duration_ms).sum(),
        at,
    }
}

/// The files of all required checks, summed. One that two of them wrote is as the last one left it.
fn coverage(parts: &[Part<'_>]) -> Option<u32> {
    let required = || parts.iter().filter(|part| part.required()).map(|part| part.report);
    let files: BTreeMap<&str, &Covered> =
        required().flat_map(|r| &r.covered).map(|file| (file.path.as_str(), file)).collect();
    if files.is_empty() {
        // A report of an older journal has its rate alone.
        return required().filter_map(|report| report.coverage_tenths).min();
    }
    let sum = |of: fn(&Covered) -> u64| files.values().map(|file| u128::from(of(file))).sum();
    let (hit, found): (u128, u128) = (sum(|file| file.hit), sum(|file| file.found));
    let tenths = (hit <= found).then(|| (hit * 1000).checked_div(found))??;
    u32::try_from(tenths).ok()
}

/// The checks of which this is so.
fn ids(parts: &[Part<'_>], is: fn(&Part<'_>) -> bool) -> Vec<String> {
    parts.iter().filter(|part| is(part)).map(|part| part.report.id.clone()).collect()
}

/// Whether the tree moved while it was validated.
fn moved(reports: &[CheckReport]) -> bool {
    let first = reports.first().map(|report| &report.digest_before);
    reports.iter().any(|r| Some(&r.digest_before) != first || Some(&r.digest_after) != first)
}

fn sums(parts: &[Part<'_>]) -> (Counts, Vec<TestResult>, bool) {
    let mut counts = Counts::default();
    let mut results = Vec::new();
    let mut truncated = false;
    for part in parts.iter().filter(|part| part.required()) {
        let report = part.report;
        if part.tests() {
            counts.total += report.counts.total;
            counts.passed += report.counts.passed;
            counts.failed += report.counts.failed;
            counts.skipped += report.counts.skipped;
            results.extend(report.results.iter().cloned().map(capped));
            truncated |= report.truncated;
        } else if part.red() {
            let failed = |r: &&TestResult| r.status == TestStatus::Failed;
            let before = results.len();
            results.extend(report.results.iter().filter(failed).cloned().map(capped));
            let found = u64::try_from(results.len() - before).unwrap_or(0);
            counts.total += found.max(report.counts.failed);
            counts.failed += found.max(report.counts.failed);
        }
        // Red without a failed test to show: the run itself is the failed test.
        if report.verdict == Verdict::Failed && report.counts.failed == 0 {
            counts.total += 1;
            counts.failed += 1;
            results.push(whole_run(report));
        }
    }
    (counts, results, truncated)
}

fn capped(mut result: TestResult) -> TestResult {
    result.error_message = result.error_message.map(|text| cut(&text, ERROR_MAX));
    result.stack_trace = result.stack_trace.map(|text| cut(&text, STACK_MAX));
    result
}

fn whole_run(report: &CheckReport) -> TestResult {
    let ended = match report.exit_code {
        Some(code) => format!("exit {code}"),
        None => String::from("timed out"),
    };
    TestResult {
        test_name: format!("{} ({ended})", report.argv.join(" ")),
        suite: report.level.word().into(),
        status: TestStatus::Failed,
        duration_ms: report.duration_ms,
        error_message: None,
        stack_trace: None,
    }
}

/// The verdict, worst first, as if no definition had changed.
fn verdict_but_definitions(
    parts: &[Part<'_>],
    counts: Counts,
    coverage: Option<u32>,
    settings: &Settings,
) -> Verdict {
    let required = || parts.iter().filter(|part| part.required() && part.tests());
    let unparsed = required().any(|part| part.report.verdict == Verdict::Unparsed);
    let empty = required().any(|part| part.report.verdict == Verdict::NoTests);
    let none = counts.passed + counts.failed == 0;
    let wanted = settings.coverage_min_tenths;
    if counts.failed > 0 {
        Verdict::Failed
    } else if none && (empty || !unparsed) {
        Verdict::NoTests
    } else if unparsed {
        Verdict::Unparsed
    } else if wanted > 0 && coverage.is_none_or(|found| found < wanted) {
        Verdict::CoverageBelow
    } else {
        Verdict::Passed
    }
}

/// Names of failed tests; with their suite where two have the same name.
fn failed_names(results: &[TestResult]) -> Vec<String> {
    let failed = || results.iter().filter(|result| result.status == TestStatus::Failed);
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for result in failed() {
        *seen.entry(&result.test_name).or_default() += 1;
    }
    failed()
        .map(|result| match seen.get(result.test_name.as_str()) {
            Some(2..) => format!("{}::{}", result.suite, result.test_name),
            Some(_) | None => result.test_name.clone(),
        })
        .collect()
}

/// What an acceptance is bound to: void once the tree, a command, its meaning or its end differs.
fn accept_hash(reports: &[CheckReport]) -> String {
    let parts: Vec<_> = reports
        .iter()
        .map(|r| json!([r.digest_after, r.argv, r.definition_hash, r.exit_code]))
        .collect();
    crate::hash::of_json(&json!(parts))
}

/// One line for history: facts, not a sentence.
pub(super) fn summary(validation: &Validation) -> String {
    let Counts { passed, failed, skipped, .. } = validation.counts;
    let verdict = validation.verdict.word();
    let mut text = format!("{verdict}: {passed} passed, {failed} failed, {skipped} skipped");
    if !validation.warnings.is_empty() {
        text.push_str(&format!("; warnings: {}", validation.warnings.join(", ")));
    }
    text
}
