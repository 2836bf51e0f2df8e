//! Where all runs stand: the stored rows, which tell of everything up to the record that the
//! totals name, and the records after it, folded into them.

use super::super::errors::reading;
use super::super::schema::Format;
use super::records::{Until, follow, hash_at, record_at};
use super::view::{View, number};
use crate::chain::{self, Hash, Ink, Totals};
use crate::contract::{Head, Record};
use crate::fault::{Damage, Fault};
use crate::head_file::Mark;
use crate::ledger::Ledger;
use rusqlite::{Connection, OptionalExtension, Row};

const HEADS: &str = r#"SELECT id, run, machine, parent, "key", seq, pos, status, ended, created_ms,
    updated_ms, chk FROM heads ORDER BY id"#;
const META: &str = "SELECT id, epoch, last_pos, last_hash, runs, digest, chk FROM meta";
const EPOCH: &str = "SELECT epoch FROM meta WHERE id = 1";

/// The epoch in force, unchecked and quick; `None` when there is no such row.
pub(in super::super) fn epoch(conn: &Connection) -> rusqlite::Result<Option<u64>> {
    conn.prepare_cached(EPOCH)?.query_row([], |row| number(row, 0)).optional()
}

/// The totals, with their check.
pub(in super::super) fn totals(conn: &Connection) -> Result<Totals, Fault> {
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

/// All runs as they stand at the last record.
pub(in super::super) fn ledger(view: &View<'_>) -> Result<Ledger, Fault> {
    let mut ledger = settled(view)?;
    check_settled(view, &ledger.totals)?;
    catch_up(view, &mut ledger)?;
    Ok(ledger)
}

/// The stored rows, each with its check, and all of them against the totals.
pub(super) fn settled(view: &View<'_>) -> Result<Ledger, Fault> {
    let totals = totals(view.conn)?;
    let mut statement = view.prepare(HEADS)?;
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

/// The record up to which the rows tell is there, and is the one that the totals name.
fn check_settled(view: &View<'_>, totals: &Totals) -> Result<(), Fault> {
    let pos = totals.last_pos;
    if pos > 0 && record_at(view, pos)?.hash != totals.last_hash {
        return Err(Fault::HashMismatch { pos });
    }
    Ok(())
}

/// Folds the records after the ledger's last one into it. In format 1 there are none.
pub(super) fn catch_up(view: &View<'_>, ledger: &mut Ledger) -> Result<(), Fault> {
    let end = follow(view, ledger.tip, Until::End, |record| ledger.fold(&record))?;
    if view.format == Format::One && end != ledger.totals.tip() {
        return Err(Damage::Totals.into());
    }
    ledger.whole()
}

/// What has come since a ledger was read.
pub(in super::super) enum News {
    /// Nothing.
    Nothing,
    /// Other totals and these records: at most as many as lie between two settlings.
    Tail(Totals, Vec<Record>),
    /// So much, or so different, that all was read anew.
    Anew(Ledger),
}

/// Looks for what has come since. A ledger that the stored rows have overtaken is read anew, and
/// so is one whose last record is not where it was.
pub(in super::super) fn news(view: &View<'_>, known: &Ledger) -> Result<News, Fault> {
    let totals = totals(view.conn)?;
    let within = (known.totals.last_pos..=known.tip.pos).contains(&totals.last_pos);
    let same = within && hash_at(view, known.tip.pos).is_ok_and(|hash| hash == known.tip.hash);
    if !same {
        return ledger(view).map(News::Anew);
    }
    let mut records = Vec::new();
    follow(view, known.tip, Until::End, |record| {
        records.push(record);
        Ok(())
    })?;
    if records.is_empty() && totals == known.totals {
        return Ok(News::Nothing);
    }
    check_settled(view, &totals)?;
    Ok(News::Tail(totals, records))
}

/// Compares what was acknowledged with what is there.
pub(in super::super) fn check_mark(
    view: &View<'_>,
    ledger: &Ledger,
    mark: Option<&Mark>,
) -> Result<(), Fault> {
    let (end, epoch) = (ledger.tip, ledger.totals.epoch);
    match mark {
        None if end.pos > 0 => Err(Damage::HeadMissing.into()),
        None => Ok(()),
        Some(mark) if mark.pos > end.pos || mark.epoch > epoch => Err(Fault::ShorterThanHead {
            head_pos: mark.pos,
            head_epoch: mark.epoch,
            journal_pos: end.pos,
            journal_epoch: epoch,
        }),
        Some(mark) if hash_at(view, mark.pos)? != mark.hash => {
            Err(Fault::HashMismatch { pos: mark.pos })
        }
        Some(_) => Ok(()),
    }
}
