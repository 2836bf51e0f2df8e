//! What a call changed: the difference of its two marks, each path with how we know of it. Kept
//! in the call's directory; the journal holds the hash of that file.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use kernel::rollback::{Content, How, Kind, RawPath};
use serde::{Deserialize, Serialize};

use crate::shim::durable;
use crate::tree::{self, Hash, Mark};

const FILE: &str = "changes.json";
const FORMAT: u32 = 1;
/// Every file of the largest tree, with long names.
const BYTES_MAX: u64 = 256 * 1024 * 1024;

/// One path a call changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Where.
    #[serde(flatten)]
    pub path: RawPath,
    /// What stood there before.
    pub before: Option<Content>,
    /// What stood there after.
    pub after: Option<Content>,
    /// How we know.
    pub how: How,
}

/// The paths a call named itself, whatever the marks show.
#[derive(Debug, Clone, Default)]
pub struct Named {
    /// Our own tools wrote these.
    pub written: BTreeSet<Vec<u8>>,
    /// The agent's stream named these.
    pub reported: BTreeSet<Vec<u8>>,
}

/// All a call changed, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    format: u32,
    /// The call.
    pub call_id: String,
    /// Sorted by path.
    pub files_changed: Vec<FileChange>,
}

/// The difference of two marks.
pub fn changed(before: &Mark, after: &Mark, named: &Named) -> Vec<FileChange> {
    let one = |change: tree::Change| {
        let how = if named.written.contains(&change.path) {
            How::Written
        } else if named.reported.contains(&change.path) {
            How::Reported
        } else {
            How::Observed
        };
        FileChange {
            path: RawPath::new(change.path),
            before: change.before.map(pure),
            after: change.after.map(pure),
            how,
        }
    };
    Mark::diff(before, after).into_iter().map(one).collect()
}

/// Writes `changes.json` durably; answers the hash of its bytes for the journal.
///
/// # Errors
/// When the disk refuses.
pub fn record(call_dir: &Path, call: &str, files: Vec<FileChange>) -> io::Result<Hash> {
    let changes = Changes { format: FORMAT, call_id: call.to_owned(), files_changed: files };
    let bytes = serde_json::to_vec(&changes).map_err(io::Error::other)?;
    durable::replace(call_dir, FILE, &bytes)?;
    Ok(Hash::of(&bytes))
}

/// What a call is recorded to have changed: `changes.json`, else its undo manifest. None of both:
/// nothing. A file that cannot be read is an error, since a plan without it would lie.
///
/// # Errors
/// When a record is there and cannot be read.
pub fn of_call(call_dir: &Path) -> io::Result<Vec<FileChange>> {
    match durable::read(&call_dir.join(FILE), BYTES_MAX) {
        Ok(bytes) => {
            let changes: Changes = serde_json::from_slice(&bytes).map_err(io::Error::other)?;
            if changes.format != FORMAT {
                return Err(io::ErrorKind::InvalidData.into());
            }
            Ok(changes.files_changed)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(crate::rollback::undo_record(call_dir)?.map_or_else(Vec::new, |undo| undo.changes()))
        }
        Err(error) => Err(error),
    }
}

/// The same content in the kernel's words.
pub(crate) fn pure(content: tree::Content) -> Content {
    let kind = match content.kind {
        tree::Kind::File => Kind::File,
        tree::Kind::Executable => Kind::Executable,
        tree::Kind::Link => Kind::Link,
        tree::Kind::Stamped => Kind::Stamped,
    };
    Content { kind, sha256: content.sha256.to_string() }
}
