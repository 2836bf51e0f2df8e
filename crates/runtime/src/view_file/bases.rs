//! The last revisions drawn of each view, kept as bases for merging edits. A cache: never synced,
//! and a revision that is missing or torn is simply not there.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::tree::Hash;

/// An edit made on an older revision than this many back is a conflict.
pub const BASES_KEPT: usize = 64;
/// Hex digits and the newline that stand before the bytes.
const HEAD_BYTES: usize = 65;

/// The kept revisions of one view.
#[derive(Debug)]
pub struct Bases {
    dir: PathBuf,
}

impl Bases {
    /// Of the view with this file name, below `cache`.
    pub fn of(cache: &Path, view: &str) -> Self {
        Self { dir: cache.join("bases").join(view) }
    }

    /// Keeps what was drawn at `rev`, and forgets revisions beyond the newest [`BASES_KEPT`].
    pub fn put(&self, rev: u64, bytes: &[u8]) -> io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.dir)?;
        let temp = self.dir.join(".new");
        fs::write(&temp, [format!("{}\n", Hash::of(bytes)).as_bytes(), bytes].concat())?;
        fs::set_permissions(&temp, fs::Permissions::from_mode(0o600))?;
        fs::rename(&temp, self.dir.join(rev.to_string()))?;
        let revs = self.revs()?;
        for old in &revs[..revs.len().saturating_sub(BASES_KEPT)] {
            fs::remove_file(self.dir.join(old.to_string()))?;
        }
        Ok(())
    }

    /// What was drawn at `rev`, if it is still kept and whole.
    pub fn base(&self, rev: u64) -> Option<Vec<u8>> {
        let mut kept = fs::read(self.dir.join(rev.to_string())).ok()?;
        let head = std::str::from_utf8(kept.get(..HEAD_BYTES)?).ok()?.strip_suffix('\n')?;
        let hash = Hash::from_hex(head)?;
        kept.drain(..HEAD_BYTES);
        (Hash::of(&kept) == hash).then_some(kept)
    }

    /// The kept revisions, oldest first.
    pub fn revs(&self) -> io::Result<Vec<u64>> {
        let mut revs = Vec::new();
        for entry in fs::read_dir(&self.dir)? {
            revs.extend(entry?.file_name().to_str().and_then(|name| name.parse::<u64>().ok()));
        }
        revs.sort_unstable();
        Ok(revs)
    }
}
