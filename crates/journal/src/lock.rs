//! The lock that keeps a second writer out at the door. The kernel drops it with the process, so
//! a lock that is held is proof of life; the file itself stays and only names the last owner.

use crate::fault::Fault;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The name of the lock file.
pub(crate) const LOCK_FILE: &str = "engine.lock";

/// The longest owner that is read: a lock file is ours and short.
const OWNER_BYTES_MAX: u64 = 4_096;

/// Who holds a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// Its process.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// Since when, in milliseconds since 1970.
    pub since_ms: u64,
}

/// The lock, held until it is dropped.
#[derive(Debug)]
pub(crate) struct Held(File);

impl Drop for Held {
    /// Unlocked by name, not only closed: a child that was forked a moment ago and has not yet
    /// become another program still shares the open file, and would keep the lock.
    fn drop(&mut self) {
        // If this fails, closing the file unlocks it.
        flock(&self.0, FlockOperation::Unlock).ok();
    }
}

/// Takes the lock without waiting.
pub(crate) fn take(dir: &Path, owner: &Owner) -> Result<Held, Fault> {
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(dir.join(LOCK_FILE))
        .map_err(|error| Fault::io("open the lock", &error))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Err(Fault::Locked { owner: read(&mut file) }),
        Err(errno) => return Err(Fault::io("take the lock", &errno.into())),
    }
    name(&mut file, owner).map_err(|error| Fault::io("write the lock", &error))?;
    Ok(Held(file))
}

fn name(file: &mut File, owner: &Owner) -> std::io::Result<()> {
    let text = serde_json::to_string(owner)?;
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text.as_bytes())
}

/// Who last took the lock of this journal, if that can be read. Whether it still lives is told by
/// the lock alone.
#[must_use]
pub fn owner(dir: &Path) -> Option<Owner> {
    read(&mut File::open(dir.join(LOCK_FILE)).ok()?)
}

/// The owner may be in the middle of writing its name, so an unreadable one is no fault.
fn read(file: &mut File) -> Option<Owner> {
    let mut text = String::new();
    file.take(OWNER_BYTES_MAX).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reg_a_duplicate_in_a_forked_child_does_not_keep_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let owner = Owner { pid: 1, version: String::new(), since_ms: 0 };
        let held = take(dir.path(), &owner).unwrap();
        let shared = held.0.try_clone().unwrap();
        assert_eq!(take(dir.path(), &owner).unwrap_err().kind(), "locked");
        drop(held);
        assert!(take(dir.path(), &owner).is_ok());
        drop(shared);
    }
}
