//! One work tree has one holder at a time: who holds it, and what is refused because of that.

use journal::Journal;
use kernel::loops;
use kernel::machine::{At, By};
use kernel::run::{Command, Event, Kind, Refused, State};

use super::saying::Saying;
use super::step::Engine;

impl<J: Journal> Engine<J> {
    /// Fills in who holds the work tree, for the commands that would take it.
    pub(super) fn fill_holder(&self, saying: &mut Saying) {
        let Command::Loop(command) = &mut saying.command else { return };
        let busy_with = match command {
            loops::Command::Start { busy_with, .. }
            | loops::Command::Resume { busy_with }
            | loops::Command::Retry { busy_with }
            | loops::Command::Reopen { busy_with } => busy_with,
            loops::Command::Create { .. }
            | loops::Command::Import(_)
            | loops::Command::Edit { .. }
            | loops::Command::Delete
            | loops::Command::AddTask { .. }
            | loops::Command::EditTask { .. }
            | loops::Command::RemoveTask { .. }
            | loops::Command::ReorderTasks { .. }
            | loops::Command::RequeueTask { .. }
            | loops::Command::SetMode { .. }
            | loops::Command::Pause { .. }
            | loops::Command::Stop { .. }
            | loops::Command::LegBegan { .. }
            | loops::Command::LegEnded { .. }
            | loops::Command::Answer { .. }
            | loops::Command::Complete { .. }
            | loops::Command::Report(_)
            | loops::Command::Signal { .. }
            | loops::Command::ViewsRemoved
            | loops::Command::Timeout { .. } => return,
        };
        *busy_with = self.holder_beside(&saying.run);
    }

    /// Who else holds the work tree.
    fn holder_beside(&self, id: &str) -> Option<String> {
        let holds = |run: &super::book::Run| match &run.state {
            State::Loop(state) => state.holds_tree(),
            State::Call(state) => state.may_write_now() && run.parent.as_deref() != Some(id),
            // Its agents only read.
            State::Collab(_) => false,
            // Its calls hold it.
            State::Turn(_) => false,
        };
        let mut others = self.runs.iter().filter(|(other, _)| *other != id);
        others.find(|(_, run)| holds(run)).map(|(holder, _)| holder.clone())
    }

    /// The refusal of facts that would make a loop take a work tree that another holds, whatever
    /// was said: an answer, a Complete or a timer sets a standing loop going as a Resume does.
    pub(super) fn barred(&self, saying: &Saying, events: &[Event], now: At) -> Option<Refused> {
        let run = self.runs.get(&saying.run)?;
        let State::Loop(before) = &run.state else { return None };
        let takes = events.iter().any(|event| match event {
            Event::Loop(event) => event.takes_tree(),
            Event::Call(_) | Event::Collab(_) | Event::Turn(_) => false,
        });
        if saying.by == By::Engine || !takes || before.holds_tree() {
            return None;
        }
        let mut after = run.state.clone();
        events.iter().for_each(|event| after.evolve(event, now));
        let State::Loop(after) = after else { return None };
        if !after.holds_tree() {
            return None;
        }
        let holder = self.holder_beside(&saying.run)?;
        Some(Refused {
            machine: Kind::Loop.name(),
            reason: "busy",
            allowed: Vec::new(),
            details: serde_json::json!({ "holder": holder }),
        })
    }
}
