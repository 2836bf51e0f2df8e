//! One moment of a journal: all that is read through a view sees the same batches, in the format
//! of that moment. What is read is not known here.

use super::super::errors::reading;
use super::super::schema::{self, Format};
use crate::fault::Fault;
use rusqlite::{CachedStatement, Connection, Row};

/// A reading transaction and the format it found.
pub(in super::super) struct View<'a> {
    pub(in super::super) conn: &'a Connection,
    pub(in super::super) format: Format,
}

impl<'a> View<'a> {
    pub(super) fn prepare(&self, sql: &str) -> Result<CachedStatement<'a>, Fault> {
        self.conn.prepare_cached(sql).map_err(reading)
    }
}

/// Runs a reading within one transaction.
pub(in super::super) fn at_once<T>(
    conn: &Connection,
    read: impl FnOnce(&View<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let transaction = conn.unchecked_transaction().map_err(reading)?;
    let format = schema::format(&transaction)?;
    let found = read(&View { conn: &transaction, format })?;
    transaction.finish().map_err(reading)?;
    Ok(found)
}

/// A number of ours: never negative.
pub(super) fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, value))
}
