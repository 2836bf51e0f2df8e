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

#[cfg(test)]
mod tests {
    use super::*;

    const BEGINS: &str = r#"{"ended":false,"key":"k","machine":"turn","status":"NEW"}"#;
    const MOVES: &str = r#"{"ended":true,"status":"DONE"}"#;

    /// A record of a run, by the fields that a fold looks at.
    fn record(pos: u64, run: &str, seq: u64, prev_pos: u64, note: Option<&str>) -> Record {
        Record {
            pos,
            run: run.to_owned(),
            seq,
            prev_pos,
            at_ms: 100 + pos,
            by: String::new(),
            trace: String::new(),
            kind: String::new(),
            body: "{}".to_owned(),
            note: note.map(str::to_owned),
            hash: [0; 32],
        }
    }

    fn folded(records: &[Record]) -> Result<Ledger, Fault> {
        let mut ledger = Ledger::new();
        records.iter().try_for_each(|record| ledger.fold(record))?;
        Ok(ledger)
    }

    #[test]
    fn a_row_is_made_of_its_records() {
        let records = [
            record(1, "a", 1, 0, None),
            record(2, "a", 2, 1, Some(BEGINS)),
            record(3, "a", 3, 2, None),
            record(4, "a", 4, 3, Some(MOVES)),
        ];
        let ledger = folded(&records).unwrap();
        ledger.whole().unwrap();
        let expected = Head {
            run: "a".to_owned(),
            machine: "turn".to_owned(),
            parent: None,
            key: Some("k".to_owned()),
            seq: 4,
            pos: 4,
            status: "DONE".to_owned(),
            ended: true,
            created_ms: 101,
            updated_ms: 104,
        };
        assert_eq!(ledger.heads().collect::<Vec<_>>(), [&expected]);
        assert_eq!((ledger.find_key("k"), ledger.unsettled()), (Some("a"), 4));
    }

    #[test]
    fn records_that_don_t_fit_their_run_are_named() {
        let first = || record(1, "a", 1, 0, Some(BEGINS));
        let late = r#"{"ended":false,"parent":"p","status":""}"#;
        let table = [
            ("no note", "a", 1, vec![record(1, "a", 1, 0, None)]),
            ("not how it began", "a", 1, vec![record(1, "a", 1, 0, Some(MOVES))]),
            ("begins late", "a", 1, vec![record(1, "a", 2, 0, Some(BEGINS))]),
            ("begins behind nothing", "a", 1, vec![record(1, "a", 1, 9, Some(BEGINS))]),
            ("gap", "a", 2, vec![first(), record(2, "a", 3, 1, None)]),
            ("again", "a", 2, vec![first(), record(2, "a", 1, 0, None)]),
            ("other one before", "a", 2, vec![first(), record(2, "a", 2, 0, None)]),
            ("begins twice", "a", 2, vec![first(), record(2, "a", 2, 1, Some(BEGINS))]),
            ("another's key", "b", 2, vec![first(), record(2, "b", 1, 0, Some(BEGINS))]),
            ("late parent", "a", 2, vec![first(), record(2, "a", 2, 1, Some(late))]),
            ("no note at all", "a", 2, vec![first(), record(2, "a", 2, 1, Some("[]"))]),
        ];
        for (name, run, pos, records) in table {
            let found = folded(&records).and_then(|ledger| ledger.whole());
            let expected = Damage::RunBroken { run: run.to_owned(), pos };
            assert_eq!(found, Err(Fault::Damaged(expected)), "{name}");
        }
    }

    #[test]
    fn a_stored_row_that_its_records_don_t_make_is_named() {
        type Case = (fn(&mut Head), [bool; 2]);
        let noted = folded(&[record(1, "a", 1, 0, Some(BEGINS))]).unwrap();
        let old = folded(&[record(1, "a", 1, 0, None)]).unwrap();
        let changes: [Case; 5] = [
            (|_| (), [true, true]),
            (|head| head.status.push('!'), [false, true]),
            (|head| head.machine.push('!'), [false, true]),
            (|head| head.seq += 1, [false, false]),
            (|head| head.created_ms += 1, [false, false]),
        ];
        for (change, expected) in changes {
            let agree = [&noted, &old].map(|folded| {
                let mut stored = folded.clone();
                change(&mut stored.rows[0].head);
                stored.agrees(folded).is_ok()
            });
            assert_eq!(agree, expected);
        }
        assert_eq!(noted.agrees(&Ledger::new()), Err(Damage::HeadsDigest.into()));
    }
}
