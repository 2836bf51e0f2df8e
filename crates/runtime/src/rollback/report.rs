//! What a rollback says when it ends or stops.

use kernel::rollback::{Kept, NotCovered, RawPath};
use serde::Serialize;

/// Whether all was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Every path holds what was planned.
    Done,
    /// It stopped; run again it goes on with the same plan.
    Stopped,
}

/// The parts of a rollback, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Is everything there that is needed?
    Check,
    /// A checkpoint of how it is, and the plan.
    Save,
    /// Copies of what gives way.
    Aside,
    /// The checkpoint's content.
    Restore,
    /// What the run made.
    Remove,
    /// Does every path hold what was planned?
    Verify,
}

/// Where a rollback stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedAt {
    /// In which part.
    pub phase: Phase,
    /// At which path.
    pub path: Option<String>,
}

/// A path that stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeptPath {
    /// Where.
    #[serde(flatten)]
    pub path: RawPath,
    /// Why.
    pub reason: Kept,
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The id.
    pub rollback_id: String,
    /// Whether all was done.
    pub state: State,
    /// Paths that hold what was planned.
    pub done: Vec<String>,
    /// Everything in the aside folder, by its path there.
    pub aside: Vec<String>,
    /// Paths that stay as they are, and why.
    pub kept: Vec<KeptPath>,
    /// What the checkpoint does not vouch for.
    pub not_covered: Vec<NotCovered>,
    /// Where it stopped.
    pub failed_at: Option<FailedAt>,
    /// What stopped it: class and detail.
    pub error: Option<(&'static str, &'static str)>,
    /// Paths that were not reached.
    pub pending: Vec<String>,
    /// The checkpoint made before the first change; rolling back to it takes this back.
    pub undo: String,
}
