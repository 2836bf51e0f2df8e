//! A lifecycle as its records arrive: the journal is looked at again and again, read only. It shows
//! nothing.

use journal::Journal as _;
use kernel::lifecycle::{Event, State};
use kernel::machine::At;
use kernel::run::{self, Kind};
use runtime::query::{self, Below, Folded, OpenQuestion};
use runtime::words::Lang;
use serde_json::Value;

use super::super::known::Known;
use crate::trouble::{self, Trouble};

/// One lifecycle.
pub struct Feed {
    /// The run.
    pub known: Known,
    folded: Folded,
    new: State,
    /// Up to where it was told before.
    told: u64,
}

impl Feed {
    /// Opens it before its first record.
    pub fn open(known: Known) -> Self {
        let state = Kind::Lifecycle.unborn();
        let folded = Folded { state, seq: 0, updated_ms: 0, trace: String::new(), below: None };
        Self { known, folded, new: State::default(), told: 0 }
    }

    /// The same for one who knows what was recorded up to there.
    pub fn after(known: Known, told: u64) -> Self {
        Self { told, ..Self::open(known) }
    }

    /// The same as it stands now.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn read(known: Known) -> Result<Self, Trouble> {
        let mut feed = Self::open(known);
        feed.look(|_, _| {})?;
        Ok(feed)
    }

    /// Takes in what was recorded since the last look, and tells it with the state after it.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn look(&mut self, mut tell: impl FnMut(&State, &Event)) -> Result<(), Trouble> {
        let run = &self.known.head.run;
        let records = self.known.journal.read_run(run, self.folded.seq);
        for record in records.map_err(|fault| trouble::of_query(&fault.into()))? {
            let Ok(any) = run::Event::from_record(Kind::Lifecycle, &record.body) else {
                let (run, seq) = (run.clone(), record.seq);
                return Err(trouble::of_query(&query::Refusal::Unreadable { run, seq }));
            };
            self.folded.state.evolve(&any, At(record.at_ms));
            if let (run::State::Lifecycle(state), run::Event::Lifecycle(event)) =
                (&self.folded.state, &any)
                && record.seq > self.told
            {
                tell(state, event);
            }
            if self.folded.seq == 0 {
                self.folded.trace.clone_from(&record.trace);
            }
            (self.folded.seq, self.folded.updated_ms) = (record.seq, record.at_ms);
        }
        Ok(())
    }

    /// The lifecycle as it stands.
    pub const fn state(&self) -> &State {
        match &self.folded.state {
            run::State::Lifecycle(state) => state,
            run::State::Call(_)
            | run::State::Loop(_)
            | run::State::Collab(_)
            | run::State::Grant(_)
            | run::State::Session(_)
            | run::State::Turn(_) => &self.new,
        }
    }

    /// The same with where it stands in the journal.
    pub const fn folded(&self) -> &Folded {
        &self.folded
    }

    /// The run in full, with what the runs below it ask.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn shown(&self, lang: Lang) -> Result<Value, Trouble> {
        let head = &self.known.head;
        let below = Below::first(&head.run, &self.open_questions()?);
        Ok(query::show(head, &Folded { below, ..self.folded.clone() }, lang))
    }

    /// Everything that it, as it was looked at, and the runs below it ask: what it came to ask
    /// since would not fit what is shown of it.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn open_questions(&self) -> Result<Vec<OpenQuestion>, Trouble> {
        let run = &self.known.head.run;
        let own = query::of_run(run, &self.folded.state);
        let mut all = query::questions(&self.known.journal, Some(run))
            .map_err(|refusal| trouble::of_query(&refusal))?;
        all.retain(|one| one.run != *run || own.iter().any(|known| known.id == one.id));
        Ok(all)
    }
}
