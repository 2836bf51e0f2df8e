//! A journal in memory for tests and simulations, with the same rules as the one on disk. It
//! survives the drop of its handle, as a disk survives a process; it does not survive the program.

use crate::chain::{self, Ink, Link, Tip};
use crate::contract::{Batch, Entry, Head, Journal, Record, Snapshot, Stats, Verified};
use crate::fault::{Damage, Fault};
use crate::ledger::{Ledger, Prepared, Stamp};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is durable. Clones are handles to the same disk.
#[derive(Debug, Clone, Default)]
pub struct Disk(Arc<Mutex<Platter>>);

#[derive(Debug, Clone)]
struct Platter {
    ledger: Ledger,
    records: Vec<Record>,
    snapshots: BTreeMap<String, Snapshot>,
    appends: u64,
    failures: BTreeMap<u64, Failure>,
}

/// How an append fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The sync failed, and the batch is found to be lost.
    SyncLost,
    /// The sync failed, and the batch is found to be there all the same.
    SyncKept,
    /// The disk was full, and the batch is lost.
    NoSpace,
}

impl Default for Platter {
    fn default() -> Self {
        Self {
            ledger: Ledger::new(),
            records: Vec::new(),
            snapshots: BTreeMap::new(),
            appends: 0,
            failures: BTreeMap::new(),
        }
    }
}

impl Disk {
    /// An empty disk.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A disk of its own with the same content and no failures ahead.
    #[must_use]
    pub fn fork(&self) -> Self {
        let mut platter = self.lock().clone();
        platter.failures.clear();
        Self(Arc::new(Mutex::new(platter)))
    }

    /// Makes an append fail: the `nth` from now on, counted from 1. Refused and empty batches
    /// don't count.
    pub fn fail_append(&self, nth: u64, failure: Failure) {
        let mut platter = self.lock();
        let at = platter.appends + nth;
        platter.failures.insert(at, failure);
    }

    /// How many appends have been tried on this disk.
    #[must_use]
    pub fn appends(&self) -> u64 {
        self.lock().appends
    }

    /// No code that holds the lock leaves the platter half changed, so a panic elsewhere in a
    /// test does not spoil it.
    fn lock(&self) -> MutexGuard<'_, Platter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A writer on a [`Disk`].
#[derive(Debug)]
pub struct Memory {
    disk: Disk,
    epoch: u64,
    spent: Option<Fault>,
    unsaved: BTreeMap<String, Snapshot>,
}

impl Memory {
    /// Opens a disk for writing, under a new epoch. Whoever had it open before is fenced.
    #[must_use]
    pub fn open(disk: &Disk) -> Self {
        let mut platter = disk.lock();
        platter.ledger.totals.epoch += 1;
        let epoch = platter.ledger.totals.epoch;
        drop(platter);
        Self { disk: disk.clone(), epoch, spent: None, unsaved: BTreeMap::new() }
    }
}

impl Platter {
    fn keep(&mut self, batch: &Batch, prepared: &Prepared, unsaved: &BTreeMap<String, Snapshot>) {
        let records = batch.entries.iter().zip(&prepared.stamps).map(|(e, s)| record(e, s));
        self.records.extend(records);
        self.ledger.apply(batch, prepared);
        self.snapshots.extend(unsaved.iter().map(|(run, kept)| (run.clone(), kept.clone())));
    }

    fn at(&self, pos: u64) -> Option<&Record> {
        let index = usize::try_from(pos.checked_sub(1)?).ok()?;
        self.records.get(index)
    }
}

fn record(entry: &Entry, stamp: &Stamp) -> Record {
    Record {
        pos: stamp.pos,
        run: entry.run.clone(),
        seq: stamp.seq,
        prev_pos: stamp.prev_pos,
        at_ms: entry.at_ms,
        by: entry.by.clone(),
        trace: entry.trace.clone(),
        kind: entry.kind.clone(),
        body: entry.body.clone(),
        note: stamp.note.clone(),
        hash: stamp.hash,
    }
}

impl Journal for Memory {
    fn epoch(&self) -> u64 {
        self.epoch
    }

    fn append(&mut self, batch: &Batch) -> Result<u64, Fault> {
        if let Some(fault) = &self.spent {
            return Err(fault.clone());
        }
        let mut platter = self.disk.lock();
        let found = platter.ledger.totals.epoch;
        if found != self.epoch {
            let fault = Fault::EpochLost { ours: self.epoch, found };
            self.spent = Some(fault.clone());
            return Err(fault);
        }
        let prepared = platter.ledger.prepare(batch)?;
        if batch.entries.is_empty() {
            return Ok(platter.ledger.tip.pos);
        }
        platter.appends += 1;
        let due = platter.appends;
        let failure = platter.failures.remove(&due);
        match failure {
            None => platter.keep(batch, &prepared, &std::mem::take(&mut self.unsaved)),
            Some(Failure::SyncKept) => platter.keep(batch, &prepared, &self.unsaved),
            Some(Failure::SyncLost | Failure::NoSpace) => {}
        }
        let detail = || "injected".to_owned();
        self.spent = match failure {
            None => return Ok(platter.ledger.tip.pos),
            Some(Failure::SyncLost | Failure::SyncKept) => {
                Some(Fault::SyncFailed { detail: detail() })
            }
            Some(Failure::NoSpace) => Some(Fault::NoSpace { detail: detail() }),
        };
        Err(self.spent.clone().expect("it was set above"))
    }

    fn heads(&self) -> Result<Vec<Head>, Fault> {
        Ok(self.disk.lock().ledger.heads().cloned().collect())
    }

    fn head(&self, run: &str) -> Result<Option<Head>, Fault> {
        Ok(self.disk.lock().ledger.head(run).cloned())
    }

    fn find_key(&self, key: &str) -> Result<Option<String>, Fault> {
        Ok(self.disk.lock().ledger.find_key(key).map(str::to_owned))
    }

    fn read_run(&self, run: &str, after_seq: u64) -> Result<Vec<Record>, Fault> {
        let platter = self.disk.lock();
        let mut found = Vec::new();
        let mut pos = platter.ledger.head(run).map_or(0, |head| head.pos);
        while let Some(record) = platter.at(pos).filter(|record| record.seq > after_seq) {
            pos = record.prev_pos;
            found.push(record.clone());
        }
        found.reverse();
        Ok(found)
    }

    fn read_from(&self, after_pos: u64, limit: usize) -> Result<Vec<Record>, Fault> {
        let platter = self.disk.lock();
        let skip = usize::try_from(after_pos).unwrap_or(usize::MAX);
        Ok(platter.records.iter().skip(skip).take(limit).cloned().collect())
    }

    fn snapshot(&self, run: &str) -> Result<Option<Snapshot>, Fault> {
        let platter = self.disk.lock();
        let kept = self.unsaved.get(run).or_else(|| platter.snapshots.get(run));
        let fits = kept.filter(|kept| {
            platter
                .at(kept.pos)
                .is_some_and(|at| at.run == kept.run && at.seq == kept.seq && at.hash == kept.chain)
        });
        Ok(fits.cloned())
    }

    fn save_snapshots(&mut self, snapshots: &[Snapshot]) -> Result<(), Fault> {
        if let Some(fault) = &self.spent {
            return Err(fault.clone());
        }
        self.unsaved.extend(snapshots.iter().map(|kept| (kept.run.clone(), kept.clone())));
        Ok(())
    }

    /// Folds every record anew: that makes the same rows as the batches did.
    fn verify(&self) -> Result<Verified, Fault> {
        let platter = self.disk.lock();
        let mut folded = Ledger::new();
        let mut ink = Ink::default();
        for record in &platter.records {
            let Tip { pos, hash } = folded.tip;
            let hash = chain::record(&mut ink, &hash, &Link::of(record));
            if hash != record.hash || record.pos != pos + 1 {
                return Err(Fault::HashMismatch { pos: record.pos });
            }
            folded.fold(record)?;
        }
        folded.whole()?;
        let tip = platter.ledger.tip;
        if folded.tip != tip || !folded.heads().eq(platter.ledger.heads()) {
            return Err(Damage::HeadsDigest.into());
        }
        let runs = folded.runs();
        Ok(Verified { records: tip.pos, runs, last_pos: tip.pos, last_hash: tip.hash })
    }

    fn stats(&self) -> Result<Stats, Fault> {
        let platter = self.disk.lock();
        let ledger = &platter.ledger;
        Ok(Stats {
            records: ledger.tip.pos,
            runs: ledger.runs(),
            live_runs: ledger.live(),
            db_bytes: 0,
            wal_bytes: 0,
            epoch: ledger.totals.epoch,
            last_pos: ledger.tip.pos,
            sqlite_version: String::new(),
        })
    }
}
