//! Where a loop stands. Data lives in the variant where it means something. No decisions here.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::task::{OnError, Task};
use super::validation::{Check, CheckReport, Validation, Verdict};
use crate::call::Failure;
use crate::machine::At;
use crate::policy::Granted;

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
    /// The one task list, by order.
    pub tasks: Vec<Task>,
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

/// The five actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum Kind {
    Init,
    Develop,
    Debug,
    Validate,
    Complete,
}

/// What an action is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum Subject {
    Loop,
    Task { id: String },
    Problem { sig: String, text: String },
}

/// One child run of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Leg {
    Breakdown,
    Work,
    Explore,
    Instrument,
    Reproduce,
    Analyze,
    Restore,
    /// The check at this index of the course, counted from 1.
    Check(u32),
    Seal,
}

/// An action that is under way or held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// Its serial.
    pub n: u32,
    /// Which of the five.
    pub kind: Kind,
    /// What it is about.
    pub subject: Subject,
    /// The rule of the choice that chose it (`A5`), or `person`.
    pub rule: String,
    /// Its legs, in order.
    pub legs: Vec<Leg>,
    /// Index of the leg at work.
    pub at: u32,
    /// How often this leg was asked again because its answer was unusable.
    pub reask: u32,
    /// The leg's child, once it is known to exist.
    pub child: Option<String>,
    /// When the action was chosen.
    pub started_at: At,
    /// Reports of checks that have run.
    pub reports: Vec<CheckReport>,
    /// Paths changed so far.
    pub files_changed: Vec<String>,
    /// What its work leg said of itself.
    pub summary: String,
    /// The digest that its seal read.
    pub sealed: Option<String>,
    /// A leg that failed while the tree still has to be put back.
    pub failure: Option<Failure>,
}

/// An action that a pause holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// As it stood.
    pub action: Action,
    /// Whether its child is being stopped.
    pub cut: bool,
}

/// Why a loop is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum PauseReason {
    User,
    UserExit,
    Parent,
    TaskFailed,
    Blocked,
    Stuck,
    Unverified,
    TreeMoving,
    IterationLimit,
    RunnerLost,
    ChildCancelled,
    Imported,
    Rebuilt,
}

/// A pause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paused {
    /// Why.
    pub reason: PauseReason,
    /// Who, as a word.
    pub by: String,
    /// Since when.
    pub at: At,
    /// The error behind a block.
    pub code: Option<String>,
    /// One line of evidence.
    pub detail: String,
    /// The action as it stood.
    pub held: Option<Held>,
    /// The open question, if it asks one.
    pub q: Option<u32>,
    /// When a rate limit ends.
    pub reset: Option<Reset>,
}

/// The end of a rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reset {
    /// When it ends.
    pub at: At,
    /// Serial of the timer that resumes then; none = only shown.
    pub wake: Option<u32>,
}

/// How a loop was completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum How {
    Validated { digest: String },
    Forced { by: String, why: String },
    Imported { source: String },
}

/// Why a loop failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum FailKind {
    Stopped,
    Limit,
    Error,
    FailFast,
    Cancelled,
    Imported,
}

/// Where a loop stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum Phase {
    Created,
    Acting(Action),
    Choosing { q: u32 },
    Lent { runner: Option<String>, lease_until: At, n: u32, journalled_at: At },
    Paused(Paused),
    Completed { at: At, how: How },
    Failed { at: At, kind: FailKind, reason: String, tail: Option<Action> },
}

/// One ended or dropped action, for pages and history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the history row's own")]
pub struct ActionRecord {
    pub n: u32,
    pub iteration: u32,
    pub kind: Kind,
    pub rule: String,
    pub task: Option<String>,
    pub child: Option<String>,
    pub started_at: At,
    pub ended_at: At,
    pub result: super::event::ActionResult,
    pub counted: bool,
    pub summary: String,
    pub files_changed: Vec<String>,
}
