//! The control signal: what a skill is told when it asks, before every action, whether to go on.

use serde::Serialize;

use super::super::phase::Phase;
use super::super::state::State;

/// The answer to a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names are the seed's own")]
pub struct Signal {
    #[serde(rename = "continue")]
    pub go_on: bool,
    pub action: &'static str,
    pub reason: &'static str,
    pub ext: SignalExt,
}

/// What the seed's signal does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names are the seed's own")]
pub struct SignalExt {
    pub status: Option<&'static str>,
    pub rev: u64,
    pub next_action: Option<&'static str>,
}

/// Answers a skill. `state` is none where there is no such loop.
#[must_use]
pub fn signal(state: Option<&State>, runner: Option<&str>, rev: u64) -> Signal {
    let Some(life) = state.and_then(State::life) else {
        return stop("state_not_found", None, rev);
    };
    let status = Some(life.phase.status());
    match &life.phase {
        Phase::Created => stop("not_started", status, rev),
        Phase::Completed { .. } => stop("completed", status, rev),
        Phase::Failed { .. } => stop("stopped", status, rev),
        Phase::Paused(_) => Signal {
            go_on: false,
            action: "pause_exit",
            reason: "paused",
            ext: SignalExt { status, rev, next_action: Some("PAUSED") },
        },
        Phase::Acting(_) | Phase::Choosing { .. } => match runner {
            Some(_) => stop("not_owner", status, rev),
            None => running(status, rev),
        },
        Phase::Lent { runner: holder, .. } => match (holder.as_deref(), runner) {
            (Some(holder), Some(runner)) if holder != runner => stop("not_owner", status, rev),
            (Some(_) | None, Some(_) | None) => running(status, rev),
        },
    }
}

/// Answers a skill whose loop is there and can't be read: nobody knows whether it may go on.
#[must_use]
pub const fn unreadable() -> Signal {
    stop("unknown_status", None, 0)
}

const fn running(status: Option<&'static str>, rev: u64) -> Signal {
    let ext = SignalExt { status, rev, next_action: None };
    Signal { go_on: true, action: "continue", reason: "running", ext }
}

const fn stop(reason: &'static str, status: Option<&'static str>, rev: u64) -> Signal {
    let ext = SignalExt { status, rev, next_action: Some("STOPPED") };
    Signal { go_on: false, action: "stop_exit", reason, ext }
}
