//! What others ask of a loop's state: which child it waits for, whether it holds the work tree,
//! which question is open. Reads only; decides nothing.

use alloc::string::String;
use alloc::vec::Vec;

use super::command::Seen;
use super::event::Event;
use super::phase::{Action, Leg, PauseReason, Phase};
use super::state::{Progress, State};
use super::validation::Check;
use crate::policy::Backing;
use crate::turn::CheckedOut;

impl State {
    /// The action under way, held, or on its way out.
    #[must_use]
    pub fn action(&self) -> Option<&Action> {
        self.life()?.phase.action()
    }

    /// The slot of the child this loop waits for, owed or not: a cut or failed action's child is
    /// stopped, and its end is still awaited.
    #[must_use]
    pub fn awaited(&self) -> Option<(String, u32, Leg)> {
        let action = self.action()?;
        let leg = action.leg()?;
        Some((action.slot(leg), action.n, leg.clone()))
    }

    /// The approved check of that number, counted from 1.
    #[must_use]
    pub fn check(&self, number: u32) -> Option<&Check> {
        let course = match &self.life()?.body.progress {
            Progress::Fresh => return None,
            Progress::Begun { course, .. } | Progress::Ready { course, .. } => course,
        };
        course.checks.get(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    /// What the reproduction of the action at work showed.
    #[must_use]
    pub fn seen(&self) -> Option<&Seen> {
        self.action()?.seen.as_deref()
    }

    /// The child whose changes have to be taken back.
    #[must_use]
    pub fn restore_owed(&self) -> Option<&str> {
        self.life()?.body.work()?.debug.restore_owed.as_deref()
    }

    /// The ids of all hypotheses.
    #[must_use]
    pub fn hypotheses(&self) -> Vec<String> {
        let work = self.life().and_then(|life| life.body.work());
        let all = work.map_or(&[][..], |work| &work.debug.hypotheses);
        all.iter().map(|hypothesis| hypothesis.id.clone()).collect()
    }

    /// Whether a person stands behind the agents that it launches.
    #[must_use]
    pub fn backing(&self) -> Backing {
        self.life()
            .and_then(|life| life.body.course())
            .map_or(Backing::None, |course| course.backing)
    }

    /// Who does tasks that name nobody, as it was when the loop was started.
    #[must_use]
    pub fn default_tool(&self) -> &str {
        self.life()
            .and_then(|life| life.body.course())
            .map_or("", |course| course.settings.default_tool.as_str())
    }

    /// What was checked out when it began to write, if it has since a person last stepped in.
    #[must_use]
    pub fn head(&self) -> Option<&CheckedOut> {
        self.life()?.body.head.as_ref()
    }

    /// Whether it keeps others out of the work tree: running, or paused or failed with a child that
    /// is not gone yet.
    #[must_use]
    pub fn holds_tree(&self) -> bool {
        self.life().is_some_and(|life| match &life.phase {
            Phase::Acting(_) | Phase::Choosing { .. } | Phase::Lent { .. } => true,
            Phase::Paused(paused) => paused.live().is_some(),
            Phase::Failed { tail, .. } => tail.is_some(),
            Phase::Created | Phase::Completed { .. } => false,
        })
    }

    /// The open question and the hash that an answer is bound to.
    #[must_use]
    pub fn open_question(&self) -> Option<(u32, Option<String>)> {
        let life = self.life()?;
        let q = match &life.phase {
            Phase::Choosing { q } => Some(*q),
            Phase::Paused(paused) if paused.reason != PauseReason::Unverified => {
                return paused.open().map(|q| (q, None));
            }
            Phase::Paused(paused) => paused.open(),
            Phase::Created
            | Phase::Acting(_)
            | Phase::Lent { .. }
            | Phase::Completed { .. }
            | Phase::Failed { .. } => None,
        }?;
        let hash = match &life.body.progress {
            Progress::Fresh | Progress::Begun { .. } => None,
            Progress::Ready { work, .. } => {
                work.validation.as_ref().map(|validation| validation.accept_hash.clone())
            }
        };
        Some((q, hash))
    }
}

impl Event {
    /// Whether a loop that did not hold the work tree may hold it after this fact: an action, a
    /// menu or a lease begins to, and so does the return to a held action.
    #[must_use]
    pub const fn takes_tree(&self) -> bool {
        matches!(
            self,
            Self::ActionChosen { .. }
                | Self::MenuOpened { .. }
                | Self::LeaseTaken { .. }
                | Self::LoopResumed { .. }
                | Self::LoopRetried
        )
    }
}
