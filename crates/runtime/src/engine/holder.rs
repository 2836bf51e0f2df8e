//! One work tree has one holder at a time: who holds it, and what is refused because of that.

use journal::Journal;
use kernel::machine::{At, By};
use kernel::run::{Command, Event, Refused, State};
use kernel::{call, loops};

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

    /// Who else holds the work tree. All runs below one count as that one, and it is the one that
    /// is named, unless it has ended and only what it left behind still holds.
    pub(super) fn holder_beside(&self, id: &str) -> Option<String> {
        let own = self.top(id);
        let mut others = self.runs.iter().filter(|(other, _)| self.top(other) != own);
        let (holder, _) = others.find(|(_, run)| holds(&run.state))?;
        let top = self.top(holder);
        let lives = self.runs.get(top).is_some_and(|run| holds(&run.state));
        Some(if lives { top } else { holder }.to_owned())
    }

    /// The run above all others that this one belongs to.
    pub(super) fn top<'a>(&'a self, id: &'a str) -> &'a str {
        let mut top = id;
        while let Some(parent) = self.runs.get(top).and_then(|run| run.parent.as_deref()) {
            top = parent;
        }
        top
    }

    /// A live run and those above it, the nearest first.
    pub(super) fn line<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a str> {
        let live = |id: &'a str| self.runs.contains_key(id).then_some(id);
        std::iter::successors(live(id), move |id| live(self.runs[*id].parent.as_deref()?))
    }

    /// The refusal of facts that would make a run take a work tree that another holds, whatever
    /// was said: an answer, a Complete or a timer sets a standing loop going as a Resume does.
    pub(super) fn barred(&self, saying: &Saying, events: &[Event], now: At) -> Option<Refused> {
        let run = self.runs.get(&saying.run)?;
        let takes = events.iter().any(|event| match event {
            Event::Loop(event) => event.takes_tree(),
            Event::Call(event) => event.takes_tree(),
            Event::Turn(event) => event.takes_tree(),
            Event::Lifecycle(event) => event.takes_tree(),
            Event::Session(event) => event.takes_tree(),
            Event::Collab(_) | Event::Grant(_) => false,
        });
        if !takes || holds(&run.state) {
            return None;
        }
        match (&run.state, &saying.by) {
            (State::Loop(_) | State::Session(_), By::Engine) => return None,
            // What an owner asks for is the owner's to hold the tree for.
            (
                State::Call(_) | State::Turn(_) | State::Lifecycle(_) | State::Session(_),
                By::Parent { .. },
            ) => {
                return None;
            }
            (
                State::Loop(_)
                | State::Call(_)
                | State::Collab(_)
                | State::Grant(_)
                | State::Turn(_)
                | State::Lifecycle(_)
                | State::Session(_),
                _,
            ) => {}
        }
        let mut after = run.state.clone();
        events.iter().for_each(|event| after.evolve(event, now));
        if !holds(&after) {
            return None;
        }
        let holder = self.holder_beside(&saying.run)?;
        let mut details = serde_json::json!({ "holder": holder });
        if let Some(State::Call(call::State::Unknown { .. })) =
            self.runs.get(&holder).map(|run| &run.state)
        {
            details["unknown"] = serde_json::json!(holder);
        }
        let machine = run.state.kind().name();
        Some(Refused { machine, reason: "busy", allowed: Vec::new(), details })
    }
}

fn holds(state: &State) -> bool {
    match state {
        State::Loop(state) => state.holds_tree(),
        State::Call(state) => state.holds_tree(),
        // Its agents only read.
        State::Collab(_) => false,
        State::Grant(_) => false,
        State::Turn(state) => state.holds_tree(),
        State::Lifecycle(state) => state.holds_tree(),
        State::Session(state) => state.holds_tree(),
    }
}
