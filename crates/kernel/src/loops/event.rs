//! The facts a loop records. Only these are stored; their words are part of the journal's format.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::command::{Change, Import, LegEnd, TaskPatch};
use super::labels::LabelsPatch;
use super::phase::{FailKind, How, Kind, Leg, PauseReason, Reset, Subject};
use super::state::{Course, Mode, ParentRef};
use super::task::Task;
use super::validation::Validation;
use crate::machine::At;
use crate::turn::CheckedOut;

/// How an action ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum ActionResult {
    Ok,
    Failed {
        message: String,
    },
    /// Failed through no fault of the work: its task is pending again.
    Blocked {
        code: String,
        message: String,
    },
    Dropped,
}

/// What a pause does with the action under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// None is under way, or it has just ended.
    Nothing,
    /// It is kept; its child may finish.
    Keep,
    /// It is kept until its child, which is being stopped, is gone.
    Cut,
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
    LoopImported(Box<Import>),
    LoopEdited {
        title: Option<String>,
        description: Option<String>,
        max_iterations: Option<u32>,
        #[serde(default, skip_serializing_if = "LabelsPatch::is_empty")]
        labels: LabelsPatch,
    },
    LoopDeleted,
    TaskAdded {
        task: Box<Task>,
        place: Place,
    },
    TaskEdited {
        task: String,
        patch: TaskPatch,
        granted: bool,
    },
    TaskRemoved {
        task: String,
    },
    TasksReordered {
        tasks: Vec<String>,
    },
    TaskRequeued {
        task: String,
    },
    LoopStarted {
        course: Box<Course>,
    },
    ModeSet {
        mode: Mode,
    },
    LoopPaused {
        reason: PauseReason,
        by: String,
        code: Option<String>,
        detail: String,
        rule: Option<String>,
        q: Option<u32>,
        reset: Option<Reset>,
        hold: Hold,
    },
    PauseCut,
    LoopResumed {
        by: String,
    },
    LoopFailed {
        kind: FailKind,
        reason: String,
        rule: Option<String>,
    },
    LoopRetried,
    LoopReopened,
    LegBegan {
        n: u32,
        leg: Leg,
        child: String,
        /// What was checked out when the first leg that may write began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<CheckedOut>,
    },
    LegEnded {
        n: u32,
        leg: Leg,
        end: Box<LegEnd>,
    },
    LegChosen {
        n: u32,
        leg: Leg,
        reask: u32,
    },
    ActionChosen {
        n: u32,
        kind: Kind,
        subject: Subject,
        rule: String,
        legs: Vec<Leg>,
    },
    /// `validation` is what a validate action found; an action that an outside skill reports has a
    /// serial that no other event names.
    ActionEnded {
        n: u32,
        kind: Kind,
        result: ActionResult,
        counted: bool,
        summary: String,
        validation: Option<Box<Validation>>,
    },
    ActionDropped {
        n: u32,
    },
    MenuOpened {
        q: u32,
        rule: String,
    },
    MenuAnswered {
        q: u32,
        key: String,
    },
    ValidationStaled {
        why: String,
    },
    ValidationAccepted {
        q: u32,
        hash: String,
    },
    LoopCompleted {
        how: How,
    },
    SkillReported {
        runner: Option<String>,
        changes: Vec<Change>,
    },
    LeaseTaken {
        runner: Option<String>,
        until: At,
        n: u32,
    },
    LeaseRenewed {
        until: At,
        n: u32,
    },
    ViewsRemoved,
}
