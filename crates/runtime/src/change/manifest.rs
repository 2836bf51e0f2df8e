//! The undo record of a call: which paths, what stood there and what shall. Written and synced
//! before the call starts, so that whatever happens then can be told and taken back.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use kernel::paths::Rel;
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use super::content::{Content, Kind, hash, octal};
use super::problem::Problem;
use super::wanted::Removal;
use crate::shim::durable;
use crate::tree::Hash;

/// The version written; another reads as damaged.
const FORMAT: u32 = 1;
/// A process may change every file of the largest tree; a larger record was not written by us.
const MANIFEST_BYTES_MAX: u64 = 256 << 20;
const MANIFEST: &str = "manifest.json";

/// Where a call keeps its records.
#[derive(Debug, Clone)]
pub struct Record {
    /// The directory of the call.
    pub dir: PathBuf,
    /// The call.
    pub call_id: String,
}

/// The undo record of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// The call.
    pub call_id: String,
    /// How well it can be undone: `exact`, or of a process `best_effort`.
    pub level: String,
    /// Every path it changes, in the order in which it does.
    pub paths: Vec<Entry>,
}

/// One path of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number in the record, by which its files are named.
    pub n: u32,
    /// The path.
    pub path: Rel,
    /// What is there afterwards, or was there before.
    pub kind: Kind,
    /// What stood there.
    pub before: Option<Side>,
    /// What shall stand there.
    pub after: Option<Side>,
    /// The name beside it under which new content is written and old content waits.
    pub temp: String,
    /// Whether it is only removed if nothing is in it.
    #[serde(default)]
    pub removal: Removal,
}

/// One side of a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Of its bytes.
    pub sha256: Hash,
    /// Permission bits.
    #[serde(with = "octal")]
    pub mode: u32,
    /// The file with its bytes, below the call's undo directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_file: Option<String>,
    /// What it is, where that is not the kind of the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
}

impl Entry {
    /// What stood there.
    pub fn before(&self) -> Option<Content> {
        self.before.as_ref().map(|side| self.content(side))
    }

    /// What shall stand there.
    pub fn after(&self) -> Option<Content> {
        self.after.as_ref().map(|side| self.content(side))
    }

    fn content(&self, side: &Side) -> Content {
        let kind = side.kind.unwrap_or(self.kind);
        Content { kind, sha256: side.sha256, mode: side.mode }
    }

    /// Whether it is a directory made or removed on the way, which proves nothing by itself.
    pub(super) fn is_way(&self) -> bool {
        self.kind == Kind::Dir && (self.before.is_none() || self.removal == Removal::IfEmpty)
    }
}

/// Which bytes of an entry are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Before,
    After,
}

impl Record {
    /// Where the bytes of the entry of that number are.
    pub(super) fn bytes(&self, n: u32, of: Of) -> PathBuf {
        self.directory(of).join(bytes_name(n))
    }

    pub(super) fn directory(&self, of: Of) -> PathBuf {
        match of {
            Of::Before => self.dir.join("undo"),
            Of::After => self.dir.join("new"),
        }
    }

    /// The name beside a target that belongs to this call and entry alone.
    pub(super) fn temp(&self, n: u32) -> String {
        format!(".lw-{}-{n}", self.call_id)
    }

    /// Makes the directories of the record, for the owner alone.
    pub(super) fn make(&self) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true).mode(0o700);
        builder.create(self.directory(Of::Before))?;
        builder.create(self.directory(Of::After))
    }

    /// Removes the new bytes once they are where they belong, or never will be.
    pub(super) fn drop_new(&self) -> io::Result<()> {
        match fs::remove_dir_all(self.directory(Of::After)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Whether the record was written whole before.
    pub(crate) fn is_written(&self) -> bool {
        self.directory(Of::Before).join(MANIFEST).exists()
    }

    /// Reads it.
    ///
    /// # Errors
    /// When it is absent or damaged, or the disk does not give it.
    pub fn read(&self) -> Result<Manifest, Problem> {
        let path = self.directory(Of::Before).join(MANIFEST);
        let bytes = durable::read(&path, MANIFEST_BYTES_MAX).map_err(|why| {
            let lost = [io::ErrorKind::NotFound, io::ErrorKind::InvalidData].contains(&why.kind());
            if lost { Problem::Damaged } else { Problem::Record(why) }
        })?;
        let manifest: Option<Manifest> = serde_json::from_slice(&bytes).ok();
        let ours =
            |it: &Manifest| it.format == FORMAT && it.call_id == self.call_id && it.is_sound();
        manifest.filter(ours).ok_or(Problem::Damaged)
    }

    /// What would be written.
    pub(super) fn manifest(&self, level: &str, paths: Vec<Entry>) -> Manifest {
        let (call_id, level) = (self.call_id.clone(), level.to_owned());
        Manifest { format: FORMAT, call_id, level, paths }
    }

    /// Writes it durably, the bytes it names first.
    pub(super) fn write(&self, level: &str, paths: Vec<Entry>) -> io::Result<Manifest> {
        let manifest = self.manifest(level, paths);
        let text = serde_json::to_vec(&manifest).map_err(io::Error::other)?;
        durable::sync_dir(&self.directory(Of::After))?;
        durable::replace(&self.directory(Of::Before), MANIFEST, &text)?;
        durable::sync_dir(&self.dir)?;
        if let Some(above) = self.dir.parent() {
            durable::sync_dir(above)?;
        }
        Ok(manifest)
    }
}

impl Manifest {
    /// The paths that hold something else after it than before.
    pub fn changed(&self) -> impl Iterator<Item = String> {
        let differs = |entry: &&Entry| entry.before() != entry.after();
        self.paths.iter().filter(differs).map(|entry| entry.path.as_str().to_owned())
    }

    /// Whether its names are those we give: a record never leads elsewhere.
    fn is_sound(&self) -> bool {
        self.paths.iter().all(|entry| {
            let bytes = entry.before.as_ref().and_then(|side| side.bytes_file.as_ref());
            bytes.is_none_or(|name| *name == bytes_name(entry.n))
                && entry.temp == format!(".lw-{}-{}", self.call_id, entry.n)
        })
    }
}

/// The name of the bytes of an entry.
pub(super) fn bytes_name(n: u32) -> String {
    format!("{n}.bytes")
}

/// Opens bytes of a record if they are what the record says.
pub(super) fn open_bytes(path: &Path, sha256: Hash) -> Option<File> {
    let mut file = durable::open(path, OFlags::RDONLY).ok()?;
    (hash(&mut file).ok()? == sha256).then_some(())?;
    durable::open(path, OFlags::RDONLY).ok()
}
