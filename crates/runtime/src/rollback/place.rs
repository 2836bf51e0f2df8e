//! One path of a rollback: new content in by exchange, old content out to aside. Every step may be
//! the last before a crash: what waits in the stage says by its name and bytes what it is.
//!
//! In the stage, `N.part` is half of something of ours. `N` is either what is about to go to path
//! number N, or what stood there and was displaced.

use std::ffi::CString;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use kernel::rollback::{Conflicts, Content, Kept, Kind, Now, Planned, RawPath};
use rustix::fs::{AtFlags, CWD, OFlags, RenameFlags};
use rustix::io::Errno;

use super::aside::{Aside, write};
use crate::checkpoints::{Error, Ground, Steps, go, pure};
use crate::tree::{self, Seen};

/// Somebody who makes and removes the path all the time does not hold us up for ever.
const TRIES_MAX: usize = 16;

/// How a path ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placed {
    /// It holds what was planned.
    Done,
    /// It stays as it is.
    Kept(Kept),
}

/// One planned path with its number and whether what gives way is in a checkpoint.
#[derive(Clone, Copy)]
pub(super) struct Slot<'a> {
    pub(super) number: usize,
    pub(super) planned: &'a Planned,
    pub(super) saved: bool,
}

/// Where paths are put.
pub(super) struct Place<'a> {
    pub(super) ground: &'a Ground,
    pub(super) aside: &'a Aside,
    pub(super) stage: PathBuf,
    pub(super) call: String,
    pub(super) conflicts: Conflicts,
    pub(super) bytes_max: u64,
}

impl Place<'_> {
    /// Where a path waits.
    fn staged(&self, slot: Slot<'_>) -> PathBuf {
        self.stage.join(slot.number.to_string())
    }

    /// Where it waits if the stage is on another file system: beside the path, by its directory's
    /// handle.
    fn beside(&self, slot: Slot<'_>, parent: &OwnedFd) -> PathBuf {
        let name = format!(".lw-{}-{}", self.call, slot.number);
        Path::new("/proc/self/fd").join(parent.as_raw_fd().to_string()).join(name)
    }

    /// Finishes what a crash left of this path: halves go, displaced content goes to aside.
    pub(super) fn settle(&self, slot: Slot<'_>) -> io::Result<()> {
        let parent = self.ground.parent(&slot.planned.path).ok();
        let beside = parent.as_ref().map(|(parent, _)| self.beside(slot, parent));
        for at in [Some(self.staged(slot)), beside].into_iter().flatten() {
            let part = at.with_extension("part");
            if fs::symlink_metadata(&part).is_ok() {
                fs::remove_file(&part)?;
            }
            if fs::symlink_metadata(&at).is_ok() {
                self.displaced(slot, &at)?;
            }
        }
        Ok(())
    }

    /// What was displaced is only unlinked if its bytes are safe; else it goes to aside.
    fn displaced(&self, slot: Slot<'_>, at: &Path) -> io::Result<()> {
        let name = CString::new(at.as_os_str().as_bytes())?;
        let seen = match tree::look(CWD, &name, self.bytes_max) {
            Seen::Content(content) => Some(pure(content)),
            Seen::Absent | Seen::Directory | Seen::Strange => None,
        };
        let Planned { path, from, to, .. } = slot.planned;
        let safe = seen.as_ref().is_some_and(|seen| {
            let ours = slot.planned.writes() && to.as_ref() == Some(seen);
            let saved = slot.saved && !slot.planned.clears() && from.as_ref() == Some(seen);
            ours || saved || self.aside.has(path.bytes(), seen)
        });
        if safe {
            return fs::remove_file(at);
        }
        self.aside.take(CWD, at.as_os_str(), path.bytes())
    }

    /// Puts the planned content at its path.
    pub(super) fn put(
        &self,
        slot: Slot<'_>,
        (to, bytes): (&Content, &[u8]),
        steps: &mut dyn Steps,
    ) -> io::Result<Placed> {
        self.settle(slot)?;
        let path = &slot.planned.path;
        let now = self.ground.now(path, self.bytes_max);
        match &now {
            Now::Present(content) if content == to => return Ok(Placed::Done),
            Now::Present(content) if self.keeps(slot, content) => {
                return Ok(Placed::Kept(Kept::Changed));
            }
            Now::Directory(_) if !self.remove_dirs(path) => {
                return Ok(Placed::Kept(Kept::Directory));
            }
            Now::Below(_) => return Ok(Placed::Kept(Kept::Blocked)),
            Now::Strange => return Ok(Placed::Kept(Kept::Strange)),
            Now::Present(_) | Now::Absent | Now::Directory(_) => {}
        }
        self.ground.make_parents(path)?;
        let (parent, name) = self.ground.parent(path)?;
        let (stage, beside) = (self.staged(slot), self.beside(slot, &parent));
        self.ready()?;
        let at = match self.swap_in(slot, (&stage, to, bytes), (&parent, &name), steps) {
            Err(error) if error.raw_os_error() == Some(Errno::XDEV.raw_os_error()) => {
                fs::remove_file(&stage)?;
                self.swap_in(slot, (&beside, to, bytes), (&parent, &name), steps)?;
                beside
            }
            done => done.map(|()| stage)?,
        };
        rustix::fs::fsync(&parent)?;
        beat(steps)?;
        if fs::symlink_metadata(&at).is_ok() {
            self.displaced(slot, &at)?;
        }
        Ok(Placed::Done)
    }

    /// Writes the content under its waiting name and changes names with the path.
    fn swap_in(
        &self,
        slot: Slot<'_>,
        (at, to, bytes): (&Path, &Content, &[u8]),
        (parent, name): (&OwnedFd, &CString),
        steps: &mut dyn Steps,
    ) -> io::Result<()> {
        let part = at.with_extension("part");
        write(&part, to.kind, bytes)?;
        self.keep_mode(slot, &part, to)?;
        beat(steps)?;
        fs::rename(&part, at)?;
        beat(steps)?;
        for _ in 0..TRIES_MAX {
            match rustix::fs::renameat_with(CWD, at, parent, name, RenameFlags::EXCHANGE) {
                Ok(()) => return Ok(()),
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(errno.into()),
            }
            match rustix::fs::renameat_with(CWD, at, parent, name, RenameFlags::NOREPLACE) {
                Ok(()) => return Ok(()),
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// A file that replaces a file keeps who may read and write it; whether it may be executed is
    /// content.
    fn keep_mode(&self, slot: Slot<'_>, part: &Path, to: &Content) -> io::Result<()> {
        if to.kind == Kind::Link {
            return Ok(());
        }
        let (parent, name) = self.ground.parent(&slot.planned.path)?;
        let Ok(stat) = rustix::fs::statat(&parent, &name, AtFlags::SYMLINK_NOFOLLOW) else {
            return Ok(());
        };
        if rustix::fs::FileType::from_raw_mode(stat.st_mode) != rustix::fs::FileType::RegularFile {
            return Ok(());
        }
        let kept = stat.st_mode & 0o666;
        let mode = if to.kind == Kind::Executable { kept | (kept & 0o444) >> 2 } else { kept };
        fs::set_permissions(part, fs::Permissions::from_mode(mode))
    }

    /// Takes what stands at a path away: into aside.
    pub(super) fn clear(&self, slot: Slot<'_>, steps: &mut dyn Steps) -> io::Result<Placed> {
        self.settle(slot)?;
        let path = &slot.planned.path;
        match self.ground.now(path, self.bytes_max) {
            Now::Absent | Now::Below(_) | Now::Directory(_) => return Ok(Placed::Done),
            Now::Present(now) if self.keeps(slot, &now) => return Ok(Placed::Kept(Kept::Changed)),
            Now::Strange => return Ok(Placed::Kept(Kept::Strange)),
            Now::Present(_) => {}
        }
        let (parent, name) = self.ground.parent(path)?;
        let (stage, beside) = (self.staged(slot), self.beside(slot, &parent));
        self.ready()?;
        let move_to =
            |at: &Path| rustix::fs::renameat_with(&parent, &name, CWD, at, RenameFlags::NOREPLACE);
        let at = match move_to(&stage) {
            Err(Errno::XDEV) => move_to(&beside).map(|()| beside)?,
            Err(Errno::NOENT) => return Ok(Placed::Done),
            moved => moved.map(|()| stage)?,
        };
        rustix::fs::fsync(&parent)?;
        beat(steps)?;
        self.displaced(slot, &at)?;
        Ok(Placed::Done)
    }

    /// Whether content that nobody planned for stays because such content is to be kept.
    fn keeps(&self, slot: Slot<'_>, now: &Content) -> bool {
        self.conflicts == Conflicts::Keep && slot.planned.from.as_ref() != Some(now)
    }

    /// Removes a directory with nothing but directories in it; says whether it is gone.
    pub(super) fn remove_dirs(&self, path: &RawPath) -> bool {
        let Ok((parent, name)) = self.ground.parent(path) else { return false };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        if let Ok(dir) = rustix::fs::openat(&parent, &name, flags, rustix::fs::Mode::empty())
            && let Ok(entries) = rustix::fs::Dir::read_from(&dir)
        {
            for entry in entries.flatten() {
                let below = entry.file_name().to_bytes();
                if entry.file_type() == rustix::fs::FileType::Directory
                    && !matches!(below, b"." | b"..")
                    && !self.remove_dirs(&RawPath::new([path.bytes(), b"/", below].concat()))
                {
                    return false;
                }
            }
        }
        // The system refuses to remove a directory with anything in it.
        rustix::fs::unlinkat(&parent, &name, AtFlags::REMOVEDIR).is_ok()
            && rustix::fs::fsync(&parent).is_ok()
    }

    fn ready(&self) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.stage)
    }
}

/// A stop in the middle of a path, carried as what the steps around it fail with.
fn beat(steps: &mut dyn Steps) -> io::Result<()> {
    go(steps).map_err(io::Error::other)
}

/// What a step at a path failed with.
pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_path_buf();
    move |error| match error.downcast::<Error>() {
        Ok(error) => error,
        Err(source) => Error::Io { path, source },
    }
}
