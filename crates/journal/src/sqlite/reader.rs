//! A journal opened to read: beside a living writer, after a killed one, or at rest. It takes no
//! lock that a writer would wait for and changes nothing.

use super::link::ReadLink;
use super::read::{self, News, View};
use super::schema::{self, DB_FILE};
use super::writer::stats;
use crate::contract::{Batch, Head, Journal, Record, Snapshot, Stats, Verified};
use crate::fault::{Damage, Fault};
use crate::head_file;
use crate::ledger::Ledger;
use std::cell::{Ref, RefCell};
use std::path::{Path, PathBuf};

/// How often a reading starts over because a writer came or went meanwhile. Each time needs a
/// writer that starts or ends, so more than a few in a row is a fault of its own.
const TRIES_MAX: u32 = 5;

/// A journal that can only be read.
pub struct Reader {
    dir: PathBuf,
    link: RefCell<ReadLink>,
    /// The runs as they were when last looked at; what came since is folded into them.
    runs: RefCell<Option<Ledger>>,
}

impl Reader {
    pub(super) fn open(dir: &Path) -> Result<Self, Fault> {
        schema::require_version()?;
        let mut tried = 1;
        loop {
            match Self::open_once(dir) {
                // A writer that is creating the journal, or writing its head, while we look.
                Err(Fault::Damaged(Damage::HeadMissing | Damage::HeadUnreadable))
                    if tried < TRIES_MAX =>
                {
                    tried += 1;
                }
                outcome => return outcome,
            }
        }
    }

    /// The head file is read first: what it acknowledges must then be in the journal.
    fn open_once(dir: &Path) -> Result<Self, Fault> {
        let mark = head_file::read(dir);
        if !dir.join(DB_FILE).exists() {
            schema::refuse_loss(dir, &mark)?;
            return Err(Fault::Absent { dir: dir.display().to_string() });
        }
        let reader = Self::bare(dir)?;
        let ledger = reader.read(|view| {
            schema::check_tables(view.conn, view.format)?;
            let ledger = read::ledger(view)?;
            read::check_mark(view, &ledger, mark.clone()?.as_ref())?;
            Ok(ledger)
        })?;
        reader.runs.replace(Some(ledger));
        Ok(reader)
    }

    /// One that nothing was checked of yet.
    fn bare(dir: &Path) -> Result<Self, Fault> {
        let link = RefCell::new(ReadLink::open(dir)?);
        Ok(Self { dir: dir.to_owned(), link, runs: RefCell::new(None) })
    }

    /// Runs a reading; again when the files changed under it.
    fn read<T>(&self, read: impl Fn(&View<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
        for _ in 0..TRIES_MAX {
            if self.link.borrow().is_stale(&self.dir)? {
                self.link.replace(ReadLink::open(&self.dir)?);
            }
            let link = self.link.borrow();
            let outcome = read::at_once(&link.conn, &read);
            if !link.is_stale(&self.dir)? {
                return outcome;
            }
        }
        let detail = "it changed at each try".to_owned();
        Err(Fault::Io { what: "read the journal".to_owned(), detail })
    }

    /// The runs as they stand now.
    fn ledger(&self) -> Result<Ref<'_, Ledger>, Fault> {
        let known = self.runs.borrow();
        let news = self.read(|view| match &*known {
            Some(known) => read::news(view, known),
            None => read::ledger(view).map(News::Anew),
        })?;
        drop(known);
        self.learn(news)?;
        Ok(Ref::map(self.runs.borrow(), |runs| runs.as_ref().expect("it was just learnt")))
    }

    /// A fold that fails leaves nothing behind, so the next look reads anew.
    fn learn(&self, news: News) -> Result<(), Fault> {
        let mut runs = self.runs.borrow_mut();
        match news {
            News::Nothing => {}
            News::Anew(ledger) => *runs = Some(ledger),
            News::Tail(totals, records) => {
                let mut ledger = runs.take().expect("a tail follows what is known");
                records.iter().try_for_each(|record| ledger.fold(record))?;
                ledger.whole()?;
                ledger.totals = totals;
                *runs = Some(ledger);
            }
        }
        Ok(())
    }
}

impl Journal for Reader {
    fn epoch(&self) -> u64 {
        self.runs.borrow().as_ref().map_or(0, |runs| runs.totals.epoch)
    }

    fn append(&mut self, _: &Batch) -> Result<u64, Fault> {
        Err(Fault::ReadOnly)
    }

    fn heads(&self) -> Result<Vec<Head>, Fault> {
        Ok(self.ledger()?.heads().cloned().collect())
    }

    fn head(&self, run: &str) -> Result<Option<Head>, Fault> {
        Ok(self.ledger()?.head(run).cloned())
    }

    fn find_key(&self, key: &str) -> Result<Option<String>, Fault> {
        Ok(self.ledger()?.find_key(key).map(str::to_owned))
    }

    fn read_run(&self, run: &str, after_seq: u64) -> Result<Vec<Record>, Fault> {
        // Records never change, so a row that is a moment old leads to the run as it was then.
        match self.ledger()?.head(run) {
            None => Ok(Vec::new()),
            Some(head) => self.read(|view| read::run(view, head, after_seq)),
        }
    }

    fn read_from(&self, after_pos: u64, limit: usize) -> Result<Vec<Record>, Fault> {
        let end = self.ledger()?.tip;
        self.read(|view| read::from(view, end, after_pos, limit))
    }

    fn snapshot(&self, run: &str) -> Result<Option<Snapshot>, Fault> {
        let ledger = self.ledger()?;
        let (Some(head), Some(row)) = (ledger.head(run), ledger.row(run)) else {
            return Ok(None);
        };
        self.read(|view| Ok(read::snapshot(view, head, row, None)))
    }

    fn save_snapshots(&mut self, _: &[Snapshot]) -> Result<(), Fault> {
        Err(Fault::ReadOnly)
    }

    fn verify(&self) -> Result<Verified, Fault> {
        let mark = head_file::read(&self.dir)?;
        self.read(|view| {
            read::check_mark(view, &read::ledger(view)?, mark.as_ref())?;
            read::verify(view)
        })
    }

    fn stats(&self) -> Result<Stats, Fault> {
        Ok(stats(&self.dir, &*self.ledger()?))
    }
}

/// Checks every record, hash and row and leaves the head file out of it, to tell a person what is
/// there when only that file is wrong.
///
/// # Errors
/// Whatever is found damaged.
pub fn verify_records(dir: &Path) -> Result<Verified, Fault> {
    schema::require_version()?;
    Reader::bare(dir)?.read(|view| {
        schema::check_tables(view.conn, view.format)?;
        read::verify(view)
    })
}
