//! The seed's document, field by field in the seed's order; whatever the seed does not have sits
//! under keys named `ext`. Shapes only.
#![expect(missing_docs, reason = "the names and their meaning are the document's own")]

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Serialize, Serializer};
use serde_json::Value;

/// A percentage in tenths, written as a plain number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenths(pub u32);

impl Serialize for Tenths {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.0 % 10 {
            0 => out.serialize_u32(self.0 / 10),
            _tenths => out.serialize_f64(f64::from(self.0) / 10.0),
        }
    }
}

/// `.loop/{id}.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Document {
    pub loop_id: String,
    pub title: String,
    pub description: String,
    pub max_iterations: u32,
    pub status: &'static str,
    pub current_iteration: u32,
    pub created_at: String,
    pub updated_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill_state: Option<SkillState>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    pub ext: LoopExt,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkillState {
    pub current_action: Option<&'static str>,
    pub last_action: Option<&'static str>,
    pub completed_actions: Vec<&'static str>,
    pub mode: &'static str,
    pub develop: DevelopState,
    pub debug: DebugState,
    pub validate: ValidateState,
    pub errors: Vec<ErrorEntry>,
    pub ext: SkillExt,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DevelopState {
    pub total: usize,
    pub completed: usize,
    pub current_task: Option<String>,
    pub tasks: Vec<DevelopTask>,
    pub last_progress_at: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DevelopTask {
    pub id: String,
    pub description: String,
    pub tool: String,
    pub mode: &'static str,
    pub status: &'static str,
    pub files_changed: Vec<String>,
    pub created_at: String,
    pub completed_at: Option<String>,
    pub ext: TaskExt,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskExt {
    pub task_id: String,
    pub order: usize,
    pub origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_template: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_error: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DebugState {
    pub active_bug: Option<String>,
    pub hypotheses_count: usize,
    pub hypotheses: Vec<HypothesisView>,
    pub confirmed_hypothesis: Option<String>,
    pub iteration: u32,
    pub last_analysis_at: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HypothesisView {
    pub id: String,
    pub description: String,
    pub testable_condition: String,
    pub logging_point: String,
    pub evidence_criteria: Criteria,
    pub likelihood: u32,
    pub status: &'static str,
    pub evidence: Option<Value>,
    pub verdict_reason: Option<String>,
    pub ext: HypothesisExt,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Criteria {
    pub confirm: String,
    pub reject: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HypothesisExt {
    pub problem: String,
    pub round: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValidateState {
    pub pass_rate: Tenths,
    pub coverage: Tenths,
    pub test_results: Vec<TestResultView>,
    pub passed: bool,
    pub failed_tests: Vec<String>,
    pub last_run_at: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestResultView {
    pub test_name: String,
    pub suite: String,
    pub status: &'static str,
    pub duration_ms: u64,
    pub error_message: Option<String>,
    pub stack_trace: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorEntry {
    pub action: &'static str,
    pub message: String,
    pub timestamp: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkillExt {
    pub errors_in_row: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemExt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validate: Option<ValidateExt>,
    /// Paths that debugging has changed and not put back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instrumented: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProblemExt {
    pub sig: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValidateExt {
    pub verdict: &'static str,
    pub pass_rate_known: bool,
    pub coverage_available: bool,
    pub counts: CountsExt,
    pub duration_ms: u64,
    pub argv: Vec<Vec<String>>,
    pub digest: String,
    pub fresh: bool,
    pub truncated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CountsExt {
    pub total: u64,
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

/// `waiting` and `unknown_calls` are known to the engine alone, which fills them in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoopExt {
    pub rev: u64,
    pub driver: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<ActionExt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause: Option<PauseExt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion: Option<Completion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Waiting>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_calls: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<super::super::state::ParentRef>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported_from: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionExt {
    pub n: u32,
    pub leg: Option<String>,
    pub child: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PauseExt {
    pub reason: &'static str,
    pub by: String,
    pub at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reset_at: Option<String>,
    pub draining: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Completion {
    pub how: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    pub digest: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waiting {
    pub question_id: String,
    pub text: String,
}
