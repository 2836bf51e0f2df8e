//! The lock that proves a shim alive and the token that lets an attempt start at most once. The
//! lock always comes first: a token whose lock is free was left by the dead, never by somebody
//! about to start.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{FlockOperation, OFlags};
use rustix::io::Errno;

use super::durable::{self, Created};
use super::files::{self, PidRecord};
use super::identity::{Handle, Place};

/// The held lock of a call directory.
#[derive(Debug)]
pub struct Lock {
    file: File,
    /// Who took it: a copy of it in a forked child is not the child's to let go.
    holder: u32,
}

impl Drop for Lock {
    /// Closing alone would not do: a process that another thread is about to start has a copy of
    /// the descriptor until it execs, and the shim that comes next would find the lock held.
    fn drop(&mut self) {
        if self.holder == std::process::id() {
            // One that cannot be let go ends with its last descriptor.
            let _ = rustix::fs::flock(&self.file, FlockOperation::Unlock);
        }
    }
}

/// Takes the lock without waiting; nothing when somebody holds it.
pub fn lock(dir: &Path) -> io::Result<Option<Lock>> {
    let file = durable::open(&dir.join(files::LOCK), OFlags::RDWR | OFlags::CREATE)?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(Lock { file, holder: std::process::id() })),
        Err(Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The living shim that wrote a record in this directory, or nothing when it is gone.
///
/// Births are told in hundredths of a second, so a stranger that got the number of a shim that died
/// within the same one looks like it. The lock settles it: while it is held the shim lives, and so
/// the number that was opened before was still its own.
pub fn holder(dir: &Path, record: &PidRecord) -> io::Result<Option<Handle>> {
    let handle = Handle::open(&Place::of(record), record.shim)?;
    Ok(if handle.is_some() && lock(dir)?.is_none() { handle } else { None })
}

impl Lock {
    /// Creates the attempt's start token; only who holds the lock can. It needs no sync of its own:
    /// a power cut that takes it takes every shim too, and before a program may run, the sync of
    /// `pid.json` has made it durable.
    pub fn create_token(&self, dir: &Path, attempt: u32) -> io::Result<Created> {
        durable::create_new(dir, &files::token_name(attempt))
    }
}

/// Whether the attempt's token is there.
pub fn exists(dir: &Path, attempt: u32) -> bool {
    dir.join(files::token_name(attempt)).symlink_metadata().is_ok()
}
