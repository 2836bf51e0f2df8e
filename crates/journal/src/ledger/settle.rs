//! Storing the rows behind the records: all that changed at once and each once, instead of each
//! with every batch. Where and when they are stored is the store's business.

use super::rows::Ledger;
use crate::chain::{self, Hash, Ink, Totals};
use crate::contract::Head;

/// Rows that are being stored, and the totals that then hold.
#[derive(Debug)]
pub(crate) struct Settling {
    pub(crate) totals: Totals,
    checks: Vec<(usize, Hash)>,
}

impl Settling {
    /// How many rows are stored; each may lie on a page of its own.
    pub(crate) fn rows(&self) -> u64 {
        self.checks.len() as u64
    }
}

/// Whether a row is stored for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Novelty {
    New,
    Known,
}

/// One row to be stored.
pub(crate) struct Due<'a> {
    /// Its number, from 1 in the order of the runs' first records.
    pub(crate) row: u64,
    pub(crate) novelty: Novelty,
    pub(crate) head: &'a Head,
    pub(crate) check: &'a Hash,
}

impl Ledger {
    /// How many records the stored rows don't tell of.
    pub(crate) fn unsettled(&self) -> u64 {
        self.tip.pos - self.totals.last_pos
    }

    /// How many rows differ from what is stored.
    pub(crate) fn dirty(&self) -> u64 {
        self.dirty.len() as u64
    }

    /// Works out what storing all rows as they are would write. Changes nothing.
    pub(crate) fn settle(&self, epoch: u64) -> Settling {
        let mut ink = Ink::default();
        let mut digest = self.totals.digest;
        let mut checks = Vec::with_capacity(self.dirty.len());
        for &index in &self.dirty {
            let row = &self.rows[index];
            if let Some(stored) = &row.stored {
                chain::toggle(&mut digest, stored);
            }
            let check = chain::head(&mut ink, &row.head);
            chain::toggle(&mut digest, &check);
            checks.push((index, check));
        }
        let totals = Totals {
            epoch,
            last_pos: self.tip.pos,
            last_hash: self.tip.hash,
            runs: self.runs(),
            digest,
        };
        Settling { totals, checks }
    }

    /// The rows of a settling.
    pub(crate) fn due<'a>(&'a self, settling: &'a Settling) -> impl Iterator<Item = Due<'a>> {
        settling.checks.iter().map(|(index, check)| {
            let row = &self.rows[*index];
            let novelty = match row.stored {
                None => Novelty::New,
                Some(_) => Novelty::Known,
            };
            Due { row: *index as u64 + 1, novelty, head: &row.head, check }
        })
    }

    /// Takes in that a settling has been stored. No row may have changed since it was worked out.
    pub(crate) fn settled(&mut self, settling: Settling) {
        self.totals = settling.totals;
        for (index, check) in settling.checks {
            let row = &mut self.rows[index];
            (row.stored, row.dirty) = (Some(check), false);
        }
        self.dirty.clear();
    }
}
