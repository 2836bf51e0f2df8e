//! The actions of a loop as rows, the oldest first. Only those that are still remembered.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::super::event::ActionResult;
use super::super::phase::ActionRecord;
use super::super::state::Life;
use super::time::rfc3339;

/// One action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct HistoryRow {
    pub n: u32,
    pub iteration: u32,
    pub action: &'static str,
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    pub child: Option<String>,
    pub started_at: String,
    pub ended_at: String,
    pub duration_ms: u64,
    pub result: &'static str,
    pub counted: bool,
    pub summary: String,
    pub files_changed: Vec<String>,
}

/// The actions that have ended.
#[must_use]
pub fn history(life: &Life) -> Vec<HistoryRow> {
    life.body.records.iter().map(row).collect()
}

fn row(record: &ActionRecord) -> HistoryRow {
    let result = match &record.result {
        ActionResult::Ok => "ok",
        ActionResult::Failed { .. } | ActionResult::Blocked { .. } => "failed",
        ActionResult::Dropped => "dropped",
    };
    HistoryRow {
        n: record.n,
        iteration: record.iteration,
        action: record.kind.word(),
        rule: record.rule.clone(),
        task_id: record.task.clone(),
        child: record.child.clone(),
        started_at: rfc3339(record.started_at),
        ended_at: rfc3339(record.ended_at),
        duration_ms: record.ended_at.since(record.started_at),
        result,
        counted: record.counted,
        summary: record.summary.clone(),
        files_changed: record.files_changed.clone(),
    }
}
