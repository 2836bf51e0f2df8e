//! Where a call stands, and the records it carries. Data lives in the variant where it means
//! something. No decisions here.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::machine::At;
use crate::policy::Verdict;

/// Delays before retries 1, 2, 3 of a read: short enough to hide a hiccup, few enough to end.
pub const RETRY_DELAYS_MS: [u64; 3] = [200, 500, 1000];
/// How often a start that was proven never launched is launched again before the call fails.
pub const RELAUNCHES_MAX: u32 = 3;
/// How often a converging call is run again after a lost start.
pub const CONVERGE_RESTARTS_MAX: u32 = 3;
/// Looks at a lost call before a person is asked; their delays are in `Rules`.
pub const PROBES_MAX: u32 = 3;
/// Between TERM and KILL.
pub const GRACE_MS: u64 = 10_000;
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
    /// Settings in force.
    pub rules: Rules,
    /// When it was asked.
    pub asked_at: At,
}

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
    /// Processes that could not be proven gone.
    pub survivors: Vec<String>,
    /// Digest of the work tree afterwards, if it was marked.
    pub tree_after: Option<String>,
    /// Paths that differ between the two marks, capped.
    pub files_changed: Vec<String>,
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

/// What a call cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Charge {
    /// Attempts that were started.
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
    Allowed { facts: Box<Facts>, grant: Grant, attempt: u32, relaunches: u32, gate: Gate },
    /// Recorded as started; from here on it may have acted.
    Started {
        facts: Box<Facts>,
        grant: Grant,
        attempt: u32,
        relaunches: u32,
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
        at: At,
    },
    /// It may or may not have happened.
    Unknown {
        facts: Box<Facts>,
        grant: Grant,
        attempt: u32,
        relaunches: u32,
        epoch: u64,
        prep: Prep,
        started_at: At,
        why: Lost,
        probes: u32,
        gate: UnknownGate,
    },
    /// Being taken back by another call.
    Undoing { from: Box<State>, undo_call: String, n: u32 },
    /// Final: taken back.
    Undone { facts: Box<Facts>, undo_call: String, by: String, at: At },
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
