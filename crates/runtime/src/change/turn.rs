//! One path from one content to another, in one step for whoever looks: the new content is
//! written beside it, the two names are exchanged, and what was displaced is looked at. If that is
//! not what was expected, it is put back, and nothing has happened.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::content::{self, Content, Kind, same};
use super::manifest::open_bytes;
use super::steps::Steps;
use crate::files::{Fault, Parent};
use crate::view_file::{Writer, writer};

/// How new content comes into place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swap {
    /// Names are exchanged: nothing can be missed.
    Exchange,
    /// The file system has no exchange: looked at, then renamed. What changes in between is lost,
    /// so the record says `cas: false`.
    Rename,
}

/// What a path shall turn into.
pub(super) struct Turn<'a> {
    pub from: Option<Content>,
    pub to: Option<Content>,
    /// Where the bytes of `to` are kept.
    pub bytes: PathBuf,
    pub temp: &'a str,
    pub swap: Swap,
}

/// How it went.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Turned {
    /// It holds the new content.
    Done(Swap),
    /// It held something else, and still does.
    Other(Option<Content>),
}

impl Turn<'_> {
    /// Turns the path.
    pub(super) fn run(&self, parent: &Parent, steps: Steps<'_>) -> Result<Turned, Fault> {
        let is_dir = |side: Option<Content>| side.is_some_and(|it| it.kind == Kind::Dir);
        match (self.from, self.to) {
            (None, None) => Ok(Turned::Done(self.swap)),
            (None, Some(to)) if to.kind == Kind::Dir => self.make_dir(parent, &to, steps),
            (Some(_), None) if is_dir(self.from) => self.remove_dir(parent, steps),
            (Some(from), Some(to)) if is_dir(self.from) && is_dir(self.to) => {
                Ok(if from.is(&to) { Turned::Done(self.swap) } else { self.other(parent)? })
            }
            (Some(from), Some(to)) if is_dir(self.from) || is_dir(self.to) => {
                super::kinds::exchange(self, parent, &from, &to, steps)
            }
            (None, Some(to)) => self.create(parent, &to, steps),
            (Some(from), Some(to)) => self.replace(parent, &from, &to, steps),
            (Some(from), None) => self.remove(parent, &from, steps),
        }
    }

    pub(super) fn other(&self, parent: &Parent) -> Result<Turned, Fault> {
        content::at(parent, parent.name()).map(Turned::Other)
    }

    fn make_dir(&self, parent: &Parent, to: &Content, steps: Steps<'_>) -> Result<Turned, Fault> {
        let fail = |errno| Fault::errno(parent.path(), errno);
        watch(parent, steps, "mkdir")?;
        let mode = Mode::from_raw_mode(to.mode);
        match rustix::fs::mkdirat(parent.dir(), parent.name(), mode) {
            Ok(()) => {
                rustix::fs::chmodat(parent.dir(), parent.name(), mode, AtFlags::empty())
                    .map_err(fail)?;
                sync(parent, steps)?;
            }
            // Somebody made it meanwhile: it is there, which is all that was wanted.
            Err(Errno::EXIST) => {
                let found = content::at(parent, parent.name())?;
                if !same(found.as_ref(), Some(to)) {
                    return Ok(Turned::Other(found));
                }
            }
            Err(errno) => return Err(fail(errno)),
        }
        Ok(Turned::Done(self.swap))
    }

    fn remove_dir(&self, parent: &Parent, steps: Steps<'_>) -> Result<Turned, Fault> {
        watch(parent, steps, "rmdir")?;
        match rustix::fs::unlinkat(parent.dir(), parent.name(), AtFlags::REMOVEDIR) {
            Ok(()) => sync(parent, steps).map(|()| Turned::Done(self.swap)),
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOENT | Errno::NOTDIR) => {
                self.other(parent)
            }
            Err(errno) => Err(Fault::errno(parent.path(), errno)),
        }
    }

    fn create(&self, parent: &Parent, to: &Content, steps: Steps<'_>) -> Result<Turned, Fault> {
        self.make_temp(parent, to, steps)?;
        watch(parent, steps, "place")?;
        match rename(parent, self.temp, parent.name(), RenameFlags::NOREPLACE) {
            Ok(()) => {}
            Err(Errno::EXIST) => {
                unlink(parent, self.temp)?;
                return self.other(parent);
            }
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                match rustix::fs::linkat(
                    parent.dir(),
                    self.temp,
                    parent.dir(),
                    parent.name(),
                    AtFlags::empty(),
                ) {
                    Ok(()) => unlink(parent, self.temp)?,
                    Err(Errno::EXIST) => {
                        unlink(parent, self.temp)?;
                        return self.other(parent);
                    }
                    Err(errno) => return Err(Fault::errno(parent.path(), errno)),
                }
            }
            Err(errno) => return Err(Fault::errno(parent.path(), errno)),
        }
        sync(parent, steps)?;
        Ok(Turned::Done(self.swap))
    }

    fn replace(
        &self,
        parent: &Parent,
        from: &Content,
        to: &Content,
        steps: Steps<'_>,
    ) -> Result<Turned, Fault> {
        self.make_temp(parent, to, steps)?;
        watch(parent, steps, "exchange")?;
        let exchanged = match self.swap {
            Swap::Exchange => rename(parent, self.temp, parent.name(), RenameFlags::EXCHANGE),
            Swap::Rename => Err(Errno::NOSYS),
        };
        match exchanged {
            Ok(()) => {}
            Err(Errno::NOENT) => {
                unlink(parent, self.temp)?;
                return self.other(parent);
            }
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                return self.rename_over(parent, from, steps);
            }
            Err(errno) => return Err(Fault::errno(parent.path(), errno)),
        }
        watch(parent, steps, "check")?;
        if !untouched(parent, self.temp, from)? {
            let found = content::at(parent, self.temp)?;
            put_back(parent, self.temp, Some(to))?;
            sync(parent, steps)?;
            return Ok(Turned::Other(found));
        }
        watch(parent, steps, "unlink")?;
        unlink(parent, self.temp)?;
        sync(parent, steps)?;
        Ok(Turned::Done(Swap::Exchange))
    }

    fn rename_over(
        &self,
        parent: &Parent,
        from: &Content,
        steps: Steps<'_>,
    ) -> Result<Turned, Fault> {
        if !untouched(parent, parent.name(), from)? {
            unlink(parent, self.temp)?;
            return self.other(parent);
        }
        watch(parent, steps, "rename")?;
        rustix::fs::renameat(parent.dir(), self.temp, parent.dir(), parent.name())
            .map_err(|errno| Fault::errno(parent.path(), errno))?;
        sync(parent, steps)?;
        Ok(Turned::Done(Swap::Rename))
    }

    fn remove(&self, parent: &Parent, from: &Content, steps: Steps<'_>) -> Result<Turned, Fault> {
        watch(parent, steps, "displace")?;
        let displaced = match rename(parent, parent.name(), self.temp, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                // The name beside it is ours alone, so nothing is there to be replaced.
                rustix::fs::renameat(parent.dir(), parent.name(), parent.dir(), self.temp)
            }
            displaced => displaced,
        };
        match displaced {
            Ok(()) => {}
            Err(Errno::NOENT) => return self.other(parent),
            Err(errno) => return Err(Fault::errno(parent.path(), errno)),
        }
        watch(parent, steps, "check")?;
        if !untouched(parent, self.temp, from)? {
            let found = content::at(parent, self.temp)?;
            put_back(parent, self.temp, None)?;
            sync(parent, steps)?;
            return Ok(Turned::Other(found));
        }
        watch(parent, steps, "unlink")?;
        unlink(parent, self.temp)?;
        sync(parent, steps)?;
        Ok(Turned::Done(self.swap))
    }

    /// Writes the new content beside the target, synced.
    pub(super) fn make_temp(
        &self,
        parent: &Parent,
        to: &Content,
        steps: Steps<'_>,
    ) -> Result<(), Fault> {
        watch(parent, steps, "temp")?;
        let missing = || Fault::Io {
            kind: "undo_bytes_missing",
            path: parent.path().to_owned(),
            detail: "the bytes to write are not those recorded".to_owned(),
        };
        let mut bytes = open_bytes(&self.bytes, to.sha256).ok_or_else(missing)?;
        match to.kind {
            Kind::Symlink => {
                let mut target = Vec::new();
                bytes.read_to_end(&mut target).map_err(|error| Fault::io(parent.path(), &error))?;
                rustix::fs::symlinkat(&target[..], parent.dir(), self.temp)
                    .map_err(|errno| Fault::errno(parent.path(), errno))
            }
            Kind::File | Kind::Dir => self
                .write_temp(parent, &mut bytes, to.mode, steps)
                .map_err(|error| Fault::io(parent.path(), &error)),
        }
    }

    fn write_temp(
        &self,
        parent: &Parent,
        bytes: &mut File,
        mode: u32,
        steps: Steps<'_>,
    ) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let fd = rustix::fs::openat(
            parent.dir(),
            self.temp,
            flags | OFlags::CLOEXEC,
            Mode::RUSR | Mode::WUSR,
        )?;
        let mut file = File::from(fd);
        let mut chunk = vec![0; content::CHUNK_BYTES];
        loop {
            steps.at("write")?;
            match bytes.read(&mut chunk)? {
                0 => break,
                length => file.write_all(&chunk[..length])?,
            }
        }
        rustix::fs::fchmod(&file, Mode::from_raw_mode(mode))?;
        steps.at("sync temp")?;
        file.sync_all()
    }
}

/// Whether a name still holds what is expected, and nobody is about to write to it: an editor that
/// opened the file before it was displaced would write into what is then unlinked.
pub(super) fn untouched(parent: &Parent, name: &str, expected: &Content) -> Result<bool, Fault> {
    if expected.kind == Kind::File
        && let Ok((file, _)) = parent.open_named(name)
        && writer(&file) == Writer::Open
    {
        return Ok(false);
    }
    Ok(same(content::at(parent, name)?.as_ref(), Some(expected)))
}

/// Puts a displaced file back to its name. `ours` is what stands there because of us. If somebody
/// put yet another file there meanwhile, that one stays and the displaced one keeps its own name:
/// both are somebody's.
pub(super) fn put_back(parent: &Parent, temp: &str, ours: Option<&Content>) -> Result<(), Fault> {
    let fail = |errno| Fault::errno(parent.path(), errno);
    let Some(ours) = ours else {
        return match rename(parent, temp, parent.name(), RenameFlags::NOREPLACE) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(errno) => Err(fail(errno)),
        };
    };
    match rename(parent, temp, parent.name(), RenameFlags::EXCHANGE) {
        Ok(()) => {}
        Err(Errno::NOENT) => return put_back(parent, temp, None),
        Err(errno) => return Err(fail(errno)),
    }
    let displaced = content::at(parent, temp)?;
    if displaced.is_some_and(|it| it.has_bytes_of(ours)) {
        return unlink(parent, temp);
    }
    match rename(parent, temp, parent.name(), RenameFlags::EXCHANGE) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(fail(errno)),
    }
}

/// Removes a name of ours.
pub(super) fn unlink(parent: &Parent, name: &str) -> Result<(), Fault> {
    match rustix::fs::unlinkat(parent.dir(), name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(Fault::errno(parent.path(), errno)),
    }
}

pub(super) fn rename(
    parent: &Parent,
    from: &str,
    to: &str,
    flags: RenameFlags,
) -> rustix::io::Result<()> {
    rustix::fs::renameat_with(parent.dir(), from, parent.dir(), to, flags)
}

pub(super) fn sync(parent: &Parent, steps: Steps<'_>) -> Result<(), Fault> {
    watch(parent, steps, "sync directory")?;
    rustix::fs::fsync(parent.dir()).map_err(|errno| Fault::errno(parent.path(), errno))
}

pub(super) fn watch(parent: &Parent, steps: Steps<'_>, name: &'static str) -> Result<(), Fault> {
    steps.at(name).map_err(|error| Fault::io(parent.path(), &error))
}
