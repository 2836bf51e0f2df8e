//! Checks, and the evidence that they leave: what makes a task done. Running them and reading what
//! they print is `runtime`'s; which of them count is said by the rows.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

pub use crate::loops::Level;
use crate::machine::At;
pub use crate::turn::{CheckError, CheckVerdict as Verdict, Tests};

/// The id of the check that only looks whether files are there and differ.
pub const ARTIFACT: &str = "artifact";

/// Where a check comes from; the first that has any wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckSource {
    /// The task names it.
    Task,
    /// `verify.commands`.
    Config,
    /// The plan document, for all tasks.
    Plan,
    /// Found in the workspace.
    Detected,
    /// There is none: files are looked at.
    Fallback,
}

/// One verification command. Its id is unique in its plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Check {
    pub id: String,
    pub argv: Vec<String>,
    /// Directory relative to the root.
    pub cwd: String,
    pub level: Level,
    pub required: bool,
    pub timeout_s: u64,
    /// What it speaks of, as globs; `**` = everything.
    pub covers: Vec<String>,
    pub source: CheckSource,
    /// Hash of what the command stands for, where that is a script of the workspace.
    pub definition_hash: Option<String>,
}

/// What kind of evidence it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// A command ran.
    Command,
    /// Files were looked at.
    Artifact,
    /// A person looked.
    Human,
}

/// One record of a check that was run by the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Evidence {
    pub evidence_id: String,
    pub task_id: Option<String>,
    pub check_id: String,
    pub kind: EvidenceKind,
    pub argv: Vec<String>,
    pub cwd: String,
    pub env_names: Vec<String>,
    pub call_id: Option<String>,
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub verdict: Verdict,
    pub started_at: At,
    pub ended_at: At,
    pub covers: Vec<String>,
    /// Of the covered files, after the run.
    pub digest: String,
    pub tests: Option<Tests>,
    pub errors: Vec<CheckError>,
    /// Equal for the same failure seen again.
    pub signature: Option<String>,
    pub sandbox: String,
    /// Hash of what the command stood for when it ran.
    #[serde(default)]
    pub definition_hash: Option<String>,
    /// Whether something that it rests on was opened again since.
    #[serde(default)]
    pub void: bool,
    /// A pass on the very digest that failed before.
    #[serde(default)]
    pub flaky: bool,
}

impl Evidence {
    /// What was run, as a person would type it; the check's id where nothing was.
    #[must_use]
    pub fn line(&self) -> String {
        if self.argv.is_empty() {
            return self.check_id.clone();
        }
        crate::call::typed(&self.argv)
    }
}

/// The digest of one set of covered files as it was last seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Digest {
    pub covers: Vec<String>,
    pub digest: String,
}
