//! Taking back what a run has changed, for the run that owns it: call by call, the newest first,
//! each by an undo of its own. What was taken back is read from the undos that are there.

use std::collections::BTreeSet;

use journal::Journal;
use kernel::call;
use kernel::loops::{Gave, Leg, LegEnd};
use kernel::machine::At;
use kernel::run::State;
use kernel::session;

use super::book::Halt;
use super::job::Ready;
use super::outcome;
use super::saying::Saying;
use super::sessions;
use super::step::Engine;

impl<J: Journal> Engine<J> {
    /// Asks for the undo of what `run` changed last; its owner hears at once if there is nothing.
    pub(super) fn take_back(
        &mut self,
        (owner, slot, key): (&str, &str, &str),
        (run, foreign): (&str, call::Foreign),
        now: At,
    ) -> Result<Vec<Saying>, Halt> {
        let session = matches!(self.runs[owner].state, State::Session(_));
        let Some(call) = self.to_take_back(owner, run).into_iter().next() else {
            if session {
                let nothing = session::Gave::Done(serde_json::json!({ "nothing": true }));
                let outcome = session::Outcome::Ok(Box::new(nothing));
                return Ok(vec![sessions::told(owner, slot, outcome)]);
            }
            let State::Loop(state) = &self.runs[owner].state else { return Ok(Vec::new()) };
            let gave = Gave::Restored { files_changed: vec![], left: false, kept: vec![] };
            let told = outcome::leg_ended(owner, state, slot, LegEnd::Ok(gave));
            return Ok(told.into_iter().collect());
        };
        let ready = self.undo_of(&call, foreign)?.map(Ready::Call);
        Ok(self.begin((owner, slot, key), ready, now))
    }

    /// The calls of `run` that changed files and were not taken back for `owner`, the newest first.
    fn to_take_back(&self, owner: &str, run: &str) -> Vec<String> {
        let own = self.calls_of(owner);
        if self.journal.head(run).ok().flatten().is_some_and(|head| head.machine == "call") {
            let undone = own.iter().any(|(_, state)| state.took_back() == Some(run));
            return if undone { Vec::new() } else { vec![run.to_owned()] };
        }
        let undone: BTreeSet<&str> =
            own.iter().filter_map(|(_, state)| state.took_back()).collect();
        let mut changed: Vec<String> = self
            .calls_of(run)
            .into_iter()
            .filter(|(id, state)| state.changed_files() && !undone.contains(id.as_str()))
            .map(|(id, _)| id)
            .collect();
        changed.reverse();
        changed
    }

    /// What a leg hears of its undo: how much is left to take back, and what others have changed
    /// since.
    pub(super) fn of_undo(
        &self,
        owner: &str,
        leg: &Leg,
        (undo, end): (&call::State, LegEnd),
    ) -> LegEnd {
        let run = match &self.runs[owner].state {
            State::Loop(state) if *leg == Leg::Restore => state.restore_owed(),
            State::Loop(_)
            | State::Call(_)
            | State::Collab(_)
            | State::Grant(_)
            | State::Turn(_)
            | State::Lifecycle(_)
            | State::Session(_) => None,
        };
        let Some(run) = run else { return end };
        match &end {
            LegEnd::Ok(Gave::Work { files_changed, .. }) => {
                let (files_changed, left) = (files_changed.clone(), self.to_take_back(owner, run));
                let kept = undo.left_alone();
                LegEnd::Ok(Gave::Restored { files_changed, left: !left.is_empty(), kept })
            }
            // Somebody wrote while it was taken back: nothing of this call was.
            LegEnd::Failed { failure, .. } if failure.code == CONFLICT => {
                LegEnd::Blocked { failure: failure.clone(), reset_at: None }
            }
            LegEnd::Ok(_)
            | LegEnd::Failed { .. }
            | LegEnd::TimedOut { .. }
            | LegEnd::Blocked { .. }
            | LegEnd::Unusable { .. }
            | LegEnd::Cancelled => end,
        }
    }
}

/// Others changed a file since.
const CONFLICT: &str = "E_CONFLICT";
