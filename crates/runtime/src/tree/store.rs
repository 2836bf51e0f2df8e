//! Keeps marks on disk under their own digest, so that the mark a call started from is found
//! again after a crash. A kept mark proves itself; nothing else is stored, and the list of what
//! was not covered is not part of it.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::hash::Hash;
use super::mark::Mark;

/// Where marks of the tree are kept, below the directory of our files.
pub const DIR: &str = "cache/marks";

/// The marks of the largest tree that is looked at, with long names, stay below this.
const MARK_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// How the temporary files of a writer begin.
const NEW: &str = ".new-";

/// Why a mark could not be read back.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The disk said no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not hash to its name.
    #[error("the kept mark {0} is damaged")]
    Damaged(Hash),
}

/// Writes `mark` below `directory`, durably, unless a file of that name and length is there.
pub fn save(directory: &Path, mark: &Mark) -> io::Result<()> {
    let target = directory.join(mark.digest.to_string());
    let bytes = mark.to_bytes();
    if fs::symlink_metadata(&target).is_ok_and(|at| at.is_file() && at.len() == bytes.len() as u64)
    {
        return Ok(());
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    // Two hands may save the same mark at once: each writes a file of its own.
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    let temp = directory.join(format!("{NEW}{}-{serial}", std::process::id()));
    let written = write_synced(&temp, &bytes).and_then(|()| fs::rename(&temp, &target));
    if written.is_err() {
        let _ = fs::remove_file(&temp);
    }
    written?;
    File::open(directory)?.sync_all()
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Reads the mark with this digest, if it was kept.
pub fn load(directory: &Path, digest: Hash) -> Result<Option<Mark>, Error> {
    let file = match File::open(directory.join(digest.to_string())) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut bytes = Vec::new();
    file.take(MARK_BYTES_MAX).read_to_end(&mut bytes)?;
    let mark = Mark::from_bytes(&bytes).filter(|mark| mark.digest == digest);
    mark.map(Some).ok_or(Error::Damaged(digest))
}

/// Removes what writers that died left half written. Only while nobody writes.
pub fn sweep(directory: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(NEW) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Removes kept marks whose digest is not in `keep`, and temps of writers that died.
pub fn prune(directory: &Path, keep: &BTreeSet<Hash>) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let unwanted = match Hash::from_hex(&name) {
            Some(digest) => !keep.contains(&digest),
            None => name.starts_with(NEW),
        };
        if unwanted {
            fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}
