//! What a person asks of a collab, before settings have filled the gaps.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A question to several agents; what is not said is taken from the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "the names are the command's own")]
pub struct Form {
    pub task: String,
    pub context: String,
    pub role: Option<String>,
    /// Participants by name, in order.
    pub with: Option<Vec<String>>,
    pub mode: Option<String>,
    pub gate: Option<String>,
    pub timeout_ms: Option<u64>,
    pub max_retries: Option<u32>,
    pub lite: Option<bool>,
    /// Conversations to go on with, by participant; `""` stands for the only one.
    pub resume: BTreeMap<String, String>,
    pub core_dimensions: Option<Vec<String>>,
    /// JSON Schema, as text.
    pub schema: Option<String>,
    pub merge: Option<String>,
    pub accept: Option<String>,
    pub confirm_timeout_ms: Option<u64>,
    /// Directory, relative to the root or absolute.
    pub workdir: Option<String>,
    pub lang: Option<String>,
}
