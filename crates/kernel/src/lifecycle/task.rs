//! Tasks: what is to be done, and how it stands. The words of other documents for a status are
//! read and written here, so that every door means the same by them. Nothing is decided here.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::check::Check;
use crate::machine::At;

/// How urgent a task is; shown, and no part of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum Priority {
    P0,
    P1,
    P2,
    P3,
}

/// What checks a task.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verify {
    /// The plan's checks.
    #[default]
    Inherit,
    /// Its own.
    Checks(Vec<Check>),
}

/// A task as the plan has it.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Spec {
    pub id: String,
    pub title: String,
    #[serde(default)]
    pub detail: String,
    #[serde(default)]
    pub files: Vec<String>,
    #[serde(default)]
    pub depends: Vec<String>,
    #[serde(default)]
    pub priority: Option<Priority>,
    #[serde(default)]
    pub verify: Verify,
    /// Acceptance prose for whoever does it; no evidence.
    #[serde(default)]
    pub acceptance: Vec<String>,
    /// The document says that it is done; nothing proves it yet.
    #[serde(default)]
    pub claimed: bool,
}

/// How a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Status {
    #[default]
    Pending,
    InProgress,
    Done,
    Failed,
    Blocked,
    Skipped,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 6] =
        [Self::Pending, Self::InProgress, Self::Done, Self::Failed, Self::Blocked, Self::Skipped];

    /// The stored word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Blocked => "blocked",
            Self::Skipped => "skipped",
        }
    }

    /// The word that people and agents say (`IN_PROGRESS`).
    #[must_use]
    pub const fn said(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::InProgress => "IN_PROGRESS",
            Self::Done => "DONE",
            Self::Failed => "FAILED",
            Self::Blocked => "BLOCKED",
            Self::Skipped => "SKIPPED",
        }
    }

    /// The mark in the context file.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Pending => "⏳ PENDING",
            Self::InProgress => "🔄 IN_PROGRESS",
            Self::Done => "✅ DONE",
            Self::Failed => "❌ FAILED",
            Self::Blocked => "🚫 BLOCKED",
            Self::Skipped => "⏭️ SKIPPED",
        }
    }

    /// The mark of a package's task list.
    #[must_use]
    pub const fn package_mark(self) -> &'static str {
        match self {
            Self::Pending | Self::InProgress => " ",
            Self::Done => "√",
            Self::Failed => "X",
            Self::Blocked => "?",
            Self::Skipped => "-",
        }
    }

    /// Whether nothing more is done about it by itself.
    #[must_use]
    pub const fn closed(self) -> bool {
        match self {
            Self::Done | Self::Failed | Self::Skipped => true,
            Self::Pending | Self::InProgress | Self::Blocked => false,
        }
    }
}

/// Why a task was skipped or given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloseWhy {
    /// Its evidence is there.
    Evidence,
    /// A person said so.
    Person,
    /// What it needs was given up.
    Dependency,
    /// `on_failure = continue`.
    Policy,
}

/// A task and how it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What is to be done.
    #[serde(flatten)]
    pub spec: Spec,
    /// How it stands.
    pub status: Status,
    /// What was said of it last.
    pub summary: Option<String>,
    /// Turns that were begun for it.
    pub turns: u32,
    /// Fixes that were tried, ever.
    pub fixes: u32,
    /// When it left pending.
    pub started_at: Option<At>,
    /// When it was closed.
    pub ended_at: Option<At>,
    /// Paths that its turns changed.
    pub files_changed: Vec<String>,
    /// Ids of its evidence.
    pub evidence: Vec<String>,
    /// The checkpoint that was made before it.
    #[serde(default)]
    pub checkpoint: Option<String>,
    /// What somebody says of it without proof.
    #[serde(default)]
    pub claim: Option<Status>,
    /// Why it was closed.
    #[serde(default)]
    pub closed: Option<CloseWhy>,
    /// Whether those that need it may go on although it is not done.
    #[serde(default)]
    pub satisfied: bool,
    /// Signatures of its failures, in the order in which they were seen.
    #[serde(default)]
    pub seen: Vec<String>,
    /// How often it was opened again.
    #[serde(default)]
    pub reopened: u32,
}

impl Task {
    /// A task that nothing has been done about.
    #[must_use]
    pub fn new(spec: Spec) -> Self {
        let claim = spec.claimed.then_some(Status::Done);
        Self {
            spec,
            status: Status::Pending,
            summary: None,
            turns: 0,
            fixes: 0,
            started_at: None,
            ended_at: None,
            files_changed: Vec::new(),
            evidence: Vec::new(),
            checkpoint: None,
            claim,
            closed: None,
            satisfied: false,
            seen: Vec::new(),
            reopened: 0,
        }
    }

    /// Whether those that need it may go on.
    #[must_use]
    pub fn satisfies(&self) -> bool {
        self.status == Status::Done || self.satisfied
    }
}
