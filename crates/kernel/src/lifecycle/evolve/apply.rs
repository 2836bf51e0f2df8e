//! Which part of the state a recorded fact is about. Total: a fact that does not fit changes
//! nothing.

use alloc::boxed::Box;

use super::super::event::{Event, Taken};
use super::super::state::{Life, State};
use super::{moves, plans, tasks};
use crate::machine::At;

/// Makes a recorded fact true.
pub fn evolve(state: &mut State, event: &Event, at: At) {
    match state {
        State::New => {
            if let Event::UserInputRequirement { taken: Taken::First(begin) } = event {
                *state = State::Alive(Box::new(plans::born(begin, at)));
            } else if *event == Event::NeverBegan {
                *state = State::Never { at };
            }
        }
        State::Alive(life) => apply(life, event, at),
        State::Never { .. } => {}
    }
}

/// Makes a fact true in a lifecycle that has begun.
pub(in crate::lifecycle) fn apply(life: &mut Life, event: &Event, at: At) {
    match part(event) {
        Part::Plan => plans::apply(life, event, at),
        Part::Move => moves::apply(life, event, at),
        Part::Task => tasks::apply(life, event, at),
        Part::Birth => {}
    }
    life.body.seq += 1;
    life.body.updated_at = at;
}

/// What a fact is about.
enum Part {
    Plan,
    Move,
    Task,
    Birth,
}

const fn part(event: &Event) -> Part {
    match event {
        Event::UserInputRequirement { .. }
        | Event::PrdGenerated { .. }
        | Event::UserConfirm { .. }
        | Event::UserCancel { .. }
        | Event::PlanFailed { .. }
        | Event::RetryPlan { .. }
        | Event::Pause { .. }
        | Event::Resume { .. }
        | Event::PlanAmended { .. }
        | Event::NoteTaken { .. } => Part::Plan,
        Event::ErrorDetected { .. }
        | Event::FixSuccess
        | Event::FixFailed3x { .. }
        | Event::HumanIntervention { .. }
        | Event::Rollback { .. }
        | Event::AllTasksDone { .. }
        | Event::ArchiveComplete { .. }
        | Event::SkipTask { .. }
        | Event::ForceStop { .. }
        | Event::UserAbort { .. }
        | Event::Halt { .. }
        | Event::FixBegan { .. }
        | Event::FixAttempted { .. }
        | Event::RollbackBegan { .. }
        | Event::RollbackPlanned { .. }
        | Event::RollbackConfirmed { .. }
        | Event::RollbackStopped { .. }
        | Event::RollbackLeft
        | Event::ArchiveFault { .. }
        | Event::ArchiveRetried
        | Event::TurnLeft { .. }
        | Event::ChildSettled { .. } => Part::Move,
        Event::TaskStarted { .. }
        | Event::StepBegan { .. }
        | Event::CheckpointMade { .. }
        | Event::TurnSpent { .. }
        | Event::EvidenceRecorded { .. }
        | Event::DigestsSeen { .. }
        | Event::TaskClosed { .. }
        | Event::TaskReopened { .. }
        | Event::ProgressClaimed { .. } => Part::Task,
        Event::NeverBegan => Part::Birth,
    }
}
