//! The `loop` machine: develops, debugs and validates one piece of work until it is validated,
//! steered from outside by pause, resume and stop. It runs nothing and reads no clock.
//! Named in the plural because `loop` is a word of the language. The table is drawn from `decide`
//! by `cargo xtask gen`.

mod again;
mod bounds;
mod choose;
mod command;
mod decide;
mod draft;
mod event;
mod evolve;
mod finish;
mod import;
mod in_tree;
mod inquiry;
mod labels;
mod legs;
mod merge;
mod names;
mod owes;
mod patched;
mod people;
mod phase;
mod problem;
mod prompt;
mod refusal;
mod report;
mod rights;
mod rows;
pub mod samples;
mod standing;
mod state;
mod steer;
mod task;
mod tasks;
#[cfg(test)]
mod tests;
mod validation;
pub mod view;

pub use bounds::*;
pub use choose::{Choice, Chosen, Rule, choose};
pub use command::{
    BadAnswer, Change, Command, EndedAction, Found, Gave, Import, ImportedAs, LegEnd, Mark,
    NewTask, PauseHow, Report, Seen, TaskPatch,
};
pub use decide::{allowed, decide};
pub use event::{ActionResult, Event, Hold, Place};
pub use evolve::evolve;
pub use inquiry::{ANALYZE_SCHEMA, EXPLORE_SCHEMA};
pub use labels::{Labels, LabelsPatch, Priority, TAG_MAX, TAGS_MAX};
pub use owes::{BRANCH_CHANGED, DEBUG_LOG, TURN, owed};
pub use people::{MENU_KEYS, PAUSED_KEYS, UNVERIFIED_KEYS};
pub use phase::Block;
pub use problem::{Problem, done, problem};
pub use prompt::BREAKDOWN_SCHEMA;
pub use refusal::{Refusal, Wrong};
pub use state::{
    Action, ActionRecord, Agent, Body, Course, Debug, DebugLog, Driver, Entry, FailKind, Files,
    Held, How, Hypothesis, HypothesisStatus, Kind, Leg, LegChange, Life, Mode, OnNoTests,
    ParentRef, PauseReason, Paused, Phase, Progress, Reset, Rounds, RunRecord, Settings, State,
    Subject, TestsTask, Work,
};
pub use task::{OnError, Origin, Run, Task, TaskMode, TaskStatus};
pub use validation::{
    Check, CheckReport, Counts, Covered, Level, TestResult, TestStatus, Validation, Verdict,
};

/// The `loop` machine.
#[derive(Debug)]
pub struct Loop;

impl crate::machine::Machine for Loop {
    const NAME: &'static str = "loop";
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
