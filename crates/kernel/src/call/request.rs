//! What is asked for, the bounds that govern it, and what is known of a call from then on.
//! Where the call stands is in `state`; no decisions here.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent;
use crate::machine::At;
use crate::policy::grant::Pin;
use crate::policy::{Network, Shown, Verdict, glob};

/// Delays before retries 1, 2, 3 of a read: short enough to hide a hiccup, few enough to end.
pub const RETRY_DELAYS_MS: [u64; 3] = [200, 500, 1000];
/// How often a start that was proven never launched is launched again before the call fails.
pub const RELAUNCHES_MAX: u32 = 3;
/// How often a converging call is run again after a lost start.
pub const CONVERGE_RESTARTS_MAX: u32 = 3;
/// Looks at a lost call before a person is asked; the ones in force are in `Rules`.
pub const PROBES_MAX: u32 = 3;
/// Delay before each look: at once, then long enough for a dying tree to be gone.
pub const PROBE_DELAYS_MS: [u64; PROBES_MAX as usize] = [0, 2_000, 10_000];
/// Between TERM and KILL.
pub const GRACE_MS: u64 = 10_000;
/// After KILL, to prove that the tree is empty; a killed process needs no more than a moment.
pub const PROVE_EMPTY_MS: u64 = 5_000;
/// How long a question about a call stays open.
pub const ASK_EXPIRY_MS: u64 = 24 * 3_600_000;

/// What repeating a call means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// No effect on the world; retried.
    Read,
    /// Repeating it under its key gives the same end.
    Converge,
    /// Not idempotent; checked before and exactly undoable.
    Guarded,
    /// Not idempotent.
    Once,
}

/// What the owner wants to hear of a call whose outcome is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnUnknown {
    /// Nothing: it waits and shows the question.
    Wait,
    /// It is told once a person is asked.
    Tell,
}

/// What is asked for. Its hash is what an approval is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Tool name (`run`).
    pub name: String,
    /// Version of the tool's declaration.
    pub version: String,
    /// Program and arguments, for tools that run one.
    pub argv: Vec<String>,
    /// What an agent is asked, for the tool that launches one. Its program and arguments are made
    /// by its adapter when the call is prepared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Box<agent::Ask>>,
    /// What a tool of the engine's own is asked to do; none for one that runs a process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Box<Args>>,
    /// Directory relative to the work tree's root.
    pub cwd: String,
    /// Names (never values) of environment variables beyond the standing list.
    pub env_names: Vec<String>,
    /// Files below the call's TMPDIR that are kept.
    pub collect: Vec<String>,
    /// What repeating it means.
    pub class: Class,
    /// Wall limit of one attempt.
    pub deadline_ms: u64,
    /// Silence limit of one attempt; none = off.
    pub idle_ms: Option<u64>,
    /// Between TERM and KILL.
    pub grace_ms: u64,
    /// What the owner wants to hear of an unknown outcome.
    pub on_unknown: OnUnknown,
    /// What a command is given beyond its words and what every command gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<Box<Given>>,
}

/// What a command is given beyond its words and what every command gets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// How far it may reach; none = as far as the settings let all commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Network>,
    /// SHA-256 of its variables with their values, which are kept in a file of ours and never
    /// recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env_sha256: Option<String>,
    /// Globs of what it says it will write; none = it says nothing. What else it changes is told,
    /// and where walls hold it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes: Option<Vec<String>>,
    /// Globs that its owner keeps it to; none = the whole work tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confine: Option<Vec<String>>,
}

impl Given {
    /// The paths of these that it did not say it would write.
    #[must_use]
    pub fn undeclared<'a>(&self, changed: &'a [String]) -> Vec<&'a str> {
        let Some(writes) = &self.writes else { return Vec::new() };
        let told = |path: &&String| writes.iter().any(|pattern| glob::path(pattern, path));
        changed.iter().filter(|path| !told(path)).map(String::as_str).collect()
    }
}

/// The arguments of a tool. What becomes the content of a file is never recorded: the whole is kept
/// in a file of ours under its hash, and the record shows the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Args {
    /// The arguments with their contents given by hash and size.
    pub shown: Value,
    /// SHA-256 of the canonical arguments.
    pub sha256: String,
}

/// The settings in force when the call was asked; recorded, so that a fold needs no configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Delays before each retry of a read.
    pub retry_delays_ms: Vec<u64>,
    /// Delay before each probe.
    pub probe_delays_ms: Vec<u64>,
    /// How long a question stays open; 0 = for ever.
    pub ask_expiry_ms: u64,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            retry_delays_ms: RETRY_DELAYS_MS.to_vec(),
            probe_delays_ms: PROBE_DELAYS_MS.to_vec(),
            ask_expiry_ms: ASK_EXPIRY_MS,
        }
    }
}

/// What is known of a call from the moment it is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// What is asked for.
    pub request: Request,
    /// SHA-256 of the canonical request.
    pub request_hash: String,
    /// Unique for ever; the slot its owner owes.
    pub key: String,
    /// The owning run.
    pub parent: Option<String>,
    /// The policy's answer and the rule that gave it.
    pub verdict: Verdict,
    /// What a person was shown, where one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Box<Shown>>,
    /// The program that was judged, where it runs a command: no other is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<Pin>,
    /// Settings in force.
    pub rules: Rules,
    /// When it was asked.
    pub asked_at: At,
}
