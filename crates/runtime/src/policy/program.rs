//! The programs that commands would start: where they lie, and whether somebody could change one
//! under a grant. Nothing is started here.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use kernel::hash;
use kernel::policy::grant::Pin;
use kernel::policy::{Program, Safety};
use sha2::{Digest as _, Sha256};

use crate::agents::detect::find;
use crate::tree::{Stamp, now_ns};

/// Bits by which others than the owner may write.
const OTHERS_WRITE: u32 = 0o022;
/// Read at once while hashing.
const CHUNK_BYTES: usize = 64 << 10;
/// Hashes remembered: more programs than any workspace runs, and no more than a few kilobytes.
const READ_MAX: usize = 256;

/// The programs of one workspace. Each look is at what is there now; a program whose stamps have
/// not moved is not read again.
#[derive(Debug)]
pub struct Programs {
    root: PathBuf,
    path: OsString,
    read: Mutex<HashMap<PathBuf, Reading>>,
}

#[derive(Debug)]
struct Reading {
    stamp: Stamp,
    at_ns: i128,
    sha256: String,
}

impl Programs {
    /// Those below this root and on this search path.
    #[must_use]
    pub fn new(root: PathBuf, path: OsString) -> Self {
        Self { root, path, read: Mutex::default() }
    }

    /// What is known of the program a word names, from a directory below the root.
    #[must_use]
    pub fn look(&self, word: &str, cwd: &str) -> Program {
        let root = &self.root;
        let near = word.contains('/') && !word.starts_with('/');
        // Without the dots that say nothing, so that one program has one name.
        let beside = || root.join(cwd).join(word).components().collect::<PathBuf>();
        let found = if near { Some(beside()) } else { find(word, &self.path, root).ok() };
        let real = found.as_ref().and_then(|found| found.canonicalize().ok());
        let (Some(found), Some(real)) = (found, real) else {
            return Program { path: None, sha256: None, safety: Safety::Missing };
        };
        let loose = real.starts_with(root) || found.starts_with(root) || is_shared(&found, &real);
        let safety = if loose { Safety::Loose } else { Safety::Fixed };
        let sha256 = loose.then(|| self.sha256(&found).ok()).flatten();
        Program { path: Some(found.to_string_lossy().into_owned()), sha256, safety }
    }

    /// Whether the program that something was bound to still is that one.
    #[must_use]
    pub fn holds(&self, pin: &Pin) -> bool {
        match (&pin.program, &pin.program_sha256) {
            (Some(path), Some(hash)) => self.sha256(Path::new(path)).is_ok_and(|now| now == *hash),
            (Some(_), None) | (None, _) => true,
        }
    }

    fn sha256(&self, path: &Path) -> io::Result<String> {
        let stamp = stamp(path)?;
        let read = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read().get(path)
            && known.stamp == stamp
            && !stamp.is_racy(known.at_ns)
        {
            return Ok(known.sha256.clone());
        }
        let at_ns = now_ns();
        let sha256 = sha256(path)?;
        let mut read = read();
        if read.len() >= READ_MAX {
            read.clear();
        }
        read.insert(path.to_owned(), Reading { stamp, at_ns, sha256: sha256.clone() });
        Ok(sha256)
    }
}

/// What does not stay the same when a program is exchanged or written to; links are followed.
pub(crate) fn stamp(path: &Path) -> io::Result<Stamp> {
    Ok(Stamp::of(&rustix::fs::stat(path)?))
}

/// Whether others may change the file, or put another in its place or in that of a link to it.
fn is_shared(found: &Path, real: &Path) -> bool {
    let ours = rustix::process::geteuid().as_raw();
    let shared = |path: &Path| {
        path.metadata().map_or(true, |meta| {
            let own = meta.uid() == 0 || meta.uid() == ours;
            !own || meta.mode() & OTHERS_WRITE != 0
        })
    };
    let placed = |path: &Path| path.parent().is_none_or(shared);
    shared(real) || placed(real) || (found != real && placed(found))
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut state = Sha256::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            return Ok(hash::hex(&state.finalize()));
        }
        state.update(&chunk[..read]);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn put(path: &Path, mode: u32) {
        std::fs::write(path, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_can_be_changed_carries_its_hash() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let (root, bin) = (top.join("w"), top.join("bin"));
        for dir in [&root, &bin] {
            std::fs::create_dir(dir).unwrap();
            std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        put(&root.join("x"), 0o755);
        put(&bin.join("safe"), 0o755);
        put(&bin.join("open"), 0o777);
        std::os::unix::fs::symlink(root.join("x"), bin.join("link")).unwrap();
        let open = top.join("open");
        std::fs::create_dir(&open).unwrap();
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o777)).unwrap();
        std::os::unix::fs::symlink(bin.join("safe"), open.join("led")).unwrap();
        let path = std::env::join_paths([&bin, &open]).unwrap();
        let programs = Programs::new(root.clone(), path);
        let look = |word: &str| {
            let found = programs.look(word, ".");
            (found.safety, found.sha256.is_some(), found.path.is_some())
        };
        let table = [
            ("safe", (Safety::Fixed, false, true)),
            ("open", (Safety::Loose, true, true)),
            ("link", (Safety::Loose, true, true)),
            ("./x", (Safety::Loose, true, true)),
            ("led", (Safety::Loose, true, true)),
            ("x", (Safety::Missing, false, false)),
            ("./none", (Safety::Missing, false, false)),
        ];
        for (word, expected) in table {
            assert_eq!(look(word), expected, "{word}");
        }
        assert_eq!(programs.look("./x", ".").path, programs.look("././x", ".").path);
    }

    #[test]
    fn what_is_read_once_is_read_again_when_it_changed() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let (file, other) = (root.join("x"), root.join("y"));
        put(&file, 0o755);
        let programs = Programs::new(root, OsString::new());
        let pin = Pin::of(&programs.look("./x", "."));
        for _ in 0..3 {
            assert!(programs.holds(&pin));
        }
        // Of the same length, with the time put back: only its place on the disk tells.
        let meta = file.metadata().unwrap();
        std::fs::write(&other, "#!/bin/tr\n").unwrap();
        File::open(&other).unwrap().set_modified(meta.modified().unwrap()).unwrap();
        std::fs::rename(&other, &file).unwrap();
        assert!(!programs.holds(&pin) && Pin::of(&programs.look("./x", ".")) != pin);
        std::fs::write(&file, "#!/bin/sh\n").unwrap();
        assert!(programs.holds(&pin), "the same bytes are the same program");
        std::fs::remove_file(&file).unwrap();
        assert!(!programs.holds(&pin));
    }
}
