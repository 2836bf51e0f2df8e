//! The aside folder of one call: what gave way, under the path it had. Nothing that comes in
//! here is ever overwritten; what finds its place taken gets a number.

use std::ffi::{CString, OsStr};
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use kernel::rollback::{Content, Kind, RawPath};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use crate::checkpoints::pure;
use crate::shim::durable;
use crate::tree::{self, Seen};

/// Numbers tried for one path; more were never there.
const NUMBERS_MAX: u32 = 10_000;

/// The folder.
pub(crate) struct Aside {
    dir: PathBuf,
    bytes_max: u64,
}

impl Aside {
    pub(crate) fn new(loop_dir: &Path, call: &str, bytes_max: u64) -> Self {
        Self { dir: loop_dir.join("aside").join(call), bytes_max }
    }

    /// Where a path lies here, by number; the first has none. A path whose folder is taken by a
    /// file lies flat.
    fn place(&self, path: &[u8], number: u32) -> PathBuf {
        let mut name = path.to_vec();
        if number > 0 {
            name.extend(format!(".~{number}").bytes());
        }
        let nested = self.dir.join(OsStr::from_bytes(&name));
        let blocked = nested
            .ancestors()
            .skip(1)
            .take_while(|above| *above != self.dir)
            .any(|at| fs::symlink_metadata(at).is_ok_and(|at| !at.is_dir()));
        if !blocked {
            return nested;
        }
        let flat: Vec<u8> =
            name.iter().map(|&byte| if byte == b'/' { b'%' } else { byte }).collect();
        self.dir.join(OsStr::from_bytes(&flat))
    }

    /// Whether exactly this content of this path is here already.
    pub(super) fn has(&self, path: &[u8], content: &Content) -> bool {
        (0..NUMBERS_MAX)
            .map(|number| self.place(path, number))
            .take_while(|place| fs::symlink_metadata(place).is_ok())
            .any(|place| self.look(&place).as_ref() == Some(content))
    }

    fn look(&self, place: &Path) -> Option<Content> {
        let name = CString::new(place.as_os_str().as_bytes()).ok()?;
        match tree::look(CWD, &name, self.bytes_max) {
            Seen::Content(content) => Some(pure(content)),
            Seen::Absent | Seen::Directory | Seen::Strange => None,
        }
    }

    /// Puts a copy here, durably, unless it is here.
    pub(super) fn copy(&self, path: &[u8], content: &Content, bytes: &[u8]) -> io::Result<()> {
        if self.has(path, content) {
            return Ok(());
        }
        self.ready(&self.dir)?;
        let temp = self.dir.join(".lw-new");
        let _ = fs::remove_file(&temp);
        write(&temp, content.kind, bytes)?;
        self.take(CWD, temp.as_os_str(), path)
    }

    /// Moves whatever stands at `name` in `from` here.
    pub(crate) fn take(&self, from: impl AsFd, name: &OsStr, path: &[u8]) -> io::Result<()> {
        for number in 0..NUMBERS_MAX {
            let place = self.place(path, number);
            let above = place.parent().unwrap_or(&self.dir);
            self.ready(above)?;
            let flags = RenameFlags::NOREPLACE;
            match rustix::fs::renameat_with(&from, name, CWD, &place, flags) {
                Ok(()) => return durable::sync_dir(above),
                Err(Errno::EXIST | Errno::NOTEMPTY) => {}
                Err(Errno::XDEV) => return self.carry(&from, name, path),
                Err(errno) => return Err(errno.into()),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// The same over the border of a file system: copied, synced, and only then unlinked.
    fn carry(&self, from: impl AsFd, name: &OsStr, path: &[u8]) -> io::Result<()> {
        let c_name = CString::new(name.as_bytes())?;
        let Seen::Content(content) = tree::look(&from, &c_name, u64::MAX) else {
            return Err(Errno::XDEV.into());
        };
        let content = pure(content);
        let bytes = if content.kind == Kind::Link {
            rustix::fs::readlinkat(&from, name, Vec::new())?.into_bytes()
        } else {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let mut bytes = Vec::new();
            let file = rustix::fs::openat(&from, name, flags, Mode::empty())?;
            File::from(file).read_to_end(&mut bytes)?;
            bytes
        };
        self.copy(path, &content, &bytes)?;
        if !self.has(path, &content) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        Ok(rustix::fs::unlinkat(&from, name, AtFlags::empty())?)
    }

    fn ready(&self, dir: &Path) -> io::Result<()> {
        let mut missing: Vec<&Path> = dir.ancestors().take_while(|dir| !dir.exists()).collect();
        while let Some(dir) = missing.pop() {
            DirBuilder::new().mode(0o700).create(dir)?;
            durable::sync_dir(dir.parent().unwrap_or(dir))?;
        }
        Ok(())
    }

    /// Everything here, by its path here.
    pub(super) fn list(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![self.dir.clone()];
        while let Some(dir) = open.pop() {
            for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => open.push(path),
                    Ok(_) | Err(_) => {
                        found.extend(path.strip_prefix(&self.dir).ok().map(|below| {
                            RawPath::new(below.as_os_str().to_owned().into_vec()).text()
                        }))
                    }
                }
            }
        }
        found.retain(|path| path != ".lw-new");
        found.sort();
        found
    }
}

/// A new file or link with these bytes, synced.
pub(super) fn write(path: &Path, kind: Kind, bytes: &[u8]) -> io::Result<()> {
    if kind == Kind::Link {
        return std::os::unix::fs::symlink(OsStr::from_bytes(bytes), path);
    }
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    let mode = file.metadata()?.permissions().mode();
    let readers = (mode & 0o444) >> 2;
    let mode = if kind == Kind::Executable { mode | readers } else { mode & !0o111 };
    file.set_permissions(fs::Permissions::from_mode(mode & 0o777))?;
    file.sync_all()
}
