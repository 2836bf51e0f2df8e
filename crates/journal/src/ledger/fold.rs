//! Rows from records: what a recorded fact changes, in the order of the chain. The hashes were
//! checked by whoever read the records; whether they fit the runs is checked here.

use super::rows::{Ledger, Row};
use crate::chain::Tip;
use crate::contract::{Head, Record};
use crate::fault::{Damage, Fault};
use crate::note::Note;
use std::borrow::Cow;

impl Ledger {
    /// Takes in the record after the last one. After a fault the ledger is of no more use.
    pub(crate) fn fold(&mut self, record: &Record) -> Result<(), Fault> {
        let broken = || Damage::RunBroken { run: record.run.clone(), pos: record.pos };
        let index = match self.by_run.get(&record.run) {
            Some(&index) => index,
            None => self.begin(record),
        };
        let head = self.touch(index);
        if record.seq != head.seq + 1 || record.prev_pos != head.pos {
            return Err(broken().into());
        }
        (head.seq, head.pos, head.updated_ms) = (record.seq, record.pos, record.at_ms);
        if let Some(text) = &record.note {
            let note = Note::parse(text).ok_or_else(broken)?;
            self.hear(index, note).ok_or_else(broken)?;
        }
        self.tip = Tip { pos: record.pos, hash: record.hash };
        Ok(())
    }

    fn begin(&mut self, first: &Record) -> usize {
        let head = Head {
            run: first.run.clone(),
            machine: String::new(),
            parent: None,
            key: None,
            seq: 0,
            pos: 0,
            status: String::new(),
            ended: false,
            created_ms: first.at_ms,
            updated_ms: first.at_ms,
        };
        let index = self.put(Row { head, stored: None, dirty: false });
        self.unnamed.insert(index);
        index
    }

    /// `None` when the note says what only a first note may, or takes another run's key.
    fn hear(&mut self, index: usize, note: Note<'_>) -> Option<()> {
        let head = &mut self.rows[index].head;
        head.ended = note.ended;
        if head.status != note.status {
            head.status = note.status.into_owned();
        }
        let Some(machine) = note.machine else {
            return (note.key.is_none() && note.parent.is_none()).then_some(());
        };
        if !self.unnamed.remove(&index) {
            return None;
        }
        head.machine = machine.into_owned();
        head.parent = note.parent.map(Cow::into_owned);
        head.key = note.key.map(Cow::into_owned);
        let taken = head.key.clone().is_some_and(|key| self.by_key.insert(key, index).is_some());
        (!taken).then_some(())
    }

    /// Whether each folded run has said how it began. Not so in the middle of a batch.
    pub(crate) fn whole(&self) -> Result<(), Fault> {
        match self.unnamed.first() {
            None => Ok(()),
            Some(&index) => Err(self.broken(index)),
        }
    }

    /// Compares stored rows with those that their records make. Runs from the time before there
    /// were notes are compared in what records alone tell.
    pub(crate) fn agrees(&self, folded: &Self) -> Result<(), Fault> {
        if self.runs() != folded.runs() {
            return Err(Damage::HeadsDigest.into());
        }
        for (index, Row { head, .. }) in self.rows.iter().enumerate() {
            let other = folded.by_run.get(&head.run).copied();
            let same = other.is_some_and(|other| {
                let found = &folded.rows[other].head;
                if folded.unnamed.contains(&other) {
                    counts(found) == counts(head)
                } else {
                    found == head
                }
            });
            if !same {
                return Err(self.broken(index));
            }
        }
        Ok(())
    }

    fn broken(&self, index: usize) -> Fault {
        let head = &self.rows[index].head;
        Damage::RunBroken { run: head.run.clone(), pos: head.pos }.into()
    }
}

/// What can be told of a run without a note.
fn counts(head: &Head) -> [u64; 4] {
    [head.seq, head.pos, head.created_ms, head.updated_ms]
}
