//! What was seen of steps and checks: evidence, failures, results. Measured, not claimed.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// What proves a step.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepEvidence {
    /// Its calls.
    pub calls: Vec<CallLine>,
    /// Files that it changed, over all attempts.
    pub files_changed: Vec<FileChange>,
    /// Commands that it ran.
    pub commands_run: Vec<CommandRun>,
    /// Its expected artifacts, looked at.
    pub checks: Vec<ArtifactCheck>,
    /// Digest of the work tree's covered files at its end.
    pub digest: String,
    /// What its agent said, for people.
    pub claim: Option<String>,
}

/// One call of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct CallLine {
    pub call_id: String,
    pub tool: String,
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

/// A file before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct FileChange {
    pub path: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// A command that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct CommandRun {
    pub argv: Vec<String>,
    pub exit_code: Option<i32>,
    pub duration_ms: u64,
}

/// One expected artifact, looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ArtifactCheck {
    pub artifact: String,
    pub ok: bool,
    pub reason: String,
}

/// What kind of thing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum FailureKind {
    Tool,
    Verification,
    Ambiguous,
    Limit,
}

/// Why a step or the verification failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// What kind of thing.
    pub kind: FailureKind,
    /// Most specific code.
    pub code: String,
    /// Detail word of the code, or one of ours (`turn.stuttering`).
    #[serde(default)]
    pub detail: String,
    /// Equal for the same failure seen again.
    pub signature: String,
    /// The step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
    /// The call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What was read from the output.
    pub errors: Vec<CheckError>,
}

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// Exit 0 in time, files unmoved, tests ran.
    Pass,
    /// It failed.
    Fail,
    /// No test ran.
    Empty,
    /// The files it covers changed meanwhile.
    Moved,
    /// It could not be run.
    Unavailable,
    /// One before it failed.
    NotRun,
}

/// Counted tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Tests {
    pub passed: u32,
    pub failed: u32,
    pub skipped: u32,
}

/// One error of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct CheckError {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

/// What one command of the verification came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckResult {
    /// Its command line.
    pub command: String,
    /// Its exit code, unless a signal or a limit ended it.
    pub exit_code: Option<i32>,
    /// What it came to.
    pub verdict: CheckVerdict,
    /// Whether its time ran out.
    pub timed_out: bool,
    /// One line for people.
    pub summary: String,
    /// Counted tests, where they could be read.
    pub tests: Option<Tests>,
    /// The first errors.
    pub errors: Vec<CheckError>,
    /// What might help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Digest of the files it covers.
    pub digest: String,
    /// Hash of what the command stands for, where that is a script of the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition_hash: Option<String>,
}

impl CheckResult {
    /// A command that was not run because one before it failed.
    pub(super) fn not_run(command: &str) -> Self {
        Self {
            command: command.into(),
            exit_code: None,
            verdict: CheckVerdict::NotRun,
            timed_out: false,
            summary: String::new(),
            tests: None,
            errors: Vec::new(),
            suggestion: None,
            digest: String::new(),
            definition_hash: None,
        }
    }
}
