//! The one writer. Its own thread appends: handing a lone batch to another costs a third of the
//! rate. It keeps all runs' rows in memory, so an append reads nothing but the epoch, and writes
//! nothing but records: the rows are stored behind, now and then and when it is closed.

use super::errors::writing;
use super::link::{self, ReadLink};
use super::reader::Reader;
use super::schema::{self, DB_FILE, WAL_FILE};
use super::{atomic, put, read};
use crate::chain::Totals;
use crate::contract::{Batch, Head, Journal, Record, Snapshot, Stats, Verified};
use crate::fault::{Damage, Fault};
use crate::head_file::{self, Mark};
use crate::ledger::{Ledger, Prepared, Settling};
use crate::lock::{self, Owner};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs::{DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Pages of the log after which it is folded into the main file: 16 MiB, which a restart reads
/// in a blink, and rare enough that few batches wait for it.
const FOLD_PAGES: i64 = 4_096;

/// Pages written between two looks at the log's length: a look costs about as much as a row, and
/// a log that grows past its bound by this much more does no harm.
const LOOK_PAGES: u64 = 256;

/// Bytes of a page, for an estimate of what a batch adds to the log.
const PAGE_BYTES: usize = 4_096;

/// Bytes of a record beside its body, for the same estimate.
const ROW_BYTES: usize = 256;

/// Records for each row that differs, after which the rows are stored: so a row is stored for every
/// eighth of its records at most, also with a thousand runs at work.
const SETTLE_RECORDS_PER_ROW: u64 = 8;

/// Fewest records after which rows are stored. Whoever opens the journal folds those that the rows
/// don't tell of yet: so many take a few thousandths of a second.
const SETTLE_RECORDS_MIN: u64 = 1_024;

/// Most records after which rows are stored, for the same reason: some hundredths of a second.
const SETTLE_RECORDS_MAX: u64 = 8_192;

/// A journal on a disk, open for writing.
pub struct Sqlite {
    dir: PathBuf,
    conn: Connection,
    ledger: Ledger,
    head_file: File,
    spent: Option<Fault>,
    unsaved: BTreeMap<String, Snapshot>,
    /// Pages of the log when it was last folded in without success, because a reader was in the
    /// way: the next try waits until it has grown by as much again.
    fold_after: i64,
    /// About how many pages were written since the log was last looked at.
    unseen: u64,
    /// Held until the rest is closed: fields are dropped in this order.
    _lock: lock::Held,
}

/// What to do about a head file that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeadPolicy {
    /// Stop.
    Enforce,
    /// Write it anew from the journal. Only a person asks for this.
    Replace,
}

impl Sqlite {
    /// Opens a journal for writing and creates it if there is none. Takes the lock without
    /// waiting, checks the format, the totals, all runs' rows and the head file, and only then
    /// begins a new epoch.
    ///
    /// # Errors
    /// `locked` with the owner; `newer_format`, with nothing changed; whatever is found damaged
    /// or lost, with the files left as they were.
    pub fn open(dir: &Path, owner: &Owner) -> Result<Self, Fault> {
        let lock = claim(dir, owner)?;
        Self::open_locked(dir, lock, HeadPolicy::Enforce)
    }

    /// Opens a journal for reading. Creates nothing, takes no lock that a writer would wait for,
    /// and works beside a living writer as well as after a killed one.
    ///
    /// # Errors
    /// `absent` when there is no journal; whatever is found damaged or lost.
    pub fn open_reader(dir: &Path) -> Result<Reader, Fault> {
        Reader::open(dir)
    }

    pub(super) fn open_locked(
        dir: &Path,
        lock: lock::Held,
        policy: HeadPolicy,
    ) -> Result<Self, Fault> {
        if !dir.join(DB_FILE).exists() {
            schema::refuse_loss(dir, &head_file::read(dir))?;
            schema::create(dir)?;
        }
        // A look that can't write, before a connection that could.
        let look = ReadLink::open(dir)?;
        read::at_once(&look.conn, |view| schema::check_tables(view.conn, view.format))?;
        drop(look);
        let mark = match policy {
            HeadPolicy::Enforce => head_file::read(dir)?,
            HeadPolicy::Replace => None,
        };
        let conn = link::open_writer(dir)?;
        let mut ledger = read::at_once(&conn, |view| {
            let ledger = read::ledger(view)?;
            match policy {
                HeadPolicy::Enforce => read::check_mark(view, &ledger, mark.as_ref())?,
                HeadPolicy::Replace => {
                    read::verify(view)?;
                }
            }
            Ok(ledger)
        })?;
        begin_epoch(&conn, &mut ledger)?;
        let mark = Mark::of(ledger.totals.epoch, ledger.tip);
        let head_file = head_file::establish(dir, &mark)?;
        Ok(Self {
            dir: dir.to_owned(),
            conn,
            ledger,
            head_file,
            spent: None,
            unsaved: BTreeMap::new(),
            fold_after: FOLD_PAGES,
            unseen: 0,
            _lock: lock,
        })
    }

    fn write(
        &self,
        batch: &Batch,
        prepared: &Prepared,
        settling: Option<&Settling>,
    ) -> Result<(), Fault> {
        atomic::write(&self.conn, |conn| {
            match settling {
                Some(settling) => settle(conn, &self.ledger, settling)?,
                None => fence(conn, &self.ledger)?,
            }
            put::records(conn, batch, prepared).map_err(writing)?;
            let row = |run: &str| self.ledger.row_after(batch, prepared, run);
            put::snapshots(conn, &self.unsaved, row).map_err(writing)
        })
    }

    /// What follows a durable batch of about so many pages. If it fails, the batch is durable all
    /// the same; the store takes no other.
    fn follow_up(&mut self, pages: u64) -> Result<(), Fault> {
        let mark = Mark::of(self.ledger.totals.epoch, self.ledger.tip);
        head_file::write(&self.head_file, &mark)?;
        self.unseen += pages;
        if self.unseen < LOOK_PAGES {
            return Ok(());
        }
        self.unseen = 0;
        let (pages, folded) = log_pages(&self.conn, "PRAGMA wal_checkpoint(NOOP)")?;
        if pages - folded < self.fold_after {
            return Ok(());
        }
        let (pages, folded) = log_pages(&self.conn, "PRAGMA wal_checkpoint(PASSIVE)")?;
        self.fold_after = (pages - folded).max(0) + FOLD_PAGES;
        Ok(())
    }

    /// Stores the rows and what was not saved yet, and folds the log in, as far as that is
    /// possible.
    fn rest(&self) -> Result<(), Fault> {
        if self.ledger.unsettled() > 0 || !self.unsaved.is_empty() {
            let settling = self.ledger.settle(self.ledger.totals.epoch);
            atomic::write(&self.conn, |conn| {
                settle(conn, &self.ledger, &settling)?;
                put::snapshots(conn, &self.unsaved, |run| self.ledger.row(run)).map_err(writing)
            })?;
        }
        link::fold_on_close(&self.conn).map_err(writing)?;
        Ok(())
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        if self.spent.is_none() {
            // Nothing that is truth depends on this: a failure leaves a log to be read next time.
            drop(self.rest());
        }
    }
}

/// Makes the directory and takes the lock.
pub(super) fn claim(dir: &Path, owner: &Owner) -> Result<lock::Held, Fault> {
    schema::require_version()?;
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(|error| Fault::io("create the journal's directory", &error))?;
    lock::take(dir, owner)
}

/// Makes a new epoch durable: from here on, no older writer can append. What an older format or a
/// killed writer left behind is brought up to date with it.
fn begin_epoch(conn: &Connection, ledger: &mut Ledger) -> Result<(), Fault> {
    let settling = ledger.settle(ledger.totals.epoch + 1);
    atomic::write(conn, |conn| {
        schema::upgrade(conn)?;
        settle(conn, ledger, &settling)
    })?;
    ledger.settled(settling);
    Ok(())
}

/// Stores the rows and totals of a settling, if the totals are still what this writer left.
fn settle(conn: &Connection, ledger: &Ledger, settling: &Settling) -> Result<(), Fault> {
    if put::totals(conn, &ledger.totals, &settling.totals).map_err(writing)? != 1 {
        return Err(overtaken(conn, ledger));
    }
    put::heads(conn, ledger, settling).map_err(writing)
}

/// Refuses to write under an epoch that is not the newest.
fn fence(conn: &Connection, ledger: &Ledger) -> Result<(), Fault> {
    match read::epoch(conn).map_err(writing)? {
        Some(epoch) if epoch == ledger.totals.epoch => Ok(()),
        Some(_) | None => Err(overtaken(conn, ledger)),
    }
}

/// Why the totals were not what this writer left.
fn overtaken(conn: &Connection, ledger: &Ledger) -> Fault {
    let ours = ledger.totals.epoch;
    match read::totals(conn) {
        Ok(Totals { epoch: found, .. }) if found != ours => Fault::EpochLost { ours, found },
        Ok(_) => Damage::Totals.into(),
        Err(fault) => fault,
    }
}

/// About the pages that a batch adds to the log. The last page of the records is written with every
/// batch again, hence the one more.
fn pages_of(batch: &Batch, unsaved: &BTreeMap<String, Snapshot>) -> u64 {
    let entries = batch.entries.iter().map(|entry| ROW_BYTES + entry.body.len());
    let snapshots = unsaved.values().map(|kept| PAGE_BYTES + kept.state.len());
    let bytes = entries.chain(snapshots).sum::<usize>();
    1 + (bytes / PAGE_BYTES) as u64
}

/// Pages in the log, and how many of them are folded in, after this checkpoint.
fn log_pages(conn: &Connection, checkpoint: &str) -> Result<(i64, i64), Fault> {
    conn.prepare_cached(checkpoint)
        .and_then(|mut said| said.query_row([], |row| Ok((row.get(1)?, row.get(2)?))))
        .map_err(writing)
}

/// Sizes and counts of a journal on a disk.
pub(super) fn stats(dir: &Path, ledger: &Ledger) -> Stats {
    let bytes = |name: &str| std::fs::metadata(dir.join(name)).map_or(0, |meta| meta.len());
    Stats {
        records: ledger.tip.pos,
        runs: ledger.runs(),
        live_runs: ledger.live(),
        db_bytes: bytes(DB_FILE),
        wal_bytes: bytes(WAL_FILE),
        epoch: ledger.totals.epoch,
        last_pos: ledger.tip.pos,
        sqlite_version: rusqlite::version().to_owned(),
    }
}

impl Journal for Sqlite {
    fn epoch(&self) -> u64 {
        self.ledger.totals.epoch
    }

    fn append(&mut self, batch: &Batch) -> Result<u64, Fault> {
        if let Some(fault) = &self.spent {
            return Err(fault.clone());
        }
        let prepared = self.ledger.prepare(batch)?;
        if batch.entries.is_empty() {
            return Ok(self.ledger.tip.pos);
        }
        // The rows as they were before this batch: nothing has to be undone if it fails.
        let due = (self.ledger.dirty() * SETTLE_RECORDS_PER_ROW)
            .clamp(SETTLE_RECORDS_MIN, SETTLE_RECORDS_MAX);
        let settling =
            (self.ledger.unsettled() >= due).then(|| self.ledger.settle(self.ledger.totals.epoch));
        if let Err(fault) = self.write(batch, &prepared, settling.as_ref()) {
            self.spent = Some(fault.clone());
            return Err(fault);
        }
        let mut pages = pages_of(batch, &self.unsaved);
        if let Some(settling) = settling {
            pages += settling.rows();
            self.ledger.settled(settling);
        }
        self.ledger.apply(batch, &prepared);
        self.unsaved.clear();
        self.spent = self.follow_up(pages).err();
        Ok(self.ledger.tip.pos)
    }

    fn heads(&self) -> Result<Vec<Head>, Fault> {
        Ok(self.ledger.heads().cloned().collect())
    }

    fn head(&self, run: &str) -> Result<Option<Head>, Fault> {
        Ok(self.ledger.head(run).cloned())
    }

    fn find_key(&self, key: &str) -> Result<Option<String>, Fault> {
        Ok(self.ledger.find_key(key).map(str::to_owned))
    }

    fn read_run(&self, run: &str, after_seq: u64) -> Result<Vec<Record>, Fault> {
        match self.ledger.head(run) {
            None => Ok(Vec::new()),
            Some(head) => read::at_once(&self.conn, |view| read::run(view, head, after_seq)),
        }
    }

    fn read_from(&self, after_pos: u64, limit: usize) -> Result<Vec<Record>, Fault> {
        let end = self.ledger.tip;
        read::at_once(&self.conn, |view| read::from(view, end, after_pos, limit))
    }

    fn snapshot(&self, run: &str) -> Result<Option<Snapshot>, Fault> {
        let (Some(head), Some(row)) = (self.ledger.head(run), self.ledger.row(run)) else {
            return Ok(None);
        };
        let at_hand = self.unsaved.get(run);
        read::at_once(&self.conn, |view| Ok(read::snapshot(view, head, row, at_hand)))
    }

    fn save_snapshots(&mut self, snapshots: &[Snapshot]) -> Result<(), Fault> {
        if let Some(fault) = &self.spent {
            return Err(fault.clone());
        }
        self.unsaved.extend(snapshots.iter().map(|kept| (kept.run.clone(), kept.clone())));
        Ok(())
    }

    fn verify(&self) -> Result<Verified, Fault> {
        let found = read::at_once(&self.conn, read::verify)?;
        if found.last_pos < self.ledger.tip.pos {
            return Err(Damage::RecordMissing { pos: found.last_pos + 1 }.into());
        }
        Ok(found)
    }

    fn stats(&self) -> Result<Stats, Fault> {
        Ok(stats(&self.dir, &self.ledger))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Entry, RunNote};

    fn batch(expected_seq: u64, bytes: usize) -> Batch {
        let entry = Entry {
            run: "a".to_owned(),
            at_ms: 1,
            by: String::new(),
            trace: String::new(),
            kind: "Happened".to_owned(),
            body: format!("\"{}\"", "x".repeat(bytes)),
        };
        let note = RunNote {
            run: "a".to_owned(),
            machine: "turn".to_owned(),
            expected_seq,
            status: String::new(),
            ended: false,
            parent: None,
            key: None,
        };
        Batch { entries: vec![entry], notes: vec![note] }
    }

    fn open(dir: &Path) -> Sqlite {
        let owner = Owner { pid: 1, version: String::new(), since_ms: 0 };
        Sqlite::open(dir, &owner).expect("it opens")
    }

    #[test]
    fn a_full_disk_spends_the_store_and_keeps_what_was_acknowledged() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = open(dir.path());
        journal.append(&batch(0, 10)).unwrap();
        let pages: i64 =
            journal.conn.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        let limit = pages + 2;
        journal
            .conn
            .pragma_update_and_check(None, "max_page_count", limit, |row| row.get::<_, i64>(0))
            .unwrap();
        let fault = journal.append(&batch(1, 100_000)).unwrap_err();
        assert_eq!(fault.kind(), "no_space");
        assert_eq!(journal.append(&batch(1, 10)), Err(fault), "never tried again");
        assert_eq!(journal.read_run("a", 0).unwrap().len(), 1);
        drop(journal);
        let mut journal = open(dir.path());
        assert_eq!(journal.verify().unwrap().records, 1);
        assert_eq!(journal.append(&batch(1, 100_000)), Ok(2));
    }

    #[test]
    fn the_log_is_folded_in_before_it_grows_without_end() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = open(dir.path());
        for seq in 0..40 {
            journal.append(&batch(seq, 1_000_000)).unwrap();
        }
        let stats = journal.stats().unwrap();
        let bound = (FOLD_PAGES.cast_unsigned() + 600) * 4_200;
        assert!(stats.wal_bytes < bound, "{stats:?}");
        assert!(stats.db_bytes > 10_000_000, "{stats:?}");
        assert_eq!(journal.verify().unwrap().records, 40);
    }

    #[test]
    fn the_settings_that_durability_needs_are_in_force() {
        let dir = tempfile::tempdir().unwrap();
        let journal = open(dir.path());
        let number = |name: &str| -> i64 {
            journal.conn.pragma_query_value(None, name, |row| row.get(0)).unwrap()
        };
        let mode: String =
            journal.conn.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        assert_eq!((mode.as_str(), number("synchronous")), ("wal", 2));
        assert_eq!(number("wal_autocheckpoint"), 0);
    }
}
