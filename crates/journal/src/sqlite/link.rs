//! Connections: one that may write, and one that changes nothing. Both leave a log that they
//! don't trust exactly as they found it.

use super::errors::{reading, writing};
use super::schema::{DB_FILE, WAL_FILE};
use crate::fault::{Damage, Fault};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// How long to wait for another process inside SQLite: recovery of a log and checkpoints are
/// short, and only a foreign tool could hold on for longer.
const BUSY_MS: u64 = 5_000;

/// Pages kept in memory, in KiB: all runs' rows of a large workspace, and little else.
const CACHE_KIB: i64 = 16 * 1024;

/// What tells that files under a connection that takes no locks were changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    inode: u64,
    bytes: u64,
    changed: (i64, i64),
}

/// A connection that reads.
pub(super) struct ReadLink {
    pub(super) conn: Connection,
    /// Set when SQLite was told that the file does not change; then we look ourselves.
    still: Option<Stamp>,
}

impl ReadLink {
    /// Opens a journal without creating a file. With a log beside it, SQLite's own reader is
    /// used, which works beside a writer and after a killed one. Without a log nobody writes,
    /// and SQLite is told so, because it would create a log only to read.
    pub(super) fn open(dir: &Path) -> Result<Self, Fault> {
        refuse_empty(dir)?;
        let still = stamp(dir)?;
        let path = dir.join(DB_FILE);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = match still {
            None => Connection::open_with_flags(&path, flags),
            Some(_) => Connection::open_with_flags(uri(&path), flags | OpenFlags::SQLITE_OPEN_URI),
        };
        let conn = conn.map_err(reading)?;
        arrange(&conn).map_err(reading)?;
        Ok(Self { conn, still })
    }

    /// Whether what was read since the opening may be a mixture of old and new.
    pub(super) fn is_stale(&self, dir: &Path) -> Result<bool, Fault> {
        match &self.still {
            None => Ok(false),
            Some(was) => Ok(stamp(dir)?.as_ref() != Some(was)),
        }
    }
}

/// SQLite takes a main file of no bytes for a new database and deletes the log beside it, even when
/// it may only read. A journal gets its name when it is whole, so an empty one has lost everything
/// but that log.
fn refuse_empty(dir: &Path) -> Result<(), Fault> {
    match std::fs::metadata(dir.join(DB_FILE)) {
        Ok(meta) if meta.len() == 0 => Err(Damage::JournalMissing.into()),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The state of a journal without a log; `None` when there is a log.
fn stamp(dir: &Path) -> Result<Option<Stamp>, Fault> {
    if dir.join(WAL_FILE).exists() {
        return Ok(None);
    }
    let meta = match std::fs::metadata(dir.join(DB_FILE)) {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Fault::Absent { dir: dir.display().to_string() });
        }
        Err(error) => return Err(Fault::io("look at the journal", &error)),
    };
    let changed = (meta.mtime(), meta.mtime_nsec());
    Ok(Some(Stamp { inode: meta.ino(), bytes: meta.len(), changed }))
}

fn uri(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' => {
                uri.push(char::from(byte));
            }
            other => write!(uri, "%{other:02X}").expect("a string takes every write"),
        }
    }
    uri.push_str("?mode=ro&immutable=1");
    uri
}

/// Opens a journal to write. The log is not folded in when the connection is closed, until
/// [`fold_on_close`] says that all is well: a log that lost its tail is evidence.
pub(super) fn open_writer(dir: &Path) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(dir.join(DB_FILE), flags).map_err(writing)?;
    prepare_writer(&conn).map_err(writing)?;
    let mode: String =
        conn.pragma_query_value(None, "journal_mode", |row| row.get(0)).map_err(writing)?;
    if mode != "wal" {
        conn.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))
            .map_err(writing)?;
    }
    Ok(conn)
}

fn prepare_writer(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    arrange(conn)?;
    // NORMAL syncs only at checkpoints: a power cut would take acknowledged batches with it.
    conn.pragma_update(None, "synchronous", "FULL")?;
    // SQLite's own checkpoints hide a failed sync; the writer calls them itself.
    conn.pragma_update(None, "wal_autocheckpoint", 0)
}

fn arrange(conn: &Connection) -> rusqlite::Result<()> {
    conn.busy_timeout(Duration::from_millis(BUSY_MS))?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    conn.pragma_update(None, "trusted_schema", "OFF")?;
    conn.pragma_update(None, "cell_size_check", "ON")?;
    conn.pragma_update(None, "cache_size", -CACHE_KIB)
}

/// Lets the closing of a healthy connection fold the log in and remove it.
pub(super) fn fold_on_close(conn: &Connection) -> rusqlite::Result<bool> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
}
