//! Checks, their reports and what they add up to. Parsing is `runtime`'s; the verdict's order and
//! what counts as passed are decided by the rows.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::machine::At;

/// What kind of check it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Level {
    Static,
    Build,
    Test,
    Custom,
}

impl Level {
    /// Every level.
    pub const ALL: [Self; 4] = [Self::Static, Self::Build, Self::Test, Self::Custom];

    /// Its name in settings and records; also the suite of a red static or build check.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Build => "build",
            Self::Test => "test",
            Self::Custom => "custom",
        }
    }

    /// The level of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == word)
    }
}

/// One verification command, approved as it stood at Start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Short name.
    pub id: String,
    /// Program and arguments, reporter flags included.
    pub argv: Vec<String>,
    /// Directory relative to the root.
    pub cwd: String,
    /// What kind it is.
    pub level: Level,
    /// Whether red here is red for the loop.
    pub required: bool,
    /// Wall limit.
    pub timeout_ms: u64,
    /// Name of the parser that reads its output.
    pub parser: String,
    /// Files kept from its TMPDIR.
    pub collect: Vec<String>,
    /// Hash of what the command means (script text, makefile), if it has one.
    pub definition_hash: Option<String>,
}

/// How one test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum TestStatus {
    Passed,
    Failed,
    Skipped,
}

/// One test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the seed's own")]
pub struct TestResult {
    pub test_name: String,
    pub suite: String,
    pub status: TestStatus,
    pub duration_ms: u64,
    pub error_message: Option<String>,
    pub stack_trace: Option<String>,
}

/// How many of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Counts {
    pub total: u64,
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl TestResult {
    /// A test of which only its end is known.
    #[must_use]
    pub fn new(suite: &str, name: &str, status: TestStatus) -> Self {
        Self {
            test_name: String::from(name),
            suite: String::from(suite),
            status,
            duration_ms: 0,
            error_message: None,
            stack_trace: None,
        }
    }
}

impl Counts {
    /// So many of each.
    #[must_use]
    pub const fn of(passed: u64, failed: u64, skipped: u64) -> Self {
        let total = passed.saturating_add(failed).saturating_add(skipped);
        Self { total, passed, failed, skipped }
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self::of(
            self.passed.saturating_add(other.passed),
            self.failed.saturating_add(other.failed),
            self.skipped.saturating_add(other.skipped),
        )
    }

    /// Counts one more.
    pub fn add(&mut self, status: TestStatus) {
        let one = match status {
            TestStatus::Passed => Self::of(1, 0, 0),
            TestStatus::Failed => Self::of(0, 1, 0),
            TestStatus::Skipped => Self::of(0, 0, 1),
        };
        *self = self.plus(one);
    }

    /// Passed of those that ran, in tenths of a percent, cut, so that red is never 100; 0 if none
    /// ran.
    #[must_use]
    pub fn pass_rate_tenths(self) -> u32 {
        let ran = u128::from(self.passed) + u128::from(self.failed);
        let tenths = (u128::from(self.passed) * 1000).checked_div(ran).unwrap_or(0);
        u32::try_from(tenths).unwrap_or(0)
    }

    /// Whether any test ran to an end.
    #[must_use]
    pub const fn any_ran(self) -> bool {
        self.passed > 0 || self.failed > 0
    }
}

/// What a validation says, worst first. `Accepted` is a person's word on an unparsed or redefined
/// one and is never found by a parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Verdict {
    Failed,
    DefinitionChanged,
    NoTests,
    Unparsed,
    CoverageBelow,
    Passed,
    Accepted,
}

/// What one check that ran gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckReport {
    /// Which check.
    pub id: String,
    /// The argv that ran.
    pub argv: Vec<String>,
    /// What kind of check it is.
    pub level: Level,
    /// Its verdict alone.
    pub verdict: Verdict,
    /// All tests counted.
    pub counts: Counts,
    /// Whether the counts come from tests and not from an exit code.
    pub pass_rate_known: bool,
    /// Kept results, failed first.
    pub results: Vec<TestResult>,
    /// Whether results were left out.
    pub truncated: bool,
    /// Exit code, if it exited.
    pub exit_code: Option<i32>,
    /// Wall time.
    pub duration_ms: u64,
    /// Tree digest before.
    pub digest_before: String,
    /// Tree digest after.
    pub digest_after: String,
    /// The check's definition as it is now.
    pub definition_hash: Option<String>,
    /// Coverage in tenths of a percent, if this run wrote any.
    pub coverage_tenths: Option<u32>,
    /// The coverage files that this run wrote; an older journal has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covered: Vec<Covered>,
}

/// What one coverage file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Covered {
    /// Where it lies, below the root.
    pub path: String,
    /// Lines run.
    pub hit: u64,
    /// Lines there are.
    pub found: u64,
}

/// What the checks of one validate action add up to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validation {
    /// The worst of them.
    pub verdict: Verdict,
    /// Sums.
    pub counts: Counts,
    /// passed/(passed+failed) in tenths of a percent, cut, so red is never 100.
    pub pass_rate_tenths: u32,
    /// Whether that number means anything.
    pub pass_rate_known: bool,
    /// Coverage in tenths of a percent.
    pub coverage_tenths: u32,
    /// Whether there was any.
    pub coverage_available: bool,
    /// Kept results, failed first.
    pub results: Vec<TestResult>,
    /// Whether results were left out.
    pub truncated: bool,
    /// Names of failed tests.
    pub failed_tests: Vec<String>,
    /// What ran.
    pub argv: Vec<Vec<String>>,
    /// Digest of the tree it is about.
    pub digest: String,
    /// Hash of digest, argv, definitions and exit codes: what an acceptance is bound to.
    pub accept_hash: String,
    /// Whether a person may accept it: unparsed, or redefined and otherwise green.
    pub acceptable: bool,
    /// Checks that are not required and were not green.
    pub warnings: Vec<String>,
    /// Required checks that were red, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub red: Vec<String>,
    /// False once something changed since.
    pub fresh: bool,
    /// Wall time.
    pub duration_ms: u64,
    /// When it ended.
    pub at: At,
}
