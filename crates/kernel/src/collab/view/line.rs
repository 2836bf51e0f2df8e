//! One line for log files for each critical event of a run.

use alloc::format;
use alloc::string::{String, ToString};

use serde::Serialize;

use super::super::event::Event;
use super::super::participant::Participant;
use super::super::plan::Lang;
use super::super::state::State;
use super::super::words;
use super::shown::{Meta, moment, shortfall, times};

/// A critical event, as one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct Line {
    pub r#type: &'static str,
    pub timestamp: String,
    pub task_id: Option<String>,
    pub backend: Option<String>,
    pub session_id: Option<String>,
    pub duration_ms: Option<u64>,
    pub degraded_reason: Option<String>,
    pub event: &'static str,
    pub message: String,
}

/// What a fact is about.
enum About<'a> {
    Run(&'static str),
    One(&'static str, &'a str),
    Nothing,
}

/// The line of a fact, with the state it led to; none if the fact is not critical.
#[must_use]
pub fn line(state: &State, event: &Event, meta: &Meta) -> Option<Line> {
    let run = state.run()?;
    let reason = shortfall(state).map(|one| one.reason.clone());
    let stamp = |event, message| Line {
        r#type: "critical_event",
        timestamp: moment(meta.updated_at),
        task_id: None,
        backend: None,
        session_id: None,
        duration_ms: None,
        degraded_reason: None,
        event,
        message,
    };
    match about(event) {
        About::Nothing => None,
        About::Run(word) => {
            let (started, ended) = times(state);
            let until = ended.unwrap_or(meta.updated_at);
            Some(Line {
                task_id: Some(meta.run_id.clone()),
                duration_ms: started.map(|from| until.since(from)),
                degraded_reason: reason,
                ..stamp(word, run_message(state, run.plan.lang))
            })
        }
        About::One(word, p) => {
            let one = state.participant(p)?;
            let until = one.ended_at().unwrap_or(meta.updated_at);
            Some(Line {
                task_id: one.last_call.clone(),
                backend: run.plan.member(p).map(|member| member.agent.clone()),
                session_id: one.proven().or(one.captured.as_ref()).cloned(),
                duration_ms: one.started_at.map(|from| until.since(from)),
                ..stamp(word, one_message(one, run.plan.lang))
            })
        }
    }
}

fn about(event: &Event) -> About<'_> {
    match event {
        Event::Created { .. } => About::Run("init"),
        Event::RunStarted { .. } => About::Run("running"),
        Event::Succeeded { .. } => About::Run("success"),
        Event::Degraded { .. } => About::Run("degraded"),
        Event::GateFailed { .. } | Event::RunFailed { .. } => About::Run("failed"),
        Event::RetryScheduled { p, .. } | Event::CorrectionScheduled { p, .. } => {
            About::One("retry", p)
        }
        Event::ParticipantStarted { p, .. } | Event::ParticipantEnded { p, .. } => {
            About::One("participant", p)
        }
        Event::GatePassed { .. }
        | Event::SessionCaptured { .. }
        | Event::LaunchOwed { .. }
        | Event::StopRequested { .. }
        | Event::TotalTimedOut
        | Event::CancelRequested { .. }
        | Event::DeadlineExtended { .. }
        | Event::Confirmed { .. }
        | Event::QuestionDeferred { .. }
        | Event::Declined { .. } => About::Nothing,
    }
}

fn run_message(state: &State, lang: Lang) -> String {
    let word = words::state(state.name(), lang);
    match state {
        State::Failed { cause, code, .. } => {
            format!("{word}: {} {code} {}", cause.word(), words::code(code, lang))
        }
        State::New
        | State::Init { .. }
        | State::Running { .. }
        | State::Degraded { .. }
        | State::Success { .. } => word.to_string(),
    }
}

fn one_message(one: &Participant, lang: Lang) -> String {
    let status = one.status();
    match one.errors.last().filter(|_| !one.usable()) {
        Some(fault) => {
            format!("{}: {status}, {} {}", one.name, fault.code, words::code(&fault.code, lang))
        }
        None => format!("{}: {status}", one.name),
    }
}
