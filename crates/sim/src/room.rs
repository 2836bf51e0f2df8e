//! Throwaway directories, in memory where the system has room for them there: what a proof asks of
//! files it asks thousands of times, and most of the time would be spent waiting for a disk to sync
//! what is deleted a moment later.

use std::io;
use std::path::Path;

use tempfile::TempDir;

/// Where systems keep files in memory.
const SHARED: &str = "/dev/shm";
/// What a file system in memory says that it is.
const TMPFS: u64 = 0x0102_1994;
/// Less is kept for those whom it is there for.
const FREE_BYTES_MIN: u64 = 32 * 1024 * 1024;

/// A directory that goes when it is dropped.
///
/// # Errors
/// When none can be made.
pub fn room() -> io::Result<TempDir> {
    if in_memory(Path::new(SHARED))
        && let Ok(dir) = TempDir::new_in(SHARED)
    {
        return Ok(dir);
    }
    tempfile::tempdir()
}

fn in_memory(dir: &Path) -> bool {
    rustix::fs::statfs(dir).is_ok_and(|at| {
        let size = |n: u64| n.saturating_mul(u64::try_from(at.f_bsize).unwrap_or(0));
        u64::try_from(at.f_type).is_ok_and(|kind| kind == TMPFS)
            && size(at.f_bavail) >= FREE_BYTES_MIN
    })
}
