//! SQLite's result codes as faults. While writing, whatever goes wrong leaves the batch unknown;
//! while reading, what SQLite can't make sense of is damage.

use crate::fault::{Damage, Fault};
use rusqlite::ErrorCode;
use rusqlite::ffi::{SQLITE_IOERR_CORRUPTFS, SQLITE_IOERR_SHORT_READ};

/// A failure while reading.
pub(super) fn reading(error: rusqlite::Error) -> Fault {
    let rusqlite::Error::SqliteFailure(failure, text) = error else {
        return Damage::Value { detail: error.to_string() }.into();
    };
    let code = failure.extended_code;
    let detail = text.unwrap_or_else(|| failure.to_string());
    let torn = [SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_CORRUPTFS].contains(&code);
    // A statement of ours that SQLite can't compile or run met tables that are not ours.
    if torn || is_damage(failure.code) || failure.code == ErrorCode::Unknown {
        return Damage::Sqlite { code, detail }.into();
    }
    Fault::Io { what: "read the journal".to_owned(), detail: format!("sqlite {code}: {detail}") }
}

/// A failure while writing.
pub(super) fn writing(error: rusqlite::Error) -> Fault {
    let rusqlite::Error::SqliteFailure(failure, text) = error else {
        return Damage::Value { detail: error.to_string() }.into();
    };
    let code = failure.extended_code;
    let text = text.unwrap_or_else(|| failure.to_string());
    let detail = format!("sqlite {code}: {text}");
    if failure.code == ErrorCode::DiskFull {
        return Fault::NoSpace { detail };
    }
    if failure.code == ErrorCode::SystemIoFailure {
        return Fault::SyncFailed { detail };
    }
    if is_damage(failure.code) {
        return Damage::Sqlite { code, detail: text }.into();
    }
    Fault::Io { what: "write the journal".to_owned(), detail }
}

/// A broken constraint is damage too: the batch was judged before, so the index must be wrong.
fn is_damage(code: ErrorCode) -> bool {
    [ErrorCode::DatabaseCorrupt, ErrorCode::NotADatabase, ErrorCode::ConstraintViolation]
        .contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::ffi::{self, Error};

    #[test]
    fn each_code_has_its_kind() {
        let table = [
            (ffi::SQLITE_FULL, "io", "no_space"),
            (ffi::SQLITE_IOERR_FSYNC, "io", "sync_failed"),
            (ffi::SQLITE_IOERR_DIR_FSYNC, "io", "sync_failed"),
            (ffi::SQLITE_IOERR_WRITE, "io", "sync_failed"),
            (ffi::SQLITE_IOERR_TRUNCATE, "io", "sync_failed"),
            (ffi::SQLITE_IOERR_READ, "io", "sync_failed"),
            (ffi::SQLITE_IOERR_SHORT_READ, "damaged", "sync_failed"),
            (ffi::SQLITE_CORRUPT, "damaged", "damaged"),
            (ffi::SQLITE_NOTADB, "damaged", "damaged"),
            (ffi::SQLITE_CONSTRAINT_UNIQUE, "damaged", "damaged"),
            (ffi::SQLITE_ERROR, "damaged", "io"),
            (ffi::SQLITE_BUSY, "io", "io"),
            (ffi::SQLITE_CANTOPEN, "io", "io"),
            (ffi::SQLITE_READONLY, "io", "io"),
        ];
        for (code, read, write) in table {
            let failure = || rusqlite::Error::SqliteFailure(Error::new(code), None);
            assert_eq!(reading(failure()).kind(), read, "reading {code}");
            assert_eq!(writing(failure()).kind(), write, "writing {code}");
        }
    }
}
