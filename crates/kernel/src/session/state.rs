//! Where a session stands. What a unit has come to know lies in the unit; a session that is idle
//! holds nothing but the end of its last one. Variables are computed from this, never kept.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::asked::Asked;
use super::job::Job;
use super::judge::Path;
use super::risk::Risk;
use super::setup::Setup;
use super::stage::Stage;
pub use super::tool::{Caller, Tool, ToolEnd};
use crate::machine::At;

/// Where a session stands.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum State {
    /// Not opened yet.
    #[default]
    New,
    /// Opened; it never ends.
    Live(Box<Life>),
}

/// A session that is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Life {
    /// What it is bound to and has counted.
    pub body: Body,
    /// What it is doing.
    pub unit: Unit,
}

/// What a session is bound to and has counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// `git:<branch>`, `detached:<12 hex>` or `dir`.
    pub key: String,
    /// When it was opened.
    pub opened_at: At,
    /// Units so far.
    pub units: u32,
    /// Questions so far.
    pub questions: u32,
    /// The last inputs, so that each is routed once.
    pub inputs: Vec<String>,
    /// Whether it ever had a task.
    pub had_task: bool,
}

/// What a session is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named by their types")]
pub enum Unit {
    /// A base, and what was put above it, the top last.
    At { base: Base, frames: Vec<Frame> },
    /// Its children are being stopped; then it is over, and the next may start.
    Ending { was: Box<Base>, how: How, children: Vec<String>, next: Option<Box<Request>>, due: At },
}

/// The one unit that may write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named by their types")]
pub enum Base {
    Idle { last: Option<Ended> },
    Flow { flow: Box<Flow>, stage: Box<Stage> },
    Job { job: Box<Job> },
}

/// How the last unit ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// `~auto`, `words`, `~test`.
    pub unit: String,
    /// Its number.
    pub n: u32,
    /// How.
    pub how: How,
    /// The verdict, where one was reached.
    pub verdict: Option<Verdict>,
    /// When.
    pub at: At,
}

/// How a unit ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum How {
    Completed,
    Cancelled { by: String },
    Failed { code: String },
    Replaced { by: String },
}

/// What a unit came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// 通过.
    Passed,
    /// 部分通过.
    Partial,
    /// 失败.
    Failed,
}

impl Verdict {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Partial => "partial",
            Self::Failed => "failed",
        }
    }
}

/// Who began a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Origin {
    Auto,
    Plan,
    Exec,
    Words,
}

impl Origin {
    /// How the unit is called.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Auto => "~auto",
            Self::Plan => "~plan",
            Self::Exec => "~exec",
            Self::Words => "words",
        }
    }
}

/// WORKFLOW_MODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum Mode {
    Interactive,
    AutoFull,
    AutoPlan,
}

impl Mode {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Interactive => "INTERACTIVE",
            Self::AutoFull => "AUTO_FULL",
            Self::AutoPlan => "AUTO_PLAN",
        }
    }
}

/// A package by name and place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// `202601221030_login`.
    pub name: String,
    /// `loopwright/plan/202601221030_login`.
    pub path: String,
}

/// That a person went on below the gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiver {
    /// What was waived: `score`, `test`.
    pub what: String,
    /// The score, where it was that.
    pub score: Option<u8>,
    /// Who.
    pub by: String,
    /// When.
    pub at: At,
}

/// A person's word to go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// The question that it answers.
    pub question: String,
    /// Who.
    pub by: String,
}

/// A flow: what it was asked and what it has come to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// Its number among the session's units.
    pub n: u32,
    /// By which command it was begun.
    pub origin: Origin,
    /// Its mode.
    pub mode: Mode,
    /// What was said, the first first.
    pub asked: Vec<String>,
    /// Settings and flags.
    pub setup: Setup,
    /// Who began it.
    #[serde(default)]
    pub by: String,
    /// The answer by which it goes on without asking.
    #[serde(default)]
    pub consent: Option<Consent>,
    /// Its path, once it is confirmed.
    pub path: Option<Path>,
    /// What was waived.
    pub waivers: Vec<Waiver>,
    /// Risks that a person accepted.
    pub risks: Vec<Risk>,
    /// What was noted on the way.
    pub findings: Vec<String>,
    /// KB_SKIPPED.
    pub kb_skipped: Option<bool>,
    /// What is shown of that: `off`, `missing`, `loaded` or `created`.
    #[serde(default)]
    pub kb_shown: Option<String>,
    /// What was found out about the project: a call and the digest of its answer.
    pub context: Option<Said>,
    /// The package it made.
    pub created: Option<Package>,
    /// The package it works on.
    pub current: Option<Package>,
    /// Files it changed.
    pub changed: Vec<String>,
    /// The turns that changed them for it, the oldest first.
    #[serde(default)]
    pub turns: Vec<String>,
    /// How much of what was said its last draft was asked for with.
    #[serde(default)]
    pub drafted: usize,
    /// How often its package did not pass the gate.
    #[serde(default)]
    pub gated: u32,
    /// How often marks of others were made ours.
    #[serde(default)]
    pub adopted: u32,
    /// The last score of the requirement.
    #[serde(default)]
    pub score: Option<super::score::Score>,
    /// What its child asks.
    #[serde(default)]
    pub asking: Vec<super::stage::ChildAsking>,
    /// What has stopped it so far, each stop once as often as it did.
    #[serde(default)]
    pub stops: Vec<Stopped>,
    /// How DEVELOP ended.
    pub developed: Option<super::ended::Developed>,
}

impl Flow {
    /// What was said since its draft was asked for; nothing where it drafted none.
    #[must_use]
    pub fn since_draft(&self) -> &[String] {
        if self.drafted == 0 { &[] } else { self.asked.get(self.drafted..).unwrap_or_default() }
    }

    /// Everything that was said, as one requirement.
    #[must_use]
    pub fn requirement(&self) -> String {
        self.asked.join("\n")
    }
}

/// An agent's answer, by reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The call.
    pub call: String,
    /// SHA-256 of its answer.
    pub sha256: String,
}

/// That something stopped a flow until a person spoke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    /// The question that did.
    pub question: String,
    /// Its code.
    pub stop: super::asked::Stop,
    /// When.
    pub at: At,
}

/// What a person asks to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// What.
    pub what: What,
    /// Settings and flags.
    pub setup: Setup,
}

/// What can be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named by their types")]
pub enum What {
    Flow { origin: Origin, text: String },
    Job { kind: super::job::Kind, arg: String, flags: Vec<String> },
}

impl What {
    /// How the unit is called.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Flow { origin, .. } => origin.word(),
            Self::Job { kind, .. } => kind.word(),
        }
    }
}

/// Something above the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named by their types")]
pub enum Frame {
    /// Words that may belong to what runs.
    Relating { input: String, setup: Box<Setup>, q: Asked },
    /// A unit that waits for what runs to be replaced.
    Replacing { request: Box<Request>, q: Asked },
    /// A job beside what runs.
    Embedded { job: Box<Job>, open: bool },
    /// A tool that was called.
    Tool(Box<Tool>),
    /// Words that are being answered.
    Chat(Box<Chat>),
}

/// Words that an agent answers; what runs below goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chat {
    /// Its number.
    pub n: u32,
    /// The words.
    pub input: String,
    /// Whether they are answered.
    pub over: bool,
    /// Settings and flags.
    pub setup: Setup,
}
