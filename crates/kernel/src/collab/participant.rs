//! Where one participant of a run stands: its phase, what went wrong on its launches, and how it
//! ended. Data only.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::agent::{Issue, Spooled, Usage};
use crate::machine::At;

/// What kind of launch this is; it decides what the agent is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The task, for the first time.
    First,
    /// After a failure that another try may cure.
    Retry {
        /// The conversation that is gone on with; none = the whole task again.
        resume: Option<String>,
    },
    /// The conversation of our own retry was unknown: the whole task again, in a new one.
    Fresh,
    /// The answer has not the wanted form: it is asked for again, in its own conversation.
    Correct {
        /// That conversation.
        session: String,
        /// What is wrong with the answer.
        issues: Vec<Issue>,
        /// The due of the launch that is corrected.
        due: At,
        /// The answer as it was.
        first: Output,
    },
}

/// One launch of a participant: one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// Its number, from 1; never used twice.
    pub n: u32,
    /// Why it is made.
    pub why: Why,
}

/// Why a launch is being stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopWhy {
    /// Its own time is up.
    AttemptTimeout,
    /// The run's time is up.
    TotalTimeout,
    /// Somebody cancelled it.
    Cancelled,
}

/// Why a participant was never asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// The run asks nobody.
    Lite,
    /// The time was up before its turn.
    NoTime,
    /// The run never started.
    StartGate,
}

/// Text that an agent left, by reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The call that made it.
    pub call: String,
    /// The text.
    pub text: Spooled,
    /// The value alone, if a form was asked for and met.
    pub structured: Option<Spooled>,
    /// Whether the text was cut at its cap.
    pub truncated: bool,
}

/// How a participant ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Usable: an answer, and an id that proves it.
    Answered {
        /// The proven conversation.
        session: String,
        /// The answer.
        output: Output,
    },
    /// Text without an id that proves it.
    Unproven {
        /// Kept as unverified.
        output: Output,
    },
    /// An answer that has not the wanted form, even after its correction.
    Poor {
        /// The proven conversation.
        session: String,
        /// The answer as it is.
        output: Output,
    },
    /// No time was left for an answer.
    TimedOut {
        /// Text that came before the end.
        partial: Option<Output>,
    },
    /// It failed.
    Failed {
        /// Text that came before the end.
        partial: Option<Output>,
    },
    /// Somebody cancelled it.
    Cancelled {
        /// Text that came before the end; it counts for nothing.
        partial: Option<Output>,
    },
    /// It was never asked.
    Skipped {
        /// Why.
        why: Skip,
    },
}

/// What a participant is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Not its turn yet.
    Pending,
    /// Its call is owed and has not started.
    Starting {
        /// Which launch.
        launch: Launch,
    },
    /// Its call runs.
    Running {
        /// Which launch.
        launch: Launch,
        /// The call.
        call: String,
        /// Since when.
        since: At,
        /// When it is stopped.
        due: At,
        /// The conversation its stream named.
        session: Option<String>,
    },
    /// A retry waits. What went wrong is the last of the errors.
    Backoff {
        /// The launch that comes.
        next: Launch,
        /// When.
        until: At,
    },
    /// Its call is no longer owed, and so is being stopped; its end is still waited for.
    Stopping {
        /// Which launch.
        launch: Launch,
        /// The call, if it had started.
        call: Option<String>,
        /// Why.
        why: StopWhy,
        /// When its end is waited for no longer.
        stop_by: At,
        /// The conversation its stream named.
        session: Option<String>,
    },
    /// Over.
    Ended {
        /// How.
        how: How,
        /// When.
        at: At,
    },
}

/// What went wrong on a launch: stored without sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The code (`E004`, `E_MODEL`).
    pub code: String,
    /// Its detail word (`quota`, `attempt_deadline`); may be empty.
    pub kind: String,
    /// Which launch; 0 = before the first.
    pub launch: u32,
    /// When.
    pub at: At,
    /// Short, redacted evidence.
    pub detail: String,
    /// When a limit ends, if the provider said so.
    pub reset_at: Option<At>,
}

/// One participant of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    /// Its name in the plan.
    pub name: String,
    /// What it is doing.
    pub phase: Phase,
    /// Counted retries.
    pub retries: u32,
    /// Launches that were owed so far.
    pub launches: u32,
    /// What went wrong, oldest first; append only.
    pub errors: Vec<Fault>,
    /// The last conversation seen: usable for resume, and no proof of anything.
    pub captured: Option<String>,
    /// When its first launch started.
    pub started_at: Option<At>,
    /// Its last call.
    pub last_call: Option<String>,
    /// What its launches cost so far; none = nothing was launched. A number is none where one of
    /// them did not tell it.
    pub usage: Option<Usage>,
    /// As much of it as they told: what a budget can count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Usage>,
    /// Processes of it that could not be proven gone.
    pub stop_unproven: Vec<String>,
}

impl Participant {
    /// A participant whose turn has not come.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            phase: Phase::Pending,
            retries: 0,
            launches: 0,
            errors: Vec::new(),
            captured: None,
            started_at: None,
            last_call: None,
            usage: None,
            told: None,
            stop_unproven: Vec::new(),
        }
    }

    /// The launch that is owed, runs or is being stopped.
    #[must_use]
    pub const fn launch(&self) -> Option<&Launch> {
        match &self.phase {
            Phase::Starting { launch }
            | Phase::Running { launch, .. }
            | Phase::Stopping { launch, .. } => Some(launch),
            Phase::Pending | Phase::Backoff { .. } | Phase::Ended { .. } => None,
        }
    }

    /// How it ended, if it has.
    #[must_use]
    pub const fn how(&self) -> Option<&How> {
        match &self.phase {
            Phase::Ended { how, .. } => Some(how),
            Phase::Pending
            | Phase::Starting { .. }
            | Phase::Running { .. }
            | Phase::Backoff { .. }
            | Phase::Stopping { .. } => None,
        }
    }

    /// Its usable answer: the conversation that proves it, and the text.
    #[must_use]
    pub const fn answer(&self) -> Option<(&String, &Output)> {
        match self.how() {
            Some(How::Answered { session, output }) => Some((session, output)),
            Some(
                How::Unproven { .. }
                | How::Poor { .. }
                | How::TimedOut { .. }
                | How::Failed { .. }
                | How::Cancelled { .. }
                | How::Skipped { .. },
            )
            | None => None,
        }
    }

    /// The conversation that an answer proved.
    #[must_use]
    pub const fn proven(&self) -> Option<&String> {
        match self.how() {
            Some(How::Answered { session, .. } | How::Poor { session, .. }) => Some(session),
            Some(
                How::Unproven { .. }
                | How::TimedOut { .. }
                | How::Failed { .. }
                | How::Cancelled { .. }
                | How::Skipped { .. },
            )
            | None => None,
        }
    }

    /// Whether its answer counts.
    #[must_use]
    pub const fn usable(&self) -> bool {
        self.answer().is_some()
    }

    /// When it ended, if it has.
    #[must_use]
    pub const fn ended_at(&self) -> Option<At> {
        match &self.phase {
            Phase::Ended { at, .. } => Some(*at),
            Phase::Pending
            | Phase::Starting { .. }
            | Phase::Running { .. }
            | Phase::Backoff { .. }
            | Phase::Stopping { .. } => None,
        }
    }
}
