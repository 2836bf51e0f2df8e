//! The settings of loops.

use super::choices::{AdoptForeign, LoopMode, NoTests, OnError};
use super::settings::{PROVEN, Read};
use super::shapes::CheckCommand;

/// `[loop]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loops {
    /// Counted actions of a new loop.
    pub max_iterations: u64,
    /// The most that may be asked for.
    pub max_iterations_ceiling: u64,
    /// How a loop starts from a terminal.
    pub mode: LoopMode,
    /// Errors in a row that end it.
    pub error_limit: u64,
    /// What to do with a loop's file that the journal does not know.
    pub adopt_foreign: AdoptForeign,
    /// How long an outside runner may stay silent.
    pub external_lease_ms: u64,
    /// `[loop.develop]`
    pub develop: Develop,
    /// `[loop.debug]`
    pub debug: Debug,
    /// `[loop.validate]`
    pub validate: Validate,
}

/// `[loop.develop]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Develop {
    /// The tool of a task that names none.
    pub default_tool: String,
    /// Deadline of a task.
    pub timeout_ms: u64,
    /// What a failed task does to the loop.
    pub on_error: OnError,
}

/// `[loop.debug]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debug {
    /// Rounds for a problem.
    pub max_rounds: u64,
    /// Fix tasks for a problem.
    pub max_fix_tasks: u64,
    /// Deadline of a leg.
    pub timeout_ms: u64,
}

/// `[loop.validate]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validate {
    /// Replaces the detected checks when not empty.
    pub commands: Vec<CheckCommand>,
    /// What to do when no test ran.
    pub on_no_tests: NoTests,
    /// Least coverage in percent; 0 = off.
    pub coverage_min: u64,
    /// Where coverage is read from.
    pub coverage_paths: Vec<String>,
    /// Where `JUnit` reports are read from.
    pub report_paths: Vec<String>,
}

impl Loops {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self {
            max_iterations: read.whole("loop.max_iterations"),
            max_iterations_ceiling: read.whole("loop.max_iterations_ceiling"),
            mode: LoopMode::named(&read.text("loop.mode")).expect(PROVEN),
            error_limit: read.whole("loop.error_limit"),
            adopt_foreign: AdoptForeign::named(&read.text("loop.adopt_foreign")).expect(PROVEN),
            external_lease_ms: read.whole("loop.external.lease"),
            develop: Develop {
                default_tool: read.text("loop.develop.default_tool"),
                timeout_ms: read.whole("loop.develop.timeout"),
                on_error: OnError::named(&read.text("loop.develop.on_error")).expect(PROVEN),
            },
            debug: Debug {
                max_rounds: read.whole("loop.debug.max_rounds"),
                max_fix_tasks: read.whole("loop.debug.max_fix_tasks"),
                timeout_ms: read.whole("loop.debug.timeout"),
            },
            validate: Validate {
                commands: read.checks("loop.validate.commands"),
                on_no_tests: NoTests::named(&read.text("loop.validate.on_no_tests")).expect(PROVEN),
                coverage_min: read.whole("loop.validate.coverage.min"),
                coverage_paths: read.texts("loop.validate.coverage.paths"),
                report_paths: read.texts("loop.validate.report_paths"),
            },
        }
    }
}
