//! The stable keys of what a lifecycle owes, below its run id. A key is used for one try and never
//! again.

use alloc::format;
use alloc::string::String;

use super::phase::{Archive, Doing, Draft, FixStep, Phase, Rolling, Step};
use super::plan::Source;
use super::state::Life;

impl Phase {
    /// The key of the effect that is owed in this phase, held or not; none where only people or
    /// timers can move it.
    #[must_use]
    pub fn step_key(&self) -> Option<String> {
        match self {
            Self::Idle(_) | Self::Confirming(_) => None,
            Self::Planning(planning) => match &planning.step {
                Draft::Drafting { n, .. } => Some(format!("plan/{}/{n}", planning.revision)),
                Draft::Stuck { .. } => None,
            },
            Self::Executing(now) => Some(now.doing.key()),
            Self::AutoFix(fix) => Some(match &fix.step {
                FixStep::Turn { k } => format!("fix/{}/{k}", fix.task),
                FixStep::Check { k, i, n, .. } => format!("check/{}/fix{k}.{n}/{i}", fix.task),
            }),
            Self::Blocked(blocked) => match blocked.rolling.as_ref()? {
                Rolling::Plan { id, .. } => Some(format!("rollback-plan/{id}")),
                Rolling::Run { id, .. } => Some(format!("rollback/{id}")),
                Rolling::Ask { .. } => None,
            },
            Self::Archiving(archiving) => match &archiving.step {
                Archive::Settling { .. } | Archive::Writing { retry_at: Some(_), .. } => None,
                Archive::Writing { tries, retry_at: None } => Some(format!("archive/{tries}")),
            },
        }
    }

    /// The key of the question that is open, held or not.
    #[must_use]
    pub fn question_key(&self) -> Option<String> {
        match self {
            Self::Planning(planning) => match &planning.step {
                Draft::Stuck { n, .. } => Some(format!("q/plan/{}/{n}", planning.revision)),
                Draft::Drafting { .. } => None,
            },
            Self::Confirming(confirming) => Some(confirm_key(confirming.plan.revision)),
            Self::Blocked(blocked) => match &blocked.rolling {
                None => Some(format!("q/blocked/{}", blocked.q)),
                Some(Rolling::Ask { id, .. }) => Some(format!("q/rollback/{id}")),
                Some(Rolling::Plan { .. } | Rolling::Run { .. }) => None,
            },
            Self::Idle(_) | Self::Executing(_) | Self::AutoFix(_) | Self::Archiving(_) => None,
        }
    }
}

impl Doing {
    /// The key of this step.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Task { task, step: Step::Save { n, .. } } => format!("save/{task}/{n}"),
            Self::Task { task, step: Step::Turn { n, .. } } => format!("task/{task}/{n}"),
            Self::Task { task, step: Step::Check { n, i, .. } } => format!("check/{task}/{n}/{i}"),
            Self::Seal { n, .. } => format!("digest/{n}"),
            Self::SealCheck { n, i, .. } => format!("check/seal/{n}/{i}"),
        }
    }
}

/// The question about a plan.
pub(super) fn confirm_key(revision: u32) -> String {
    format!("q/confirm/{revision}")
}

/// When a question about a plan runs out.
pub(super) fn expiry_key(revision: u32) -> String {
    format!("confirm-expiry/{revision}")
}

/// When a rate limit ends.
pub(super) fn reset_key(q: u64) -> String {
    format!("quota-reset/{q}")
}

/// When the archive is tried again.
pub(super) fn retry_key(tries: u32) -> String {
    format!("archive-retry/{tries}")
}

impl Life {
    /// Whether this is the effect that is owed now: a hold keeps it only if it says so.
    #[must_use]
    pub fn owes_step(&self, key: &str) -> bool {
        let now = self.phase.step_key().is_some_and(|own| own == key);
        let kept = self.body.hold.as_ref().is_none_or(|hold| hold.keep.iter().any(|k| k == key));
        now && kept
    }

    /// The key of the turn that is owed now, if a turn is.
    #[must_use]
    pub fn turn_owed(&self) -> Option<String> {
        let turn = match &self.phase {
            Phase::Planning(_) => self.body.ask.source == Source::Text,
            Phase::Executing(now) => {
                matches!(now.doing, Doing::Task { step: Step::Turn { .. }, .. })
            }
            Phase::AutoFix(fix) => matches!(fix.step, FixStep::Turn { .. }),
            Phase::Idle(_) | Phase::Confirming(_) | Phase::Blocked(_) | Phase::Archiving(_) => {
                false
            }
        };
        self.phase.step_key().filter(|key| turn && self.owes_step(key))
    }
}
