//! The rows themselves and how they are found. What changes them is in the files beside this one.

use crate::chain::{self, Hash, Tip, Totals};
use crate::contract::Head;
use crate::fault::{Damage, Fault};
use std::collections::{BTreeSet, HashMap};

/// All runs, and how much of them is stored.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    /// The totals as they are stored. Rows are stored now and then, so they may tell of less than
    /// the rows here; only the epoch is always that of now.
    pub(crate) totals: Totals,
    /// The last record.
    pub(crate) tip: Tip,
    pub(super) rows: Vec<Row>,
    pub(super) by_run: HashMap<String, usize>,
    pub(super) by_key: HashMap<String, usize>,
    /// Rows that differ from what is stored.
    pub(super) dirty: Vec<usize>,
    /// Rows of runs of which records were folded, but no note yet that says how they began.
    pub(super) unnamed: BTreeSet<usize>,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) head: Head,
    /// The check it was stored with; `None` when it never was.
    pub(super) stored: Option<Hash>,
    pub(super) dirty: bool,
}

impl Ledger {
    /// One without runs.
    pub(crate) fn new() -> Self {
        Self {
            totals: Totals::empty(),
            tip: Tip::genesis(),
            rows: Vec::new(),
            by_run: HashMap::new(),
            by_key: HashMap::new(),
            dirty: Vec::new(),
            unnamed: BTreeSet::new(),
        }
    }

    /// One made of stored rows, which must add up to the stored totals.
    pub(crate) fn from_rows(rows: Vec<(Head, Hash)>, totals: Totals) -> Result<Self, Fault> {
        let mut ledger = Self { totals, tip: totals.tip(), ..Self::new() };
        let mut digest = [0; 32];
        for (index, (head, check)) in rows.into_iter().enumerate() {
            if head.pos > totals.last_pos || head.seq == 0 {
                return Err(Damage::HeadRow { row: index as u64 + 1 }.into());
            }
            chain::toggle(&mut digest, &check);
            ledger.put(Row { head, stored: Some(check), dirty: false });
        }
        let all = ledger.runs() == totals.runs;
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

    pub(crate) fn runs(&self) -> u64 {
        self.rows.len() as u64
    }

    pub(crate) fn live(&self) -> u64 {
        self.heads().filter(|head| !head.ended).count() as u64
    }

    /// Adds a row and answers its index.
    pub(super) fn put(&mut self, row: Row) -> usize {
        let index = self.rows.len();
        self.by_run.insert(row.head.run.clone(), index);
        if let Some(key) = &row.head.key {
            self.by_key.insert(key.clone(), index);
        }
        self.rows.push(row);
        index
    }

    /// Notes that a row differs from what is stored.
    pub(super) fn touch(&mut self, index: usize) -> &mut Head {
        let row = &mut self.rows[index];
        if !row.dirty {
            row.dirty = true;
            self.dirty.push(index);
        }
        &mut row.head
    }
}
