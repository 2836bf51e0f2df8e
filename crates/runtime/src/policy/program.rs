//! The program a command would start: where it lies, and whether somebody could change it under a
//! grant. Nothing is started here.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use kernel::hash;
use kernel::policy::{Program, Safety};
use sha2::{Digest as _, Sha256};

use crate::agents::detect::find;

/// Bits by which others than the owner may write.
const OTHERS_WRITE: u32 = 0o022;
/// Read at once while hashing.
const CHUNK_BYTES: usize = 64 << 10;

/// What is known of the program a word names, from a directory below the root.
#[must_use]
pub fn program(word: &str, cwd: &str, root: &Path, path: &OsStr) -> Program {
    let near = word.contains('/') && !word.starts_with('/');
    let found = if near { Some(root.join(cwd).join(word)) } else { find(word, path, root).ok() };
    let real = found.as_ref().and_then(|found| found.canonicalize().ok());
    let (Some(found), Some(real)) = (found, real) else {
        return Program { path: None, sha256: None, safety: Safety::Missing };
    };
    let loose = real.starts_with(root) || found.starts_with(root) || is_shared(&real);
    let safety = if loose { Safety::Loose } else { Safety::Fixed };
    let sha256 = loose.then(|| sha256(&real).ok()).flatten();
    Program { path: Some(shown(&found)), sha256, safety }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Whether others may change the file, or put another in its place.
fn is_shared(path: &Path) -> bool {
    let ours = rustix::process::geteuid().as_raw();
    let shared = |path: &Path| {
        path.metadata().map_or(true, |meta| {
            let own = meta.uid() == 0 || meta.uid() == ours;
            !own || meta.mode() & OTHERS_WRITE != 0
        })
    };
    shared(path) || path.parent().is_none_or(shared)
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
        let look = |word: &str| {
            let found = program(word, ".", &root, bin.as_os_str());
            (found.safety, found.sha256.is_some(), found.path.is_some())
        };
        let table = [
            ("safe", (Safety::Fixed, false, true)),
            ("open", (Safety::Loose, true, true)),
            ("link", (Safety::Loose, true, true)),
            ("./x", (Safety::Loose, true, true)),
            ("x", (Safety::Missing, false, false)),
            ("./none", (Safety::Missing, false, false)),
        ];
        for (word, expected) in table {
            assert_eq!(look(word), expected, "{word}");
        }
        let before = program("./x", ".", &root, bin.as_os_str());
        std::fs::write(root.join("x"), "#!/bin/sh\n#").unwrap();
        assert_ne!(program("./x", ".", &root, bin.as_os_str()), before);
    }
}
