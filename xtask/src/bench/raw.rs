//! The raw limits of this machine: a synced append to a file, and a synced commit to SQLite with
//! the journal's own settings. What the engine is measured against.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

/// Size of an event in the raw measurements: that of a typical recorded fact.
const EVENT_BYTES: usize = 256;

/// How often something was done in the turns it was given.
#[derive(Debug, Default)]
pub struct Tally {
    done: u64,
    took: Duration,
}

impl Tally {
    /// Gives it one more turn of this length.
    ///
    /// # Errors
    /// The first failure of the work itself.
    pub fn turn(&mut self, span: Duration, work: &mut dyn FnMut() -> Result<u64>) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < span {
            self.done += work()?;
        }
        self.took += start.elapsed();
        Ok(())
    }

    /// The rate over all turns.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.done as f64 / self.took.as_secs_f64()
    }
}

/// One append with `fdatasync` at each call.
///
/// # Errors
/// When the disk refuses.
pub fn fdatasync(dir: &Path) -> Result<impl FnMut() -> Result<u64>> {
    let mut file = OpenOptions::new().create(true).append(true).open(dir.join("raw.log"))?;
    let event = [b'x'; EVENT_BYTES];
    Ok(move || {
        file.write_all(&event)?;
        file.sync_data()?;
        Ok(1)
    })
}

/// One commit to SQLite in WAL mode with `synchronous=FULL` at each call.
///
/// # Errors
/// When SQLite refuses.
pub fn sqlite(dir: &Path) -> Result<impl FnMut() -> Result<u64>> {
    let connection = rusqlite::Connection::open(dir.join("raw.db"))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch("CREATE TABLE events (pos INTEGER PRIMARY KEY, body TEXT) STRICT")?;
    let body = "x".repeat(EVENT_BYTES);
    Ok(move || {
        let mut insert = connection.prepare_cached("INSERT INTO events (body) VALUES (?1)")?;
        insert.execute([&body])?;
        Ok(1)
    })
}
