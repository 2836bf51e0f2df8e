//! `changes.log`: one line per action that was to change files, or did; instrumenting and putting
//! back are lines of their own.

use kernel::loops::view::rfc3339;
use kernel::loops::{ActionRecord, ActionResult, Body, Kind, Leg, LegChange};
use serde::Serialize;

#[derive(Serialize)]
struct Line<'a> {
    timestamp: String,
    task_id: Option<&'a str>,
    description: &'a str,
    files_changed: &'a [String],
    result: &'static str,
    ext: Ext<'a>,
}

#[derive(Serialize)]
struct Ext<'a> {
    n: u32,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// Draws the log.
pub(in super::super) fn changes(body: &Body) -> String {
    let mut text = String::new();
    for record in &body.records {
        let legs = record.changes.iter().map(|change| leg_line(body, record, change));
        let own = shown(record).then(|| line(body, record));
        for line in legs.chain(own).filter_map(|line| serde_json::to_string(&line).ok()) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// One leg that prepares or cleans up.
fn leg_line<'a>(body: &'a Body, record: &'a ActionRecord, change: &'a LegChange) -> Line<'a> {
    let action = match change.leg {
        Leg::Restore => "restore",
        Leg::Breakdown
        | Leg::Work
        | Leg::Explore
        | Leg::Instrument
        | Leg::Reproduce
        | Leg::Analyze
        | Leg::Check(_)
        | Leg::Seal => "instrument",
    };
    Line {
        timestamp: rfc3339(change.at),
        files_changed: &change.files_changed,
        result: if change.error.is_none() { "success" } else { "failed" },
        ext: Ext { n: record.n, action, error: change.error.as_deref() },
        ..line(body, record)
    }
}

fn shown(record: &ActionRecord) -> bool {
    match (record.kind, &record.result) {
        (Kind::Develop, ActionResult::Ok | ActionResult::Failed { .. }) => true,
        (Kind::Develop, ActionResult::Blocked { .. } | ActionResult::Dropped)
        | (Kind::Init | Kind::Validate | Kind::Complete, _) => !record.files_changed.is_empty(),
        (Kind::Debug, _) => !record.files_changed.is_empty() && record.changes.is_empty(),
    }
}

fn line<'a>(body: &'a Body, record: &'a ActionRecord) -> Line<'a> {
    let task = record.task.as_deref().and_then(|id| body.task(id));
    let (result, error) = match &record.result {
        ActionResult::Ok => ("success", None),
        ActionResult::Failed { message } | ActionResult::Blocked { message, .. } => {
            ("failed", Some(message.as_str()))
        }
        ActionResult::Dropped => ("failed", Some("dropped")),
    };
    Line {
        timestamp: rfc3339(record.ended_at),
        task_id: record.task.as_deref(),
        description: task.map_or(record.summary.as_str(), |task| &task.description),
        files_changed: &record.files_changed,
        result,
        ext: Ext { n: record.n, action: record.kind.word(), error },
    }
}
