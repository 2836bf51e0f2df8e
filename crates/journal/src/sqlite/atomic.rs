//! Transactions that write, on statements that are kept: parsing BEGIN and COMMIT anew would cost
//! a lone batch more than its rows do. What is inside a transaction is not decided here.

use super::errors::writing;
use crate::fault::Fault;
use rusqlite::Connection;

/// All of the work, durable, or none of it. A failed commit is undone as far as SQLite can; the
/// caller must treat its batch as unknown all the same.
pub(super) fn write<T>(
    conn: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    run(conn, "BEGIN IMMEDIATE")?;
    let done = work(conn).and_then(|done| run(conn, "COMMIT").map(|()| done));
    if done.is_err() && !conn.is_autocommit() {
        // The first fault is the one to tell of; a connection that can't even undo is closed.
        drop(run(conn, "ROLLBACK"));
    }
    done
}

fn run(conn: &Connection, word: &str) -> Result<(), Fault> {
    let mut statement = conn.prepare_cached(word).map_err(writing)?;
    statement.execute([]).map_err(writing)?;
    Ok(())
}
