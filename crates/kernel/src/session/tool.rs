//! A tool that was called: the frame that it is, until it is over. What it does is not said here.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::asked::Asked;
use super::setup::Setup;

/// Who called a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Caller {
    /// The stage that runs.
    InStage,
    /// A person, in between.
    UserInterrupt,
}

/// How a tool ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum ToolEnd {
    Ok,
    Failed,
    Cancelled,
}

/// A tool that was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// `agent`, `command`.
    pub kind: String,
    /// Who called it.
    pub caller: Caller,
    /// What it is asked.
    pub input: String,
    /// Program and words, where it is a command.
    #[serde(default)]
    pub argv: Vec<String>,
    /// The call that it is, where a stage made it.
    #[serde(default)]
    pub call: Option<String>,
    /// Its number.
    pub n: u32,
    /// How it ended, while something still stands above it.
    #[serde(default)]
    pub end: Option<ToolEnd>,
    /// What is asked about its end, if anything.
    pub q: Option<Asked>,
    /// Settings and flags.
    pub setup: Setup,
}
