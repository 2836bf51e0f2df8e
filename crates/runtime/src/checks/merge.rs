//! Makes one verdict of several checks. A check that is not required never turns it red, and an
//! empty one never turns it green.

use serde::{Deserialize, Serialize};

use super::check::{Check, Level};
use super::coverage::Coverage;
use super::result::{Anchor, Counts, Parsed, RESULTS_KEPT, Status, TestResult, Verdict};

/// One check and what it came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The check.
    pub check: Check,
    /// Its parsed output.
    pub parsed: Parsed,
}

/// How much coverage is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoverageMin {
    /// None.
    Off,
    /// At least this many percent.
    Percent(f64),
}

/// What a whole validation came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// At most [`RESULTS_KEPT`], failed first.
    pub results: Vec<TestResult>,
    /// Of all checks.
    pub counts: Counts,
    /// The worst that holds.
    pub verdict: Verdict,
    /// In percent, one decimal; 0 if not known.
    pub pass_rate: f64,
    /// Whether tests were counted.
    pub pass_rate_known: bool,
    /// Whether results were left out.
    pub truncated: bool,
    /// Places that errors name.
    pub errors: Vec<Anchor>,
    /// What was covered.
    #[serde(flatten)]
    pub coverage: Coverage,
    /// Ids of checks that are red but not required.
    pub warnings: Vec<String>,
}

/// The verdict over all checks of one validation.
pub fn merge(outcomes: &[Outcome], coverage: Coverage, min: CoverageMin) -> Validation {
    let is_warning = |o: &&Outcome| !o.check.required && o.parsed.verdict == Verdict::Failed;
    let warnings = outcomes.iter().filter(is_warning).map(|o| o.check.id.clone()).collect();
    let counted: Vec<&Outcome> = outcomes.iter().filter(|o| !is_warning(o)).collect();
    let counts = counted.iter().fold(Counts::default(), |sum, o| sum.plus(o.parsed.counts));
    let mut results: Vec<TestResult> =
        counted.iter().flat_map(|o| o.parsed.results.iter().cloned()).collect();
    results.sort_by_key(|result| result.status != Status::Failed);
    let cut = results.len() > RESULTS_KEPT || counted.iter().any(|o| o.parsed.truncated);
    results.truncate(RESULTS_KEPT);
    let verdict = verdict(&counted, counts, coverage, min);
    let tests = || counted.iter().filter(|o| holds_tests(o));
    Validation {
        results,
        counts,
        verdict,
        pass_rate: counts.pass_rate(),
        pass_rate_known: counts.any_ran()
            && tests().all(|o| o.parsed.pass_rate_known || o.parsed.verdict == Verdict::NoTests),
        truncated: cut,
        errors: counted.iter().flat_map(|o| o.parsed.errors.iter().cloned()).collect(),
        coverage,
        warnings,
    }
}

fn holds_tests(outcome: &Outcome) -> bool {
    match outcome.check.level {
        Level::Static | Level::Build => false,
        Level::Test | Level::Custom => true,
    }
}

fn verdict(outcomes: &[&Outcome], counts: Counts, got: Coverage, min: CoverageMin) -> Verdict {
    let any = |verdict| outcomes.iter().any(|o| o.parsed.verdict == verdict);
    if counts.failed > 0 || any(Verdict::Failed) {
        return Verdict::Failed;
    }
    if any(Verdict::DefinitionChanged) {
        return Verdict::DefinitionChanged;
    }
    // A success nobody can read is not the same as a runner that says it ran nothing.
    let unread = any(Verdict::Unparsed);
    if counts.passed == 0 && (any(Verdict::NoTests) || !unread) {
        return Verdict::NoTests;
    }
    if unread {
        return Verdict::Unparsed;
    }
    match min {
        CoverageMin::Percent(min)
            if min > 0.0 && !(got.coverage_available && got.coverage >= min) =>
        {
            Verdict::CoverageBelow
        }
        CoverageMin::Percent(_) | CoverageMin::Off => Verdict::Passed,
    }
}
