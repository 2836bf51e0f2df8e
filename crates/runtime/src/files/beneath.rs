//! The one system call behind every open: `openat2` that may not leave the directory it starts
//! from. There is no other way in, and none is tried where the system has no such call.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::OFlags;
use rustix::io::Errno;

/// What may lie between the directory and what is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// Symbolic links that stay inside.
    Inside,
    /// None, the last part included.
    None,
}

/// A rename during the look-up makes the system ask for another try; a tree that is renamed all
/// the time is reported as busy.
#[cfg(target_os = "linux")]
const TRIES: usize = 16;

/// Opens `path` below `dir`. The system itself refuses whatever would lead outside.
#[cfg(target_os = "linux")]
pub(super) fn open(
    dir: impl AsFd,
    path: &[u8],
    flags: OFlags,
    links: Links,
) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::{Mode, ResolveFlags};

    let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    let resolve = match links {
        Links::Inside => beneath,
        Links::None => beneath | ResolveFlags::NO_SYMLINKS,
    };
    let flags = flags | OFlags::CLOEXEC | OFlags::NOCTTY;
    let mut tries = 0;
    loop {
        tries += 1;
        match rustix::fs::openat2(dir.as_fd(), path, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN | Errno::INTR) if tries < TRIES => {}
            done => return done,
        }
    }
}

/// Elsewhere nothing is opened.
#[cfg(not(target_os = "linux"))]
pub(super) fn open(
    _dir: impl AsFd,
    _path: &[u8],
    _flags: OFlags,
    _links: Links,
) -> rustix::io::Result<OwnedFd> {
    Err(Errno::NOSYS)
}
