//! One view of a run whose participants are at work, before and after its first process started,
//! and the time that is left to them. It decides nothing.

use super::bounds::{attempt_ms, min_attempt_ms};
use super::participant::{Launch, Participant, Phase, Why};
use super::plan::{Member, Plan};
use super::state::{Stage, State};
use crate::machine::At;

/// A run whose participants are at work.
#[derive(Clone, Copy)]
pub struct Live<'a> {
    pub plan: &'a Plan,
    pub participants: &'a [Participant],
    /// When the run is due; none before its first process started.
    pub due: Option<At>,
    pub cancelling: bool,
    pub total_timed_out: bool,
}

impl<'a> Live<'a> {
    /// The view of a state that has one.
    pub fn of(state: &'a State) -> Option<Self> {
        match state {
            State::Init { run, stage: Stage::Launching { participants, cancelling } } => {
                Some(Self {
                    plan: &run.plan,
                    participants,
                    due: None,
                    cancelling: cancelling.is_some(),
                    total_timed_out: false,
                })
            }
            State::Running { run, due, participants, cancelling, total_timed_out, .. } => {
                Some(Self {
                    plan: &run.plan,
                    participants,
                    due: Some(*due),
                    cancelling: cancelling.is_some(),
                    total_timed_out: *total_timed_out,
                })
            }
            State::New
            | State::Init { stage: Stage::Checking, .. }
            | State::Degraded { .. }
            | State::Success { .. }
            | State::Failed { .. } => None,
        }
    }

    /// A participant and what was planned for it.
    pub fn one(&self, name: &str) -> Option<(&'a Participant, &'a Member)> {
        let participant = self.participants.iter().find(|one| one.name == name)?;
        Some((participant, self.plan.member(name)?))
    }

    /// What is kept back for those whose turn has not come; nothing in parallel mode, where no one
    /// waits for a turn.
    fn reserve_ms(&self) -> u64 {
        let waiting = |one: &&Participant| matches!(one.phase, Phase::Pending);
        let pending = self.participants.iter().filter(waiting).count() as u64;
        let share = self.plan.timeout_ms / (2 * self.plan.participants.len().max(1) as u64);
        pending.saturating_mul(share)
    }

    /// How long a launch may take that starts then.
    pub fn budget_ms(&self, start: At) -> u64 {
        let left = self.due.map_or(self.plan.timeout_ms, |due| due.since(start));
        attempt_ms(self.plan.timeout_ms).min(left.saturating_sub(self.reserve_ms()))
    }

    /// When a launch is stopped that starts then. A correction has the due of what it corrects; no
    /// launch is due after the run.
    pub fn launch_due(&self, launch: &Launch, start: At) -> At {
        let own = match &launch.why {
            Why::Correct { due, .. } => *due,
            Why::First | Why::Retry { .. } | Why::Fresh => start.plus(self.budget_ms(start)),
        };
        self.due.map_or(own, |due| own.min(due))
    }

    /// Whether the run's own time is up.
    pub fn over(&self, at: At) -> bool {
        self.total_timed_out || self.due.is_some_and(|due| at >= due)
    }

    /// The shortest launch that is worth its start.
    pub const fn least_ms(&self) -> u64 {
        min_attempt_ms(self.plan.timeout_ms)
    }

    /// Whether an id belongs to another participant.
    pub fn taken(&self, name: &str, id: &str) -> bool {
        let holds = |one: &Participant| {
            one.captured.as_deref() == Some(id) || one.proven().is_some_and(|own| own == id)
        };
        let given = |member: &Member| member.resume.as_deref() == Some(id);
        self.participants.iter().any(|one| one.name != name && holds(one))
            || self.plan.participants.iter().any(|one| one.name != name && given(one))
    }
}
