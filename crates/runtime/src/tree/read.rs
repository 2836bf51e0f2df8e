//! Opens and hashes single files beneath a directory handle, without following links. What it
//! can't vouch for it says; it never fails a whole look because of one file.

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{FileType, Mode, OFlags, Stat};
use sha2::{Digest, Sha256};

use super::cache::{Stamp, now_ns};
use super::hash::Hash;

/// Larger files are stamped by size and time: hashing them would hold up every call.
pub(crate) const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Twice, because a file that changes during both is being written to all the time.
const READINGS_MAX: usize = 2;
const CHUNK_BYTES: usize = 64 * 1024;

/// What reading a file gave.
pub(super) enum Reading {
    /// Its bytes hash to this and did not change meanwhile.
    Steady { hash: Hash, stamp: Stamp, read_at_ns: i128 },
    /// It changed in every reading; this is the last one's hash.
    Moving(Hash),
    /// It grew beyond what is read.
    TooLarge,
    /// It could not be read, or is no regular file any more.
    Unreadable,
}

/// A directory handle below `parent`; a link or a file there is refused.
pub(super) fn open_dir(parent: impl AsFd, name: &CStr) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(parent, name, flags, Mode::empty())
}

/// A regular file below `parent`. NONBLOCK: a fifo put in its place must not hold us up.
pub(super) fn open_file(parent: impl AsFd, name: &CStr) -> io::Result<(File, Stat)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(parent, name, flags, Mode::empty())?;
    let stat = rustix::fs::fstat(&fd)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok((File::from(fd), stat))
}

/// The bytes of a small file, or nothing if it is missing, larger than `max`, or unreadable.
pub(super) fn small_file(parent: impl AsFd, name: &CStr, max: u64) -> Option<(Vec<u8>, Stat)> {
    let (file, stat) = open_file(parent, name).ok()?;
    let mut bytes = Vec::new();
    file.take(max + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= max).then_some((bytes, stat))
}

pub(super) fn hash_file(parent: impl AsFd, name: &CStr, bytes_max: u64) -> Reading {
    let mut last = Reading::Unreadable;
    for _ in 0..READINGS_MAX {
        last = read_once(parent.as_fd(), name, bytes_max).unwrap_or(Reading::Unreadable);
        if !matches!(last, Reading::Moving(_)) {
            break;
        }
    }
    last
}

fn read_once(parent: impl AsFd, name: &CStr, bytes_max: u64) -> io::Result<Reading> {
    let read_at_ns = now_ns();
    let (mut file, before) = open_file(parent, name)?;
    let mut sha = Sha256::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut total = 0;
    loop {
        let count = match file.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        total += count as u64;
        if total > bytes_max {
            return Ok(Reading::TooLarge);
        }
        sha.update(&chunk[..count]);
    }
    let stamp = Stamp::of(&rustix::fs::fstat(&file)?);
    let hash = Hash(sha.finalize().into());
    if stamp == Stamp::of(&before) && stamp.size == total {
        Ok(Reading::Steady { hash, stamp, read_at_ns })
    } else {
        Ok(Reading::Moving(hash))
    }
}

/// Stands in for content that is not read.
pub(super) fn stamp_hash(stamp: &Stamp) -> Hash {
    Hash::of(format!("size {} mtime_ns {}", stamp.size, stamp.mtime_ns).as_bytes())
}
