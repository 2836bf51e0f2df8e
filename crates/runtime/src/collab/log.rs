//! The log of a collab: a line of JSON for each critical event, folded from the run's records, so
//! that it is the same however often it is written.

use journal::{Fault, Journal};
use kernel::collab::view::{self, Line, Meta};
use kernel::run::{Event, Kind, State as Any};

use crate::lines::{Lines, Taken};
use crate::redact::Redactor;

/// The lines of one run so far.
#[derive(Debug)]
pub struct Log(Lines);

impl Default for Log {
    fn default() -> Self {
        Self(Lines::of(Kind::Collab))
    }
}

impl Log {
    /// Takes in the records that came since the last look. One that cannot be read has no line;
    /// whoever folds the run says so.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn go_on(
        &mut self,
        journal: &dyn Journal,
        run: &str,
        redactor: &Redactor,
    ) -> Result<(), Fault> {
        self.0.go_on(journal, run, |Taken { state, event, seq, at: updated_at }| {
            let (Any::Collab(state), Event::Collab(event)) = (state, event) else { return None };
            let meta = Meta { run_id: run.to_owned(), parent: None, seq, updated_at };
            let line = view::line(state, event, &meta)?;
            let clean = Line {
                degraded_reason: line.degraded_reason.map(|text| redactor.redact_text(&text)),
                message: redactor.redact_text(&line.message),
                ..line
            };
            serde_json::to_string(&clean).ok()
        })
    }

    /// All lines.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.text()
    }
}
