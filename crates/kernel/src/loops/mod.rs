//! The `loop` machine: develops, debugs and validates one piece of work until it is validated,
//! steered from outside by pause, resume and stop. It runs nothing and reads no clock.
//! Named in the plural because `loop` is a word of the language. The table is drawn from `decide`
//! by `cargo xtask gen`.

mod command;
mod event;
mod state;
mod task;
mod validation;

pub use command::{Change, Command, Found, Gave, LegEnd, NewTask, PauseHow, Report, TaskPatch};
pub use event::{ActionResult, Event, Place};
pub use state::{
    Action, ActionRecord, Body, Course, Debug, Driver, Entry, FailKind, Held, How, Hypothesis,
    HypothesisStatus, Kind, Leg, Life, Mode, OnNoTests, ParentRef, PauseReason, Paused, Phase,
    Progress, Rounds, Settings, State, Subject, Work,
};
pub use task::{OnError, Origin, Run, Task, TaskMode, TaskStatus};
pub use validation::{
    Check, CheckReport, Counts, Level, TestResult, TestStatus, Validation, Verdict,
};

/// The `loop` machine.
#[derive(Debug)]
pub struct Loop;
