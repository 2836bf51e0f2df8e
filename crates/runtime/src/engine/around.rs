//! What a loop's child waits for, as the loop's file shows it. Reads only.

use journal::Journal;
use kernel::call;
use kernel::owed::Owed;
use kernel::run::State;

use super::step::Engine;
use crate::views::Around;

impl<J: Journal> Engine<J> {
    /// The loop that a touched run belongs to, and what its child waits for now.
    #[must_use]
    pub fn around(&self, touched: &str) -> Option<(String, Around)> {
        let run = self.runs.get(touched)?;
        let owner = match &run.state {
            State::Loop(_) => touched,
            State::Call(_) => run.parent.as_deref()?,
            State::Collab(_) | State::Grant(_) | State::Turn(_) => return None,
        };
        let mut around = Around::default();
        for child in self.children.get(owner).into_iter().flatten() {
            let Some(State::Call(state)) = self.runs.get(child).map(|run| &run.state) else {
                continue;
            };
            if let call::State::Unknown { .. } = state {
                around.unknown_calls.push(child.clone());
            }
            for owed in call::owed(state) {
                if let Owed::Question { slot, question } = owed {
                    around.waiting = Some((format!("{child}/{slot}"), question.about));
                }
            }
        }
        Some((owner.to_owned(), around))
    }
}
