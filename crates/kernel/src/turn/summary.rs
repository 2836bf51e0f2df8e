//! What a turn tells at its end: the summary's model, the report to its parent, and every fact as a
//! line of the audit log. Drawn from states and facts; sentences are made elsewhere.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::event::Event;
use super::evidence::CheckResult;
use super::models::AuditLogEntry;
use super::plan::Plan;
use super::stamp::Stamp;
use super::state::{Outcome, Phase, State, Verified};
use crate::machine::At;

/// A changed file, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct ChangedFile {
    pub path: String,
    pub action: String,
    pub added: u64,
    pub removed: u64,
}

/// What the checks came to, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct VerifiedBy {
    pub state: Verified,
    pub commands: Vec<String>,
    pub digest: Option<String>,
}

/// How something is taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Rollback {
    pub command: String,
    pub covers: Vec<String>,
    pub level: String,
}

/// What a turn cost. Not told is none, never zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct TurnUsage {
    pub calls: u32,
    pub tokens_in: u64,
    pub tokens_out: u64,
    pub cost_usd: Option<f64>,
    pub active_ms: u64,
}

/// Text for a pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct PullRequest {
    pub title: String,
    pub body: String,
}

/// What changed, why, how it was verified, what is risky and how to go back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Summary {
    pub outcome: String,
    pub goal: String,
    pub changed: Vec<ChangedFile>,
    pub why: String,
    pub verified: VerifiedBy,
    pub warnings: Vec<String>,
    pub risks: Vec<String>,
    pub rollback: Vec<Rollback>,
    pub manual_steps: Vec<String>,
    pub unknown_calls: Vec<String>,
    pub next_steps: Vec<String>,
    pub usage: TurnUsage,
    pub commit_message: String,
    pub pr: PullRequest,
}

/// What a parent hears of a turn that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// What the checks came to.
    pub verified: Verified,
    /// Results of the last round of checks.
    pub evidence: Vec<CheckResult>,
    /// Which round that was: its calls are owed under `verify/{round}/{index}`.
    pub round: u32,
    /// What the digests of the results speak of, as globs; empty = the changed paths.
    pub covers: Vec<String>,
    /// Paths that were changed.
    pub files_changed: Vec<String>,
    /// Where the answer lies.
    pub answer: Option<String>,
    /// The plan as it stands.
    pub plan: Option<Box<Plan>>,
    /// Where the summary lies.
    pub summary: Option<String>,
    /// What was spent.
    pub spent: super::state::Ledger,
    /// When the last rate limit that was met ends.
    pub reset_at: Option<At>,
    /// Whose limit that is.
    pub limited: Option<String>,
}

/// What the parent hears, once it is over.
#[must_use]
pub fn report(state: &State) -> Option<Report> {
    let life = state.life()?;
    let Phase::Done(over) = &life.phase else { return None };
    let work = life.body.work.as_deref();
    let last = work.and_then(|work| work.rounds.last());
    Some(Report {
        outcome: over.outcome.clone(),
        verified: over.verified,
        evidence: last.map(|round| round.results.clone()).unwrap_or_default(),
        round: last.map_or(0, |round| round.round),
        covers: life.body.start.covers.clone(),
        files_changed: work.map(|work| work.changed.keys().cloned().collect()).unwrap_or_default(),
        answer: over.answer.clone(),
        plan: work.map(|work| Box::new(work.plan.clone())),
        summary: over.summary.clone(),
        spent: life.body.ledger,
        reset_at: life.body.reset_at,
        limited: life.body.limited.clone(),
    })
}

/// A recorded fact as a line of the audit log; `state` is the turn after it.
#[must_use]
pub fn audit(state: &State, event: &Event, seq: u64, at: At) -> Option<AuditLogEntry> {
    let start = &state.life()?.body.start;
    let plan = state.life()?.body.work.as_deref().map(|work| work.plan.plan_id.clone());
    let call = if let Event::CallRecorded { line, .. } = event {
        Some(line.call_id.clone()).filter(|id| !id.is_empty())
    } else {
        None
    };
    Some(AuditLogEntry {
        timestamp: Stamp(at),
        trace_id: start.trace_id.clone(),
        session_id: start.session_id.clone(),
        event: event_word(event.name()),
        plan_id: plan,
        tool_call_id: call,
        data: data(event),
        seq,
        run_id: start.id.clone(),
    })
}

/// The fact's own fields; a fact without any has none.
fn data(event: &Event) -> Option<Map<String, Value>> {
    match serde_json::to_value(event).ok()? {
        Value::Object(mut named) => match named.remove(event.name())? {
            Value::Object(fields) => Some(fields),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    }
}

/// A fact's name as logs show it: `StepDone` as `step_done`.
#[must_use]
pub fn event_word(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() && at > 0 {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::samples::sample_states;
    use super::*;

    #[test]
    fn the_pages_summary_is_read_and_written() {
        let text = [
            r#"{"outcome":"completed","goal":"Add --json to list","#,
            r#""changed":[{"path":"src/list.rs","action":"modified","added":18,"removed":2}],"#,
            r#""why":"machine-readable output","verified":{"state":"passed","#,
            r#""commands":["cargo test -p cli"],"digest":"sha256:9c"},"warnings":[],"#,
            r#""risks":[],"rollback":[{"command":"loopwright undo turn-01JC","#,
            r#""covers":["src/list.rs"],"level":"Exact"}],"manual_steps":[],"#,
            r#""unknown_calls":[],"next_steps":[],"usage":{"calls":3,"tokens_in":0,"#,
            r#""tokens_out":0,"cost_usd":null,"active_ms":9120},"#,
            r#""commit_message":"feat: add --json to list","pr":{"title":"t","body":"b"}}"#,
        ]
        .concat();
        let summary: Summary = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&summary).unwrap(), text);
    }

    #[test]
    fn facts_become_lines() {
        let find =
            |name: &str| sample_states().into_iter().find(|(one, _)| *one == name).unwrap().1;
        let state = find("executing");
        let event = Event::CallDenied { name: "write".into(), rule: "paths".into() };
        let entry = audit(&state, &event, 41, At(1_000)).unwrap();
        assert_eq!((entry.event.as_str(), entry.run_id.as_str()), ("call_denied", "turn-sample"));
        assert_eq!(entry.data.unwrap()["rule"], "paths");
        assert_eq!(entry.plan_id.as_deref(), Some("plan-sample"));
        assert_eq!(audit(&state, &Event::Ended, 42, At(1)).unwrap().data, None);
    }

    #[test]
    fn only_what_is_over_is_reported() {
        for (name, state) in sample_states() {
            assert_eq!(report(&state).is_some(), state.ended(), "{name}");
        }
    }
}
