//! What others ask of a lifecycle's state: its work, its current task, whether it holds the work
//! tree, what it still waits for. Reads only; decides nothing.

use alloc::string::String;
use alloc::vec::Vec;

use super::event::Event;
use super::phase::{Archive, Doing, Draft, Ended, FixStep, Phase, Rolling};
use super::state::{Approval, Life, State, Work};
use crate::policy::{Backing, Granted};

/// Who skips a task where a setting says so.
pub(super) const POLICY: &str = "policy";
/// Who goes on at the end of a rate limit where a setting says so.
pub(super) const SETTING: &str = "setting";

impl Phase {
    /// How it ended, once it is over.
    #[must_use]
    pub const fn ended(&self) -> Option<&Ended> {
        match self {
            Self::Idle(ended) => Some(ended),
            Self::Planning(_)
            | Self::Confirming(_)
            | Self::Executing(_)
            | Self::AutoFix(_)
            | Self::Blocked(_)
            | Self::Archiving(_) => None,
        }
    }

    /// The work, where there is any.
    #[must_use]
    pub fn work(&self) -> Option<&Work> {
        match self {
            Self::Idle(ended) => ended.work.as_deref(),
            Self::Planning(_) | Self::Confirming(_) => None,
            Self::Executing(now) => Some(&now.work),
            Self::AutoFix(fix) => Some(&fix.work),
            Self::Blocked(blocked) => Some(&blocked.work),
            Self::Archiving(archiving) => Some(&archiving.work),
        }
    }

    pub(super) fn work_mut(&mut self) -> Option<&mut Work> {
        match self {
            Self::Idle(_) | Self::Planning(_) | Self::Confirming(_) => None,
            Self::Executing(now) => Some(&mut now.work),
            Self::AutoFix(fix) => Some(&mut fix.work),
            Self::Blocked(blocked) => Some(&mut blocked.work),
            Self::Archiving(archiving) => Some(&mut archiving.work),
        }
    }

    /// The task in work.
    #[must_use]
    pub fn current_task(&self) -> Option<&str> {
        match self {
            Self::Executing(now) => now.doing.task(),
            Self::AutoFix(fix) => Some(&fix.task),
            Self::Blocked(blocked) => blocked.task.as_deref(),
            Self::Idle(_) | Self::Planning(_) | Self::Confirming(_) | Self::Archiving(_) => None,
        }
    }
}

impl Draft {
    /// Tries that failed.
    #[must_use]
    pub const fn failed(&self) -> u32 {
        match self {
            Self::Drafting { failed, .. } | Self::Stuck { failed, .. } => *failed,
        }
    }
}

impl Doing {
    /// The task that it is about.
    #[must_use]
    pub fn task(&self) -> Option<&str> {
        match self {
            Self::Task { task, .. } => Some(task),
            Self::Seal { .. } | Self::SealCheck { .. } => None,
        }
    }
}

impl FixStep {
    /// Which fix.
    #[must_use]
    pub const fn k(&self) -> u32 {
        match self {
            Self::Turn { k } | Self::Check { k, .. } => *k,
        }
    }
}

impl Rolling {
    /// Its number.
    #[must_use]
    pub const fn id(&self) -> u32 {
        match self {
            Self::Plan { id, .. } | Self::Ask { id, .. } | Self::Run { id, .. } => *id,
        }
    }
}

/// The task that a key speaks of.
#[must_use]
pub fn task_of_key(key: &str) -> Option<&str> {
    let mut parts = key.split('/');
    let of_a_task = matches!(parts.next()?, "save" | "task" | "fix" | "check");
    if of_a_task { parts.next() } else { None }
}

impl State {
    /// Keys of children that are stopped and whose end is awaited.
    #[must_use]
    pub fn settling(&self) -> Vec<String> {
        self.life().map(Life::settling).unwrap_or_default()
    }

    /// Whether it keeps others out of the work tree: from the yes until the record is written.
    #[must_use]
    pub fn holds_tree(&self) -> bool {
        self.life().is_some_and(|life| match &life.phase {
            Phase::Executing(_) | Phase::AutoFix(_) | Phase::Blocked(_) | Phase::Archiving(_) => {
                true
            }
            Phase::Idle(_) | Phase::Planning(_) | Phase::Confirming(_) => false,
        })
    }

    /// Whether it goes on by itself.
    #[must_use]
    pub fn at_work(&self) -> bool {
        self.life().is_some_and(|life| {
            life.body.hold.is_none()
                && match &life.phase {
                    Phase::Planning(planning) => matches!(planning.step, Draft::Drafting { .. }),
                    Phase::Executing(_) | Phase::AutoFix(_) | Phase::Archiving(_) => true,
                    Phase::Blocked(blocked) => {
                        matches!(blocked.rolling, Some(Rolling::Plan { .. } | Rolling::Run { .. }))
                    }
                    Phase::Idle(_) | Phase::Confirming(_) => false,
                }
        })
    }

    /// Whether a person stands behind the agents that it launches.
    #[must_use]
    pub fn backing(&self) -> Backing {
        self.life().map(|life| life.body.begin.backing).unwrap_or_default()
    }

    /// Exact commands that the approval of the plan covers.
    #[must_use]
    pub fn grants(&self) -> Vec<Granted> {
        self.approval().map(|yes| yes.programs.clone()).unwrap_or_default()
    }

    /// Risks that were shown with the plan and accepted: nobody is asked about them again.
    #[must_use]
    pub fn accepted_risks(&self) -> &[String] {
        self.approval().map(|yes| yes.risks.as_slice()).unwrap_or_default()
    }

    fn approval(&self) -> Option<&Approval> {
        self.life().and_then(|life| life.phase.work()).map(|work| &work.approval)
    }
}

impl Life {
    /// Keys of children that are stopped and whose end is awaited; a record is not written before.
    #[must_use]
    pub fn settling(&self) -> Vec<String> {
        let mut keys = self.body.left.clone();
        if let Phase::Archiving(archiving) = &self.phase
            && let Archive::Settling { keys: more } = &archiving.step
        {
            keys.extend(more.iter().cloned());
        }
        keys
    }

    /// The revision that a new plan would be.
    #[must_use]
    pub fn next_revision(&self) -> u32 {
        1 + match &self.phase {
            Phase::Idle(ended) => ended.revision,
            Phase::Planning(planning) => planning.revision,
            Phase::Confirming(confirming) => confirming.plan.revision,
            Phase::Executing(_) | Phase::AutoFix(_) | Phase::Blocked(_) | Phase::Archiving(_) => {
                self.phase.work().map_or(0, |work| work.plan.revision)
            }
        }
    }
}

impl Event {
    /// Whether a lifecycle that did not hold the work tree may hold it after this fact.
    #[must_use]
    pub const fn takes_tree(&self) -> bool {
        matches!(self, Self::UserConfirm { .. })
    }
}
