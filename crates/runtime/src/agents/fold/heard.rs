//! What can be told of a call while it runs. Nothing here proves that an answer was given.

use std::collections::BTreeMap;

/// Retries kept to be shown; the rest is counted.
pub(super) const RETRIES_KEPT: usize = 20;
/// Open tools kept; a stream that opens more does not close them.
pub(super) const TOOLS_OPEN_MAX: usize = 256;
/// Longest name or id of a tool that is believed to be one.
pub(super) const TOOL_BYTES_MAX: usize = 256;

/// What a stream has shown so far.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Heard {
    /// The conversation, if its event was seen and its id is valid.
    pub session: Option<String>,
    /// Tools that were started and have not ended: id to name. The idle clock stands still while
    /// there is one.
    pub tools: BTreeMap<String, String>,
    /// Whether the final event was seen, and what it said.
    pub verdict: Option<Verdict>,
    /// Retries that the CLI made inside.
    pub retries_seen: u32,
    /// The latest of them, to be shown.
    pub retries: Vec<Retry>,
    /// Bytes read.
    pub bytes: u64,
}

/// What a final event said of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It ended well.
    Ok,
    /// It did not.
    Error,
}

/// A retry that the CLI made by itself.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Retry {
    /// Which, from 1.
    pub attempt: Option<u64>,
    /// Of how many.
    pub max: Option<u64>,
    /// How long it waits first.
    pub delay_ms: Option<u64>,
    /// Why, in the CLI's words, cut; not yet redacted.
    pub why: String,
}
