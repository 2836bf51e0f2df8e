//! Stored snapshots. A cache, so every failure is an absence.

use super::records::record_at;
use super::view::{View, number};
use crate::chain::{self, Hash};
use crate::contract::{Head, Snapshot};
use rusqlite::Row;

const SNAPSHOT: &str = "SELECT run, seq, pos, chain, fingerprint, state, chk
    FROM snapshots WHERE id = ?1";

/// The snapshot of a run: that at hand, else the stored one, if it was folded from records that
/// this journal holds.
pub(in super::super) fn snapshot(
    view: &View<'_>,
    head: &Head,
    row: u64,
    at_hand: Option<&Snapshot>,
) -> Option<Snapshot> {
    at_hand.cloned().or_else(|| stored(view, row)).filter(|kept| fits(view, head, kept))
}

/// The one in a row, if it is whole.
fn stored(view: &View<'_>, row: u64) -> Option<Snapshot> {
    let mut statement = view.prepare(SNAPSHOT).ok()?;
    let read = |row: &Row<'_>| {
        let snapshot = Snapshot {
            run: row.get(0)?,
            seq: number(row, 1)?,
            pos: number(row, 2)?,
            chain: row.get(3)?,
            fingerprint: row.get(4)?,
            state: row.get(5)?,
        };
        Ok((snapshot, row.get::<_, Hash>(6)?))
    };
    let (snapshot, check) = statement.query_row([row.cast_signed()], read).ok()?;
    (chain::snapshot(&snapshot) == check).then_some(snapshot)
}

fn fits(view: &View<'_>, head: &Head, snapshot: &Snapshot) -> bool {
    let there = snapshot.run == head.run && snapshot.seq <= head.seq && snapshot.pos <= head.pos;
    there
        && record_at(view, snapshot.pos).is_ok_and(|record| {
            record.run == snapshot.run
                && record.seq == snapshot.seq
                && record.hash == snapshot.chain
        })
}
