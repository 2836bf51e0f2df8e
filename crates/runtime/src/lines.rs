//! The records of one run as lines of text, folded as they come, so that they are the same however
//! often they are written. What a line says is its machine's own.

use journal::{Fault, Journal};
use kernel::machine::At;
use kernel::run::{Event, Kind, State};

/// The lines of one run so far, and the state after the last of its records.
#[derive(Debug)]
pub(crate) struct Lines {
    kind: Kind,
    state: State,
    seq: u64,
    text: String,
}

/// A record that was taken in.
pub(crate) struct Taken<'a> {
    /// The state after it.
    pub state: &'a State,
    /// What it says.
    pub event: &'a Event,
    /// Its place in the run.
    pub seq: u64,
    /// When.
    pub at: At,
}

impl Lines {
    /// Of a run of this machine, before its first record.
    pub(crate) fn of(kind: Kind) -> Self {
        Self { kind, state: kind.unborn(), seq: 0, text: String::new() }
    }

    /// Takes in the records that came since the last look. One that cannot be read has no line;
    /// whoever folds the run says so.
    pub(crate) fn go_on(
        &mut self,
        journal: &dyn Journal,
        run: &str,
        mut line: impl FnMut(Taken<'_>) -> Option<String>,
    ) -> Result<(), Fault> {
        for record in journal.read_run(run, self.seq)? {
            self.seq = record.seq;
            let Ok(event) = Event::from_record(self.kind, &record.body) else { continue };
            let at = At(record.at_ms);
            self.state.evolve(&event, at);
            let taken = Taken { state: &self.state, event: &event, seq: record.seq, at };
            if let Some(line) = line(taken) {
                self.text.push_str(&line);
                self.text.push('\n');
            }
        }
        Ok(())
    }

    /// All lines.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}
