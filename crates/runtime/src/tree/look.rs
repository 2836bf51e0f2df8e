//! One look at one name below a directory handle: the same hash the walk would give it. It follows
//! no link and asks no ignore file.

use std::ffi::CStr;
use std::os::fd::AsFd;

use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;

use super::cache::Stamp;
use super::hash::Hash;
use super::mark::{Content, Kind};
use super::read::{Reading, hash_file, stamp_hash};

/// What stands at a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Nothing.
    Absent,
    /// A file or a link.
    Content(Content),
    /// A directory.
    Directory,
    /// A fifo, socket or device, or something that cannot be read.
    Strange,
}

/// Looks at `name` in `parent`; files above `bytes_max` are stamped.
pub fn look(parent: impl AsFd, name: &CStr, bytes_max: u64) -> Seen {
    let stat = match rustix::fs::statat(&parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Seen::Absent,
        Err(_) => return Seen::Strange,
    };
    let kind = FileType::from_raw_mode(stat.st_mode);
    if kind == FileType::Directory {
        return Seen::Directory;
    }
    if kind == FileType::Symlink {
        let target = rustix::fs::readlinkat(&parent, name, Vec::new());
        return target.map_or(Seen::Strange, |target| {
            Seen::Content(Content { kind: Kind::Link, sha256: Hash::of(target.as_bytes()) })
        });
    }
    if kind != FileType::RegularFile {
        return Seen::Strange;
    }
    let file = if stat.st_mode & 0o100 == 0 { Kind::File } else { Kind::Executable };
    let stamp = Stamp::of(&stat);
    let stamped = Content { kind: Kind::Stamped, sha256: stamp_hash(&stamp) };
    if stamp.size > bytes_max {
        return Seen::Content(stamped);
    }
    match hash_file(&parent, name, bytes_max) {
        Reading::Steady { hash: sha256, .. } | Reading::Moving(sha256) => {
            Seen::Content(Content { kind: file, sha256 })
        }
        Reading::TooLarge => Seen::Content(stamped),
        Reading::Unreadable => Seen::Strange,
    }
}
