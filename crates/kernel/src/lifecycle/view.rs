//! The view of a lifecycle as every door shows it. Fields are part of the format. Only the data
//! model; `shown` fills it in.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::check::Verdict;
use super::phase::{Outcome, Why};
use super::plan::Source;
use super::setup::{Budget, ParentRef, Spent};
use super::state::{Hold, Scope};
use super::task::Task;
use crate::machine::At;

/// What a run waits for besides itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Waiting {
    Call(String),
    Question(String),
}

/// The requirement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Requirement {
    pub text: String,
    pub source: Source,
    pub path: Option<String>,
}

/// A yes, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Approved {
    pub by: String,
    pub at: At,
    pub question: String,
    pub scope: Scope,
}

/// The plan in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct PlanView {
    pub revision: u32,
    pub hash: String,
    pub path: Option<String>,
    pub approved: Option<Approved>,
}

/// One record of evidence in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct EvidenceView {
    pub id: String,
    pub verdict: Verdict,
    pub fresh: bool,
}

/// A task with what follows from the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct TaskView {
    /// The task; its `evidence` gives way to the list below.
    #[serde(flatten)]
    pub task: Task,
    pub ready: bool,
    pub waiting_on: Vec<String>,
    pub records: Vec<EvidenceView>,
}

/// A failure in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct FailureView {
    pub signature: String,
    pub repeat: bool,
    pub summary: String,
    /// What is to be repaired, where the last attempt failed by something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

/// Why it stands still.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct BlockedView {
    pub why: Why,
    pub since: At,
    pub reset_at: Option<At>,
    pub options: Vec<String>,
}

/// What comes next: a message key with its data, and the command that does it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextAction {
    /// Message key below `lifecycle.next.`; the doors put the sentence in its place.
    pub text: String,
    /// Data of the sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<(String, String)>,
    /// The command, if a person has to act.
    pub command: Option<String>,
}

/// What was and may be spent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct BudgetView {
    pub limit: Budget,
    pub spent: Spent,
}

/// A lifecycle as every door shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct View {
    pub run_id: String,
    pub machine: String,
    pub parent: Option<ParentRef>,
    pub seq: u64,
    pub created_at: At,
    pub updated_at: At,
    pub session_id: Option<String>,
    pub task_status: String,
    pub paused: bool,
    pub hold: Option<Hold>,
    pub waiting: Option<Waiting>,
    pub requirement: Requirement,
    pub plan: Option<PlanView>,
    pub tasks: Vec<TaskView>,
    pub current_task: Option<String>,
    pub auto_fix_attempts: u32,
    pub auto_fix_limit: u32,
    pub failure: Option<FailureView>,
    pub blocked: Option<BlockedView>,
    pub last_checkpoint: Option<String>,
    pub outcome: Option<Outcome>,
    pub next_action: NextAction,
    pub allowed: Vec<String>,
    pub budget: BudgetView,
}
