//! An I/O error of the operating system by its word in the closed list of kinds. What it was about
//! and what to do is the caller's to say.

use std::io::{Error, ErrorKind};

/// Errors that have a word of their own.
const KNOWN: [(ErrorKind, &str); 4] = [
    (ErrorKind::NotFound, "not_found"),
    (ErrorKind::PermissionDenied, "permission"),
    (ErrorKind::StorageFull, "no_space"),
    (ErrorKind::Interrupted, "interrupted"),
];

/// Its word, if it has one.
#[must_use]
pub fn io_kind(error: &Error) -> Option<&'static str> {
    KNOWN.iter().find(|(kind, _)| *kind == error.kind()).map(|(_, word)| *word)
}
