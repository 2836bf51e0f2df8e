//! The facts a run records. Only these are stored; their words are part of the journal's format.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::command::Flaw;
use super::participant::{Fault, How, Launch, StopWhy};
use super::plan::Plan;
use super::state::{Cause, Confirm, Mark, Shortfall};
use crate::agent::Usage;
use crate::machine::At;

/// One recorded fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named by the records of `state` and `participant`")]
pub enum Event {
    Created {
        plan: Box<Plan>,
        plan_hash: String,
        by: String,
    },
    /// The run ends before anything was started; which participants were no good.
    GateFailed {
        code: String,
        flaw: Option<Flaw>,
        participants: BTreeMap<String, Flaw>,
    },
    /// Calls are owed now; those that are no good have ended.
    GatePassed {
        participants: BTreeMap<String, Flaw>,
    },
    RunStarted {
        started_at: At,
        due: At,
    },
    ParticipantStarted {
        p: String,
        launch: u32,
        call: String,
        since: At,
        due: At,
    },
    SessionCaptured {
        p: String,
        launch: u32,
        id: String,
    },
    /// Counted, unless the next launch is a fresh one.
    RetryScheduled {
        p: String,
        fault: Fault,
        usage: Option<Usage>,
        next: Launch,
        until: At,
    },
    CorrectionScheduled {
        p: String,
        fault: Fault,
        usage: Option<Usage>,
        next: Launch,
        until: At,
    },
    /// The call of this launch is owed from now on.
    LaunchOwed {
        p: String,
        launch: Launch,
    },
    StopRequested {
        p: String,
        launch: u32,
        why: StopWhy,
        stop_by: At,
    },
    ParticipantEnded {
        p: String,
        how: How,
        fault: Option<Fault>,
        usage: Option<Usage>,
        stop_unproven: Vec<String>,
    },
    TotalTimedOut,
    /// Of one participant, or of the run.
    CancelRequested {
        p: Option<String>,
        by: String,
    },
    DeadlineExtended {
        ms: u64,
        by: String,
    },
    Degraded {
        shortfall: Shortfall,
        question: Confirm,
    },
    Confirmed {
        by: String,
        overridden: bool,
        note: Option<String>,
    },
    Succeeded {
        mark: Option<Box<Mark>>,
    },
    QuestionDeferred {
        by: String,
        expires_at: Option<At>,
    },
    Declined {
        by: String,
        note: Option<String>,
    },
    RunFailed {
        cause: Cause,
        code: String,
        note: Option<String>,
    },
}
