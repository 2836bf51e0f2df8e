//! Makes facts about one participant true. Facts about the run are in `evolve`.

use super::event::Event;
use super::participant::{Fault, How, Launch, Participant, Phase, StopWhy, Why};
use super::state::{Stage, State};
use crate::agent::Usage;
use crate::machine::At;

/// Makes a fact about a participant true.
pub fn evolve(state: &mut State, event: &Event, at: At) {
    match event {
        Event::ParticipantStarted { p, launch, call, since, due } => {
            if let Some(one) = find(state, p) {
                started(one, *launch, call, *since, *due);
            }
        }
        Event::SessionCaptured { p, launch, id } => {
            if let Some(one) = find(state, p) {
                captured(one, *launch, id);
            }
        }
        Event::RetryScheduled { p, fault, usage, next, until }
        | Event::CorrectionScheduled { p, fault, usage, next, until } => {
            if let Some(one) = find(state, p) {
                scheduled(one, fault, *usage, next, *until);
            }
        }
        Event::LaunchOwed { p, launch } => {
            if let Some(one) = find(state, p).filter(|one| one.ended_at().is_none()) {
                one.launches = one.launches.max(launch.n);
                one.phase = Phase::Starting { launch: launch.clone() };
            }
        }
        Event::StopRequested { p, launch, why, stop_by } => {
            if let Some(one) = find(state, p) {
                stopping(one, *launch, *why, *stop_by);
            }
        }
        Event::ParticipantEnded { p, how, fault, usage, stop_unproven } => {
            if let Some(one) = find(state, p) {
                ended(one, how, fault.as_ref(), *usage, at);
                one.stop_unproven.extend(stop_unproven.iter().cloned());
            }
        }
        Event::Created { .. }
        | Event::GateFailed { .. }
        | Event::GatePassed { .. }
        | Event::RunStarted { .. }
        | Event::TotalTimedOut
        | Event::CancelRequested { .. }
        | Event::DeadlineExtended { .. }
        | Event::Degraded { .. }
        | Event::Confirmed { .. }
        | Event::Succeeded { .. }
        | Event::QuestionDeferred { .. }
        | Event::Declined { .. }
        | Event::RunFailed { .. } => {}
    }
}

/// The participant, while participants are at work.
fn find<'a>(state: &'a mut State, p: &str) -> Option<&'a mut Participant> {
    let all = match state {
        State::Init { stage: Stage::Launching { participants, .. }, .. }
        | State::Running { participants, .. } => participants,
        State::New
        | State::Init { stage: Stage::Checking, .. }
        | State::Degraded { .. }
        | State::Success { .. }
        | State::Failed { .. } => return None,
    };
    all.iter_mut().find(|one| one.name == p)
}

fn started(one: &mut Participant, n: u32, call: &str, since: At, due: At) {
    let Phase::Starting { launch } = &one.phase else { return };
    if launch.n != n {
        return;
    }
    one.started_at = one.started_at.or(Some(since));
    one.last_call = Some(call.into());
    let (launch, call) = (launch.clone(), call.into());
    one.phase = Phase::Running { launch, call, since, due, session: None };
}

fn captured(one: &mut Participant, n: u32, id: &str) {
    if one.launch().is_none_or(|launch| launch.n != n) {
        return;
    }
    one.captured = Some(id.into());
    if let Phase::Running { session, .. } | Phase::Stopping { session, .. } = &mut one.phase {
        *session = Some(id.into());
    }
}

/// A launch that starts over was not counted if a conversation of ours was unknown: that id is then
/// good for nothing. A correction is no retry.
fn scheduled(one: &mut Participant, fault: &Fault, usage: Option<Usage>, next: &Launch, until: At) {
    if one.ended_at().is_some() {
        return;
    }
    one.errors.push(fault.clone());
    spend(one, usage);
    match &next.why {
        Why::Retry { .. } => one.retries = one.retries.saturating_add(1),
        Why::Fresh => one.captured = None,
        Why::First | Why::Correct { .. } => {}
    }
    one.phase = Phase::Backoff { next: next.clone(), until };
}

fn stopping(one: &mut Participant, n: u32, why: StopWhy, stop_by: At) {
    let (launch, call, session) = match &one.phase {
        Phase::Starting { launch } => (launch, None, None),
        Phase::Running { launch, call, session, .. } => {
            (launch, Some(call.clone()), session.clone())
        }
        Phase::Stopping { launch, call, session, .. } => (launch, call.clone(), session.clone()),
        Phase::Pending | Phase::Backoff { .. } | Phase::Ended { .. } => return,
    };
    if launch.n == n {
        one.phase = Phase::Stopping { launch: launch.clone(), call, why, stop_by, session };
    }
}

fn ended(one: &mut Participant, how: &How, fault: Option<&Fault>, usage: Option<Usage>, at: At) {
    if one.ended_at().is_some() {
        return;
    }
    one.errors.extend(fault.cloned());
    spend(one, usage);
    one.phase = Phase::Ended { how: how.clone(), at };
}

/// What a launch cost; one that was never launched says nothing of it.
fn spend(one: &mut Participant, usage: Option<Usage>) {
    let Some(usage) = usage else { return };
    one.usage = Some(one.usage.map_or(usage, |before| before.and(usage)));
    one.told = Some(one.told.map_or(usage, |before| before.and_told(usage)));
}
