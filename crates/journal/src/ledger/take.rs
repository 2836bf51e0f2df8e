//! The rules of `append`: which batch is taken, and what each of its entries becomes. It borrows
//! from the batch and copies only what is new.

use super::rows::{Ledger, Row};
use crate::chain::{self, Hash, Ink, Link, Tip};
use crate::contract::{BODY_BYTES_MAX, Batch, Entry, Head, RunNote};
use crate::fault::{Fault, Misuse};
use crate::note::Note;
use std::collections::HashMap;

/// The largest number a store must hold: SQLite's integers are signed.
const NUMBER_MAX: u64 = i64::MAX as u64;

/// What an entry becomes.
#[derive(Debug, Clone)]
pub(crate) struct Stamp {
    pub(crate) pos: u64,
    pub(crate) seq: u64,
    pub(crate) prev_pos: u64,
    /// What is new about its run, if this is the run's last entry in the batch.
    pub(crate) note: Option<String>,
    pub(crate) hash: Hash,
}

/// A batch that was taken, ready to be written.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// One for each entry.
    pub(crate) stamps: Vec<Stamp>,
    /// One for each note, in its order.
    touched: Vec<Touched>,
    /// The notes of runs that begin, in the order of their first entries.
    begun: Vec<usize>,
    tip: Tip,
}

/// What becomes of a run.
#[derive(Debug)]
struct Touched {
    /// Its row, if it has one.
    row: Option<usize>,
    seq: u64,
    pos: u64,
    created_ms: u64,
    updated_ms: u64,
    /// Its last entry in the batch.
    last: Option<usize>,
    note: Option<String>,
}

impl Ledger {
    /// Judges a batch and works out what it becomes. Changes nothing.
    pub(crate) fn prepare(&self, batch: &Batch) -> Result<Prepared, Fault> {
        let touched: Result<Vec<_>, _> = batch.notes.iter().map(|note| self.open(note)).collect();
        let mut touched = touched?;
        let places = Places::of(&batch.notes)?;
        refuse_key_twice(&batch.notes)?;
        let mut homes = Vec::with_capacity(batch.entries.len());
        let mut begun = Vec::new();
        for (index, entry) in batch.entries.iter().enumerate() {
            let home = places.find(&entry.run).ok_or_else(|| bad(&entry.run, Misuse::NoNote))?;
            let change = &mut touched[home];
            if change.row.is_none() && change.last.is_none() {
                change.created_ms = entry.at_ms;
                begun.push(home);
            }
            change.last = Some(index);
            homes.push(home);
        }
        let (stamps, tip) = stamp(&batch.entries, &homes, &mut touched, self.tip)?;
        match touched.iter().position(|change| change.last.is_none()) {
            Some(idle) => Err(bad(&batch.notes[idle].run, Misuse::NoEntry)),
            None => Ok(Prepared { stamps, touched, begun, tip }),
        }
    }

    /// Takes in a batch that has been written.
    pub(crate) fn apply(&mut self, batch: &Batch, prepared: &Prepared) {
        self.tip = prepared.tip;
        for (change, note) in prepared.touched.iter().zip(&batch.notes) {
            let Some(row) = change.row else { continue };
            let head = self.touch(row);
            (head.seq, head.pos, head.updated_ms) = (change.seq, change.pos, change.updated_ms);
            head.ended = note.ended;
            if head.status != note.status {
                head.status.clone_from(&note.status);
            }
        }
        for &begun in &prepared.begun {
            let head = first_head(&batch.notes[begun], &prepared.touched[begun]);
            let row = self.put(Row { head, stored: None, dirty: false });
            self.touch(row);
        }
    }

    /// The number that a run's row has once a batch is taken in, from 1.
    pub(crate) fn row_after(&self, batch: &Batch, prepared: &Prepared, run: &str) -> Option<u64> {
        let new = || {
            let at = prepared.begun.iter().position(|&begun| batch.notes[begun].run == run)?;
            Some(self.runs() + at as u64 + 1)
        };
        self.row(run).or_else(new)
    }

    /// Where the run that a note speaks of stands before its entries, and what the note changes.
    fn open(&self, note: &RunNote) -> Result<Touched, Fault> {
        if note.run.is_empty() {
            return Err(bad(&note.run, Misuse::NoName));
        }
        let known = self.by_run.get(&note.run).copied();
        let found = known.map_or(0, |row| self.rows[row].head.seq);
        if found != note.expected_seq {
            let (run, expected) = (note.run.clone(), note.expected_seq);
            return Err(Fault::SeqMismatch { run, expected, found });
        }
        match known {
            Some(row) => self.open_known(row, note),
            None => self.open_new(note),
        }
    }

    fn open_known(&self, row: usize, note: &RunNote) -> Result<Touched, Fault> {
        let same = |said: &Option<String>, was: &Option<String>| said.is_none() || said == was;
        let head = &self.rows[row].head;
        if note.machine != head.machine
            || !same(&note.parent, &head.parent)
            || !same(&note.key, &head.key)
        {
            return Err(bad(&note.run, Misuse::Changed));
        }
        let moved = note.status != head.status || note.ended != head.ended;
        Ok(Touched {
            row: Some(row),
            seq: head.seq,
            pos: head.pos,
            created_ms: head.created_ms,
            updated_ms: head.updated_ms,
            last: None,
            note: moved.then(|| Note::moves(note).text()),
        })
    }

    fn open_new(&self, note: &RunNote) -> Result<Touched, Fault> {
        if let Some(key) = &note.key
            && let Some(owner) = self.find_key(key)
        {
            return Err(Fault::KeyReused { key: key.clone(), run: owner.to_owned() });
        }
        Ok(Touched {
            row: None,
            seq: 0,
            pos: 0,
            created_ms: 0,
            updated_ms: 0,
            last: None,
            note: Some(Note::begins(note).text()),
        })
    }
}

/// Which note speaks of a run. A batch of one run, the common one, is not worth a map.
enum Places<'a> {
    One(&'a str),
    Many(HashMap<&'a str, usize>),
}

impl<'a> Places<'a> {
    fn of(notes: &'a [RunNote]) -> Result<Self, Fault> {
        if let [note] = notes {
            return Ok(Self::One(&note.run));
        }
        let mut places = HashMap::with_capacity(notes.len());
        for (index, note) in notes.iter().enumerate() {
            if places.insert(note.run.as_str(), index).is_some() {
                return Err(bad(&note.run, Misuse::TwoNotes));
            }
        }
        Ok(Self::Many(places))
    }

    fn find(&self, run: &str) -> Option<usize> {
        match self {
            Self::One(only) => (*only == run).then_some(0),
            Self::Many(places) => places.get(run).copied(),
        }
    }
}

/// Two new runs of one batch can't share a key either.
fn refuse_key_twice(notes: &[RunNote]) -> Result<(), Fault> {
    if notes.len() < 2 {
        return Ok(());
    }
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

/// Gives each entry its place, its run's note and its hash, and moves its run along.
fn stamp(
    entries: &[Entry],
    homes: &[usize],
    touched: &mut [Touched],
    mut tip: Tip,
) -> Result<(Vec<Stamp>, Tip), Fault> {
    let mut ink = Ink::default();
    let mut stamps = Vec::with_capacity(entries.len());
    for (index, (entry, &home)) in entries.iter().zip(homes).enumerate() {
        check_entry(entry)?;
        let change = &mut touched[home];
        let (pos, seq, prev_pos) = (tip.pos + 1, change.seq + 1, change.pos);
        let note = if change.last == Some(index) { change.note.take() } else { None };
        let link = Link {
            pos,
            seq,
            prev_pos,
            at_ms: entry.at_ms,
            run: &entry.run,
            by: &entry.by,
            trace: &entry.trace,
            kind: &entry.kind,
            body: &entry.body,
            note: note.as_deref(),
        };
        let hash = chain::record(&mut ink, &tip.hash, &link);
        (change.pos, change.seq, change.updated_ms) = (pos, seq, entry.at_ms);
        tip = Tip { pos, hash };
        stamps.push(Stamp { pos, seq, prev_pos, note, hash });
    }
    Ok((stamps, tip))
}

fn first_head(note: &RunNote, change: &Touched) -> Head {
    Head {
        run: note.run.clone(),
        machine: note.machine.clone(),
        parent: note.parent.clone(),
        key: note.key.clone(),
        seq: change.seq,
        pos: change.pos,
        status: note.status.clone(),
        ended: note.ended,
        created_ms: change.created_ms,
        updated_ms: change.updated_ms,
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
    // Counted, not searched for: without a way out half-way, many bytes are looked at at once.
    let controls = entry.body.bytes().filter(|&byte| byte < b' ').count();
    if !json || controls > 0 {
        return Err(bad(&entry.run, Misuse::BodyNotJson));
    }
    Ok(())
}

fn bad(run: &str, why: Misuse) -> Fault {
    Fault::BadBatch { run: run.to_owned(), why }
}
