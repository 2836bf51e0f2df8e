//! The memory: an append-only, hash-chained journal. It knows no machine.
//!
//! [`Journal`] is the contract. [`Sqlite`] keeps it on a disk, [`Memory`] keeps it for tests and
//! simulations; one conformance suite runs over both. What a record's body means is not known
//! here, and nothing here spawns, sleeps or reads a clock.

mod chain;
mod contract;
mod export;
mod fault;
mod head_file;
mod ledger;
mod lock;
mod memory;
mod note;
mod sqlite;

pub use contract::{
    BODY_BYTES_MAX, Batch, Entry, Head, Journal, Record, RunNote, Snapshot, Stats, Verified,
};
pub use export::{export_ndjson, ndjson_line};
pub use fault::{Damage, Fault, Misuse};
pub use lock::{Owner, owner};
pub use memory::{Disk, Failure, Memory};
pub use sqlite::{Reader, Repaired, SQLITE_VERSION_MIN, Sqlite, repair_head, verify_records};
