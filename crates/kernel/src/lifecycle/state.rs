//! Where a lifecycle stands. Data lives in the variant where it means something. No decisions
//! here.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::check::{Digest, Evidence};
pub use super::phase::*;
use super::plan::{Ask, Plan};
use super::setup::{Begin, Budget, Spent};
use super::task::Task;
use crate::machine::At;
use crate::policy::Granted as Program;

/// Where a lifecycle stands.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Waits for a requirement.
    #[default]
    New,
    /// Has one, or had one.
    Alive(Box<Life>),
    /// Cancelled before there was one.
    Never {
        /// When.
        at: At,
    },
}

/// A lifecycle that has or had a requirement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Life {
    pub body: Body,
    pub phase: Phase,
}

/// What every phase has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// What it was started with.
    pub begin: Begin,
    /// The requirement as it is now.
    pub ask: Ask,
    /// Facts so far.
    pub seq: u64,
    /// When it began.
    pub created_at: At,
    /// When the last fact was recorded.
    pub updated_at: At,
    /// What may be spent, with what a person added.
    pub budget: Budget,
    /// What was spent; never falls.
    pub spent: Spent,
    /// Keys of turns that were stopped and whose end is awaited: what they spent and changed is
    /// not known before.
    pub left: Vec<String>,
    /// Next numbers of keys; never used again.
    pub next: Numbers,
    /// Whether it is held.
    pub hold: Option<Hold>,
    /// What was noted, the newest last, capped.
    pub notes: Vec<Note>,
}

/// Next numbers of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// Of a step.
    pub n: u32,
    /// Of a fix.
    pub k: u32,
    /// Of a rollback.
    pub roll: u32,
}

/// A hold: the run owes only what it keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Hold {
    pub by: String,
    pub at: At,
    pub reason: Option<String>,
    /// Keys that run to their end.
    pub keep: Vec<String>,
    /// Keys that were cut; their step gets a new number.
    pub cut: Vec<String>,
}

/// What kind of note it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum NoteKind {
    Progress,
    Scratch,
    Error,
    Decision,
    Warning,
}

/// A note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Note {
    pub at: At,
    pub by: String,
    pub kind: NoteKind,
    pub task: Option<String>,
    pub text: String,
}

/// For how long a yes counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Scope {
    Plan,
    Session,
}

/// A yes to a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Approval {
    pub hash: String,
    pub by: String,
    pub at: At,
    pub question: String,
    pub scope: Scope,
    /// Risks that were accepted with it.
    pub risks: Vec<String>,
    /// The commands that it covers, with the programs that they start.
    pub programs: Vec<Program>,
}

/// A try at a fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Attempt {
    pub task: String,
    pub k: u32,
    pub at: At,
    pub failure: Failure,
    pub files_changed: Vec<String>,
}

/// The approved plan and everything that came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The plan.
    pub plan: Plan,
    /// Its hash.
    pub hash: String,
    /// The yes to exactly this hash.
    pub approval: Approval,
    /// Its tasks, in the document's order. Shared: a decision works on a copy and changes one.
    pub tasks: Vec<Arc<Task>>,
    /// Every record of a check, the oldest first.
    pub evidence: Vec<Arc<Evidence>>,
    /// Covered files as they were last seen.
    pub digests: Vec<Digest>,
    /// The newest checkpoint that was made for a task.
    pub last_checkpoint: Option<String>,
    /// Every checkpoint, the oldest first.
    pub checkpoints: Vec<String>,
    /// Fixes that failed.
    pub attempts: Vec<Attempt>,
    /// Fixes ever begun.
    pub fixes_total: u32,
    /// Calls of which nobody could tell.
    pub unknown_calls: Vec<String>,
    /// Rollbacks that were begun.
    pub rollbacks: u32,
    /// Definitions that a person accepted after the approval.
    pub accepted: Vec<String>,
}
