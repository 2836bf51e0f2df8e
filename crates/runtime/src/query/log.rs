//! The audit entries of a run: each record as one line a person can read.

use journal::{Head, Journal, Record};
use kernel::machine::At;
use kernel::run::{Event, Kind, State};
use kernel::turn::{self, AuditLogEntry, event_word};
use serde::Serialize;
use serde_json::{Value, json};

use super::fold::{step, unborn};
use super::refusal::Refusal;
use super::show::at_ms;

/// A summary is one line of a terminal.
const SUMMARY_CHARS_MAX: usize = 160;

/// One audit entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Logged {
    /// Its place in the run.
    pub seq: u64,
    /// Its place in the journal.
    pub pos: u64,
    /// When.
    pub at: String,
    /// Who.
    pub by: String,
    /// What.
    pub kind: String,
    /// The fact's plain values, shortened.
    pub summary: String,
    /// The trace that leads to the command behind it.
    pub trace_id: String,
}

/// The entries of a run after a sequence number, oldest first.
///
/// # Errors
/// A record that cannot be read.
pub fn log(journal: &dyn Journal, head: &Head, after: u64) -> Result<Vec<Logged>, Refusal> {
    Ok(journal.read_run(&head.run, after)?.iter().map(|record| logged(head, record)).collect())
}

/// The entries of a turn as its audit log has them, oldest first; none of another machine's run.
///
/// # Errors
/// A record that cannot be read.
pub fn audit(
    journal: &dyn Journal,
    head: &Head,
    after: u64,
) -> Result<Vec<AuditLogEntry>, Refusal> {
    let mut folded = unborn(head)?;
    let mut entries = Vec::new();
    for record in journal.read_run(&head.run, 0)? {
        step(&mut folded, &record)?;
        let (State::Turn(state), Ok(Event::Turn(event))) =
            (&folded.state, Event::from_record(folded.state.kind(), &record.body))
        else {
            continue;
        };
        let entry = turn::audit(state, &event, record.seq, At(record.at_ms));
        entries.extend(entry.filter(|_| record.seq > after));
    }
    Ok(entries)
}

/// The entries of any run in the form of an audit log, oldest first. Those of other machines than
/// a turn keep their short form beside it.
///
/// # Errors
/// A record that cannot be read.
pub fn audited(journal: &dyn Journal, head: &Head, after: u64) -> Result<Vec<Value>, Refusal> {
    if head.machine == Kind::Turn.name() {
        return Ok(audit(journal, head, after)?.iter().map(|entry| json!(entry)).collect());
    }
    let session = session_of(journal, head)?;
    let call = (head.machine == Kind::Call.name()).then_some(&head.run);
    let entry = |record: &Record| {
        let mut entry = json!(logged(head, record));
        entry["timestamp"] = entry["at"].clone();
        entry["session_id"] = json!(session);
        entry["event"] = json!(event_word(&record.kind));
        entry["plan_id"] = Value::Null;
        entry["tool_call_id"] = json!(call);
        entry["data"] = fact(&record.body);
        entry["run_id"] = json!(head.run);
        entry
    };
    Ok(journal.read_run(&head.run, after)?.iter().map(entry).collect())
}

/// The session that a run belongs to; empty for one that a person started alone.
fn session_of(journal: &dyn Journal, head: &Head) -> Result<String, Refusal> {
    let mut above = Some(head.clone());
    while let Some(one) = above {
        if one.machine == Kind::Session.name() {
            return Ok(one.run);
        }
        above = match &one.parent {
            Some(parent) => journal.head(parent)?,
            None => None,
        };
    }
    Ok(String::new())
}

/// What a record says, without its own name.
fn fact(body: &str) -> Value {
    match serde_json::from_str(body) {
        Ok(Value::Object(fields)) if fields.len() == 1 => fields.into_iter().next().map_or_else(
            || json!({}),
            |(_, inner)| match inner {
                Value::Object(_) => inner,
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_) => json!({ "value": inner }),
            },
        ),
        Ok(_) | Err(_) => json!({}),
    }
}

/// A turn's facts are told by the words of its audit log, all others by their own names.
fn kind(head: &Head, record: &Record) -> String {
    if head.machine == Kind::Turn.name() { event_word(&record.kind) } else { record.kind.clone() }
}

pub(super) fn logged(head: &Head, record: &Record) -> Logged {
    Logged {
        seq: record.seq,
        pos: record.pos,
        at: at_ms(record.at_ms),
        by: record.by.clone(),
        kind: kind(head, record),
        summary: summary(&record.body),
        trace_id: record.trace.clone(),
    }
}

/// `name=value` for each plain value of the fact, outermost first. Events are written as
/// `{"name": {…}}` or as a bare name.
fn summary(body: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(body) else { return String::new() };
    let mut words = Vec::new();
    let inner = match &value {
        Value::Object(fields) if fields.len() == 1 => fields.values().next(),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => Some(&value),
    };
    if let Some(inner) = inner {
        plain(inner, DEPTH_MAX, &mut words);
    }
    let text = words.join(" ");
    match text.char_indices().nth(SUMMARY_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Deeper values are detail, not summary.
const DEPTH_MAX: usize = 2;

fn plain(value: &Value, depth: usize, words: &mut Vec<String>) {
    let Value::Object(fields) = value else { return };
    let scalar = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::String(_) | Value::Null | Value::Array(_) | Value::Object(_) => None,
    };
    let named =
        fields.iter().filter_map(|(name, value)| Some(format!("{name}={}", scalar(value)?)));
    words.extend(named);
    if depth > 0 {
        fields.values().for_each(|value| plain(value, depth - 1, words));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_shows_plain_values_outermost_first() {
        let table = [
            (r#""paused""#, ""),
            (
                r#"{"started":{"attempt":2,"prep":{"sandbox":"none"},"at":null}}"#,
                "attempt=2 sandbox=none",
            ),
            (r#"{"a":{"b":{"c":{"d":{"e":1}}}}}"#, ""),
            ("not json", ""),
        ];
        for (body, expected) in table {
            assert_eq!(summary(body), expected, "{body}");
        }
        let long = format!(r#"{{"x":{{"text":"{}"}}}}"#, "文".repeat(500));
        assert_eq!(summary(&long).chars().count(), SUMMARY_CHARS_MAX + 1);
    }
}
