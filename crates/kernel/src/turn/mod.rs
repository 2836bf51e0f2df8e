//! The `turn` machine: takes one request from words or a plan file to a verified, summarised
//! change. It runs nothing and reads no clock; calls, runs of several agents and questions are
//! owed. The table is drawn from `decide` by `cargo xtask gen`.

mod answer;
mod bounds;
mod carry;
mod command;
mod contract;
mod control;
mod decide;
mod draft;
mod event;
mod evidence;
mod evolve;
mod intake;
mod ladder;
mod line;
mod models;
mod names;
mod owes;
mod pack;
mod patch;
mod phase;
mod plan;
mod refusal;
mod rights;
mod risk;
mod rows;
pub mod samples;
mod setup;
mod slot;
mod stamp;
mod standing;
mod state;
pub mod subject;
mod summary;
mod summed;
#[cfg(test)]
mod tests;
mod valid;
mod wish;

pub use answer::{Answer, Detected, Drafted, DraftedStep, Made, read as read_answer, read_file};
pub use bounds::*;
pub use carry::{again as carried_plan, continued};
pub use command::{
    AnswerFit, Args, Asked, Changed, Command, Confirm, Control, Ended, Fault, Payload, Planned,
    Reply, Spent, StepFacts, Word,
};
pub use contract::{planner_schema, read_file_text, read_text};
pub use control::{Closing, control_schema, read_bare, read_control};
pub use decide::{allowed, decide};
pub use event::{Accepted, AfterFail, AfterIntake, AfterNo, AfterSummary, Event, Left, Of};
pub use evidence::*;
pub use evolve::evolve;
pub use intake::{Assessed, Earlier, Missing, Words, assess};
pub use line::{BadLine, split};
pub use models::*;
pub use owes::{Act, Ask, Form, ask_of, asked, owed};
pub use pack::*;
pub use patch::{PlanPatch, StepUpdate, apply as apply_patch, replace as replace_plan};
pub use plan::*;
pub use refusal::Refusal;
pub use risk::of as risk_of;
pub use rows::{help_hash, planning::made as made_plan};
pub use setup::*;
pub use slot::{awaited, timers};
pub use stamp::Stamp;
pub use state::*;
pub use subject::Reach;
pub use summary::{
    ChangedFile, PullRequest, Report, Rollback, Summary, TurnUsage, VerifiedBy, audit, event_word,
    report,
};
pub use summed::{Seen, Warning, settled, summed};
pub use valid::{BadArgs, Flaw, Ground, Wrong, plan as valid_plan, step_id as valid_step_id};
pub use wish::Wish;

/// The `turn` machine.
#[derive(Debug)]
pub struct Turn;

impl crate::machine::Machine for Turn {
    const NAME: &'static str = "turn";
    type State = State;
    type Command = Command;
    type Event = Event;
    type Refusal = Refusal;

    fn decide(
        state: &State,
        said: &crate::machine::Said<Command>,
    ) -> Result<alloc::vec::Vec<Event>, Refusal> {
        decide(state, said)
    }

    fn evolve(state: &mut State, event: &Event, at: crate::machine::At) {
        evolve(state, event, at);
    }

    fn owed(state: &State) -> alloc::vec::Vec<crate::owed::Owed> {
        owed(state)
    }
}
