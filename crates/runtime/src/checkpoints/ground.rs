//! The user's tree by a held directory, with paths as raw bytes: nothing is opened outside it and
//! no link is followed. It judges no path; the plans it serves name only paths that were walked.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use kernel::rollback::{Content, Kind, RawPath};
use rustix::fs::{Dir, FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use super::error::Error;
use super::keeper::Keeper;
use crate::tree::{self, Seen};
use crate::workspace::Root;

/// Enough to see that a directory is not ours alone.
const BELOW_MAX: usize = 10_000;

/// The root, held open.
#[derive(Debug)]
pub struct Ground {
    fd: OwnedFd,
    root: Root,
}

/// What reading a file gave.
#[derive(Debug)]
pub(super) enum Bytes {
    /// All of it, and it did not change meanwhile.
    Steady(Vec<u8>),
    /// It changed in both readings.
    Moving,
    /// It is not there, not a file, or too large.
    None,
}

impl Ground {
    /// Holds a root that was found before.
    ///
    /// # Errors
    /// When it cannot be opened, or another directory stands there.
    pub(super) fn hold(found: &Root) -> Result<Self, Error> {
        let open = || {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let fd = rustix::fs::open(&found.path, flags, Mode::empty())?;
            let stat = File::from(fd.try_clone()?).metadata()?;
            io::Result::Ok((fd, (stat.dev(), stat.ino())))
        };
        match open() {
            Ok((fd, held)) if held == (found.dev, found.inode) => {
                Ok(Self { fd, root: found.clone() })
            }
            Ok(_) => Err(Error::RootReplaced),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Err(Error::RootReplaced),
            Err(why) => Err(Error::io(&found.path)(why)),
        }
    }

    /// Where it was opened.
    pub fn path(&self) -> &Path {
        &self.root.path
    }

    /// Whether the directory at its path is still the one that is held.
    pub fn is_there(&self) -> bool {
        self.root.is_there()
    }

    fn below(&self, path: &[u8], flags: OFlags) -> rustix::io::Result<OwnedFd> {
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_SYMLINKS;
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        rustix::fs::openat2(&self.fd, path, flags, Mode::empty(), resolve)
    }

    /// The directory a path is in, and its name there.
    pub(crate) fn parent(&self, path: &RawPath) -> rustix::io::Result<(OwnedFd, CString)> {
        let bytes = path.bytes();
        let (dir, name) = match bytes.iter().rposition(|&byte| byte == b'/') {
            Some(at) => (&bytes[..at], &bytes[at + 1..]),
            None => (&b"."[..], bytes),
        };
        let name = CString::new(name).map_err(|_| Errno::INVAL)?;
        Ok((self.below(dir, OFlags::RDONLY | OFlags::DIRECTORY)?, name))
    }

    /// Makes the directories above a path that are missing, each made durable in its own parent.
    pub(crate) fn make_parents(&self, path: &RawPath) -> rustix::io::Result<()> {
        let above: Vec<RawPath> = path.ancestors().collect();
        for dir in above.iter().rev() {
            let (parent, name) = self.parent(dir)?;
            match rustix::fs::mkdirat(&parent, &name, Mode::from_raw_mode(0o777)) {
                Ok(()) => rustix::fs::fsync(&parent)?,
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno),
            }
        }
        Ok(())
    }

    /// What stands at a path, as a plan sees it.
    pub(crate) fn now(&self, path: &RawPath, bytes_max: u64) -> kernel::rollback::Now {
        use kernel::rollback::Now;
        let (parent, name) = match self.parent(path) {
            Ok(found) => found,
            Err(Errno::NOENT) => return Now::Absent,
            Err(Errno::NOTDIR | Errno::LOOP) => {
                let above: Vec<RawPath> = path.ancestors().collect();
                let blocks = |dir: &&RawPath| !self.is_dir(dir);
                return above.iter().rev().find(blocks).cloned().map_or(Now::Strange, Now::Below);
            }
            Err(_) => return Now::Strange,
        };
        match tree::look(&parent, &name, bytes_max) {
            Seen::Absent => Now::Absent,
            Seen::Content(content) => Now::Present(super::changes::pure(content)),
            Seen::Directory => {
                let mut below = Vec::new();
                self.files_below(path, &mut below);
                Now::Directory(below)
            }
            Seen::Strange => Now::Strange,
        }
    }

    fn is_dir(&self, path: &RawPath) -> bool {
        self.below(path.bytes(), OFlags::PATH | OFlags::DIRECTORY).is_ok()
    }

    /// Everything below a directory that is no directory itself. One that cannot be listed counts
    /// as a file, so that nobody takes it for empty.
    fn files_below(&self, path: &RawPath, found: &mut Vec<RawPath>) {
        let Ok(dir) = self.below(path.bytes(), OFlags::RDONLY | OFlags::DIRECTORY) else {
            found.push(path.clone());
            return;
        };
        let Ok(entries) = Dir::read_from(&dir) else { return found.push(path.clone()) };
        for entry in entries {
            let Ok(entry) = entry else { return found.push(path.clone()) };
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") || found.len() > BELOW_MAX {
                continue;
            }
            let below = RawPath::new([path.bytes(), b"/", name].concat());
            if entry.file_type() == FileType::Directory {
                self.files_below(&below, found);
            } else {
                found.push(below);
            }
        }
    }

    /// The bytes of a file or a link's target; read again once if it changed meanwhile.
    pub(super) fn read(&self, path: &RawPath, link: Link, bytes_max: u64) -> Bytes {
        let Ok((parent, name)) = self.parent(path) else { return Bytes::None };
        if link == Link::Itself {
            let target = rustix::fs::readlinkat(&parent, &name, Vec::new());
            return target.map_or(Bytes::None, |target| Bytes::Steady(target.into_bytes()));
        }
        for _ in 0..2 {
            match read_once(parent.as_fd(), &name, bytes_max) {
                Ok(Some(bytes)) => return Bytes::Steady(bytes),
                Ok(None) => {}
                Err(_) => return Bytes::None,
            }
        }
        Bytes::Moving
    }
}

impl Ground {
    /// The bytes at a path, if they are exactly this content.
    pub(crate) fn bytes(&self, path: &RawPath, want: &Content, bytes_max: u64) -> Option<Vec<u8>> {
        let link = if want.kind == Kind::Link { Link::Itself } else { Link::No };
        match self.read(path, link, bytes_max) {
            Bytes::Steady(bytes) if tree::Hash::of(&bytes).to_string() == want.sha256 => {
                Some(bytes)
            }
            Bytes::Steady(_) | Bytes::Moving | Bytes::None => None,
        }
    }
}

impl Keeper {
    /// The user's tree, held.
    ///
    /// # Errors
    /// When another directory stands there, or it cannot be opened.
    pub fn ground(&self) -> Result<Ground, Error> {
        Ground::hold(&self.setup.root)
    }

    /// Larger files are stamped, not read.
    pub fn file_bytes_max(&self) -> u64 {
        self.setup.scope.file_bytes_max
    }
}

/// Whether a path is read as a link or as a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// The link's own target.
    Itself,
    /// A regular file.
    No,
}

fn read_once(
    parent: BorrowedFd<'_>,
    name: &CString,
    bytes_max: u64,
) -> io::Result<Option<Vec<u8>>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::openat(parent, name, flags, Mode::empty())?);
    let before = file.metadata()?;
    if !before.is_file() || before.len() > bytes_max {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(before.len()).unwrap_or(0) + 1);
    (&mut file).take(bytes_max + 1).read_to_end(&mut bytes)?;
    let after = file.metadata()?;
    let stamp = |at: &std::fs::Metadata| (at.len(), at.mtime(), at.mtime_nsec(), at.ctime_nsec());
    let steady = stamp(&before) == stamp(&after) && bytes.len() as u64 == after.len();
    Ok(steady.then_some(bytes))
}
