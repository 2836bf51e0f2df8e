//! The bare repository as files: its shape, its settings, its names, and that all of it is durable.
//! Made by us without git, so that no template or setting of anybody's is in it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{FlockOperation, OFlags};

use super::error::Error;
use super::objects::Id;
use crate::shim::durable;
use crate::tree::Hash;

/// Below the state directory.
const DIR_NAME: &str = "checkpoints.git";
const REFS: &str = "refs/loopwright";
/// The name a commit has until its objects are durable.
pub(super) const NEW_REF: &str = "refs/loopwright/new";
/// There while objects may be in packs that nothing names any more.
const LOOSE: &str = "lw.loose";
/// A ref is one id.
const REF_BYTES_MAX: u64 = 256;
/// Compression 1 is what git gives loose objects too: speed, since packs are written at each call.
const CONFIG: &str = "[core]
\trepositoryformatversion = 1
\tbare = true
\tfsync = all
\thooksPath = /dev/null
\tattributesFile = /dev/null
\tlogAllRefUpdates = false
\tprotectHFS = true
\tprotectNTFS = true
[extensions]
\tobjectformat = sha256
[gc]
\tauto = 0
[maintenance]
\tauto = false
[fastimport]
\tunpackLimit = 1
[pack]
\tcompression = 1
\twriteReverseIndex = false
";
/// What could make git look or reach elsewhere; nothing of ours ever writes these.
const ALIEN: [&str; 8] = [
    "commondir",
    "config.worktree",
    "shallow",
    "info/attributes",
    "info/grafts",
    "objects/info/alternates",
    "objects/info/http-alternates",
    "gitdir",
];

/// The repository.
#[derive(Debug)]
pub(super) struct Repo {
    pub(super) dir: PathBuf,
}

/// Held while something is written or taken away, until it has its name or nobody names it any
/// more; let go when dropped, also by a crash.
pub struct Lock {
    _file: File,
}

impl Repo {
    pub(super) fn below(loop_dir: &Path) -> Self {
        Self { dir: loop_dir.join(DIR_NAME) }
    }

    pub(super) fn exists(&self) -> bool {
        self.dir.join("HEAD").is_file()
    }

    /// Makes it, or puts right what must be before any git starts: our settings, and nothing that
    /// leads elsewhere.
    pub(super) fn prepare(&self) -> Result<(), Error> {
        for part in ["objects/pack", "objects/info", "refs", "info"] {
            let dir = self.dir.join(part);
            let made = DirBuilder::new().recursive(true).mode(0o700).create(&dir);
            made.map_err(Error::io(dir))?;
        }
        self.put("HEAD", "ref: refs/heads/none\n")?;
        self.put("config", CONFIG)?;
        for alien in ALIEN {
            let path = self.dir.join(alien);
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::Io { path, source: error });
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    fn put(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.dir.join(name);
        match durable::read(&path, CONFIG.len() as u64) {
            Ok(found) if found == text.as_bytes() => Ok(()),
            Ok(_) | Err(_) => {
                durable::replace(&self.dir, name, text.as_bytes()).map_err(Error::io(path))
            }
        }
    }

    /// Waits until nobody else writes.
    pub(super) fn lock(&self) -> Result<Lock, Error> {
        let path = self.dir.join("lw.lock");
        let lock = || {
            let file = durable::open(&path, OFlags::RDWR | OFlags::CREATE)?;
            rustix::fs::flock(&file, FlockOperation::LockExclusive)?;
            Ok(Lock { _file: file })
        };
        lock().map_err(Error::io(&path))
    }

    /// Removes what a git that died left half done. Only under the lock.
    pub(super) fn sweep(&self, _: &Lock) -> Result<(), Error> {
        let half = |name: &str| {
            name.starts_with("tmp_") || name.starts_with(".tmp-") || name.ends_with(".keep")
        };
        remove_where(&self.dir.join("objects/pack"), half)?;
        remove_where(&self.dir.join("objects"), |name| name.starts_with("tmp_"))?;
        remove_where(&self.dir, |name| {
            name.starts_with("fast_import_crash_") || name == "packed-refs.lock"
        })?;
        remove_where(&self.dir.join(REFS), |name| matches!(name, "new" | "new.lock"))
    }

    /// The packs and what belongs to them.
    pub(super) fn packs(&self) -> Result<BTreeSet<OsString>, Error> {
        let dir = self.dir.join("objects/pack");
        let names = std::fs::read_dir(&dir).and_then(|entries| {
            entries.map(|entry| entry.map(|entry| entry.file_name())).collect()
        });
        names.map_err(Error::io(dir))
    }

    /// What the packs take; nothing where there are none.
    pub(super) fn bytes(&self) -> u64 {
        let entries = std::fs::read_dir(self.dir.join("objects/pack")).into_iter().flatten();
        entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|at| at.len()).sum()
    }

    /// When packs last came or went.
    pub(super) fn packs_changed(&self) -> Option<SystemTime> {
        std::fs::metadata(self.dir.join("objects/pack")).ok()?.modified().ok()
    }

    /// Syncs every pack that was not there before, and then the directory they are in.
    pub(super) fn sync_packs(&self, before: &BTreeSet<OsString>) -> Result<(), Error> {
        let dir = self.dir.join("objects/pack");
        for name in self.packs()?.difference(before) {
            let path = dir.join(name);
            let synced = durable::open(&path, OFlags::RDONLY).and_then(|file| file.sync_all());
            synced.map_err(Error::io(path))?;
        }
        durable::sync_dir(&dir).map_err(Error::io(dir))
    }

    /// Gives a commit a name, durably. Under the lock that its objects came in by: whoever takes
    /// away what has no name must not come between.
    pub(super) fn write_ref(&self, name: &str, id: Id, _: &Lock) -> Result<(), Error> {
        let path = self.ref_path(name);
        let write = || {
            let dir = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
            let mut missing: Vec<&Path> = dir.ancestors().take_while(|dir| !dir.exists()).collect();
            while let Some(dir) = missing.pop() {
                DirBuilder::new().mode(0o700).create(dir)?;
                durable::sync_dir(dir.parent().ok_or(io::ErrorKind::InvalidInput)?)?;
            }
            let file = path.file_name().and_then(|name| name.to_str());
            let file = file.ok_or(io::ErrorKind::InvalidInput)?;
            durable::replace(dir, file, format!("{id}\n").as_bytes())
        };
        write().map_err(Error::io(&path))
    }

    /// Where a name is.
    pub(super) fn ref_path(&self, name: &str) -> PathBuf {
        self.dir.join(REFS).join(name)
    }

    /// The commit of a name.
    pub(super) fn read_ref(&self, name: &str) -> Option<Id> {
        let bytes = durable::read(&self.ref_path(name), REF_BYTES_MAX).ok()?;
        Hash::from_hex(std::str::from_utf8(&bytes).ok()?.trim_end())
    }

    /// Takes a name, or a whole folder of them, away.
    pub(super) fn remove_ref(&self, name: &str, _: &Lock) -> Result<(), Error> {
        let path = self.ref_path(name);
        let removed = match std::fs::symlink_metadata(&path) {
            Ok(at) if at.is_dir() => std::fs::remove_dir_all(&path),
            Ok(_) => std::fs::remove_file(&path),
            Err(_) => return Ok(()),
        };
        removed.map_err(Error::io(&path))?;
        let above = path.parent().unwrap_or(&self.dir);
        durable::sync_dir(above).map_err(Error::io(above))
    }

    /// Says, before names are taken away, that packs will hold what nothing names.
    pub(super) fn loosen(&self, _: &Lock) -> Result<(), Error> {
        durable::replace(&self.dir, LOOSE, b"").map_err(Error::io(self.dir.join(LOOSE)))
    }

    /// Whether that was said and not taken back.
    pub(super) fn is_loose(&self) -> bool {
        self.dir.join(LOOSE).exists()
    }

    /// Takes it back, once all that packs hold has a name.
    pub(super) fn tighten(&self, _: &Lock) -> Result<(), Error> {
        let path = self.dir.join(LOOSE);
        std::fs::remove_file(&path).map_err(Error::io(path))
    }

    /// The names in a folder of names, sorted; none where there is no folder.
    pub(super) fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.dir.join(REFS).join(folder));
        let names = entries.into_iter().flatten().flatten().map(|entry| entry.file_name());
        let names = names.filter_map(|name| name.into_string().ok());
        let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
        names.sort();
        names
    }
}

fn remove_where(dir: &Path, unwanted: impl Fn(&str) -> bool) -> Result<(), Error> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Ok(()) };
    for entry in entries.flatten() {
        if unwanted(&entry.file_name().to_string_lossy()) && !entry.path().is_dir() {
            std::fs::remove_file(entry.path()).map_err(Error::io(entry.path()))?;
        }
    }
    Ok(())
}
