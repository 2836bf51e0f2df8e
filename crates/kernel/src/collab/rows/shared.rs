//! What the rows of a run at work have in common, whether its first process has started or not.

use alloc::string::ToString;

use super::super::bounds::STOP_BOUND_MS;
use super::super::command::{Command, Scope};
use super::super::decide::{Decided, no_such, not_owed};
use super::super::draft::Draft;
use super::super::event::Event;
use super::super::launches;
use super::super::live::Live;
use super::super::outcome::Outcome;
use super::super::participant::{Launch, Participant, Phase, StopWhy};
use super::super::refusal::Refusal;
use super::super::state::State;
use crate::machine::{At, Said};

/// A report or timer about a participant that owes nothing, or that nobody knows.
pub fn nothing(state: &State, p: &str, command: &Command) -> Refusal {
    let known = state.run().is_some_and(|run| run.plan.member(p).is_some());
    if known { not_owed(state, command) } else { no_such(state, p) }
}

/// The participant that a report is about, if this launch is the one it is at.
pub fn at_launch<'a>(
    state: &'a State,
    p: &str,
    launch: u32,
    command: &Command,
) -> Result<(&'a Participant, &'a Launch), Refusal> {
    let one = state.participant(p).ok_or_else(|| nothing(state, p, command))?;
    match one.launch() {
        Some(current) if current.n == launch => Ok((one, current)),
        Some(_) | None => Err(not_owed(state, command)),
    }
}

/// The end of a call. One that proves a start which nobody told of has to wait for that.
pub fn call_ended(
    state: &State,
    (p, launch): (&str, u32),
    outcome: &Outcome,
    said: &Said<Command>,
) -> Decided {
    let (one, _) = at_launch(state, p, launch, &said.command)?;
    if matches!(one.phase, Phase::Starting { .. }) && outcome.proves_a_start() {
        return Err(not_owed(state, &said.command));
    }
    let mut draft = Draft::new(state, said.at);
    launches::ended(&mut draft, p, outcome);
    draft.settled()
}

/// The end of a wait.
pub fn backoff_due(state: &State, (p, n): (&str, u32), said: &Said<Command>) -> Decided {
    let one = state.participant(p).ok_or_else(|| nothing(state, p, &said.command))?;
    match &one.phase {
        Phase::Backoff { next, until } if next.n == n && said.at >= *until => {
            let mut draft = Draft::new(state, said.at);
            draft.push(Event::LaunchOwed { p: p.into(), launch: next.clone() });
            draft.done()
        }
        Phase::Backoff { .. }
        | Phase::Pending
        | Phase::Starting { .. }
        | Phase::Running { .. }
        | Phase::Stopping { .. }
        | Phase::Ended { .. } => Err(not_owed(state, &said.command)),
    }
}

/// A stop that took too long.
pub fn stop_due(state: &State, (p, n): (&str, u32), said: &Said<Command>) -> Decided {
    let (one, _) = at_launch(state, p, n, &said.command)?;
    match &one.phase {
        Phase::Stopping { stop_by, .. } if said.at >= *stop_by => {
            let mut draft = Draft::new(state, said.at);
            if let Some(event) = launches::given_up(one, said.at) {
                draft.push(event);
            }
            draft.settled()
        }
        Phase::Stopping { .. }
        | Phase::Pending
        | Phase::Starting { .. }
        | Phase::Running { .. }
        | Phase::Backoff { .. }
        | Phase::Ended { .. } => Err(not_owed(state, &said.command)),
    }
}

/// Cancels the run or one of its participants.
pub fn cancel(state: &State, scope: &Scope, said: &Said<Command>) -> Decided {
    let cancelling = Live::of(state).is_some_and(|live| live.cancelling);
    let by = said.by.word().to_string();
    let mut draft = Draft::new(state, said.at);
    match scope {
        Scope::One(p) => {
            let one = state.participant(p).ok_or_else(|| no_such(state, p))?;
            if one.ended_at().is_some() {
                let participant = p.clone();
                return Err(Refusal::ParticipantEnded { participant, allowed: [].into() });
            }
            if cancelling || matches!(one.phase, Phase::Stopping { why: StopWhy::Cancelled, .. }) {
                return Err(Refusal::AlreadyCancelling { allowed: [].into() });
            }
            draft.push(Event::CancelRequested { p: Some(p.clone()), by });
            draft.extend(cut(one, said.at));
        }
        Scope::All if cancelling => {
            return Err(Refusal::AlreadyCancelling { allowed: [].into() });
        }
        Scope::All => {
            draft.push(Event::CancelRequested { p: None, by });
            let open = |one: &&Participant| !matches!(one.phase, Phase::Stopping { .. });
            for one in state.participants().iter().filter(open) {
                draft.extend(cut(one, said.at));
            }
        }
    }
    draft.settled()
}

/// What cancelling does to a participant: what runs is stopped, what waits has ended.
fn cut(one: &Participant, at: At) -> Option<Event> {
    match &one.phase {
        Phase::Ended { .. } => None,
        Phase::Pending | Phase::Backoff { .. } => Some(launches::cancelled(one, at)),
        Phase::Starting { .. } | Phase::Running { .. } => stop(one, StopWhy::Cancelled, at),
        // It is being stopped already; only what its end means changes, not when it must be over.
        Phase::Stopping { launch, stop_by, .. } => Some(Event::StopRequested {
            p: one.name.clone(),
            launch: launch.n,
            why: StopWhy::Cancelled,
            stop_by: *stop_by,
        }),
    }
}

/// Stops a launch that is owed or runs.
pub fn stop(one: &Participant, why: StopWhy, at: At) -> Option<Event> {
    let launch = one.launch()?.n;
    let (p, stop_by) = (one.name.clone(), at.plus(STOP_BOUND_MS));
    Some(Event::StopRequested { p, launch, why, stop_by })
}
