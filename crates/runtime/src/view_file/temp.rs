//! Names of the temps beside a view. A name tells what the file behind it can be, so that what a
//! crash left is judged without any other record:
//! `.lw-view-new-…` holds only bytes of ours, perhaps half of them; `.lw-view-old-…` holds either
//! what we were about to draw, or what stood in the view's place. It names the hashes of both.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::tree::Hash;

pub(super) const NEW: &str = ".lw-view-new-";
pub(super) const OLD: &str = ".lw-view-old-";
/// Enough of a hash to tell our own bytes from an edit; the name has 255 bytes in all.
const HASH_DIGITS: usize = 16;
/// A name may be left over from a process that had our id.
const NAMES_TRIED_MAX: usize = 100;

static COUNT: AtomicU64 = AtomicU64::new(0);

/// The start of the hash of `bytes`, as it stands in a temp's name.
pub(super) fn short_hash(bytes: &[u8]) -> String {
    let mut text = Hash::of(bytes).to_string();
    text.truncate(HASH_DIGITS);
    text
}

/// Writes `new` beside the view, synced, under a name that says what it is.
pub(super) fn write(path: &Path, new: &[u8], last: Option<&[u8]>) -> io::Result<PathBuf> {
    let (dir, name) = place(path)?;
    let ours = short_hash(new);
    let known = last.map_or_else(|| "-".repeat(HASH_DIGITS), short_hash);
    for _ in 0..NAMES_TRIED_MAX {
        let tag = format!("{}.{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let fresh = dir.join(format!("{NEW}{tag}.{name}"));
        let ready = dir.join(format!("{OLD}{tag}.{ours}.{known}.{name}"));
        if fs::symlink_metadata(&ready).is_ok() {
            continue;
        }
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh);
        let mut file = match file {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        let written = fill(&mut file, new).and_then(|()| fs::rename(&fresh, &ready));
        if let Err(error) = written {
            let _ = fs::remove_file(&fresh);
            return Err(error);
        }
        return Ok(ready);
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn fill(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

/// The directory and the name of a view. Names of views are ours, so they are text.
pub(super) fn place(path: &Path) -> io::Result<(&Path, &str)> {
    let dir = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let name = path.file_name().and_then(|name| name.to_str());
    Ok((dir, name.ok_or(io::ErrorKind::InvalidInput)?))
}

/// What the name of an `old` temp says.
pub(super) struct Named<'a> {
    pub ours: &'a str,
    pub known: &'a str,
    pub view: &'a str,
}

/// Reads a name that [`write`] made.
pub(super) fn read_name(name: &str) -> Option<Named<'_>> {
    let mut parts = name.strip_prefix(OLD)?.splitn(5, '.');
    let (_process, _count) = (parts.next()?, parts.next()?);
    let (ours, known, view) = (parts.next()?, parts.next()?, parts.next()?);
    let right = ours.len() == HASH_DIGITS && known.len() == HASH_DIGITS && !view.is_empty();
    right.then_some(Named { ours, known, view })
}

/// Whether a name is that of a temp of the view `file`, or of one whose name was given up late.
pub(crate) fn is_temp_of(name: &str, file: &str) -> bool {
    let named = name.trim_end_matches('~').strip_suffix(file);
    named
        .is_some_and(|rest| rest.ends_with('.') && (rest.starts_with(NEW) || rest.starts_with(OLD)))
}

pub(super) fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(if dir.as_os_str().is_empty() { Path::new(".") } else { dir })?.sync_all()
}
