//! Texts that a turn's record names by hash: the copy of a plan file, context packs, answers,
//! summaries. They may hold what is in files, so they never enter the journal; whoever reads one
//! gets what was kept, or nothing.

use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::time::SystemTime;

use kernel::hash::sha256_hex;
use kernel::machine::At;

use crate::shim::durable;

/// Where they are kept, below the directory of our files.
pub const DIR: &str = "cache/turns";
/// A pack, an answer or a plan with its patches is far below this.
const BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Keeps a text durably and answers the hash it is recorded by.
///
/// # Errors
/// When it can't be written.
pub fn keep(loop_dir: &Path, text: &str) -> io::Result<String> {
    let sha256 = sha256_hex(text.as_bytes());
    let dir = loop_dir.join(DIR);
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&dir)?;
    if load(loop_dir, &sha256).is_err() {
        durable::keep(&dir, &sha256, text.as_bytes())?;
    } else {
        // As young as its newest use: whoever takes back disk space goes by that.
        std::fs::File::open(dir.join(&sha256))?.set_modified(SystemTime::now())?;
    }
    Ok(sha256)
}

/// Everything that is kept: its hash, its size, and when it was last kept.
#[must_use]
pub fn kept(loop_dir: &Path) -> Vec<(String, u64, At)> {
    let entries = std::fs::read_dir(loop_dir.join(DIR)).into_iter().flatten().flatten();
    let seen = |entry: std::fs::DirEntry| {
        let (name, at) = (entry.file_name().into_string().ok()?, entry.metadata().ok()?);
        let since = at.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        Some((name, at.len(), At(u64::try_from(since.as_millis()).ok()?)))
    };
    let mut all: Vec<_> = entries.filter_map(seen).collect();
    all.sort();
    all
}

/// The text that was recorded by this hash.
///
/// # Errors
/// When it is gone or is not what was recorded.
pub fn load(loop_dir: &Path, sha256: &str) -> io::Result<String> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "what was kept is damaged");
    let plain = sha256.bytes().all(|b| b.is_ascii_hexdigit());
    if sha256.is_empty() || !plain {
        return Err(damaged());
    }
    let bytes = durable::read(&loop_dir.join(DIR).join(sha256), BYTES_MAX)?;
    if sha256_hex(&bytes) != sha256 {
        return Err(damaged());
    }
    String::from_utf8(bytes).map_err(|_| damaged())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_or_nothing_does() {
        let dir = tempfile::tempdir().unwrap();
        let sha256 = keep(dir.path(), "a plan").unwrap();
        assert_eq!(load(dir.path(), &sha256).unwrap(), "a plan");
        let path = dir.path().join(DIR).join(&sha256);
        std::fs::write(&path, "another").unwrap();
        assert!(load(dir.path(), &sha256).is_err(), "damaged ones are not used");
        assert_eq!(keep(dir.path(), "a plan").unwrap(), sha256);
        assert_eq!(load(dir.path(), &sha256).unwrap(), "a plan", "a damaged one is written anew");
        assert!(load(dir.path(), "../../owner.json").is_err());
        assert!(load(dir.path(), "").is_err());
    }
}
