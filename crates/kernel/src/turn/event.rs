//! The facts a turn records. Only these are stored; their words are part of the journal's format.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::evidence::{CallLine, CheckResult, CommandRun, Failure, FileChange, StepEvidence};
use super::models::{IntakeReport, Scope};
use super::pack::PackRef;
use super::plan::{Plan, Step};
use super::setup::Start;
use super::state::{
    AskedFrom, GitResult, Inner, Keep, Open, Origin, Outcome, Prompt, Rung, Subject,
};
use super::subject::Reach;
use crate::machine::At;

/// What follows intake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum AfterIntake {
    Context,
    Answer,
    Decided,
}

/// A plan as it is accepted, with what it is held to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// The plan.
    pub plan: Plan,
    /// Hash of what would be approved.
    pub hash: String,
    /// What it touches.
    pub reach: Reach,
    /// What its commands stand for.
    pub definitions: BTreeMap<String, String>,
    /// The rule that lets it run unasked; none = a person has to be asked.
    pub rule: Option<String>,
}

/// Where a no leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum AfterNo {
    Revise,
    Replan(Box<Failure>, Box<Rung>),
    End(Outcome),
}

/// What a failed check leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum AfterFail {
    Recover(Box<Failure>, Box<Rung>),
    Warn(Outcome),
}

/// What follows the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum AfterSummary {
    End,
    Ask,
    Commit,
}

/// Which call of a step a result is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Of {
    Step,
    Inner { n: u32 },
    Checkpoint,
}

/// What a call left behind.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the evidence")]
pub struct Left {
    pub files: Vec<FileChange>,
    pub lines: u64,
    pub commands: Vec<CommandRun>,
    pub claim: Option<String>,
    pub digest: String,
    pub result_hash: String,
    #[serde(default)]
    pub unchanged: Vec<String>,
    #[serde(default)]
    pub bare: bool,
}

/// One recorded fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named by the records of `state` and `plan`")]
pub enum Event {
    Asked { start: Box<Start> },
    IntakeAssessed { report: IntakeReport, next: AfterIntake },
    Denied { code: String, by: String, rule: Option<String> },
    QuestionsAsked { round: u32, questions: Vec<Open>, from: AskedFrom },
    QuestionsParked { round: u32, questions: Vec<Open>, from: AskedFrom },
    Failed { code: String, detail: String },
    Answered { question: String, answer: Option<String>, by: String },
    ContextBuilt { pack: PackRef },
    ContextCut,
    PlanRejected { error: String },
    PlanAccepted { accepted: Box<Accepted> },
    ConfirmationAsked { prompt: Box<Prompt> },
    PlannerDegraded { code: String },
    Confirmed { prompt: String, subject: Subject, scope: Scope, by: String, note: Option<String> },
    Declined { prompt: String, by: String, note: Option<String>, next: AfterNo },
    ConfirmationExpired { prompt: String, outcome: Outcome },
    PlanEdited { accepted: Box<Accepted>, by: String },
    PromptVoided { prompt: String },
    StepStarted { step: String, attempt: u32, origin: Origin },
    StepDone { step: String, evidence: Box<StepEvidence> },
    StepFailed { failure: Box<Failure>, rung: Box<Rung> },
    StepBlocked { step: String, code: String },
    StepSkipped { step: String, by: String, reason: String },
    Degraded { step: String, from: String, to: String },
    CallAsked { inner: Box<Inner> },
    CallDenied { name: String, rule: String },
    CallUnknown { key: String },
    CallWaits { key: String },
    CallAllowed { key: String },
    CallRecorded { of: Of, line: CallLine, left: Box<Left> },
    ReplanAsked { failure: Box<Failure>, rung: Box<Rung> },
    ExecutionFinished,
    VerificationSkipped { outcome: Outcome },
    CheckRecorded { result: Box<CheckResult> },
    CheckStale { result: Box<CheckResult>, failed: Option<(Box<Failure>, Box<Rung>)> },
    VerificationPassed { result: Box<CheckResult>, outcome: Outcome },
    VerificationFailed { result: Box<CheckResult>, next: AfterFail },
    FixStepAdded { step: Box<Step> },
    UndoRecorded { ok: bool, next: Box<Rung> },
    PlanPatched { accepted: Box<Accepted> },
    HelpGiven { by: String },
    GaveUp { code: String, detail: String, step: Option<String>, ends: bool },
    AnswerTaken { answer: String },
    AnswerRejected { error: String },
    Summarised { summary: Option<String>, next: AfterSummary },
    GitDeclined { by: String },
    GitSettled { result: GitResult },
    Ended,
    Cancelled { by: String },
    Held { by: String, keep: Keep },
    Resumed { by: String },
    Reowed { key: String },
    Charged { tokens: u64, cost_micros: u64 },
    RateLimited { reset_at: At, agent: Option<String> },
}
