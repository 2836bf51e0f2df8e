//! The undo record of a call, as far as a rollback needs it: what stood at a path before our own
//! tool wrote there, and the file with the bytes.

use std::io;
use std::path::{Path, PathBuf};

use kernel::rollback::{Content, How, Kind, RawPath};
use serde::Deserialize;

use crate::checkpoints::FileChange;
use crate::shim::durable;
use crate::tree::Hash;

const FORMAT: u32 = 1;
/// As large as a record of every file of the largest tree gets.
const BYTES_MAX: u64 = 256 * 1024 * 1024;
/// The most our own tools write, with room for what stood there before.
const FILE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The record of one call.
#[derive(Debug, Deserialize)]
pub(crate) struct UndoRecord {
    format: u32,
    paths: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    path: String,
    kind: Shape,
    before: Option<Side>,
    after: Option<Side>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    File,
    Symlink,
    Dir,
}

#[derive(Debug, Deserialize)]
struct Side {
    sha256: Hash,
    mode: String,
    #[serde(default)]
    bytes_file: Option<String>,
    #[serde(default)]
    kind: Option<Shape>,
}

/// Reads the record of a call; none if it has none.
///
/// # Errors
/// When there is one that cannot be read.
pub(crate) fn undo_record(call_dir: &Path) -> io::Result<Option<UndoRecord>> {
    let bytes = match durable::read(&call_dir.join("undo/manifest.json"), BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let record: UndoRecord = serde_json::from_slice(&bytes).map_err(io::Error::other)?;
    if record.format == FORMAT { Ok(Some(record)) } else { Err(io::ErrorKind::InvalidData.into()) }
}

impl UndoRecord {
    /// What the call changed, by its record; directories have no content and are left out.
    pub(crate) fn changes(&self) -> Vec<FileChange> {
        let files = self.paths.iter().filter(|entry| entry.kind != Shape::Dir);
        let change = |entry: &Entry| FileChange {
            path: RawPath::new(entry.path.as_bytes()),
            before: entry.before.as_ref().map(|side| side.content(entry.kind)),
            after: entry.after.as_ref().map(|side| side.content(entry.kind)),
            how: How::Written,
        };
        files.map(change).collect()
    }

    /// What the record says of a path before the call; `None` if it says nothing.
    pub(crate) fn before(&self, call_dir: &Path, path: &RawPath) -> Option<Before> {
        let entry = self.paths.iter().find(|entry| entry.path.as_bytes() == path.bytes())?;
        let Some(side) = &entry.before else { return Some(Before::Absent) };
        let content = side.content(entry.kind);
        let plain = |name: &&String| !name.contains('/') && !name.starts_with('.');
        let Some(name) = side.bytes_file.as_ref().filter(plain) else {
            return Some(Before::Lost);
        };
        let file = call_dir.join("undo").join(name);
        Some(match bytes(&file, &content) {
            Some(bytes) => Before::Kept { content, bytes: bytes.len() as u64, file },
            None => Before::Lost,
        })
    }
}

/// What stood at a path before a call of ours.
pub(crate) enum Before {
    /// Nothing.
    Absent,
    /// This, kept in this file.
    Kept { content: Content, bytes: u64, file: PathBuf },
    /// Something whose bytes are missing or wrong.
    Lost,
}

/// The bytes of an undo file, if they are what the record says.
pub(super) fn bytes(file: &Path, content: &Content) -> Option<Vec<u8>> {
    let bytes = durable::read(file, FILE_BYTES_MAX).ok()?;
    (Hash::of(&bytes).to_string() == content.sha256).then_some(bytes)
}

impl Side {
    fn content(&self, shape: Shape) -> Content {
        let mode = u32::from_str_radix(&self.mode, 8).unwrap_or(0);
        let kind = match self.kind.unwrap_or(shape) {
            Shape::Symlink => Kind::Link,
            Shape::File | Shape::Dir if mode & 0o100 != 0 => Kind::Executable,
            Shape::File | Shape::Dir => Kind::File,
        };
        Content { kind, sha256: self.sha256.to_string() }
    }
}
