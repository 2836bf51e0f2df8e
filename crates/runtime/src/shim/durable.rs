//! Small files that must survive a power cut: written under another name, synced, renamed, and
//! the directory synced. Not for spools, which are synced once at their end.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rustix::fs::{CWD, FileType, Mode, OFlags};

/// Only the owner reads or writes what belongs to a call.
pub const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// Replaces `dir/name` by `bytes` so that a reader sees the old or the new content, never a part.
pub fn replace(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    put(dir, name, bytes, File::sync_all)?;
    sync_dir(dir)
}

/// As `replace`, for a name that several threads of one process may write at once. All of them
/// write under the same other name, where two would take each other's file away.
pub fn keep(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    replace(dir, name, bytes)
}

/// As `replace`, but durable only by a later sync: for what a power cut may take, because nothing
/// was begun on its word.
pub fn show(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    put(dir, name, bytes, |_| Ok(()))
}

/// Makes a file that was shown durable, with its name.
pub fn settle(dir: &Path, name: &str) -> io::Result<()> {
    open(&dir.join(name), OFlags::RDONLY)?.sync_all()?;
    sync_dir(dir)
}

/// Removes what a writing of `dir/name` left when it was cut off.
pub fn sweep(dir: &Path, name: &str) {
    let _ = std::fs::remove_file(dir.join(aside(name)));
}

/// The other name that a file is written under first.
fn aside(name: &str) -> String {
    format!(".{name}.new")
}

fn put(
    dir: &Path,
    name: &str,
    bytes: &[u8],
    settle: impl Fn(&File) -> io::Result<()>,
) -> io::Result<()> {
    let temp = dir.join(aside(name));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
    let mut file = open(&temp, flags)?;
    file.write_all(bytes)?;
    settle(&file)?;
    std::fs::rename(&temp, dir.join(name))
}

/// Whether an exclusive creation made the file or found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// It is new.
    New,
    /// Somebody made it before; nothing was changed.
    Existed,
}

/// Creates the empty `dir/name` exclusively; durable by the directory's next sync.
pub fn create_new(dir: &Path, name: &str) -> io::Result<Created> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
    match open(&dir.join(name), flags) {
        Ok(_file) => Ok(Created::New),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(Created::Existed),
        Err(error) => Err(error),
    }
}

/// Makes renames and creations in `dir` durable.
pub fn sync_dir(dir: &Path) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let fd = rustix::fs::open(dir, flags, Mode::empty())?;
    Ok(rustix::fs::fsync(fd)?)
}

/// Opens a file of ours: never through a link at its last name, never inherited by a child.
pub fn open(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    Ok(File::from(rustix::fs::openat(CWD, path, flags, FILE_MODE)?))
}

/// Reads a regular file of at most `bytes_max`; one that is larger or of another kind is refused
/// as invalid data, because whoever put it there is not us.
pub fn read(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let file = open(path, OFlags::RDONLY)?;
    let stat = rustix::fs::fstat(&file)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "larger than it may be"));
    }
    Ok(bytes)
}

/// The first bytes of a plain file.
pub fn read_head(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path, OFlags::RDONLY)?.take(bytes_max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The last `bytes_max` bytes of a regular file, for evidence; nothing when it cannot be read.
pub fn read_tail(path: &Path, bytes_max: u64) -> Vec<u8> {
    let Ok(file) = open(path, OFlags::RDONLY) else { return Vec::new() };
    let Ok(stat) = rustix::fs::fstat(&file) else { return Vec::new() };
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Vec::new();
    }
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    let from = size.saturating_sub(bytes_max);
    let mut bytes = Vec::new();
    let seeked = rustix::fs::seek(&file, rustix::fs::SeekFrom::Start(from));
    if seeked.is_err() || file.take(bytes_max).read_to_end(&mut bytes).is_err() {
        return Vec::new();
    }
    bytes
}
