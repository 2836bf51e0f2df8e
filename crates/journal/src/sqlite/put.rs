//! The statements that write, always inside a transaction of the writer. What they write was
//! worked out before; nothing is decided here.

use crate::chain::{self, Totals};
use crate::contract::{Batch, Snapshot};
use crate::ledger::{Ledger, Novelty, Prepared, Settling};
use rusqlite::{CachedStatement, Connection, params};
use std::collections::BTreeMap;

const INSERT_RECORD: &str =
    "INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
const INSERT_HEAD: &str =
    "INSERT INTO heads VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
const UPDATE_HEAD: &str = "UPDATE heads SET seq = ?2, pos = ?3, status = ?4, ended = ?5,
    updated_ms = ?6, chk = ?7 WHERE id = ?1";
const UPDATE_META: &str = "UPDATE meta SET epoch = ?1, last_pos = ?2, last_hash = ?3, runs = ?4,
    digest = ?5, chk = ?6 WHERE id = 1 AND epoch = ?7 AND last_pos = ?8";
const REPLACE_SNAPSHOT: &str =
    "INSERT OR REPLACE INTO snapshots VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

/// The totals, if they are still what this writer left; answers how many rows that was.
pub(super) fn totals(conn: &Connection, was: &Totals, now: &Totals) -> rusqlite::Result<usize> {
    conn.prepare_cached(UPDATE_META)?.execute(params![
        now.epoch.cast_signed(),
        now.last_pos.cast_signed(),
        now.last_hash,
        now.runs.cast_signed(),
        now.digest,
        now.check(),
        was.epoch.cast_signed(),
        was.last_pos.cast_signed(),
    ])
}

/// The entries of a batch, each in its place.
pub(super) fn records(
    conn: &Connection,
    batch: &Batch,
    prepared: &Prepared,
) -> rusqlite::Result<()> {
    let mut insert = conn.prepare_cached(INSERT_RECORD)?;
    for (entry, stamp) in batch.entries.iter().zip(&prepared.stamps) {
        insert.execute(params![
            stamp.pos.cast_signed(),
            entry.run,
            stamp.seq.cast_signed(),
            stamp.prev_pos.cast_signed(),
            entry.at_ms.cast_signed(),
            entry.by,
            entry.trace,
            entry.kind,
            entry.body,
            stamp.hash,
            stamp.note,
        ])?;
    }
    Ok(())
}

/// The rows of a settling.
pub(super) fn heads(
    conn: &Connection,
    ledger: &Ledger,
    settling: &Settling,
) -> rusqlite::Result<()> {
    let (mut insert, mut update) = (None, None);
    for due in ledger.due(settling) {
        let (row, head) = (due.row.cast_signed(), due.head);
        let (seq, pos) = (head.seq.cast_signed(), head.pos.cast_signed());
        let updated_ms = head.updated_ms.cast_signed();
        match due.novelty {
            Novelty::New => kept(&mut insert, conn, INSERT_HEAD)?.execute(params![
                row,
                head.run,
                head.machine,
                head.parent,
                head.key,
                seq,
                pos,
                head.status,
                head.ended,
                head.created_ms.cast_signed(),
                updated_ms,
                due.check,
            ])?,
            Novelty::Known => kept(&mut update, conn, UPDATE_HEAD)?.execute(params![
                row,
                seq,
                pos,
                head.status,
                head.ended,
                updated_ms,
                due.check,
            ])?,
        };
    }
    Ok(())
}

/// The statement in this place, fetched if it is not there yet.
fn kept<'a, 'c>(
    place: &'a mut Option<CachedStatement<'c>>,
    conn: &'c Connection,
    sql: &str,
) -> rusqlite::Result<&'a mut CachedStatement<'c>> {
    match place {
        Some(statement) => Ok(statement),
        None => Ok(place.insert(conn.prepare_cached(sql)?)),
    }
}

/// Snapshots of runs that don't exist are dropped: they could never be believed.
pub(super) fn snapshots(
    conn: &Connection,
    unsaved: &BTreeMap<String, Snapshot>,
    row: impl Fn(&str) -> Option<u64>,
) -> rusqlite::Result<()> {
    if unsaved.is_empty() {
        return Ok(());
    }
    let mut replace = conn.prepare_cached(REPLACE_SNAPSHOT)?;
    for (run, snapshot) in unsaved {
        let Some(row) = row(run) else { continue };
        replace.execute(params![
            row.cast_signed(),
            snapshot.run,
            snapshot.seq.cast_signed(),
            snapshot.pos.cast_signed(),
            snapshot.chain,
            snapshot.fingerprint,
            snapshot.state,
            chain::snapshot(snapshot),
        ])?;
    }
    Ok(())
}
