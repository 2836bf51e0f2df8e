//! What can be said to a loop. Ids, settings, checks and the tree's holder arrive as data.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::event::ActionResult;
use super::labels::{Labels, LabelsPatch};
use super::patched;
use super::phase::{Kind, Leg, PauseReason};
use super::state::{Course, Driver, Hypothesis, Mode, ParentRef, Settings, Work};
use super::task::{OnError, Origin, Run, Task, TaskMode};
use super::validation::{Check, CheckReport};
use crate::agent::Issue;
use crate::call::Failure;
use crate::machine::At;
use crate::policy::Granted;
use crate::policy::grant::Pin;
use crate::turn::CheckedOut;

/// A task as given, with the id its maker chose for the control side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the task's own")]
pub struct NewTask {
    pub task_id: String,
    pub description: String,
    pub tool: String,
    pub mode: TaskMode,
    pub prompt_template: Option<String>,
    pub command: Option<String>,
    pub run: Option<Run>,
    pub on_error: Option<OnError>,
    pub origin: Origin,
    /// The program its command starts, where a person gave it; the engine fills it in.
    #[serde(default, skip_serializing_if = "Pin::is_none")]
    pub pin: Pin,
}

/// Changed fields of a pending task.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the task's own")]
pub struct TaskPatch {
    pub description: Option<String>,
    pub tool: Option<String>,
    pub mode: Option<TaskMode>,
    #[serde(default, with = "patched")]
    pub prompt_template: Option<Option<String>>,
    #[serde(default, with = "patched")]
    pub command: Option<Option<(String, Run)>>,
    #[serde(default, with = "patched")]
    pub on_error: Option<Option<OnError>>,
    /// The program a new command starts, where a person gave it; the engine fills it in.
    #[serde(default, skip_serializing_if = "Pin::is_none")]
    pub pin: Pin,
}

/// How a pause treats the child at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum PauseHow {
    Finish,
    Now,
}

/// What one confirmed or rejected hypothesis looks like when it comes back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the hypothesis' own")]
pub struct Found {
    pub id: String,
    pub status: super::state::HypothesisStatus,
    pub reason: String,
    pub evidence: Option<serde_json::Value>,
}

/// What reproducing a problem showed. Lines themselves lie beside the call.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Seen {
    /// The call.
    pub call: String,
    /// How it ended: `exit 1`, `signal 9`, `timed out`.
    pub ended: String,
    /// The end of what it printed, without secrets.
    pub tail: String,
    /// Digest of the debug lines that were collected, if there were any.
    pub sha256: Option<String>,
    /// The debug lines, by hypothesis.
    pub marks: Vec<Mark>,
}

/// The debug lines of one hypothesis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Mark {
    pub hid: String,
    pub lines: u64,
    /// The first few.
    pub samples: Vec<String>,
}

/// What a leg that went well gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named by their records")]
pub enum Gave {
    Tasks(Vec<NewTask>),
    Work {
        files_changed: Vec<String>,
        summary: String,
    },
    Hypotheses(Vec<Hypothesis>),
    Instrumented {
        files_changed: Vec<String>,
    },
    Reproduced(Box<Seen>),
    Analysis(Vec<Found>),
    /// `left` says that there is more to take back; `kept` are paths that others changed since.
    Restored {
        files_changed: Vec<String>,
        #[serde(default)]
        left: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        kept: Vec<String>,
    },
    Check(Box<CheckReport>),
    Digest(String),
}

/// An answer that has not the form that was asked for: what asking again needs to know of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadAnswer {
    /// The call that gave it.
    pub call: String,
    /// The conversation, if its id is known.
    pub session: Option<String>,
    /// Digest of the answer.
    pub sha256: String,
    /// What is wrong with it, capped.
    pub issues: Vec<Issue>,
}

/// How a leg ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named by their records")]
pub enum LegEnd {
    Ok(Gave),
    Failed {
        failure: Failure,
        files_changed: Vec<String>,
    },
    TimedOut {
        failure: Failure,
        files_changed: Vec<String>,
    },
    Blocked {
        failure: Failure,
        reset_at: Option<At>,
    },
    /// An agent's answer could not be read; asked once more.
    Unusable {
        failure: Failure,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bad: Option<Box<BadAnswer>>,
    },
    Cancelled,
}

/// One change an outside skill reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum Change {
    TaskAdded(NewTask),
    TaskStatus {
        id: String,
        status: String,
        files_changed: Vec<String>,
    },
    TaskEdited {
        id: String,
        patch: TaskPatch,
    },
    HypothesisAdded(Hypothesis),
    HypothesisFound(Found),
    ActiveBug(Option<String>),
    /// Shown, never believed: completing needs the engine's own validation.
    ClaimedPassed(bool),
}

/// What an outside skill reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Who reports; none for an edit of the file.
    pub runner: Option<String>,
    /// The revision it was based on.
    pub base_rev: Option<u64>,
    /// What changed.
    pub changes: Vec<Change>,
    /// Actions that ended, in order.
    pub ended: Vec<EndedAction>,
}

/// An action that an outside skill ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct EndedAction {
    pub kind: Kind,
    pub result: ActionResult,
    pub summary: String,
}

/// What a loop found in a file was, as it is taken in. Nothing of it runs before a person says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum ImportedAs {
    Created,
    /// Running or paused as found; `imported`, `user_exit` or `rebuilt`.
    Paused {
        reason: PauseReason,
    },
    Completed {
        at: At,
    },
    Failed {
        at: At,
        reason: String,
    },
}

/// A loop found in a file. `course` holds the settings and checks of now, without grants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the body's own")]
pub struct Import {
    pub id: String,
    pub source: String,
    pub found: ImportedAs,
    pub title: String,
    pub description: String,
    pub max_iterations: u32,
    pub iteration: u32,
    pub created_at: At,
    pub tasks: Vec<Task>,
    pub course: Course,
    pub work: Option<Work>,
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
}

/// What can be said to a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named by their records")]
pub enum Command {
    Create {
        id: String,
        title: String,
        description: String,
        max_iterations: u32,
        max_iterations_ceiling: u32,
        parent: Option<ParentRef>,
    },
    Import(Box<Import>),
    Edit {
        title: Option<String>,
        description: Option<String>,
        max_iterations: Option<u32>,
        max_iterations_ceiling: u32,
        labels: LabelsPatch,
    },
    Delete,
    AddTask {
        task: NewTask,
        place: super::event::Place,
    },
    EditTask {
        task: String,
        patch: TaskPatch,
    },
    RemoveTask {
        task: String,
    },
    ReorderTasks {
        tasks: Vec<String>,
    },
    RequeueTask {
        task: String,
    },
    Start {
        driver: Driver,
        mode: Mode,
        settings: Box<Settings>,
        checks: Vec<Check>,
        /// The commands it lists, with the programs they start; the engine fills it in.
        programs: Vec<Granted>,
        busy_with: Option<String>,
    },
    SetMode {
        mode: Mode,
    },
    Pause {
        how: PauseHow,
    },
    Resume {
        busy_with: Option<String>,
    },
    Stop {
        why: Option<String>,
    },
    Retry {
        busy_with: Option<String>,
    },
    Reopen {
        busy_with: Option<String>,
    },
    /// `head` is what is checked out; none where nothing is, or nobody looked.
    LegBegan {
        n: u32,
        leg: Leg,
        child: String,
        head: Option<CheckedOut>,
    },
    LegEnded {
        n: u32,
        leg: Leg,
        end: LegEnd,
    },
    Answer {
        q: u32,
        key: String,
        text: Option<String>,
        hash: Option<String>,
        task_id: String,
    },
    Complete {
        force: Option<String>,
    },
    Report(Box<Report>),
    Signal {
        runner: String,
    },
    Timeout {
        slot: String,
    },
    /// The files of a deleted loop are gone.
    ViewsRemoved,
}
