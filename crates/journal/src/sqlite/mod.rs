//! The journal on a disk: SQLite with a write-ahead log, one writer, any number of readers.
//! Nothing that SQLite returns is believed unchecked; see `read`.

mod atomic;
mod errors;
mod link;
mod put;
mod read;
mod reader;
mod repair;
mod schema;
mod writer;

pub use reader::Reader;
pub use reader::verify_records;
pub use repair::{Repaired, repair_head};
pub use schema::SQLITE_VERSION_MIN;
pub use writer::Sqlite;
