//! What a run of checks came to: single results, counts, verdicts. The names of the fields are
//! those of the loop's view.

use serde::{Deserialize, Serialize};

/// Results kept in journal and views, failed ones first; counts are always whole.
pub const RESULTS_KEPT: usize = 200;
/// An error a person or an agent reads; the rest is in the spool.
pub const ERROR_BYTES_MAX: usize = 4 * 1024;
/// Traces are longer than messages, and cut in the middle of nowhere they still help.
pub const STACK_BYTES_MAX: usize = 16 * 1024;
/// Places in files that errors name: more than an agent needs to start.
pub const ANCHORS_MAX: usize = 10;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Green.
    Passed,
    /// Red.
    Failed,
    /// Not run, or expected to fail.
    Skipped,
}

/// One test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestResult {
    /// As the runner names it.
    pub test_name: String,
    /// The file, class or binary it is in.
    pub suite: String,
    /// How it ended.
    pub status: Status,
    /// 0 where the runner does not say.
    pub duration_ms: u64,
    /// At most [`ERROR_BYTES_MAX`].
    pub error_message: Option<String>,
    /// At most [`STACK_BYTES_MAX`].
    pub stack_trace: Option<String>,
}

impl TestResult {
    pub(super) fn new(suite: &str, name: &str, status: Status) -> Self {
        Self {
            test_name: name.to_owned(),
            suite: suite.to_owned(),
            status,
            duration_ms: 0,
            error_message: None,
            stack_trace: None,
        }
    }
}

/// How many tests ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All of them.
    pub total: u64,
    /// Green.
    pub passed: u64,
    /// Red.
    pub failed: u64,
    /// Not run.
    pub skipped: u64,
}

impl Counts {
    pub(super) const fn of(passed: u64, failed: u64, skipped: u64) -> Self {
        let total = passed.saturating_add(failed).saturating_add(skipped);
        Self { total, passed, failed, skipped }
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self::of(
            self.passed.saturating_add(other.passed),
            self.failed.saturating_add(other.failed),
            self.skipped.saturating_add(other.skipped),
        )
    }

    pub(super) fn add(&mut self, status: Status) {
        let one = match status {
            Status::Passed => Self::of(1, 0, 0),
            Status::Failed => Self::of(0, 1, 0),
            Status::Skipped => Self::of(0, 0, 1),
        };
        *self = self.plus(one);
    }

    /// Whether any test ran to an end.
    pub const fn any_ran(self) -> bool {
        self.passed > 0 || self.failed > 0
    }

    /// Passed of those that ran, in percent, cut to one decimal so that red is never 100.
    pub fn pass_rate(self) -> f64 {
        let ran = u128::from(self.passed) + u128::from(self.failed);
        let tenths = (u128::from(self.passed) * 1000).checked_div(ran).unwrap_or(0);
        u32::try_from(tenths).map_or(0.0, |tenths| f64::from(tenths) / 10.0)
    }
}

/// What checks came to, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Something is red.
    Failed,
    /// What the command does changed after it was approved.
    DefinitionChanged,
    /// Nothing passed and nothing failed.
    NoTests,
    /// No parser fits, though the command succeeded.
    Unparsed,
    /// Less is covered than was asked for.
    CoverageBelow,
    /// Green.
    Passed,
}

/// A place in a file that an error names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// As the tool wrote it.
    pub file: String,
    /// From 1.
    pub line: u64,
    /// What the tool says about it.
    pub message: String,
}

/// What the output of one check says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parsed {
    /// At most [`RESULTS_KEPT`], failed first.
    pub results: Vec<TestResult>,
    /// Of all, kept or not.
    pub counts: Counts,
    /// What it comes to.
    pub verdict: Verdict,
    /// In percent, one decimal; 0 if not known.
    pub pass_rate: f64,
    /// Whether tests were counted at all.
    pub pass_rate_known: bool,
    /// Whether results were left out.
    pub truncated: bool,
    /// At most [`ANCHORS_MAX`].
    pub errors: Vec<Anchor>,
}

impl Parsed {
    /// The same, of a command whose definition is not the approved one.
    #[must_use]
    pub fn with_definition_changed(mut self) -> Self {
        self.verdict = self.verdict.min(Verdict::DefinitionChanged);
        self
    }
}
