//! What all views have in common: moments as the seed writes them, paths, and the participants of a
//! run that has none yet.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::participant::{Fault, How, Output, Participant};
use super::super::state::{Shortfall, State};
use crate::loops::view::rfc3339;
use crate::machine::At;

/// What the journal knows of a run and its state does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// The run's id.
    pub run_id: String,
    /// The run that owns it.
    pub parent: Option<String>,
    /// How many facts it has.
    pub seq: u64,
    /// When the last one was recorded.
    pub updated_at: At,
}

/// A moment as the seed writes it, to the second.
pub fn moment(at: At) -> String {
    let text = rfc3339(at);
    let whole = text.split('.').next().unwrap_or_default();
    format!("{whole}Z")
}

/// A path below our own directory, as people see it.
pub fn ours(path: &str) -> String {
    format!(".loop/{path}")
}

/// The participants; before the gate has passed, as they will begin.
pub fn everyone(state: &State) -> Cow<'_, [Participant]> {
    let all = state.participants();
    match state.run() {
        Some(run) if all.is_empty() => {
            run.plan.participants.iter().map(|one| Participant::new(&one.name)).collect()
        }
        Some(_) | None => Cow::Borrowed(all),
    }
}

/// What a run lacks or lacked.
#[must_use]
pub fn shortfall(state: &State) -> Option<&Shortfall> {
    match state {
        State::Degraded { shortfall, .. } => Some(shortfall),
        State::Success { mark, .. } => mark.as_ref().map(|mark| &mark.shortfall),
        State::Failed { shortfall, .. } => shortfall.as_ref(),
        State::New | State::Init { .. } | State::Running { .. } => None,
    }
}

/// When a run started, when it ended.
pub fn times(state: &State) -> (Option<At>, Option<At>) {
    match state {
        State::New | State::Init { .. } => (None, None),
        State::Running { started_at, .. } => (Some(*started_at), None),
        State::Degraded { started_at, ended_at, .. }
        | State::Success { started_at, ended_at, .. } => (Some(*started_at), Some(*ended_at)),
        State::Failed { started_at, ended_at, .. } => (*started_at, Some(*ended_at)),
    }
}

/// The run's own code, once it has failed.
pub fn error_code(state: &State) -> Option<String> {
    match state {
        State::Failed { code, .. } => Some(code.clone()),
        State::New
        | State::Init { .. }
        | State::Running { .. }
        | State::Degraded { .. }
        | State::Success { .. } => None,
    }
}

/// The evidence of a fault, or its detail word in plain letters; an answer out of form is evidence
/// by the file it is kept in.
pub fn detail(fault: &Fault) -> String {
    if fault.detail.is_empty() {
        fault.kind.replace('_', " ")
    } else if fault.code == "E_MODEL" && fault.detail.starts_with("calls/") {
        format!("{}: {}", fault.kind, ours(&fault.detail))
    } else {
        fault.detail.clone()
    }
}

/// The text a participant left, whether it counts or not.
pub fn left(one: &Participant) -> Option<&Output> {
    match one.how()? {
        How::Answered { output, .. } | How::Unproven { output } | How::Poor { output, .. } => {
            Some(output)
        }
        How::TimedOut { partial } | How::Failed { partial } | How::Cancelled { partial } => {
            partial.as_ref()
        }
        How::Skipped { .. } => None,
    }
}

/// Text of a participant that counts for nothing.
pub fn unverified(one: &Participant) -> Option<String> {
    if one.usable() { None } else { left(one).map(|output| ours(&output.text.path)) }
}

/// Missing dimensions as a list.
pub fn missing(state: &State) -> Vec<String> {
    shortfall(state).map(|one| one.missing.items().to_vec()).unwrap_or_default()
}

/// The level's word.
pub fn level(state: &State) -> Option<String> {
    shortfall(state).map(|one| one.level.word().to_string())
}
