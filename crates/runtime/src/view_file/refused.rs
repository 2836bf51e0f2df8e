//! The place where edits go that were not taken in. Kept: the newest few of each run and file,
//! and the same bytes only once. Nothing here reads them again; they are for people.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::temp::sync_dir;

/// Refused edits kept per run and file: enough to find one's work, few enough not to pile up.
pub const REFUSED_KEPT: usize = 20;
/// Several edits may be refused at one position of a run.
const SAME_SEQ_MAX: u64 = 1000;

/// Keeps `bytes` as `{run id}.{seq}.{view}` in `dir` and answers where; the same bytes of that run
/// and view are kept once.
pub fn refuse(dir: &Path, run_id: &str, seq: u64, view: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let shelf = Shelf::open(dir, run_id, view)?;
    for (_, path) in shelf.kept()? {
        let same_size = fs::metadata(&path).is_ok_and(|meta| meta.len() == bytes.len() as u64);
        if same_size && fs::read(&path).is_ok_and(|kept| kept == bytes) {
            return Ok(path);
        }
    }
    // Always the same name: one engine writes here, and what a dead one left is written over.
    let temp = dir.join(".new");
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&temp)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    shelf.put(seq, &temp)
}

/// Moves the file at `from` in, whatever it is.
pub(super) fn move_in(
    dir: &Path,
    run_id: &str,
    seq: u64,
    view: &str,
    from: &Path,
) -> io::Result<PathBuf> {
    Shelf::open(dir, run_id, view)?.put(seq, from)
}

/// The refused edits of one run and view.
struct Shelf<'a> {
    dir: &'a Path,
    run_id: &'a str,
    view: &'a str,
}

impl<'a> Shelf<'a> {
    fn open(dir: &'a Path, run_id: &'a str, view: &'a str) -> io::Result<Self> {
        let plain = |name: &str| !name.is_empty() && !name.contains(['/', '\0']);
        if !plain(run_id) || !plain(view) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        Ok(Self { dir, run_id, view })
    }

    /// Oldest first, by position and then by order within it.
    fn kept(&self) -> io::Result<Vec<((u64, u64), PathBuf)>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(self.dir)? {
            let entry = entry?;
            let name = entry.file_name();
            if let Some(order) = name.to_str().and_then(|name| self.order(name)) {
                found.push((order, entry.path()));
            }
        }
        found.sort();
        Ok(found)
    }

    fn order(&self, name: &str) -> Option<(u64, u64)> {
        let rest = name.strip_prefix(self.run_id)?.strip_prefix('.')?;
        let middle = rest.strip_suffix(self.view)?.strip_suffix('.')?;
        let (seq, nth) = middle.split_once('-').unwrap_or((middle, "1"));
        Some((seq.parse().ok()?, nth.parse().ok()?))
    }

    fn put(&self, seq: u64, from: &Path) -> io::Result<PathBuf> {
        let (run_id, view) = (self.run_id, self.view);
        // A number that was dropped is not given again, or the newest would look like the oldest.
        let taken = self.kept()?.into_iter().filter(|((of, _), _)| *of == seq);
        let first = taken.map(|((_, nth), _)| nth).max().map_or(1, |nth| nth.saturating_add(1));
        for nth in first..first.saturating_add(SAME_SEQ_MAX) {
            let again = if nth == 1 { String::new() } else { format!("-{nth}") };
            let target = self.dir.join(format!("{run_id}.{seq}{again}.{view}"));
            match rename_new(from, &target) {
                Ok(()) => {
                    sync_dir(self.dir)?;
                    self.drop_oldest(&target)?;
                    return Ok(target);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn drop_oldest(&self, newest: &Path) -> io::Result<()> {
        let kept = self.kept()?;
        let surplus = kept.len().saturating_sub(REFUSED_KEPT);
        for (_, path) in kept.iter().filter(|(_, path)| path != newest).take(surplus) {
            if path.is_dir() && !path.is_symlink() {
                fs::remove_dir_all(path)?;
            } else {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// Renames only onto a free name; where the file system can't promise that, it is looked at first.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
            if fs::symlink_metadata(to).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            fs::rename(from, to)
        }
        done => Ok(done?),
    }
}
