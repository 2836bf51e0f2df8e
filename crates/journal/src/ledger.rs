//! Where all runs stand, in memory, and the rules of `append` over it: which batch is taken and
//! what each of its entries becomes. Both stores share it; it writes nothing.

use crate::chain::{self, Hash, Ink, Link, Totals};
use crate::contract::{BODY_BYTES_MAX, Batch, Entry, Head, RunNote};
use crate::fault::{Damage, Fault, Misuse};
use std::collections::HashMap;

/// The largest number a store must hold: SQLite's integers are signed.
pub(crate) const NUMBER_MAX: u64 = i64::MAX as u64;

/// All runs and the totals over them.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    pub(crate) totals: Totals,
    rows: Vec<Row>,
    by_run: HashMap<String, usize>,
    by_key: HashMap<String, usize>,
}

#[derive(Debug, Clone)]
struct Row {
    head: Head,
    check: Hash,
}

/// What an entry becomes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stamp {
    pub(crate) pos: u64,
    pub(crate) seq: u64,
    pub(crate) prev_pos: u64,
    pub(crate) hash: Hash,
}

/// What a run's row becomes.
#[derive(Debug, Clone)]
pub(crate) struct Touched {
    /// The number of the row, from 1 in the order of the runs' first records.
    pub(crate) row: u64,
    pub(crate) novelty: Novelty,
    pub(crate) head: Head,
    pub(crate) check: Hash,
}

/// Whether a run begins with this batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Novelty {
    New,
    Known,
}

/// A batch that was taken, ready to be written: one stamp for each entry, one row for each run.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) stamps: Vec<Stamp>,
    pub(crate) touched: Vec<Touched>,
    pub(crate) totals: Totals,
}

impl Ledger {
    /// One without runs.
    pub(crate) fn new() -> Self {
        Self {
            totals: Totals::empty(),
            rows: Vec::new(),
            by_run: HashMap::new(),
            by_key: HashMap::new(),
        }
    }

    /// One made of stored rows, which must add up to the stored totals.
    pub(crate) fn from_rows(rows: Vec<(Head, Hash)>, totals: Totals) -> Result<Self, Fault> {
        let mut ledger = Self { totals, ..Self::new() };
        let mut digest = [0; 32];
        for (index, (head, check)) in rows.into_iter().enumerate() {
            if head.pos > totals.last_pos || head.seq == 0 {
                return Err(Damage::HeadRow { row: index as u64 + 1 }.into());
            }
            chain::toggle(&mut digest, &check);
            ledger.put(index, head, check);
        }
        let all = ledger.rows.len() as u64 == totals.runs;
        let once = ledger.by_run.len() == ledger.rows.len();
        if all && once && digest == totals.digest {
            Ok(ledger)
        } else {
            Err(Damage::HeadsDigest.into())
        }
    }

    pub(crate) fn head(&self, run: &str) -> Option<&Head> {
        self.by_run.get(run).map(|&index| &self.rows[index].head)
    }

    /// The number of a run's row, from 1.
    pub(crate) fn row(&self, run: &str) -> Option<u64> {
        self.by_run.get(run).map(|&index| index as u64 + 1)
    }

    pub(crate) fn find_key(&self, key: &str) -> Option<&str> {
        self.by_key.get(key).map(|&index| self.rows[index].head.run.as_str())
    }

    pub(crate) fn heads(&self) -> impl Iterator<Item = &Head> {
        self.rows.iter().map(|row| &row.head)
    }

    pub(crate) fn live(&self) -> u64 {
        self.heads().filter(|head| !head.ended).count() as u64
    }

    /// Judges a batch and works out what it becomes. Changes nothing.
    pub(crate) fn prepare(&self, batch: &Batch) -> Result<Prepared, Fault> {
        let mut touched = Vec::with_capacity(batch.notes.len());
        let mut place = HashMap::with_capacity(batch.notes.len());
        let mut totals = self.totals;
        for note in &batch.notes {
            let change = self.open_row(note, totals.runs)?;
            if change.novelty == Novelty::New {
                totals.runs += 1;
            }
            if place.insert(note.run.as_str(), touched.len()).is_some() {
                return Err(bad(&note.run, Misuse::TwoNotes));
            }
            touched.push(change);
        }
        refuse_key_twice(&batch.notes)?;
        let stamps = stamp(&batch.entries, &place, &mut touched, &mut totals)?;
        let mut ink = Ink::default();
        for (change, note) in touched.iter_mut().zip(&batch.notes) {
            if change.head.seq == note.expected_seq {
                return Err(bad(&note.run, Misuse::NoEntry));
            }
            if change.novelty == Novelty::Known {
                chain::toggle(&mut totals.digest, &change.check);
            }
            change.check = chain::head(&mut ink, &change.head);
            chain::toggle(&mut totals.digest, &change.check);
        }
        Ok(Prepared { stamps, touched, totals })
    }

    /// Takes in a batch that has been written.
    pub(crate) fn apply(&mut self, prepared: Prepared) {
        self.totals = prepared.totals;
        for change in prepared.touched {
            let index = usize::try_from(change.row - 1).expect("rows are counted in memory");
            match change.novelty {
                Novelty::New => self.put(index, change.head, change.check),
                Novelty::Known => {
                    self.rows[index] = Row { head: change.head, check: change.check };
                }
            }
        }
    }

    fn put(&mut self, index: usize, head: Head, check: Hash) {
        self.by_run.insert(head.run.clone(), index);
        if let Some(key) = &head.key {
            self.by_key.insert(key.clone(), index);
        }
        self.rows.push(Row { head, check });
    }

    /// The row a note speaks of, with what the note says, still without its entries.
    fn open_row(&self, note: &RunNote, runs: u64) -> Result<Touched, Fault> {
        if note.run.is_empty() {
            return Err(bad(&note.run, Misuse::NoName));
        }
        let known = self.by_run.get(&note.run).map(|&index| (index, &self.rows[index]));
        let found = known.map_or(0, |(_, row)| row.head.seq);
        if found != note.expected_seq {
            let (run, expected) = (note.run.clone(), note.expected_seq);
            return Err(Fault::SeqMismatch { run, expected, found });
        }
        let Some((index, row)) = known else {
            return self.new_row(note, runs);
        };
        let same = |said: &Option<String>, was: &Option<String>| said.is_none() || said == was;
        let head = &row.head;
        if note.machine != head.machine
            || !same(&note.parent, &head.parent)
            || !same(&note.key, &head.key)
        {
            return Err(bad(&note.run, Misuse::Changed));
        }
        let head = Head { status: note.status.clone(), ended: note.ended, ..head.clone() };
        Ok(Touched { row: index as u64 + 1, novelty: Novelty::Known, head, check: row.check })
    }

    fn new_row(&self, note: &RunNote, runs: u64) -> Result<Touched, Fault> {
        if let Some(key) = &note.key
            && let Some(owner) = self.find_key(key)
        {
            return Err(Fault::KeyReused { key: key.clone(), run: owner.to_owned() });
        }
        let head = Head {
            run: note.run.clone(),
            machine: note.machine.clone(),
            parent: note.parent.clone(),
            key: note.key.clone(),
            seq: 0,
            pos: 0,
            status: note.status.clone(),
            ended: note.ended,
            created_ms: 0,
            updated_ms: 0,
        };
        Ok(Touched { row: runs + 1, novelty: Novelty::New, head, check: [0; 32] })
    }
}

/// Two new runs of one batch can't share a key either.
fn refuse_key_twice(notes: &[RunNote]) -> Result<(), Fault> {
    let mut keys = HashMap::new();
    for note in notes.iter().filter(|note| note.expected_seq == 0) {
        if let Some(key) = &note.key
            && let Some(owner) = keys.insert(key, &note.run)
        {
            return Err(Fault::KeyReused { key: key.clone(), run: owner.clone() });
        }
    }
    Ok(())
}

/// Gives each entry its place and hash, and moves its run's row along.
fn stamp(
    entries: &[Entry],
    place: &HashMap<&str, usize>,
    touched: &mut [Touched],
    totals: &mut Totals,
) -> Result<Vec<Stamp>, Fault> {
    let mut ink = Ink::default();
    let mut stamps = Vec::with_capacity(entries.len());
    for entry in entries {
        let &index =
            place.get(entry.run.as_str()).ok_or_else(|| bad(&entry.run, Misuse::NoNote))?;
        check_entry(entry)?;
        let head = &mut touched[index].head;
        let (pos, seq, prev_pos) = (totals.last_pos + 1, head.seq + 1, head.pos);
        let hash = chain::record(&mut ink, &totals.last_hash, &link(entry, pos, seq, prev_pos));
        (head.pos, head.seq, head.updated_ms) = (pos, seq, entry.at_ms);
        if seq == 1 {
            head.created_ms = entry.at_ms;
        }
        (totals.last_pos, totals.last_hash) = (pos, hash);
        stamps.push(Stamp { pos, seq, prev_pos, hash });
    }
    Ok(stamps)
}

fn link(entry: &Entry, pos: u64, seq: u64, prev_pos: u64) -> Link<'_> {
    Link {
        pos,
        seq,
        prev_pos,
        at_ms: entry.at_ms,
        run: &entry.run,
        by: &entry.by,
        trace: &entry.trace,
        kind: &entry.kind,
        body: &entry.body,
    }
}

fn check_entry(entry: &Entry) -> Result<(), Fault> {
    if entry.at_ms > NUMBER_MAX {
        return Err(bad(&entry.run, Misuse::TooLarge));
    }
    if entry.body.len() > BODY_BYTES_MAX {
        return Err(bad(&entry.run, Misuse::BodyTooLong));
    }
    let json = serde_json::from_str::<serde::de::IgnoredAny>(&entry.body).is_ok();
    if !json || entry.body.bytes().any(|byte| byte < b' ') {
        return Err(bad(&entry.run, Misuse::BodyNotJson));
    }
    Ok(())
}

fn bad(run: &str, why: Misuse) -> Fault {
    Fault::BadBatch { run: run.to_owned(), why }
}
