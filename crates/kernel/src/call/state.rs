//! Where a call stands, and the records it gathers on its way. Data lives in the variant where it
//! means something. What was asked for is in `request`. No decisions here.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::held::Held;
use super::request::Facts;
use super::slot;
use crate::agent;
use crate::machine::At;

/// What allowed a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grant {
    /// A policy rule or a standing grant of the owner, by name.
    Rule(String),
    /// A person's answer to this prompt.
    Prompt(String),
}

/// Whether an allowed call may prepare now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// Now.
    Ready,
    /// A retry waits.
    Wait {
        /// Until then.
        until: At,
    },
}

/// What Prepare found and saved before anything acts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prep {
    /// Digest of the work tree before the call, if it was marked.
    pub tree_before: Option<String>,
    /// Absolute program that will be executed.
    pub program: Option<String>,
    /// Sandbox level that will be in force.
    pub sandbox: String,
    /// Why the bytes before it were not kept, where they should have been: a kind of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unkept: Option<Box<str>>,
}

/// How a process ended, as its shim recorded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It exited by itself.
    Exit,
    /// A signal that was not ours.
    Signal,
    /// The wall limit.
    Deadline,
    /// The silence limit.
    Idle,
    /// We stopped it.
    Stopped,
    /// The program could not be started.
    SpawnFailed,
}

/// An exit record, and what the engine measured beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// How it ended.
    pub ended: Ended,
    /// Exit code, unless a signal ended it.
    pub exit_code: Option<i32>,
    /// Signal number.
    pub signal: Option<i32>,
    /// When it started.
    pub started_at: At,
    /// When it ended.
    pub ended_at: At,
    /// Bytes it wrote to stdout.
    pub stdout_bytes: u64,
    /// Bytes it wrote to stderr.
    pub stderr_bytes: u64,
    /// Bytes beyond the cap.
    pub dropped_bytes: u64,
    /// Sandbox level that was in force.
    pub sandbox: String,
    /// What else kept it in, and what it did against that.
    #[serde(flatten)]
    pub held: Box<Held>,
    /// Processes that could not be proven gone.
    pub survivors: Vec<String>,
    /// Digest of the work tree afterwards, if it was marked.
    pub tree_after: Option<String>,
    /// Paths that differ between the two marks, capped.
    pub files_changed: Vec<String>,
    /// SHA-256 of the file beside the call that lists all of them, where one could be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Box<str>>,
    /// What the stream of an agent proved; none for commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Box<agent::Report>>,
    /// How a tool of the engine's own ended; none for processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<Box<Done>>,
}

/// How a tool of the engine's own ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// What it gave.
    Payload(Value),
    /// Why it did not, and the facts of it.
    Failed {
        /// The reason.
        failure: Failure,
        /// What a person needs to know of it.
        details: Value,
    },
}

/// Why something failed: stored without sentences, rendered when read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Most specific code: a class or a number.
    pub code: String,
    /// Detail word of the class (`spawn`, `not_applied`).
    pub kind: String,
    /// Short, redacted evidence.
    pub detail: String,
}

/// Who is stopping a started call, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KillWhy {
    /// A Stop by a person or the owner.
    Stop,
    /// The wall limit.
    Deadline,
    /// The silence limit.
    Idle,
}

/// What a started call is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It runs.
    Running,
    /// It is being stopped.
    Stopping {
        /// Why.
        why: KillWhy,
        /// Who asked, as a word.
        by: String,
        /// Since when; the grace timer counts from here.
        since: At,
    },
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It did what was asked.
    Ok,
    /// It did not.
    Failed(Failure),
    /// A limit ended it.
    TimedOut {
        /// Which limit: `deadline` or `idle`.
        limit: String,
    },
    /// It was stopped.
    Stopped,
}

/// Who found the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettledBy {
    /// An exit record, or a failure before anything happened.
    Result,
    /// A probe.
    Probe,
    /// A person.
    Person {
        /// What they noted.
        note: String,
    },
}

/// How far a call can be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UndoLevel {
    /// Every byte of the recorded paths.
    Exact,
    /// Recorded paths of the work tree.
    BestEffort,
    /// Not at all, and why.
    None(String),
}

/// What an undo does about content that is not what the call left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Foreign {
    /// It is left alone, and with it everything else.
    Refuse,
    /// It is moved aside first.
    Aside,
    /// It is left alone and named; everything else is taken back.
    Keep,
}

/// How a call is to be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeBack {
    /// The call's own id: its undo finds its files by it.
    pub call: String,
    /// What to do where something else stands now.
    pub foreign: Foreign,
}

impl TakeBack {
    /// The key of its `n`th try.
    #[must_use]
    pub fn key(&self, n: u32) -> String {
        alloc::format!("{}/{}", self.call, slot::undo(n))
    }
}

/// What a call cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Charge {
    /// Attempts that were made, failed preparations and starts that never launched included.
    pub attempts: u32,
    /// Retries among them.
    pub retries: u32,
    /// Time its processes ran.
    pub active_ms: u64,
}

/// Why an outcome is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lost {
    /// Started, found dead, no exit record.
    Lost,
    /// The tree could not be proven empty.
    NotProvenDead {
        /// Who is left.
        survivors: Vec<String>,
    },
}

/// What an unknown call waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownGate {
    /// A look.
    Probe,
    /// The time of the next look.
    Wait {
        /// Then.
        until: At,
    },
    /// A person's word.
    AskPerson {
        /// The evidence shown.
        evidence: String,
    },
}

/// Where a call stands.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named by the records above")]
pub enum State {
    /// Not asked yet.
    #[default]
    New,
    /// Waits for a person's yes.
    Asked { facts: Box<Facts>, prompt: String, expires: Option<At> },
    /// Final: it will not happen.
    Denied { facts: Box<Facts>, by: DeniedBy, at: At },
    /// May act once prepared.
    Allowed {
        facts: Box<Facts>,
        grant: Grant,
        attempt: u32,
        relaunches: u32,
        active_ms: u64,
        undos: u32,
        gate: Gate,
    },
    /// Recorded as started; from here on it may have acted.
    Started {
        facts: Box<Facts>,
        grant: Grant,
        attempt: u32,
        relaunches: u32,
        active_ms: u64,
        undos: u32,
        epoch: u64,
        prep: Prep,
        started_at: At,
        deadline: At,
        phase: Phase,
    },
    /// Ended with evidence.
    Settled {
        facts: Box<Facts>,
        attempt: u32,
        relaunches: u32,
        outcome: Outcome,
        by: SettledBy,
        exit: Option<Exit>,
        prep: Option<Prep>,
        undo: UndoLevel,
        charge: Charge,
        late: bool,
        undos: u32,
        at: At,
    },
    /// It may or may not have happened. It keeps the phase it was lost in, because an exit record
    /// or a proof that turns up later means something else for a call that was being stopped.
    Unknown {
        facts: Box<Facts>,
        grant: Grant,
        attempt: u32,
        relaunches: u32,
        active_ms: u64,
        undos: u32,
        epoch: u64,
        prep: Prep,
        started_at: At,
        phase: Phase,
        why: Lost,
        probes: u32,
        gate: UnknownGate,
    },
    /// Being taken back by another call.
    Undoing { from: Box<State>, undo: TakeBack, n: u32 },
    /// Final: taken back.
    Undone { facts: Box<Facts>, level: UndoLevel, undo_key: String, by: String, at: At },
}

/// Who said no.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum DeniedBy {
    Policy { rule: String },
    User { note: String },
    Timer,
    Parent,
}
