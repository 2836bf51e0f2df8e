//! The log of a collab: a line of JSON for each critical event, folded from the run's records, so
//! that it is the same however often it is written.

use std::fmt::Write as _;

use journal::{Fault, Journal};
use kernel::collab::State;
use kernel::collab::view::{self, Line, Meta};
use kernel::machine::At;
use kernel::run::{Event, Kind, State as Any};

use crate::redact::Redactor;

/// The lines of one run so far, and the state after the last of its records.
#[derive(Debug)]
pub struct Log {
    state: Any,
    seq: u64,
    text: String,
}

impl Default for Log {
    fn default() -> Self {
        Self { state: Any::Collab(State::New), seq: 0, text: String::new() }
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
        for record in journal.read_run(run, self.seq)? {
            self.seq = record.seq;
            let Ok(event) = Event::from_record(Kind::Collab, &record.body) else { continue };
            self.state.evolve(&event, At(record.at_ms));
            let (Any::Collab(state), Event::Collab(event)) = (&self.state, &event) else {
                continue;
            };
            let meta = Meta {
                run_id: run.to_owned(),
                parent: None,
                seq: record.seq,
                updated_at: At(record.at_ms),
            };
            if let Some(line) = view::line(state, event, &meta) {
                self.add(line, redactor);
            }
        }
        Ok(())
    }

    fn add(&mut self, line: Line, redactor: &Redactor) {
        let clean = Line {
            degraded_reason: line.degraded_reason.map(|text| redactor.redact_text(&text)),
            message: redactor.redact_text(&line.message),
            ..line
        };
        if let Ok(json) = serde_json::to_string(&clean) {
            // A string takes what it is given.
            let _ = writeln!(self.text, "{json}");
        }
    }

    /// All lines.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}
