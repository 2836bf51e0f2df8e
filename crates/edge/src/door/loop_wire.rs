//! What can be said to a loop over the wire, and the forms that go with it. What of it is possible
//! is the machine's business.

use runtime::views::{SkillTold, Why};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A task as a person writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the task's own")]
pub struct TaskForm {
    pub description: String,
    pub tool: Option<String>,
    pub mode: Option<String>,
    pub prompt_template: Option<String>,
    pub command: Option<String>,
    pub on_error: Option<String>,
}

/// Changed fields of a task; an empty text clears one that may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the task's own")]
pub struct TaskFormPatch {
    pub description: Option<String>,
    pub tool: Option<String>,
    pub mode: Option<String>,
    pub prompt_template: Option<String>,
    pub command: Option<String>,
    pub on_error: Option<String>,
}

/// What people note about a loop; an empty one is cleared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "the names are the loop's own")]
pub struct LabelForm {
    pub tags: Option<Vec<String>>,
    pub priority: Option<String>,
    pub notes: Option<String>,
}

/// The question that its answerer saw; another one that has opened meanwhile is not meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "fields say what they are")]
pub struct Shown {
    #[serde(default)]
    pub q: Option<u32>,
    #[serde(default)]
    pub hash: Option<String>,
}

/// What can be said to a loop from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum LoopSay {
    Create {
        title: String,
        description: Option<String>,
        max_iterations: Option<u32>,
    },
    Edit {
        title: Option<String>,
        description: Option<String>,
        max_iterations: Option<u32>,
        #[serde(default)]
        labels: LabelForm,
    },
    Delete,
    AddTask {
        task: TaskForm,
        first: bool,
    },
    EditTask {
        task: String,
        patch: TaskFormPatch,
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
    /// `runner` is set for an outside driver, with its name if it has one.
    Start {
        mode: Option<String>,
        external: bool,
        runner: Option<String>,
        /// The language its agents are spoken to; none = the engine's.
        #[serde(default)]
        lang: Option<String>,
    },
    Mode {
        mode: String,
    },
    Pause {
        now: bool,
    },
    Resume,
    Stop {
        why: Option<String>,
    },
    Retry,
    Reopen,
    /// Without `to` it answers whatever is open when it arrives.
    Answer {
        key: String,
        text: Option<String>,
        #[serde(default)]
        to: Option<Shown>,
    },
    Complete {
        force: Option<String>,
    },
    Signal {
        runner: String,
    },
    Report {
        runner: String,
        told: Box<SkillTold>,
    },
    /// A loop that the journal does not know, by its document.
    Import {
        document: Box<Value>,
        source: String,
        why: Why,
    },
}

impl LoopSay {
    /// Whether it lets more happen than before.
    #[must_use]
    pub const fn widens(&self) -> bool {
        match self {
            Self::Create { .. }
            | Self::Edit { .. }
            | Self::AddTask { .. }
            | Self::EditTask { .. }
            | Self::RequeueTask { .. }
            | Self::Start { .. }
            | Self::Resume
            | Self::Retry
            | Self::Reopen
            | Self::Signal { .. }
            | Self::Report { .. }
            | Self::Import { .. } => true,
            Self::Delete
            | Self::RemoveTask { .. }
            | Self::ReorderTasks { .. }
            | Self::Mode { .. }
            | Self::Pause { .. }
            | Self::Stop { .. }
            | Self::Answer { .. }
            | Self::Complete { .. } => false,
        }
    }
}
