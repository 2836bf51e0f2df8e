//! The complete check: every record, every hash, every run's row, every page.

use super::super::errors::reading;
use super::records::{Until, follow};
use super::runs::{catch_up, settled};
use super::view::View;
use crate::chain::Tip;
use crate::contract::Verified;
use crate::fault::{Damage, Fault};
use crate::ledger::Ledger;
use rusqlite::Connection;

/// Reads everything and compares everything: the stored rows with the records they tell of, and
/// then the records after those.
pub(in super::super) fn verify(view: &View<'_>) -> Result<Verified, Fault> {
    let mut ledger = settled(view)?;
    let totals = ledger.totals;
    let mut folded = Ledger::new();
    let told = Until::Pos(totals.last_pos);
    let reached = follow(view, Tip::genesis(), told, |record| folded.fold(&record))?;
    if reached != totals.tip() {
        return Err(Fault::HashMismatch { pos: totals.last_pos });
    }
    ledger.agrees(&folded)?;
    catch_up(view, &mut ledger)?;
    check_pages(view.conn)?;
    let (records, last_hash) = (ledger.tip.pos, ledger.tip.hash);
    Ok(Verified { records, runs: ledger.runs(), last_pos: records, last_hash })
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
