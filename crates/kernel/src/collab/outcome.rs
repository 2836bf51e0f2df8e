//! What became of one launch, in the words this machine needs, and how to read it off the call that
//! was made for it.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::agent::Report;
use crate::call::{self, DeniedBy, Ended, Exit, Failure, RELAUNCHES_MAX, SettledBy, UnknownGate};

/// How a launch ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ran to an end that its stream tells of, well or badly.
    Report {
        /// What the stream proved.
        report: Box<Report>,
        /// Processes that could not be proven gone.
        survivors: Vec<String>,
    },
    /// The call was denied: by policy, a person, a timer or its owner.
    Denied {
        /// Who said no.
        by: String,
    },
    /// Given up: it never launched.
    NotApplied,
    /// Its program could not be started.
    SpawnFailed {
        /// Short evidence.
        detail: String,
    },
    /// It could not be prepared, or its sandbox was not in force.
    Failed(Failure),
    /// A limit of the call ended it.
    TimedOut {
        /// What its stream proved, if anything.
        report: Option<Box<Report>>,
    },
    /// It was stopped.
    Stopped {
        /// What its stream proved, if anything.
        report: Option<Box<Report>>,
    },
    /// Lost, and proven to have changed nothing.
    Lost,
    /// Nobody knows; the call asks a person.
    Unknown {
        /// Processes that could not be proven gone.
        survivors: Vec<String>,
    },
    /// The call was never made: it was refused.
    Refused {
        /// The refusal's reason.
        reason: String,
    },
}

impl Outcome {
    /// Whether only a process that ran can end so.
    #[must_use]
    pub const fn proves_a_start(&self) -> bool {
        match self {
            Self::Report { .. } => true,
            Self::TimedOut { report } | Self::Stopped { report } => report.is_some(),
            Self::Denied { .. }
            | Self::NotApplied
            | Self::SpawnFailed { .. }
            | Self::Failed(_)
            | Self::Lost
            | Self::Unknown { .. }
            | Self::Refused { .. } => false,
        }
    }
}

/// How the launch of this call ended; none while its end is open. A lost call counts as ended only
/// once a person is asked about it, because until then a look may still find out.
#[must_use]
pub fn outcome_of(state: &call::State) -> Option<Outcome> {
    match state {
        call::State::New
        | call::State::Asked { .. }
        | call::State::Allowed { .. }
        | call::State::Started { .. } => None,
        call::State::Denied { by, .. } => Some(Outcome::Denied { by: word(by).to_string() }),
        call::State::Settled { outcome, by, exit, relaunches, .. } => {
            Some(settled(outcome, by, exit.as_ref(), *relaunches))
        }
        call::State::Unknown { gate, why, .. } => match gate {
            UnknownGate::Probe | UnknownGate::Wait { .. } => None,
            UnknownGate::AskPerson { .. } => Some(Outcome::Unknown { survivors: left(why) }),
        },
        call::State::Undoing { from, .. } => outcome_of(from),
        call::State::Undone { .. } => Some(Outcome::Unknown { survivors: Vec::new() }),
    }
}

const fn word(by: &DeniedBy) -> &'static str {
    match by {
        DeniedBy::Policy { .. } => "policy",
        DeniedBy::User { .. } => "user",
        DeniedBy::Timer => "timer",
        DeniedBy::Parent => "parent",
    }
}

fn left(why: &call::Lost) -> Vec<String> {
    match why {
        call::Lost::Lost => Vec::new(),
        call::Lost::NotProvenDead { survivors } => survivors.clone(),
    }
}

fn settled(
    outcome: &call::Outcome,
    by: &SettledBy,
    exit: Option<&Exit>,
    relaunches: u32,
) -> Outcome {
    let report = || exit.and_then(|exit| exit.agent.clone());
    match outcome {
        // Without a record nobody has the answer, even if somebody knows that there was one.
        call::Outcome::Ok => match report() {
            Some(report) => told(report, exit),
            None => Outcome::Unknown { survivors: Vec::new() },
        },
        call::Outcome::TimedOut { .. } => Outcome::TimedOut { report: report() },
        call::Outcome::Stopped => Outcome::Stopped { report: report() },
        call::Outcome::Failed(failure) => failed(failure, by, exit, relaunches),
    }
}

fn told(report: Box<Report>, exit: Option<&Exit>) -> Outcome {
    let survivors = exit.map(|exit| exit.survivors.clone()).unwrap_or_default();
    Outcome::Report { report, survivors }
}

fn failed(failure: &Failure, by: &SettledBy, exit: Option<&Exit>, relaunches: u32) -> Outcome {
    if failure.kind == "not_applied" {
        // A look can prove two things: that nothing was ever launched, which the call itself cures
        // as long as it may, and that what was launched changed nothing.
        return match by {
            SettledBy::Result => Outcome::NotApplied,
            SettledBy::Probe | SettledBy::Person { .. } => {
                if relaunches >= RELAUNCHES_MAX {
                    Outcome::NotApplied
                } else {
                    Outcome::Lost
                }
            }
        };
    }
    let Some(exit) = exit else { return Outcome::Failed(failure.clone()) };
    match (exit.ended, &exit.agent) {
        (Ended::SpawnFailed, None) => Outcome::SpawnFailed { detail: failure.detail.clone() },
        // An answer given outside the sandbox it was promised, or in spite of it, is not taken.
        (_, Some(_)) if matches!(&*failure.kind, "sandbox_unavailable" | "protected") => {
            Outcome::Failed(failure.clone())
        }
        (_, Some(report)) => told(report.clone(), Some(exit)),
        (_, None) => Outcome::Failed(failure.clone()),
    }
}
