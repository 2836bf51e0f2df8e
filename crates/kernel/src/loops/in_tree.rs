//! What debugging leaves in the tree. As long as it owes its bytes they are taken back first of
//! all; where a loop ends, is handed over or gives it up before that, people are told which files
//! still hold it.

use alloc::string::String;
use alloc::vec::Vec;

use super::command::LegEnd;
use super::event::Event;
use super::evolve;
use super::phase::{Action, Leg, Phase};
use super::state::{Debug, Driver, Life, State};

impl Debug {
    /// What it changed and has not put back; its child where no path of it is known.
    #[must_use]
    pub fn in_tree(&self) -> Vec<String> {
        let Some(child) = &self.restore_owed else { return Vec::new() };
        let mut all = self.instrumented.clone();
        all.extend(self.kept.iter().filter(|path| !self.instrumented.contains(path)).cloned());
        if all.is_empty() {
            all.push(child.clone());
        }
        all
    }
}

impl State {
    /// What this fact leaves in the tree of a loop that stands so; nothing for most.
    #[must_use]
    pub fn leaves(&self, event: &Event) -> Vec<String> {
        let Some(life) = self.life() else { return Vec::new() };
        let Some(work) = life.body.work() else { return Vec::new() };
        if let Event::LegEnded { leg: Leg::Restore, end, .. } = event {
            return given_up(life, event, end);
        }
        if ends(&life.phase, event) { work.debug.in_tree() } else { Vec::new() }
    }
}

/// What an end of putting back leaves to others for good.
fn given_up(life: &Life, event: &Event, end: &LegEnd) -> Vec<String> {
    if let LegEnd::Failed { .. } | LegEnd::TimedOut { .. } | LegEnd::Cancelled = end {
        return Vec::new();
    }
    let mut after = life.clone();
    evolve::apply(&mut after, event, life.body.updated_at);
    let paid = |debug: &&Debug| debug.restore_owed.is_none();
    let debug = after.body.work().map(|work| &work.debug).filter(paid);
    debug.map(|debug| debug.kept.clone()).unwrap_or_default()
}

/// Whether nobody puts anything back for now. What a child that is still being stopped has changed
/// is known once it is gone.
fn ends(phase: &Phase, event: &Event) -> bool {
    let live = |action: &Action| action.child.is_some();
    if let Event::LoopFailed { .. } = event {
        return !phase.action().is_some_and(live);
    }
    if let Event::ActionEnded { .. } | Event::ActionDropped { .. } = event {
        return matches!(phase, Phase::Failed { tail: Some(_), .. });
    }
    if let Event::LoopStarted { course } = event {
        return course.driver != Driver::Engine;
    }
    matches!(event, Event::LoopCompleted { .. } | Event::LoopDeleted)
}
