//! What a program said of itself, kept as long as it is the same file. It saves seconds at each
//! start and holds nothing that cannot be asked again; an entry that cannot be read is not there.

use std::collections::BTreeSet;
use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::shim::durable;

/// A help page's flags are some kilobytes.
const ENTRY_BYTES_MAX: u64 = 256 << 10;
/// Raised when entries of another build would be misread.
const FORMAT: u32 = 1;

/// Where answers are kept, below the user's caches.
#[must_use]
pub fn cache_dir(caches: &Path) -> PathBuf {
    caches.join("agents")
}

/// What a program said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Said {
    format: u32,
    stamp: Stamp,
    pub(super) version: Option<String>,
    pub(super) flags: BTreeSet<String>,
}

/// Which file said it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    path: String,
    size: u64,
    mtime_ns: i128,
    asked: String,
}

impl Stamp {
    /// The stamp of a program as it is now; links are followed, since updates replace their ends.
    pub(super) fn of(program: &Path, asked: &[&str]) -> Option<Self> {
        let real = program.canonicalize().ok()?;
        let meta = real.metadata().ok()?;
        Some(Self {
            path: real.to_str()?.to_owned(),
            size: meta.size(),
            mtime_ns: i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec()),
            asked: asked.join(" "),
        })
    }

    fn name(&self) -> String {
        let digest = Sha256::digest(format!("{}\0{}", self.path, self.asked));
        let hex: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        format!("{hex}.json")
    }
}

impl Said {
    pub(super) const fn new(
        stamp: Stamp,
        version: Option<String>,
        flags: BTreeSet<String>,
    ) -> Self {
        Self { format: FORMAT, stamp, version, flags }
    }
}

/// What that very file said before.
pub(super) fn load(dir: &Path, stamp: &Stamp) -> Option<Said> {
    let bytes = durable::read(&dir.join(stamp.name()), ENTRY_BYTES_MAX).ok()?;
    let said: Said = serde_json::from_slice(&bytes).ok()?;
    (said.format == FORMAT && said.stamp == *stamp).then_some(said)
}

/// Keeps it. A cache that cannot be written only costs time.
pub(super) fn save(dir: &Path, said: &Said) {
    let Ok(bytes) = serde_json::to_vec(said) else { return };
    let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
    if made.is_ok() {
        drop(durable::replace(dir, &said.stamp.name(), &bytes));
    }
}
