//! Where a run stands. Data lives in the variant where it means something: only a degraded run, and
//! the mark it leaves, can hold a level and missing dimensions, and neither is built without them.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::command::Flaw;
use super::participant::Participant;
use super::plan::Plan;
use crate::machine::At;

/// A list with at least one item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<T>", into = "Vec<T>", bound(serialize = "T: Clone + Serialize"))]
pub struct NonEmpty<T>(Vec<T>);

impl<T> NonEmpty<T> {
    /// The list, unless it is empty.
    #[must_use]
    pub fn new(items: Vec<T>) -> Option<Self> {
        if items.is_empty() { None } else { Some(Self(items)) }
    }

    /// Its items.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.0
    }
}

impl<T> TryFrom<Vec<T>> for NonEmpty<T> {
    type Error = &'static str;

    fn try_from(items: Vec<T>) -> Result<Self, Self::Error> {
        Self::new(items).ok_or("a list that must not be empty is")
    }
}

impl<T> From<NonEmpty<T>> for Vec<T> {
    fn from(list: NonEmpty<T>) -> Self {
        list.0
    }
}

/// What is known of a run from the moment it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// What was asked.
    pub plan: Plan,
    /// SHA-256 of the canonical plan.
    pub plan_hash: String,
    /// When it was made.
    pub created_at: At,
    /// Who made it, as a word.
    pub created_by: String,
}

/// How much a degraded result is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// No core dimension is missing; a person's accept is enough.
    Acceptable,
    /// A core dimension is missing, or quality is below standard; a person must override.
    Unacceptable,
}

/// What kind of trouble made a run degraded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Class {
    Timeout,
    Connection,
    Error,
    Quality,
    Auth,
    Quota,
    Lost,
    Cancelled,
    Lite,
}

/// What the loss of one dimension means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Impact {
    /// The dimension.
    pub dimension: String,
    /// Whether it is core.
    pub core: bool,
    /// In Chinese.
    pub zh: String,
    /// In English.
    pub en: String,
}

/// Why a result is less than was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shortfall {
    /// How much it is worth.
    pub level: Level,
    /// Dimensions without a usable answer, in the plan's order.
    pub missing: NonEmpty<String>,
    /// Why, as a sentence of the record.
    pub reason: String,
    /// The same as a word.
    pub class: Class,
    /// What that means.
    pub impact: NonEmpty<Impact>,
}

/// The question that a degraded run waits with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirm {
    /// Its id below the run.
    pub id: String,
    /// Hash of what is being accepted.
    pub hash: String,
    /// When it closes; none = never.
    pub expires_at: Option<At>,
}

/// The mark that a degraded result leaves on a success.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// What was missing.
    pub shortfall: Shortfall,
    /// Who accepted it, as a word.
    pub accepted_by: String,
    /// Whether it was unacceptable and a person went on all the same.
    pub overridden: bool,
    /// Their reason.
    pub note: Option<String>,
    /// Whether nobody was asked.
    pub lite: bool,
}

/// Why a run failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Cause {
    StartGate,
    AllFailed,
    NoSession,
    NoUsable,
    AndGate,
    Timeout,
    Cancelled,
    Declined,
    ConfirmExpired,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "fields are named by the records above")]
pub enum State {
    /// Not made yet.
    #[default]
    New,
    /// The start gate is being looked at, or no process has started yet.
    Init { run: Box<Run>, stage: Stage },
    /// At least one process was started.
    Running {
        run: Box<Run>,
        started_at: At,
        due: At,
        participants: Vec<Participant>,
        cancelling: Option<String>,
        total_timed_out: bool,
    },
    /// Over, with less than was asked for; a person decides.
    Degraded {
        run: Box<Run>,
        started_at: At,
        ended_at: At,
        participants: Vec<Participant>,
        shortfall: Shortfall,
        question: Confirm,
    },
    /// Final.
    Success {
        run: Box<Run>,
        started_at: At,
        ended_at: At,
        participants: Vec<Participant>,
        mark: Option<Mark>,
    },
    /// Final. What was degraded before it failed keeps its shortfall.
    Failed {
        run: Box<Run>,
        started_at: Option<At>,
        ended_at: At,
        participants: Vec<Participant>,
        cause: Cause,
        code: String,
        flaw: Option<Flaw>,
        note: Option<String>,
        shortfall: Option<Shortfall>,
    },
}

/// How far a run is that has not started yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named by the records above")]
pub enum Stage {
    /// The start gate is owed.
    Checking,
    /// Calls are owed.
    Launching { participants: Vec<Participant>, cancelling: Option<String> },
}
