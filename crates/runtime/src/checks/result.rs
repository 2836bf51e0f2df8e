//! What the output of one check came to. Single results, counts and verdicts are the kernel's: what
//! is read here is what a loop records.

pub use kernel::loops::{Counts, RESULTS_KEPT, TestResult, TestStatus as Status, Verdict};
use serde::{Deserialize, Serialize};

/// An error a person or an agent reads; the rest is in the spool.
pub const ERROR_BYTES_MAX: usize = 4 * 1024;
/// Traces are longer than messages, and cut in the middle of nowhere they still help.
pub const STACK_BYTES_MAX: usize = 16 * 1024;
/// Places in files that errors name: more than an agent needs to start.
pub const ANCHORS_MAX: usize = 10;

/// A place in a file that an error names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// As the tool wrote it.
    pub file: String,
    /// From 1.
    pub line: u64,
    /// From 1, where the tool names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
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
