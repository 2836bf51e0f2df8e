//! The tables of each format, how they come into being, and how a file is recognised as ours. Only
//! `records` is truth; `heads`, `meta` and `snapshots` are derived from it and checked.
//!
//! Format 1 wrote a run's row and the totals with every batch. Since format 2 they are written
//! behind: a record carries what is new about its run as a note, and the rows tell of everything up
//! to the record that the totals name. A reader folds the records after that one itself.

use super::errors::{reading, writing};
use crate::chain::Totals;
use crate::fault::{Damage, Fault};
use crate::head_file::{Mark, sync_dir};
use rusqlite::{Connection, params};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The main file.
pub(super) const DB_FILE: &str = "journal.db";
/// SQLite's write-ahead log beside it.
pub(super) const WAL_FILE: &str = "journal.db-wal";
/// The name under which a new journal is built, so that one under its own name is whole.
const NEW_FILE: &str = "journal.db.new";

/// The oldest SQLite that may write a journal: older ones can corrupt a database when its
/// write-ahead log is reset at a bad moment.
pub const SQLITE_VERSION_MIN: i32 = 3_051_003;

/// The newest format known here, kept as the database's user version.
const FORMAT: u32 = 2;
/// Tells our databases from others: "LWjl".
const APPLICATION_ID: u32 = 0x4c57_6a6c;

/// How a journal is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Without notes; the rows tell of every record.
    One,
    /// With notes.
    Two,
}

/// What makes the table of records of format 1 that of format 2, to the letter.
const UPGRADE: &str = "ALTER TABLE records ADD COLUMN note TEXT";

/// `records` as format 1 has it.
const RECORDS_ONE: &str = "CREATE TABLE records (pos INTEGER PRIMARY KEY, run TEXT NOT NULL, \
    seq INTEGER NOT NULL, prev_pos INTEGER NOT NULL, at_ms INTEGER NOT NULL, \
    \"by\" TEXT NOT NULL, trace TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, \
    hash BLOB NOT NULL) STRICT";

/// The tables, exactly as SQLite keeps their text: a stored schema that differs is damage.
///
/// `records` has no index but its rowid, which makes an append three times as fast at many runs:
/// a run is read backwards from its row in `heads` along `prev_pos`.
const TABLES: [(&str, &str); 4] = [
    (
        "heads",
        "CREATE TABLE heads (id INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, \
         machine TEXT NOT NULL, parent TEXT, \"key\" TEXT UNIQUE, seq INTEGER NOT NULL, \
         pos INTEGER NOT NULL, status TEXT NOT NULL, ended INTEGER NOT NULL, \
         created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, chk BLOB NOT NULL) STRICT",
    ),
    (
        "meta",
        "CREATE TABLE meta (id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, \
         last_pos INTEGER NOT NULL, last_hash BLOB NOT NULL, runs INTEGER NOT NULL, \
         digest BLOB NOT NULL, chk BLOB NOT NULL) STRICT",
    ),
    (
        "records",
        "CREATE TABLE records (pos INTEGER PRIMARY KEY, run TEXT NOT NULL, \
         seq INTEGER NOT NULL, prev_pos INTEGER NOT NULL, at_ms INTEGER NOT NULL, \
         \"by\" TEXT NOT NULL, trace TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, \
         hash BLOB NOT NULL, note TEXT) STRICT",
    ),
    (
        "snapshots",
        "CREATE TABLE snapshots (id INTEGER PRIMARY KEY, run TEXT NOT NULL, \
         seq INTEGER NOT NULL, pos INTEGER NOT NULL, chain BLOB NOT NULL, \
         fingerprint TEXT NOT NULL, state TEXT NOT NULL, chk BLOB NOT NULL) STRICT",
    ),
];

/// Refuses to run on an SQLite that is too old. It is bundled, so this guards the build.
pub(super) fn require_version() -> Result<(), Fault> {
    let found = rusqlite::version_number();
    if found >= SQLITE_VERSION_MIN {
        return Ok(());
    }
    let detail = format!("found {found}, need {SQLITE_VERSION_MIN}");
    Err(Fault::Io { what: "check the version of sqlite".to_owned(), detail })
}

/// Whether a missing main file is a loss: if anything was acknowledged, or a log is left that
/// SQLite would lay over a new file.
pub(super) fn refuse_loss(dir: &Path, mark: &Result<Option<Mark>, Fault>) -> Result<(), Fault> {
    match mark {
        Ok(Some(mark)) if mark.pos > 0 => {
            return Err(Fault::ShorterThanHead {
                head_pos: mark.pos,
                head_epoch: mark.epoch,
                journal_pos: 0,
                journal_epoch: 0,
            });
        }
        Ok(_) => {}
        Err(fault) => return Err(fault.clone()),
    }
    let log = std::fs::metadata(dir.join(WAL_FILE)).is_ok_and(|meta| meta.len() > 0);
    if log { Err(Damage::JournalMissing.into()) } else { Ok(()) }
}

/// Builds an empty journal under another name and gives it its own when it is durable: a crash
/// leaves no journal, or a whole one.
pub(super) fn create(dir: &Path) -> Result<(), Fault> {
    let failed = |error: std::io::Error| Fault::io("create the journal", &error);
    let path = dir.join(NEW_FILE);
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&path)
        .map_err(failed)?;
    build(&path).map_err(writing)?;
    File::open(&path).and_then(|file| file.sync_all()).map_err(Fault::sync)?;
    std::fs::rename(&path, dir.join(DB_FILE)).map_err(failed)?;
    sync_dir(dir)
}

fn build(path: &Path) -> rusqlite::Result<()> {
    let conn = Connection::open(path)?;
    conn.execute_batch("BEGIN")?;
    for (_, sql) in TABLES {
        conn.execute_batch(sql)?;
    }
    let none = Totals::empty();
    conn.execute(
        "INSERT INTO meta VALUES (1, 0, 0, ?1, 0, ?2, ?3)",
        params![none.last_hash, none.digest, none.check()],
    )?;
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    conn.pragma_update(None, "user_version", FORMAT)?;
    conn.execute_batch("COMMIT")?;
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))?;
    conn.close().map_err(|(_, error)| error)
}

/// The format of a journal that we can read.
pub(super) fn format(conn: &Connection) -> Result<Format, Fault> {
    let pragma = |sql: &str| -> rusqlite::Result<u32> {
        let value: i32 = conn.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        Ok(value.cast_unsigned())
    };
    let application_id = pragma("PRAGMA application_id").map_err(reading)?;
    let format = pragma("PRAGMA user_version").map_err(reading)?;
    if application_id != APPLICATION_ID {
        return Err(Damage::NotAJournal { application_id, format }.into());
    }
    match format {
        0 => Err(Damage::NotAJournal { application_id, format }.into()),
        1 => Ok(Format::One),
        FORMAT => Ok(Format::Two),
        found => Err(Fault::NewerFormat { found, known: FORMAT }),
    }
}

/// Whether the tables are those of the format. Comes before anything else is looked at.
pub(super) fn check_tables(conn: &Connection, format: Format) -> Result<(), Fault> {
    let mut statement = conn
        .prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
        .map_err(reading)?;
    let rows = statement
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
        .map_err(reading)?;
    let found = rows.collect::<rusqlite::Result<Vec<_>>>().map_err(reading)?;
    let expected = TABLES.map(|(name, sql)| match (name, format) {
        ("records", Format::One) => (name, RECORDS_ONE),
        (_, Format::One | Format::Two) => (name, sql),
    });
    let same = found.iter().map(|(name, sql)| (name.as_str(), sql.as_str())).eq(expected);
    if same { Ok(()) } else { Err(Damage::Schema.into()) }
}

/// Brings a journal to the newest format, inside a transaction of the writer.
pub(super) fn upgrade(conn: &Connection) -> Result<(), Fault> {
    match format(conn)? {
        Format::One => {
            conn.execute_batch(UPGRADE).map_err(writing)?;
            conn.pragma_update(None, "user_version", FORMAT).map_err(writing)?;
            check_tables(conn, Format::Two)
        }
        Format::Two => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_sqlite_is_new_enough() {
        assert!(rusqlite::version_number() >= SQLITE_VERSION_MIN);
        assert_eq!(require_version(), Ok(()));
    }
}
