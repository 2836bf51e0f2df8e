//! Rows of a run of which at least one process has started.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::super::bounds::TIMEOUT_MAX_MS;
use super::super::command::Command;
use super::super::decide::{Decided, not_now, not_owed};
use super::super::draft::Draft;
use super::super::event::Event;
use super::super::live::Live;
use super::super::participant::{How, Participant, Phase, Skip, StopWhy};
use super::super::refusal::Refusal;
use super::super::session::valid_session;
use super::super::state::State;
use super::shared;
use crate::machine::{At, Said};

/// What a running run answers.
pub fn row(state: &State, said: &Said<Command>) -> Decided {
    match &said.command {
        Command::CallStarted { .. } => Ok(Vec::from([started(state, &said.command)?])),
        Command::SessionSeen { p, launch, id } => session_seen(state, (p, *launch), id, said),
        Command::CallEnded { p, launch, outcome } => {
            shared::call_ended(state, (p, *launch), outcome, said)
        }
        Command::AttemptDue { p, launch } => attempt_due(state, (p, *launch), said),
        Command::BackoffDue { p, launch } => shared::backoff_due(state, (p, *launch), said),
        Command::StopDue { p, launch } => shared::stop_due(state, (p, *launch), said),
        Command::TotalDue => total_due(state, said),
        Command::Cancel { scope } => shared::cancel(state, scope, said),
        Command::Extend { ms } => extend(state, *ms, said),
        Command::GateChecked(_) | Command::QuestionDue { .. } => {
            Err(not_owed(state, &said.command))
        }
        Command::Create { .. } | Command::Answer { .. } => Err(not_now(state, &said.command)),
    }
}

/// The fact that a launch has started, with its due.
pub fn started(state: &State, command: &Command) -> Result<Event, Refusal> {
    let Command::CallStarted { p, launch, call, at } = command else {
        return Err(not_owed(state, command));
    };
    let (one, current) = shared::at_launch(state, p, *launch, command)?;
    let (Phase::Starting { .. }, Some(live)) = (&one.phase, Live::of(state)) else {
        return Err(not_owed(state, command));
    };
    Ok(Event::ParticipantStarted {
        p: p.clone(),
        launch: *launch,
        call: call.clone(),
        since: *at,
        due: live.launch_due(current, *at),
    })
}

/// The stream named a conversation. The first of a launch counts; it must be one of this agent's,
/// and nobody else's.
fn session_seen(
    state: &State,
    (p, launch): (&str, u32),
    id: &str,
    said: &Said<Command>,
) -> Decided {
    let (one, _) = shared::at_launch(state, p, launch, &said.command)?;
    let seen = match &one.phase {
        Phase::Running { session, .. } | Phase::Stopping { session, .. } => session,
        Phase::Pending | Phase::Starting { .. } | Phase::Backoff { .. } | Phase::Ended { .. } => {
            return Err(not_owed(state, &said.command));
        }
    };
    if seen.as_deref() == Some(id) {
        return Ok(Vec::new());
    }
    let fits = Live::of(state).is_some_and(|live| {
        let kind = live.plan.member(p).map(|member| member.kind);
        kind.is_some_and(|kind| valid_session(kind, id)) && !live.taken(p, id)
    });
    if seen.is_some() || !fits {
        return Err(Refusal::BadSession { participant: p.into(), id: id.into() });
    }
    Ok(Vec::from([Event::SessionCaptured { p: p.into(), launch, id: id.into() }]))
}

/// A launch's time is up. If the run's is up at the same moment, that is what happens, whichever
/// timer fires first.
fn attempt_due(state: &State, (p, launch): (&str, u32), said: &Said<Command>) -> Decided {
    let (one, _) = shared::at_launch(state, p, launch, &said.command)?;
    match &one.phase {
        Phase::Running { due, .. } if said.at >= *due => {
            let last = Live::of(state).and_then(|live| live.due).is_some_and(|run| *due >= run);
            if last {
                return total_due(state, said);
            }
            let stop = shared::stop(one, StopWhy::AttemptTimeout, said.at);
            Ok(stop.into_iter().collect())
        }
        Phase::Running { .. }
        | Phase::Pending
        | Phase::Starting { .. }
        | Phase::Backoff { .. }
        | Phase::Stopping { .. }
        | Phase::Ended { .. } => Err(not_owed(state, &said.command)),
    }
}

/// The run's time is up: nothing new starts, what is under way is stopped.
fn total_due(state: &State, said: &Said<Command>) -> Decided {
    match state {
        State::Running { due, total_timed_out: false, .. } if said.at >= *due => {}
        State::New
        | State::Init { .. }
        | State::Running { .. }
        | State::Degraded { .. }
        | State::Success { .. }
        | State::Failed { .. } => return Err(not_owed(state, &said.command)),
    }
    let mut draft = Draft::new(state, said.at);
    draft.push(Event::TotalTimedOut);
    for one in state.participants() {
        draft.extend(timed_out(one, said.at));
    }
    draft.settled()
}

fn timed_out(one: &Participant, at: At) -> Option<Event> {
    let how = match &one.phase {
        Phase::Starting { .. } | Phase::Running { .. } => {
            return shared::stop(one, StopWhy::TotalTimeout, at);
        }
        Phase::Stopping { .. } | Phase::Ended { .. } => return None,
        Phase::Pending => How::Skipped { why: Skip::NoTime },
        Phase::Backoff { .. } => match one.errors.last().map(|fault| fault.code.as_str()) {
            Some("E004") => How::TimedOut { partial: None },
            Some(_) | None => How::Failed { partial: None },
        },
    };
    let (p, stop_unproven) = (one.name.clone(), Vec::new());
    Some(Event::ParticipantEnded { p, how, fault: None, usage: None, stop_unproven })
}

/// A person goes on waiting.
fn extend(state: &State, ms: u64, said: &Said<Command>) -> Decided {
    let State::Running { started_at, due, cancelling, total_timed_out, .. } = state else {
        return Err(not_now(state, &said.command));
    };
    if ms == 0 {
        return Err(Refusal::InvalidArgs { path: "/ms".to_string(), expected: "at least 1 ms" });
    }
    let late = due.plus(ms) > started_at.plus(TIMEOUT_MAX_MS);
    if cancelling.is_some() || *total_timed_out || late {
        return Err(Refusal::Limit { max: TIMEOUT_MAX_MS, allowed: Vec::new() });
    }
    Ok(Vec::from([Event::DeadlineExtended { ms, by: said.by.word().to_string() }]))
}
