//! One task of a loop's list. Two files show the list; both are drawn from this.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::machine::At;
use crate::policy::grant::Pin;

/// What a task wants of its tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum TaskMode {
    Analysis,
    Write,
    Review,
}

/// What a failed task does to its loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum OnError {
    Continue,
    Pause,
    FailFast,
}

/// Where a task came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Origin {
    Queue,
    Breakdown,
    Fix,
    Tests,
    Outside,
}

/// What a `bash` task runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Run {
    /// Words, run without a shell.
    Argv(Vec<String>),
    /// Text with shell operators, run by `sh -c` and asked each time.
    Script(String),
}

/// How far a task is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum TaskStatus {
    Pending,
    InProgress,
    Completed { at: At },
    Failed { at: At, error: String },
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// `task-NNN`, never reused.
    pub id: String,
    /// `task-{epoch_ms}-{8 hex}`, the id on the control side.
    pub task_id: String,
    /// What to do, in words; never run.
    pub description: String,
    /// Who does it: `bash` or an agent.
    pub tool: String,
    /// What is wanted of the tool.
    pub mode: TaskMode,
    /// Prompt, when it is not the description.
    pub prompt_template: Option<String>,
    /// What `bash` runs, as written by its author.
    pub command: Option<String>,
    /// The same, split.
    pub run: Option<Run>,
    /// What a failure does; none = the loop's setting.
    pub on_error: Option<OnError>,
    /// How far it is.
    pub status: TaskStatus,
    /// Paths changed, measured from the tree.
    pub files_changed: Vec<String>,
    /// When it was made.
    pub created_at: At,
    /// When it was changed.
    pub updated_at: At,
    /// Where it came from.
    pub origin: Origin,
    /// Signature of the problem it is to fix (`task:task-001`, `tests:…`).
    pub fixes: Option<String>,
    /// Whether a person's word covers its command.
    pub granted: bool,
    /// The program that word was given for.
    #[serde(default, skip_serializing_if = "Pin::is_none")]
    pub pin: Pin,
}
