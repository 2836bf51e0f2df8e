//! The `session` machine: turns what a person typed into exactly one unit of work, holds mode and
//! stage, and lets one flow live at a time. It does no work itself: stages owe looks, calls and
//! children. The table is drawn from `decide` by `cargo xtask gen`.

mod acts;
mod again;
mod anchor;
mod asked;
mod bounds;
mod command;
mod decide;
mod diff;
mod draft;
mod ended;
mod event;
mod evolve;
mod frames;
mod intent;
mod job;
mod jobs;
mod judge;
mod lists;
mod modules;
mod name;
mod names;
mod owes;
mod prompt;
mod refusal;
mod rights;
mod risk;
mod rows;
pub mod samples;
mod score;
mod setup;
mod shape;
mod stage;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod tool;
mod vars;
mod whether;

pub use acts::{Act, Ask};
pub use anchor::Anchors;
pub use asked::{Asked, Kind as Asking, Stop};
pub use bounds::*;
pub use command::Command;
pub use decide::{allowed, decide};
pub use diff::{in_line, risk as risk_of_line};
pub use ended::{
    Checked, DevelopEnd, Developed, Gave, Kb, KbState, Listed, Outcome, Report, Task, Tests,
    TurnEnd, Turned,
};
pub use event::{Event, Module, Place};
pub use evolve::evolve;
pub use intent::{Intent, Relation, intent, question, relation};
pub use job::{Found, Job, Kind as JobKind, Phase, Step, Target};
pub use judge::{Judged, Path, Reason, judge};
pub use modules::ALL as MODULES;
pub use name::{Beside, Class, Name};
pub use owes::{children, owed, recalled, slots};
pub use prompt::{DRAFT_SCHEMA, REVIEW_SCHEMA};
pub use refusal::Refusal;
pub use risk::{REQUIREMENT, Risk, Source as RiskSource, in_task, mentions, operations};
pub use rows::{SECURITY, to_open, verdict};
pub use score::{Gap, Points, Score, Source};
pub use setup::{Agent, Driver, OnFailure, Registered, Seat, Setup};
pub use shape::{Shape, shape};
pub use stage::{
    Approval, ChildAsking, Gather, Marks, Name as StageName, Record, Stage, Tested, Why,
};
pub use state::{
    Base, Body, Caller, Chat, Consent, Ended, Flow, Frame, How, Life, Mode, Origin, Package,
    Request, Said as Spoken, State, Stopped, Tool, ToolEnd, Unit, Verdict, Waiver, What,
};
pub use text::{Text, is_cjk, is_ideograph};
pub use vars::{RESET, how_word, of as vars};
pub use whether::elsewhere;

/// The `session` machine.
#[derive(Debug)]
pub struct Session;

impl crate::machine::Machine for Session {
    const NAME: &'static str = "session";
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
