//! The facts a loop records. Only these are stored; their words are part of the journal's format.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::command::{Change, LegEnd, TaskPatch};
use super::state::{
    Course, FailKind, How, Kind, Leg, Mode, ParentRef, PauseReason, Subject,
};
use super::task::Task;
use crate::machine::At;

/// How an action ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum ActionResult {
    Ok,
    Failed { message: String },
    Dropped,
}

/// Where a new task goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Place {
    First,
    Last,
}

/// One recorded fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named by the records of `state`")]
pub enum Event {
    LoopCreated {
        id: String,
        title: String,
        description: String,
        max_iterations: u32,
        parent: Option<ParentRef>,
    },
    LoopEdited {
        title: Option<String>,
        description: Option<String>,
        max_iterations: Option<u32>,
    },
    LoopDeleted,
    TaskAdded { task: Box<Task>, place: Place },
    TaskEdited { task: String, patch: TaskPatch, granted: bool },
    TaskRemoved { task: String },
    TasksReordered { tasks: Vec<String> },
    TaskRequeued { task: String },
    LoopStarted { course: Box<Course> },
    ModeSet { mode: Mode },
    LoopPaused {
        reason: PauseReason,
        by: String,
        code: Option<String>,
        detail: String,
        q: Option<u32>,
        reset: Option<(At, u32)>,
        cut: bool,
        drop_held: bool,
    },
    PauseCut,
    LoopResumed { by: String },
    LoopFailed { kind: FailKind, reason: String },
    LoopRetried,
    LoopReopened,
    LegBegan { n: u32, leg: Leg, child: String },
    LegEnded { n: u32, leg: Leg, end: Box<LegEnd> },
    LegChosen { n: u32, leg: Leg },
    ActionChosen { n: u32, kind: Kind, subject: Subject, rule: String, legs: Vec<Leg> },
    ActionEnded { n: u32, result: ActionResult, counted: bool, summary: String },
    ActionDropped { n: u32 },
    MenuOpened { q: u32 },
    MenuAnswered { q: u32, key: String },
    ValidationStaled { why: String },
    ValidationAccepted { q: u32, hash: String },
    LoopCompleted { how: How },
    SkillReported { runner: Option<String>, changes: Vec<Change> },
    LeaseTaken { runner: Option<String>, until: At, n: u32 },
    LeaseRenewed { until: At },
}
