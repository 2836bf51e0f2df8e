//! What must be known beforehand to read a stream: recorded with the call, never found in it.

use std::path::PathBuf;

use kernel::agent::{Kind, Usage};
use serde_json::Value;

/// How one call's output is to be read.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FoldPlan {
    /// The call; a local session is named after it.
    pub call: String,
    /// The conversation the launch was asked to go on with.
    pub resume: Option<String>,
    /// Where the agent works; claims are told relative to it.
    pub workdir: PathBuf,
    /// What the earlier calls of that conversation cost, summed. Some CLIs count over the whole
    /// conversation. A number that is not known makes this call's number unknown, too.
    pub totals: Usage,
    /// Whose stream a scripted agent speaks; none = its own.
    pub dialect: Option<Kind>,
    /// The CLI behind a wrapper.
    pub backend: Option<Kind>,
    /// What was sent, for output that may begin with a copy of it. The reading of a call
    /// directory fills it in where a kind needs it.
    pub prompt: Option<String>,
    /// How a `command` agent's output is laid out.
    pub command: CommandShape,
}

/// The output of a `command` agent, as its configuration describes it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CommandShape {
    /// What standard output is.
    pub output: Output,
    /// JSON Pointer to the answer.
    pub text: Option<String>,
    /// Where the session comes from.
    pub session: SessionFrom,
    /// JSON Pointer to an error; null and absent mean none.
    pub error: Option<String>,
    /// JSON Pointer to an object of token counts.
    pub usage: Option<String>,
    /// Which line is the last word, for `jsonl`.
    pub final_when: Option<FinalWhen>,
    /// Exit codes that are no failure; none given = 0 alone.
    pub ok_exit: Vec<i32>,
}

/// What a `command` agent's standard output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Output {
    /// The answer itself.
    #[default]
    Text,
    /// One JSON value.
    Json,
    /// One JSON value a line.
    Jsonl,
}

/// Where a `command` agent's session comes from.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum SessionFrom {
    /// Nowhere.
    #[default]
    None,
    /// We name it after the call.
    Local,
    /// A JSON Pointer into its output.
    Pointer(String),
}

/// A line whose `pointer` has this value is the final event.
#[derive(Clone, Debug, PartialEq)]
pub struct FinalWhen {
    /// JSON Pointer.
    pub pointer: String,
    /// The value.
    pub equals: Value,
}
