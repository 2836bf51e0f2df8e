//! The root as a held directory: every read and every write begins at this descriptor. It knows
//! which directory it was opened as, and notices when another one stands in its place.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use kernel::paths::Rel;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::beneath::{self, Links};
use super::facts::{Facts, Kind};
use super::fault::Fault;
use super::parent::Parent;
use crate::workspace;

/// The root, held open.
#[derive(Debug)]
pub struct Root {
    fd: OwnedFd,
    path: PathBuf,
    dev: u64,
    inode: u64,
}

/// A regular file that was opened for reading.
#[derive(Debug)]
pub struct Opened {
    /// The file, at its beginning.
    pub file: File,
    /// What it was when it was opened.
    pub facts: Facts,
    /// Where it really stands: the path asked for, unless that goes through links.
    pub real: String,
}

impl Root {
    /// Holds the directory at `path`.
    ///
    /// # Errors
    /// When it cannot be opened as a directory.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let shown = path.to_string_lossy();
        let path = std::fs::canonicalize(path).map_err(|error| Fault::io(&shown, &error))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(&path, flags, Mode::empty())
            .map_err(|errno| Fault::errno(&shown, errno))?;
        let stat = rustix::fs::fstat(&fd).map_err(|errno| Fault::errno(&shown, errno))?;
        let facts = Facts::of(&stat);
        Ok(Self { fd, path, dev: facts.dev, inode: facts.inode })
    }

    /// Holds a root that was found before.
    ///
    /// # Errors
    /// When it cannot be opened, or is another directory than the one found.
    pub fn hold(found: &workspace::Root) -> Result<Self, Fault> {
        let root = Self::open(&found.path)?;
        if (root.dev, root.inode) == (found.dev, found.inode) {
            Ok(root)
        } else {
            Err(root.replaced())
        }
    }

    /// Where it was opened, absolute and without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The device and inode it was opened as.
    #[must_use]
    pub const fn identity(&self) -> (u64, u64) {
        (self.dev, self.inode)
    }

    /// Whether the directory at its path is still the one that is held.
    ///
    /// # Errors
    /// When another one, or none, stands there.
    pub fn check(&self) -> Result<(), Fault> {
        match std::fs::symlink_metadata(&self.path) {
            Ok(meta) if (meta.dev(), meta.ino()) == (self.dev, self.inode) => Ok(()),
            Ok(_) | Err(_) => Err(self.replaced()),
        }
    }

    fn replaced(&self) -> Fault {
        Fault::RootReplaced { path: self.path.to_string_lossy().into_owned() }
    }

    /// Opens a regular file for reading. Links are followed while they stay inside. A fifo or a
    /// device is told apart without waiting for it.
    ///
    /// # Errors
    /// When it is absent, leads outside, or is no regular file.
    pub fn open_file(&self, path: &Rel) -> Result<Opened, Fault> {
        self.check()?;
        let (fd, real) = self.open_either(path, OFlags::RDONLY | OFlags::NONBLOCK)?;
        let facts = facts_of(&fd, path.as_str())?;
        match facts.kind {
            Kind::File => Ok(Opened { file: File::from(fd), facts, real }),
            kind @ (Kind::Dir | Kind::Symlink | Kind::Other) => {
                Err(Fault::NotAFile { path: path.as_str().to_owned(), kind })
            }
        }
    }

    /// Opens a directory for listing, and says where it really stands.
    ///
    /// # Errors
    /// When it is absent, leads outside, or is no directory.
    pub fn open_dir(&self, path: &Rel) -> Result<(OwnedFd, String), Fault> {
        self.check()?;
        self.open_either(path, OFlags::RDONLY | OFlags::DIRECTORY)
    }

    /// Opens the directory in which `path` is to be written, replaced or deleted; no part of the
    /// way is a link.
    ///
    /// # Errors
    /// When that directory is absent, behind a link, or no directory; and for the root itself,
    /// which has no name here.
    pub fn open_parent(&self, path: &Rel) -> Result<Parent, Fault> {
        self.check()?;
        let Some((above, name)) = path.split() else {
            let path = path.as_str().to_owned();
            return Err(Fault::Path { path, why: kernel::paths::Bad::Root });
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        let dir = beneath::open(&self.fd, above.as_str().as_bytes(), flags, Links::None).map_err(
            |errno| match errno {
                // With links forbidden a directory behind one is answered like a link.
                Errno::NOTDIR => self.not_a_directory(&above),
                _ => Fault::errno(above.as_str(), errno),
            },
        )?;
        Ok(Parent::new(dir, name, path.as_str()))
    }

    /// What stands at a path, itself and not what it links to; nothing if nothing does.
    ///
    /// # Errors
    /// When the way there cannot be gone without links.
    pub fn stat(&self, path: &Rel) -> Result<Option<Facts>, Fault> {
        if path.is_root() {
            self.check()?;
            return facts_of(&self.fd, path.as_str()).map(Some);
        }
        match self.open_parent(path) {
            Ok(parent) => parent.facts(),
            Err(Fault::Io { kind: "not_found", .. }) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// The descriptor. For walks that open below it with the same care.
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// First without links: then the path asked for is the real one and its name can be trusted.
    /// Only if links are on the way is the real path asked of the system.
    fn open_either(&self, path: &Rel, flags: OFlags) -> Result<(OwnedFd, String), Fault> {
        let written = path.as_str();
        match beneath::open(&self.fd, written.as_bytes(), flags, Links::None) {
            Ok(fd) => Ok((fd, written.to_owned())),
            Err(Errno::LOOP) => {
                let fd = beneath::open(&self.fd, written.as_bytes(), flags, Links::Inside)
                    .map_err(|errno| Fault::errno(written, errno))?;
                let real = self.real(&fd, written)?;
                Ok((fd, real))
            }
            Err(errno) => Err(Fault::errno(written, errno)),
        }
    }

    /// Where an open descriptor stands below the root. One that cannot be placed is refused: its
    /// name could not be judged.
    fn real(&self, fd: &OwnedFd, written: &str) -> Result<String, Fault> {
        let outside = || Fault::Outside { path: written.to_owned() };
        let (root, real) = (path_of(&self.fd), path_of(fd));
        let (root, real) = root.zip(real).ok_or_else(outside)?;
        let below = real.strip_prefix(&root).map_err(|_| outside())?;
        match below.as_os_str().as_bytes() {
            b"" => Ok(".".to_owned()),
            bytes => Ok(String::from_utf8_lossy(bytes).into_owned()),
        }
    }

    fn not_a_directory(&self, path: &Rel) -> Fault {
        let path = path.as_str().to_owned();
        Fault::NotAFile { path, kind: Kind::File }
    }
}

fn facts_of(fd: impl AsFd, path: &str) -> Result<Facts, Fault> {
    let stat = rustix::fs::fstat(fd).map_err(|errno| Fault::errno(path, errno))?;
    Ok(Facts::of(&stat))
}

/// The path the system knows a descriptor by; nothing for one that was removed meanwhile.
fn path_of(fd: impl AsFd) -> Option<PathBuf> {
    let link = format!("/proc/self/fd/{}", rustix::fd::AsRawFd::as_raw_fd(&fd.as_fd()));
    let path = rustix::fs::readlink(link, Vec::new()).ok()?.into_bytes();
    let gone = path.ends_with(b" (deleted)");
    (!gone).then(|| PathBuf::from(std::ffi::OsString::from_vec(path)))
}
