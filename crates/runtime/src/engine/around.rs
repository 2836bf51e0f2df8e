//! What the children of a loop wait for, as the loop's file shows it. Reads only.

use journal::Journal;
use kernel::call;
use kernel::owed::Owed;
use kernel::run::State;

use super::step::Engine;
use crate::views::Around;

impl<J: Journal> Engine<J> {
    /// The loop that a touched run belongs to, and what those below it wait for now.
    #[must_use]
    pub fn around(&self, touched: &str) -> Option<(String, Around)> {
        let owner = self.line(touched).find(|id| self.is_loop(id))?;
        let mut around = Around::default();
        let mut below: Vec<&String> = self.children.get(owner).into_iter().flatten().collect();
        while let Some(child) = below.pop() {
            let Some(run) = self.runs.get(child) else { continue };
            below.extend(self.children.get(child).into_iter().flatten());
            if let State::Call(call::State::Unknown { .. }) = &run.state {
                around.unknown_calls.push(child.clone());
            }
            for owed in run.state.owed() {
                if let Owed::Question { slot, question } = owed {
                    around.waiting = Some((format!("{child}/{slot}"), question.about));
                }
            }
        }
        Some((owner.to_owned(), around))
    }

    fn is_loop(&self, id: &str) -> bool {
        self.runs.get(id).is_some_and(|run| matches!(run.state, State::Loop(_)))
    }
}
