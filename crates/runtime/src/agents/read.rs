//! The thin layer that opens the files of a call directory and lets the folders read them.

use std::io;
use std::path::{Path, PathBuf};

use kernel::agent::{Ask, Kind, Report};
use kernel::machine::At;

use super::fold::{FoldPlan, Heard};
use crate::redact::Redactor;
use crate::shim::files::ExitRecord;

/// What became of the call in `dir`, from byte 0 of its spools. The same files give the same
/// report; `now` is only used when the exit record names no time.
///
/// # Errors
/// When a spool cannot be read, or the answer cannot be written beside it.
pub fn report(
    _dir: &Path,
    _ask: &Ask,
    _exit: &ExitRecord,
    _plan: &FoldPlan,
    _redactor: &Redactor,
    _now: At,
) -> io::Result<Report> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A running call, followed by reading what its spool has gained.
#[derive(Clone, Debug)]
pub struct Live {
    _dir: PathBuf,
    heard: Heard,
}

impl Live {
    /// Begins at byte 0.
    #[must_use]
    pub fn new(dir: &Path, _kind: Kind, _plan: &FoldPlan) -> Self {
        Self { _dir: dir.to_owned(), heard: Heard::default() }
    }

    /// Reads what is new. Says whether there was anything.
    ///
    /// # Errors
    /// When the spool is there and cannot be read.
    pub fn poll(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    /// What was heard up to the last poll.
    #[must_use]
    pub fn heard(&self) -> &Heard {
        &self.heard
    }
}
