//! A directory held open together with the name in it that is meant: where writing begins. It
//! looks and opens for reading; whoever writes uses the descriptor with that name.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, OFlags};
use rustix::io::Errno;

use super::beneath::{self, Links};
use super::facts::{Facts, Kind};
use super::fault::Fault;

/// A held directory and a name in it.
#[derive(Debug)]
pub struct Parent {
    dir: OwnedFd,
    name: String,
    path: String,
}

impl Parent {
    pub(super) fn new(dir: OwnedFd, name: &str, path: &str) -> Self {
        Self { dir, name: name.to_owned(), path: path.to_owned() }
    }

    /// The directory.
    #[must_use]
    pub fn dir(&self) -> BorrowedFd<'_> {
        self.dir.as_fd()
    }

    /// The name in it: one part, never `.` or `..`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole path, for messages and records.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What the name stands for, a link being a link; nothing if it is free.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn facts(&self) -> Result<Option<Facts>, Fault> {
        match rustix::fs::statat(&self.dir, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Facts::of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(Fault::errno(&self.path, errno)),
        }
    }

    /// Opens the regular file of that name for reading, never through a link.
    ///
    /// # Errors
    /// When it is absent, a link, or no regular file.
    pub fn open_file(&self) -> Result<(File, Facts), Fault> {
        self.open_named(&self.name)
    }

    /// Opens the regular file of another name in the same directory: a temporary one, say.
    ///
    /// # Errors
    /// When it is absent, a link, or no regular file.
    pub fn open_named(&self, name: &str) -> Result<(File, Facts), Fault> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK;
        let fd = beneath::open(&self.dir, name.as_bytes(), flags, Links::None)
            .map_err(|errno| Fault::errno(&self.path, errno))?;
        let stat = rustix::fs::fstat(&fd).map_err(|errno| Fault::errno(&self.path, errno))?;
        let facts = Facts::of(&stat);
        match facts.kind {
            Kind::File => Ok((File::from(fd), facts)),
            kind @ (Kind::Dir | Kind::Symlink | Kind::Other) => {
                Err(Fault::NotAFile { path: self.path.clone(), kind })
            }
        }
    }
}
