//! What can be said to a run. Times come with the envelope; only a call's start brings its own,
//! because a restart that tells of it later must not move the dues.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::outcome::Outcome;
use super::plan::Plan;
use crate::machine::At;

/// A conversation that a live call of somebody else uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusySession {
    /// The conversation.
    pub session: String,
    /// The run or call that has it.
    pub holder: String,
}

/// Something that the start gate found to be wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flaw {
    /// The code (`E001`).
    pub code: String,
    /// Its detail word.
    pub kind: String,
    /// Short, redacted evidence.
    pub detail: String,
}

/// What the start gate found; what is not named is fine.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Checked {
    /// The working directory.
    pub workdir: Option<Flaw>,
    /// The network, if it was looked at.
    pub network: Option<Flaw>,
    /// Participants whose program, prompt or resume id is no good.
    pub participants: BTreeMap<String, Flaw>,
}

/// What a person decides about a degraded result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Choice {
    Accept,
    Override,
    Wait,
    Cancel,
}

/// What is to be cancelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The run.
    All,
    /// One participant.
    One(String),
}

/// What can be said to a run. A call that has started is told of by `CallStarted` before its end
/// is told of by `CallEnded`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named by the records above")]
pub enum Command {
    Create { plan: Box<Plan>, busy_sessions: Vec<BusySession> },
    GateChecked(Checked),
    CallStarted { p: String, launch: u32, call: String, at: At },
    SessionSeen { p: String, launch: u32, id: String },
    CallEnded { p: String, launch: u32, outcome: Outcome },
    AttemptDue { p: String, launch: u32 },
    BackoffDue { p: String, launch: u32 },
    StopDue { p: String, launch: u32 },
    TotalDue,
    QuestionDue { id: String },
    Answer { question: String, hash: String, choice: Choice, note: Option<String> },
    Cancel { scope: Scope },
    Extend { ms: u64 },
}
