//! The plan and its steps, as people, planners and files write them. Fields and words are part of
//! the format; unknown fields are refused. What makes a plan valid is in `valid`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::evidence::StepEvidence;
use super::stamp::Stamp;

/// How dangerous something is, the least first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum Risk {
    #[default]
    Low,
    Medium,
    High,
}

/// Where a plan came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Source {
    Planner,
    File,
    Direct,
}

/// What a step that is given up does to the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    /// Later steps stay pending.
    #[default]
    Stop,
    /// Steps that do not hang on it go on.
    Continue,
}

/// What is to be done, how it is checked, how dangerous it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the seed's own")]
pub struct Plan {
    pub plan_id: String,
    pub goal: String,
    pub constraints: Vec<String>,
    pub steps: Vec<Step>,
    pub verification: VerificationPolicy,
    pub risk_level: Risk,
    pub created_at: Stamp,
    /// 1, and one more with each change.
    pub version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub assumptions: Vec<String>,
    pub risks: Vec<String>,
    pub source: Source,
    pub on_failure: OnFailure,
}

/// How a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum Status {
    #[default]
    Pending,
    InProgress,
    #[serde(alias = "completed")]
    Done,
    #[serde(alias = "failed")]
    Blocked,
    Skipped,
}

/// Who does a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Runner {
    /// Its calls, one after another.
    #[default]
    Tools,
    /// One agent in the workspace.
    Agent,
    /// Several agents on one question.
    Collab,
}

/// Why a step was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// A person said so.
    Person,
    /// What it needs was given up.
    Dependency,
    /// It was done before the turn.
    AlreadyDone,
}

/// Why a step failed last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepError {
    /// Most specific code.
    pub code: String,
    /// Its detail word.
    #[serde(default)]
    pub kind: String,
    /// Short, redacted evidence.
    #[serde(default)]
    pub detail: String,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the seed's own")]
pub struct Step {
    pub step_id: String,
    pub title: String,
    pub intent: String,
    #[serde(default)]
    pub tool_calls: Vec<ToolCallTemplate>,
    #[serde(default)]
    pub expected_artifacts: Vec<Artifact>,
    #[serde(default)]
    pub status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback_hint: Option<String>,
    #[serde(default)]
    pub depends_on: Vec<String>,
    #[serde(default)]
    pub runner: Runner,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default)]
    pub verify: Vec<String>,
    /// Attempts that were begun.
    #[serde(default)]
    pub attempt: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<StepError>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<SkipReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<StepEvidence>,
}

/// A call that a step is expected to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the seed's own")]
pub struct ToolCallTemplate {
    pub name: String,
    #[serde(default)]
    pub args_hint: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What an artifact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArtifactKind {
    /// A path or glob that the step changes.
    File,
    /// A command that the step runs well.
    Command,
    /// Something said.
    Note,
}

/// Something that a step is expected to leave behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ArtifactKind,
    /// The path or glob, the command line, the note's subject.
    pub value: String,
}

/// Which checks are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum VerifyMode {
    None,
    Lint,
    Test,
    Build,
    Custom,
}

/// How the whole is checked at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationPolicy {
    /// Which checks.
    pub mode: VerifyMode,
    /// Their command lines.
    pub commands: Vec<String>,
    /// Whether the turn hangs on them.
    pub required: bool,
    /// Whether the first failure ends the round, and with it any commit.
    pub stop_on_fail: bool,
}

impl VerificationPolicy {
    /// No check at all.
    #[must_use]
    pub const fn none() -> Self {
        Self { mode: VerifyMode::None, commands: Vec::new(), required: false, stop_on_fail: false }
    }
}

impl Step {
    /// Whether steps that need this one may start.
    #[must_use]
    pub const fn satisfies(&self) -> bool {
        match self.status {
            Status::Done => true,
            Status::Skipped => match self.skip_reason {
                Some(SkipReason::Person | SkipReason::AlreadyDone) => true,
                Some(SkipReason::Dependency) | None => false,
            },
            Status::Pending | Status::InProgress | Status::Blocked => false,
        }
    }
}

impl Plan {
    /// The step of that id.
    #[must_use]
    pub fn step(&self, id: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.step_id == id)
    }

    pub(super) fn step_mut(&mut self, id: &str) -> Option<&mut Step> {
        self.steps.iter_mut().find(|step| step.step_id == id)
    }

    /// What a step waits for. Where no step names anything, each waits for the one before it.
    #[must_use]
    pub fn needs<'a>(&'a self, step: &'a Step) -> Vec<&'a str> {
        if self.steps.iter().any(|step| !step.depends_on.is_empty()) {
            return step.depends_on.iter().map(String::as_str).collect();
        }
        let at = self.steps.iter().position(|one| one.step_id == step.step_id);
        let before = at.and_then(|at| at.checked_sub(1)).and_then(|at| self.steps.get(at));
        before.map(|step| step.step_id.as_str()).into_iter().collect()
    }

    /// The first step that may start: pending, everything it needs is there.
    #[must_use]
    pub fn ready(&self) -> Option<&Step> {
        let there = |id: &str| self.step(id).is_some_and(Step::satisfies);
        let ready = |step: &&Step| {
            step.status == Status::Pending && self.needs(step).into_iter().all(there)
        };
        self.steps.iter().find(ready)
    }

    /// Whether every step is done, or skipped by a person or because it was done before.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.steps.iter().all(Step::satisfies)
    }

    /// Pending steps that hang on this one, however far.
    #[must_use]
    pub fn dependants(&self, id: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        // A valid plan has no cycle; each round finds one more step or is the last.
        loop {
            let hangs = |step: &&Step| {
                step.status == Status::Pending
                    && !found.contains(&step.step_id)
                    && self
                        .needs(step)
                        .iter()
                        .any(|need| *need == id || found.iter().any(|f| f == need))
            };
            let Some(next) = self.steps.iter().find(hangs) else { return found };
            found.push(next.step_id.clone());
        }
    }
}
