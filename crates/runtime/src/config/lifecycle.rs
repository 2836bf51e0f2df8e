//! `[lifecycle]` and `[fix]` as plain fields. Checked already; what a run makes of them is not
//! decided here.

use super::choices::TurnOnFailure;
use super::settings::{PROVEN, Read};

/// `[lifecycle]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifecycle {
    /// The page of working memory, below the root.
    pub context_path: String,
    /// Where plans are drawn, below the root.
    pub prd_dir: String,
    /// Where the pages of closed tasks lie, below the root.
    pub history_dir: String,
    /// What happens to the rest when a task is given up.
    pub on_failure: TurnOnFailure,
    /// How long a plan waits for its answer; none = for ever.
    pub confirm_expiry_ms: Option<u64>,
    /// Turns of one run.
    pub budget_turns: u64,
    /// Working time of one run.
    pub budget_wall_ms: u64,
    /// What one run may cost, in millionths of a dollar; none = unlimited.
    pub budget_micros: Option<u64>,
}

/// `[fix]`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fix {
    /// Fixes in a row; 0 = none.
    pub limit: u64,
    /// Whether a failure that was seen before ends fixing.
    pub stop_on_repeat: bool,
    /// Fixes of one task.
    pub total_per_task: u64,
    /// Fixes of one run.
    pub total_per_run: u64,
}

impl Lifecycle {
    pub(super) fn of(read: &Read<'_>) -> Self {
        let limited = |name: &str| Some(read.whole(name)).filter(|most| *most > 0);
        let on_failure = TurnOnFailure::named(&read.text("lifecycle.on_failure"));
        Self {
            context_path: read.text("lifecycle.context_path"),
            prd_dir: read.text("lifecycle.prd_dir"),
            history_dir: read.text("lifecycle.history_dir"),
            on_failure: on_failure.expect(PROVEN),
            confirm_expiry_ms: limited("lifecycle.confirm_expiry"),
            budget_turns: read.whole("lifecycle.budget.turns"),
            budget_wall_ms: read.whole("lifecycle.budget.wall"),
            budget_micros: limited("lifecycle.budget.cost_usd"),
        }
    }
}

impl Fix {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self {
            limit: read.whole("fix.limit"),
            stop_on_repeat: read.bool("fix.stop_on_repeat"),
            total_per_task: read.whole("fix.total_per_task"),
            total_per_run: read.whole("fix.total_per_run"),
        }
    }
}
