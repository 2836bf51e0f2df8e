//! The raw limits of this machine: a synced append to a file, and a synced commit to SQLite with
//! the journal's own settings. What the engine is measured against.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

/// Size of an event in the raw measurements: that of a typical recorded fact.
const EVENT_BYTES: usize = 256;

/// How often per second something could be done within a span of time.
///
/// # Errors
/// The first failure of the work itself.
pub fn per_second(span: Duration, mut work: impl FnMut() -> Result<u64>) -> Result<f64> {
    let start = Instant::now();
    let mut done = 0;
    while start.elapsed() < span {
        done += work()?;
    }
    Ok(done as f64 / start.elapsed().as_secs_f64())
}

/// Appends with `fdatasync`, per second.
///
/// # Errors
/// When the disk refuses.
pub fn fdatasync_per_second(dir: &Path, span: Duration) -> Result<f64> {
    let mut file = OpenOptions::new().create(true).append(true).open(dir.join("raw.log"))?;
    let event = [b'x'; EVENT_BYTES];
    per_second(span, || {
        file.write_all(&event)?;
        file.sync_data()?;
        Ok(1)
    })
}

/// Single commits to SQLite in WAL mode with `synchronous=FULL`, per second.
///
/// # Errors
/// When SQLite refuses.
pub fn sqlite_per_second(dir: &Path, span: Duration) -> Result<f64> {
    let connection = rusqlite::Connection::open(dir.join("raw.db"))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch("CREATE TABLE events (pos INTEGER PRIMARY KEY, body TEXT) STRICT")?;
    let body = "x".repeat(EVENT_BYTES);
    per_second(span, || {
        let mut insert = connection.prepare_cached("INSERT INTO events (body) VALUES (?1)")?;
        insert.execute([&body])?;
        Ok(1)
    })
}
