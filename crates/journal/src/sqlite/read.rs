//! Reading, shared by the writer and by readers. SQLite does not notice a flipped bit: so each
//! row is checked against its hash, and the number and order of rows against the totals.

use super::errors::reading;
use crate::chain::{self, Hash, Ink, Link, Totals};
use crate::contract::{Head, Record, Snapshot, Verified};
use crate::fault::{Damage, Fault};
use crate::head_file::Mark;
use crate::ledger::Ledger;
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, Rows};
use std::collections::HashMap;

const RECORD_AT: &str = r#"SELECT pos, run, seq, prev_pos, at_ms, "by", trace, kind, body, hash
    FROM records WHERE pos = ?1"#;
const RECORDS_AFTER: &str = r#"SELECT pos, run, seq, prev_pos, at_ms, "by", trace, kind, body, hash
    FROM records WHERE pos > ?1 ORDER BY pos LIMIT ?2"#;
const LAST_POS: &str = "SELECT pos FROM records ORDER BY pos DESC LIMIT 1";
const HASH_AT: &str = "SELECT hash FROM records WHERE pos = ?1";
const HEADS: &str = r#"SELECT id, run, machine, parent, "key", seq, pos, status, ended, created_ms,
    updated_ms, chk FROM heads ORDER BY id"#;
const META: &str = "SELECT id, epoch, last_pos, last_hash, runs, digest, chk FROM meta";
const SNAPSHOT: &str = "SELECT run, seq, pos, chain, fingerprint, state, chk
    FROM snapshots WHERE id = ?1";

/// Runs a reading within one transaction, so that all of it sees the same batches.
pub(super) fn at_once<T>(
    conn: &Connection,
    read: impl FnOnce(&Connection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let transaction = conn.unchecked_transaction().map_err(reading)?;
    let found = read(&transaction)?;
    transaction.finish().map_err(reading)?;
    Ok(found)
}

/// The totals, with their check.
pub(super) fn totals(conn: &Connection) -> Result<Totals, Fault> {
    let mut statement = conn.prepare_cached(META).map_err(reading)?;
    let mut rows = statement.query([]).map_err(reading)?;
    let row = rows.next().map_err(reading)?.ok_or(Damage::Totals)?;
    let (totals, check, id) = totals_of(row).map_err(reading)?;
    let alone = rows.next().map_err(reading)?.is_none();
    if id == 1 && alone && totals.check() == check {
        Ok(totals)
    } else {
        Err(Damage::Totals.into())
    }
}

fn totals_of(row: &Row<'_>) -> rusqlite::Result<(Totals, Hash, u64)> {
    let totals = Totals {
        epoch: number(row, 1)?,
        last_pos: number(row, 2)?,
        last_hash: row.get(3)?,
        runs: number(row, 4)?,
        digest: row.get(5)?,
    };
    Ok((totals, row.get(6)?, number(row, 0)?))
}

/// All runs' rows, each with its check, and all of them against the totals.
pub(super) fn ledger(conn: &Connection) -> Result<Ledger, Fault> {
    let totals = totals(conn)?;
    let mut statement = conn.prepare_cached(HEADS).map_err(reading)?;
    let mut rows = statement.query([]).map_err(reading)?;
    let mut found = Vec::new();
    let mut ink = Ink::default();
    while let Some(row) = rows.next().map_err(reading)? {
        let (id, head, check) = head_of(row).map_err(reading)?;
        let expected = found.len() as u64 + 1;
        if id != expected || expected > totals.runs || chain::head(&mut ink, &head) != check {
            return Err(Damage::HeadRow { row: expected }.into());
        }
        found.push((head, check));
    }
    Ledger::from_rows(found, totals)
}

fn head_of(row: &Row<'_>) -> rusqlite::Result<(u64, Head, Hash)> {
    let head = Head {
        run: row.get(1)?,
        machine: row.get(2)?,
        parent: row.get(3)?,
        key: row.get(4)?,
        seq: number(row, 5)?,
        pos: number(row, 6)?,
        status: row.get(7)?,
        ended: row.get(8)?,
        created_ms: number(row, 9)?,
        updated_ms: number(row, 10)?,
    };
    Ok((number(row, 0)?, head, row.get(11)?))
}

/// Compares what was acknowledged with what is there, and looks at the end of the records.
pub(super) fn check_mark(
    conn: &Connection,
    totals: &Totals,
    mark: Option<&Mark>,
) -> Result<(), Fault> {
    match mark {
        None if totals.last_pos > 0 => return Err(Damage::HeadMissing.into()),
        None => {}
        Some(mark) if mark.pos > totals.last_pos || mark.epoch > totals.epoch => {
            return Err(Fault::ShorterThanHead {
                head_pos: mark.pos,
                head_epoch: mark.epoch,
                journal_pos: totals.last_pos,
                journal_epoch: totals.epoch,
            });
        }
        Some(mark) if hash_at(&mut prepare(conn, HASH_AT)?, mark.pos)? != mark.hash => {
            return Err(Fault::HashMismatch { pos: mark.pos });
        }
        Some(_) => {}
    }
    check_end(conn, totals)
}

/// The last record is the one that the totals speak of, and no other comes after it.
fn check_end(conn: &Connection, totals: &Totals) -> Result<(), Fault> {
    let last = totals.last_pos;
    let found = prepare(conn, LAST_POS)?.query_row([], |row| number(row, 0)).optional();
    let found = found.map_err(reading)?.unwrap_or(0);
    if found < last {
        return Err(Damage::RecordMissing { pos: last }.into());
    }
    if found > last {
        return Err(Damage::Totals.into());
    }
    if last > 0 && record_at(conn, last)?.hash != totals.last_hash {
        return Err(Fault::HashMismatch { pos: last });
    }
    Ok(())
}

fn prepare<'a>(conn: &'a Connection, sql: &str) -> Result<CachedStatement<'a>, Fault> {
    conn.prepare_cached(sql).map_err(reading)
}

/// The stored hash of a position; that before the first record is known.
fn hash_at(statement: &mut CachedStatement<'_>, pos: u64) -> Result<Hash, Fault> {
    if pos == 0 {
        return Ok(chain::genesis());
    }
    let found = statement.query_row([pos.cast_signed()], |row| row.get(0)).optional();
    found.map_err(reading)?.ok_or_else(|| Damage::RecordMissing { pos }.into())
}

/// One record, checked against the hash stored before it.
fn record_at(conn: &Connection, pos: u64) -> Result<Record, Fault> {
    let mut walk = Walk::new(conn)?;
    walk.record(pos)
}

/// Looks at single records along a run.
struct Walk<'a> {
    record: CachedStatement<'a>,
    hash: CachedStatement<'a>,
    ink: Ink,
}

impl<'a> Walk<'a> {
    fn new(conn: &'a Connection) -> Result<Self, Fault> {
        Ok(Self {
            record: prepare(conn, RECORD_AT)?,
            hash: prepare(conn, HASH_AT)?,
            ink: Ink::default(),
        })
    }

    fn record(&mut self, pos: u64) -> Result<Record, Fault> {
        let found = self.record.query_row([pos.cast_signed()], record_of).optional();
        let record = found.map_err(reading)?.ok_or(Damage::RecordMissing { pos })?;
        let before = hash_at(&mut self.hash, pos.saturating_sub(1))?;
        if record.pos != pos
            || chain::record(&mut self.ink, &before, &Link::of(&record)) != record.hash
        {
            return Err(Fault::HashMismatch { pos });
        }
        Ok(record)
    }
}

/// The records of a run after a sequence, found backwards from its last.
pub(super) fn run(conn: &Connection, head: &Head, after_seq: u64) -> Result<Vec<Record>, Fault> {
    let mut walk = Walk::new(conn)?;
    let mut found = Vec::new();
    let (mut pos, mut seq) = (head.pos, head.seq);
    while seq > after_seq {
        let record = walk.record(pos)?;
        let first = (record.seq == 1) == (record.prev_pos == 0);
        if record.run != head.run || record.seq != seq || record.prev_pos >= pos || !first {
            return Err(Damage::RunBroken { run: head.run.clone(), pos }.into());
        }
        (pos, seq) = (record.prev_pos, seq - 1);
        found.push(record);
    }
    found.reverse();
    Ok(found)
}

/// Records of all runs after a position.
pub(super) fn from(conn: &Connection, after: u64, limit: usize) -> Result<Vec<Record>, Fault> {
    let totals = totals(conn)?;
    let due = totals.last_pos.saturating_sub(after).min(limit as u64);
    let mut found = Vec::new();
    if due > 0 {
        each(conn, &totals, after, due, |record| {
            found.push(record);
            Ok(())
        })?;
    }
    Ok(found)
}

/// Hands on `due` records after a position, each in its place in the chain.
fn each(
    conn: &Connection,
    totals: &Totals,
    after: u64,
    due: u64,
    mut take: impl FnMut(Record) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut before = hash_at(&mut prepare(conn, HASH_AT)?, after)?;
    let mut statement = prepare(conn, RECORDS_AFTER)?;
    let mut rows = statement.query([after.cast_signed(), due.cast_signed()]).map_err(reading)?;
    let mut ink = Ink::default();
    for pos in after + 1..=after + due {
        let record = next(&mut rows, pos)?;
        before = chain::record(&mut ink, &before, &Link::of(&record));
        if before != record.hash || (pos == totals.last_pos && before != totals.last_hash) {
            return Err(Fault::HashMismatch { pos });
        }
        take(record)?;
    }
    Ok(())
}

fn next(rows: &mut Rows<'_>, pos: u64) -> Result<Record, Fault> {
    let row = rows.next().map_err(reading)?.ok_or(Damage::RecordMissing { pos })?;
    let record = record_of(row).map_err(reading)?;
    if record.pos == pos { Ok(record) } else { Err(Damage::RecordMissing { pos }.into()) }
}

fn record_of(row: &Row<'_>) -> rusqlite::Result<Record> {
    Ok(Record {
        pos: number(row, 0)?,
        run: row.get(1)?,
        seq: number(row, 2)?,
        prev_pos: number(row, 3)?,
        at_ms: number(row, 4)?,
        by: row.get(5)?,
        trace: row.get(6)?,
        kind: row.get(7)?,
        body: row.get(8)?,
        hash: row.get(9)?,
    })
}

/// A number of ours: never negative.
fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, value))
}

/// The stored snapshot in a row, if it is whole. A cache, so every failure is an absence.
pub(super) fn snapshot(conn: &Connection, row: u64) -> Option<Snapshot> {
    let mut statement = conn.prepare_cached(SNAPSHOT).ok()?;
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

/// Whether a snapshot was folded from records that this journal holds.
pub(super) fn fits(conn: &Connection, head: &Head, snapshot: &Snapshot) -> bool {
    let there = snapshot.run == head.run && snapshot.seq <= head.seq && snapshot.pos <= head.pos;
    there
        && record_at(conn, snapshot.pos).is_ok_and(|record| {
            record.run == snapshot.run
                && record.seq == snapshot.seq
                && record.hash == snapshot.chain
        })
}

/// Reads everything and compares everything.
pub(super) fn verify(conn: &Connection) -> Result<Verified, Fault> {
    let ledger = ledger(conn)?;
    let totals = ledger.totals;
    let mut ends: HashMap<String, End> = HashMap::new();
    each(conn, &totals, 0, totals.last_pos, |record| {
        let end = ends.entry(record.run.clone()).or_insert_with(|| End::before(&record));
        if record.seq != end.seq + 1 || record.prev_pos != end.pos {
            return Err(Damage::RunBroken { run: record.run, pos: record.pos }.into());
        }
        (end.seq, end.pos, end.updated_ms) = (record.seq, record.pos, record.at_ms);
        Ok(())
    })?;
    if ends.len() as u64 != totals.runs {
        return Err(Damage::HeadsDigest.into());
    }
    for head in ledger.heads() {
        if !ends.get(&head.run).is_some_and(|end| end.fits(head)) {
            return Err(Damage::RunBroken { run: head.run.clone(), pos: head.pos }.into());
        }
    }
    check_end(conn, &totals)?;
    check_pages(conn)?;
    let (last_pos, last_hash) = (totals.last_pos, totals.last_hash);
    Ok(Verified { records: last_pos, runs: totals.runs, last_pos, last_hash })
}

/// Where a run's records end, as they are counted.
struct End {
    seq: u64,
    pos: u64,
    created_ms: u64,
    updated_ms: u64,
}

impl End {
    fn before(first: &Record) -> Self {
        Self { seq: 0, pos: 0, created_ms: first.at_ms, updated_ms: first.at_ms }
    }

    fn fits(&self, head: &Head) -> bool {
        (self.seq, self.pos) == (head.seq, head.pos)
            && (self.created_ms, self.updated_ms) == (head.created_ms, head.updated_ms)
    }
}

/// SQLite's own look at its pages and indexes, which no hash of ours covers.
fn check_pages(conn: &Connection) -> Result<(), Fault> {
    let said: String =
        conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(reading)?;
    if said == "ok" {
        return Ok(());
    }
    Err(Damage::Sqlite { code: rusqlite::ffi::SQLITE_CORRUPT, detail: said }.into())
}
