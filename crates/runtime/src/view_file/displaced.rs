//! What stood in a view's place and was not what we drew there last. It keeps a name on disk until
//! it is taken in or refused, so neither a crash nor a slow editor loses it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::lease::{Writer, writer};
use super::refused;
use super::temp::{place, sync_dir};

/// A larger edit is refused without reading it: no view comes near this size.
pub const EDIT_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// An outside edit, still on disk.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "an edit of somebody's: take it in or refuse it"]
pub struct Displaced {
    kept: PathBuf,
}

/// What a displaced file holds now.
#[derive(Debug, PartialEq, Eq)]
pub enum Look {
    /// Its bytes, and whether they may still change.
    Bytes {
        /// All of them.
        bytes: Vec<u8>,
        /// Whether somebody is still writing.
        writer: Writer,
    },
    /// More than [`EDIT_BYTES_MAX`].
    TooLarge,
    /// A directory, a link or a special file.
    NotAFile,
}

/// The bytes the caller took in are not the last ones, or may not be.
#[derive(Debug)]
pub struct NotYet(pub Displaced);

impl Displaced {
    pub(super) fn at(kept: PathBuf) -> Self {
        Self { kept }
    }

    /// Where it is kept.
    pub fn path(&self) -> &Path {
        &self.kept
    }

    /// Reads it. While a writer has it open, what is read may be half of an edit: look again.
    pub fn look(&self) -> io::Result<Look> {
        look(&self.kept)
    }

    /// Removes it, provided it still holds just the bytes that were taken in and nobody is
    /// writing to it. Otherwise it is handed back to be looked at again.
    pub fn taken_in(self, bytes: &[u8]) -> Result<(), NotYet> {
        let same = matches!(
            self.look(),
            Ok(Look::Bytes { bytes: now, writer }) if now == bytes && writer != Writer::Open
        );
        if same && fs::remove_file(&self.kept).is_ok() { Ok(()) } else { Err(NotYet(self)) }
    }

    /// Moves it to the refused edits of a run. The file itself is moved, so what a slow editor
    /// still writes arrives there too. Answers where the bytes are.
    pub fn refuse(self, dir: &Path, run_id: &str, seq: u64, view: &str) -> io::Result<PathBuf> {
        if let Ok(Look::Bytes { bytes, writer }) = self.look()
            && writer != Writer::Open
        {
            let kept = refused::refuse(dir, run_id, seq, view, &bytes)?;
            // Written anew above, durably: ours can go unless it changed meanwhile.
            return match self.taken_in(&bytes) {
                Ok(()) => Ok(kept),
                Err(NotYet(displaced)) => displaced.move_to(dir, run_id, seq, view),
            };
        }
        self.move_to(dir, run_id, seq, view)
    }

    fn move_to(self, dir: &Path, run_id: &str, seq: u64, view: &str) -> io::Result<PathBuf> {
        if let Ok(file) = open(&self.kept) {
            file.sync_all()?;
        }
        let target = refused::move_in(dir, run_id, seq, view, &self.kept)?;
        sync_dir(place(&self.kept)?.0)?;
        Ok(target)
    }
}

fn open(path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).map_err(|_| io::ErrorKind::InvalidInput)?;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

pub(super) fn look(path: &Path) -> io::Result<Look> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(Look::NotAFile);
    }
    let mut file = open(path)?;
    // Asked before reading: a writer that closes in between has then written all we read.
    let writer = writer(&file);
    let mut bytes = Vec::new();
    file.by_ref().take(EDIT_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > EDIT_BYTES_MAX {
        return Ok(Look::TooLarge);
    }
    Ok(Look::Bytes { bytes, writer })
}

/// The bytes of a plain file that could be a view.
pub fn plain(path: &Path) -> Option<Vec<u8>> {
    let meta = fs::symlink_metadata(path).ok()?;
    let fits = meta.is_file() && meta.len() <= EDIT_BYTES_MAX;
    fits.then(|| fs::read(path).ok()).flatten()
}
