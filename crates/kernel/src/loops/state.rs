//! Where a loop stands. Data lives in the variant where it means something. No decisions here.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::labels::Labels;
pub use super::phase::{
    Action, ActionRecord, FailKind, Held, How, Kind, Leg, LegChange, PauseReason, Paused, Phase,
    Reset, RunRecord, Subject,
};
use super::task::{OnError, Task};
use super::validation::{Check, Validation, Verdict};
use crate::agent;
use crate::machine::At;
use crate::policy::{Backing, Granted};
use crate::turn::CheckedOut;

/// Where a loop stands.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Not made yet.
    #[default]
    New,
    /// There.
    Alive(Box<Life>),
    /// Final; the id is never used again.
    Deleted {
        /// Whose files are to be removed.
        id: String,
        /// Whether they still lie there.
        files: Files,
    },
}

/// Whether a deleted loop's files still lie there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Files {
    Left,
    Removed,
}

/// A loop that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Life {
    /// What every phase has.
    pub body: Body,
    /// Where it stands.
    pub phase: Phase,
}

/// What every phase has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// The run id.
    pub id: String,
    /// At most 100 characters.
    pub title: String,
    /// At most 10 000 characters.
    pub description: String,
    /// Bound of counted actions.
    pub max_iterations: u32,
    /// The one task list, by order. Shared, because each decision works on a copy of the loop and
    /// changes a task or two of hundreds.
    pub tasks: Vec<Arc<Task>>,
    /// Counted actions so far.
    pub iteration: u32,
    /// Next serial of an action, question or lease; never reused.
    pub next_n: u32,
    /// Next number of a `task-NNN`.
    pub next_task: u32,
    /// Failed actions since the last good one.
    pub errors_in_row: u32,
    /// Attempts per problem.
    pub rounds: BTreeMap<String, Rounds>,
    /// How far the set-up is.
    pub progress: Progress,
    /// The owning run.
    pub parent: Option<ParentRef>,
    /// When it was made.
    pub created_at: At,
    /// When the last fact was recorded.
    pub updated_at: At,
    /// The last actions, for pages and history.
    pub records: Vec<ActionRecord>,
    /// Where an imported loop came from.
    pub imported_from: Option<String>,
    /// What SetMode said before the first Start.
    pub mode_wanted: Option<Mode>,
    /// What people note about it.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
    /// What was checked out when it first wrote since a person last stepped in: it goes on writing
    /// on that branch only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<CheckedOut>,
}

/// The owning run and the slot it owes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ParentRef {
    pub id: String,
    pub key: String,
}

/// Attempts at one problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Rounds {
    pub debug: u32,
    pub fix: u32,
}

/// How far the set-up is. *Initialised* means `Ready` and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named by their records")]
#[expect(clippy::large_enum_variant, reason = "one a loop, and a loop is boxed")]
pub enum Progress {
    Fresh,
    /// Started; errors of failed inits wait here for the `work` they belong to.
    Begun {
        course: Course,
        errors: Vec<Entry>,
    },
    Ready {
        course: Course,
        work: Work,
    },
}

/// Who drives the actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Driver {
    Engine,
    External { runner: Option<String> },
}

/// Who chooses the next action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum Mode {
    Auto,
    Interactive,
}

/// What the first Start fixed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    /// Who drives.
    pub driver: Driver,
    /// Who chooses.
    pub mode: Mode,
    /// Exact commands that a person's Start covers; checks and the then pending bash tasks.
    pub grants: Vec<Granted>,
    /// Settings in force.
    pub settings: Settings,
    /// Checks as approved.
    pub checks: Vec<Check>,
    /// Whether a person started it, and so stands behind the agents it launches.
    #[serde(default)]
    pub backing: Backing,
}

/// What to do when a validation found no tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the setting's own")]
pub enum OnNoTests {
    AddTask,
    Ask,
}

/// Settings recorded at Start, so that a fold needs no configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the settings' own")]
pub struct Settings {
    pub error_limit: u32,
    pub debug_rounds_max: u32,
    pub fix_tasks_max: u32,
    pub on_no_tests: OnNoTests,
    pub on_error: OnError,
    pub coverage_min_tenths: u32,
    pub develop_timeout_ms: u64,
    pub debug_timeout_ms: u64,
    pub grace_ms: u64,
    pub lease_ms: u64,
    pub default_tool: String,
    /// Agents whose rate limit is waited out: their pause resumes by itself at the reset.
    #[serde(default)]
    pub resume_at_reset: Vec<String>,
    /// The agents there are. A loop that was started before there were any has none.
    #[serde(default)]
    pub agents: Vec<Agent>,
    /// The language of pages and of what agents are told (`en`, `zh-CN`).
    #[serde(default = "english")]
    pub lang: String,
}

fn english() -> String {
    String::from("en")
}

/// An agent as it was configured when the loop was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// Its name in settings and tasks.
    pub name: String,
    /// Its adapter.
    pub kind: agent::Kind,
    /// What its conversations are; none = as its kind says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk: Option<agent::Talk>,
    /// The model it is told to use; none = its own choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its longest silence; none = it may be silent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_ms: Option<u64>,
}

/// What exists once init has ended.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Work {
    /// The action that ended last.
    pub last_action: Option<Kind>,
    /// Every action that ended well, in order.
    pub completed_actions: Vec<Kind>,
    /// Debugging.
    pub debug: Debug,
    /// The last validation.
    pub validation: Option<Validation>,
    /// Missed seals since a person last stepped in; a validation in between does not clear it,
    /// or a tree that keeps moving would never be noticed.
    pub seal_misses: u32,
    /// Validations in a row during which the tree moved.
    pub tree_moves: u32,
    /// The task that answers a "no tests" or "coverage below" verdict, and which of the two.
    pub tests_task: Option<TestsTask>,
    /// What an outside skill says of its own tests: shown, never believed.
    pub claimed_passed: bool,
    /// When the last develop action ended.
    pub last_progress_at: Option<At>,
    /// When the last validate action ended, whoever ran it.
    pub last_run_at: Option<At>,
    /// Failed actions, newest last, capped.
    pub errors: Vec<Entry>,
}

/// The task that answers a verdict about missing tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TestsTask {
    pub id: String,
    pub verdict: Verdict,
}

/// Debugging so far.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the seed's own")]
pub struct Debug {
    pub active_bug: Option<String>,
    pub hypotheses: Vec<Hypothesis>,
    pub confirmed: Option<String>,
    pub iteration: u32,
    pub last_analysis_at: Option<At>,
    /// The child that instrumented the tree, until its bytes are put back.
    pub restore_owed: Option<String>,
    /// The paths that it changed, as far as they are known, until then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instrumented: Vec<String>,
    /// Those among them that are left as they are: others changed them since.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
    /// Where the debug lines of the last runs came from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<DebugLog>,
}

/// The debug lines of one run, as far as the journal keeps them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct DebugLog {
    pub call: String,
    pub sha256: String,
    pub samples: Vec<String>,
}

/// How a hypothesis stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum HypothesisStatus {
    Pending,
    Confirmed,
    Rejected,
    Inconclusive,
}

/// One hypothesis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the seed's own")]
pub struct Hypothesis {
    pub id: String,
    pub description: String,
    pub testable_condition: String,
    pub logging_point: String,
    pub confirm: String,
    pub reject: String,
    pub likelihood: u32,
    pub status: HypothesisStatus,
    pub evidence: Option<serde_json::Value>,
    pub verdict_reason: Option<String>,
    pub problem: String,
    pub round: u32,
}

/// One entry of `errors[]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the seed's own")]
pub struct Entry {
    pub action: Kind,
    pub message: String,
    pub at: At,
}
