//! A turn as its records arrive: the journal is looked at again and again, read only. It shows
//! nothing.

use journal::Journal as _;
use kernel::machine::At;
use kernel::run::{Event as Any, Kind};
use kernel::turn::{self, Event, State};
use runtime::query::{self, Folded, OpenQuestion};
use runtime::workspace::StateDir;

use super::super::known::{self, Known};
use crate::ctx::Ctx;
use crate::trouble::{self, Trouble};

/// One turn.
pub struct Feed {
    known: Known,
    folded: Folded,
}

impl Feed {
    /// Opens it before its first record.
    ///
    /// # Errors
    /// An unknown turn, or a journal that cannot be read.
    pub fn open(ctx: &Ctx, id: &str) -> Result<Self, Trouble> {
        let known = known::run_of(ctx, id, Kind::Turn)?;
        let state = kernel::run::State::Turn(State::Idle);
        let folded = Folded { state, seq: 0, updated_ms: 0, trace: String::new(), below: None };
        Ok(Self { known, folded })
    }

    /// Takes in what was recorded since the last look, and tells it with the state after it.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn look(&mut self, mut tell: impl FnMut(&State, &Event)) -> Result<(), Trouble> {
        let run = &self.known.head.run;
        let records = self.known.journal.read_run(run, self.folded.seq);
        for record in records.map_err(|fault| trouble::of_query(&fault.into()))? {
            let Ok(Any::Turn(event)) = Any::from_record(Kind::Turn, &record.body) else {
                let (run, seq) = (run.clone(), record.seq);
                return Err(trouble::of_query(&query::Refusal::Unreadable { run, seq }));
            };
            if let kernel::run::State::Turn(state) = &mut self.folded.state {
                turn::evolve(state, &event, At(record.at_ms));
                tell(state, &event);
            }
            if self.folded.seq == 0 {
                self.folded.trace.clone_from(&record.trace);
            }
            (self.folded.seq, self.folded.updated_ms) = (record.seq, record.at_ms);
        }
        Ok(())
    }

    /// The turn as it stands.
    pub fn state(&self) -> &State {
        match &self.folded.state {
            kernel::run::State::Turn(state) => state,
            kernel::run::State::Call(_)
            | kernel::run::State::Loop(_)
            | kernel::run::State::Collab(_)
            | kernel::run::State::Lifecycle(_)
            | kernel::run::State::Session(_)
            | kernel::run::State::Grant(_) => unreachable!("it is opened as a turn"),
        }
    }

    /// The same with where it stands in the journal.
    pub const fn folded(&self) -> &Folded {
        &self.folded
    }

    /// The run.
    pub const fn known(&self) -> &Known {
        &self.known
    }

    /// Where its files are.
    pub const fn dir(&self) -> &StateDir {
        &self.known.dir
    }

    /// Everything that it and the runs below it ask, while it waits.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn open_questions(&self) -> Result<Vec<OpenQuestion>, Trouble> {
        if !self.state().life().is_some_and(turn::Life::waits) {
            return Ok(Vec::new());
        }
        query::questions(&self.known.journal, Some(&self.known.head.run))
            .map_err(|refusal| trouble::of_query(&refusal))
    }
}
