//! A loop as its records arrive: the journal is looked at again and again, read only. It shows
//! nothing.

use journal::{Journal as _, Reader, Record, Sqlite};
use kernel::loops;
use kernel::machine::At;
use kernel::run::{Event, Kind, State};
use runtime::query::{self, Refusal};
use runtime::workspace::StateDir;

use super::wait::Wait;
use crate::trouble::{self, Trouble};

/// From where the records are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// Only those that come.
    Now,
    /// From the last start on.
    LastStart,
}

/// One loop and the child of its action.
pub struct Feed {
    journal: Reader,
    run: String,
    state: loops::State,
    seq: u64,
    told_from: u64,
    child: Option<Child>,
}

struct Child {
    id: String,
    seq: u64,
    state: State,
}

impl Feed {
    /// Opens the feed of a loop.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn open(dir: &StateDir, run: &str, from: From) -> Result<Self, Trouble> {
        let journal = Sqlite::open_reader(&dir.journal()).map_err(of)?;
        let records = journal.read_run(run, 0).map_err(of)?;
        let started = records.iter().rfind(|record| record.kind == "LoopStarted");
        let told_from = match from {
            From::Now => records.last().map_or(0, |last| last.seq + 1),
            From::LastStart => started.map_or(0, |record| record.seq),
        };
        let run = run.to_owned();
        Ok(Self { journal, run, state: loops::State::New, seq: 0, told_from, child: None })
    }

    /// Takes in what was recorded since the last look, and tells it with the state before it.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn look(
        &mut self,
        mut tell: impl FnMut(&loops::State, &loops::Event, &Record),
    ) -> Result<(), Trouble> {
        for record in self.journal.read_run(&self.run, self.seq).map_err(of)? {
            let unreadable = || Refusal::Unreadable { run: self.run.clone(), seq: record.seq };
            let Ok(Event::Loop(event)) = Event::from_record(Kind::Loop, &record.body) else {
                return Err(trouble::of_query(&unreadable()));
            };
            if record.seq >= self.told_from {
                tell(&self.state, &event, &record);
            }
            loops::evolve(&mut self.state, &event, At(record.at_ms));
            self.seq = record.seq;
        }
        self.look_at_child()
    }

    fn look_at_child(&mut self) -> Result<(), Trouble> {
        let id = self.state.action().and_then(|action| action.child.clone());
        let Some(id) = id else {
            self.child = None;
            return Ok(());
        };
        let Some(head) = self.journal.head(&id).map_err(of)? else {
            self.child = None;
            return Ok(());
        };
        if self.child.as_ref().is_some_and(|known| known.id == id && known.seq == head.seq) {
            return Ok(());
        }
        let folded =
            query::fold(&self.journal, &head, None).map_err(|why| trouble::of_query(&why))?;
        self.child = Some(Child { id, seq: folded.seq, state: folded.state });
        Ok(())
    }

    /// The loop, unless it is deleted.
    pub const fn life(&self) -> Option<&loops::Life> {
        self.state.life()
    }

    /// After which record it stands so.
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// What it waits for that only a person can give.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn wait(&self) -> Result<Option<Wait>, Trouble> {
        let child = self.child.as_ref().map(|child| (child.id.as_str(), &child.state));
        Wait::of(&self.journal, &self.state, child).map_err(|why| trouble::of_query(&why))
    }

    /// The call that is at work for the action under way.
    pub fn call(&self) -> Option<String> {
        let child = self.child.as_ref()?;
        match child.state {
            State::Call(_) => Some(child.id.clone()),
            // Nobody misses a line of output that can't be found just now.
            State::Turn(_)
            | State::Collab(_)
            | State::Loop(_)
            | State::Grant(_)
            | State::Session(_)
            | State::Lifecycle(_) => {
                query::at_work(&self.journal, &child.id).ok()?.map(|head| head.run)
            }
        }
    }
}

fn of(fault: journal::Fault) -> Trouble {
    trouble::of_query(&fault.into())
}
