//! What a call changed: the difference of its two marks, each path with how we know of it. Kept
//! in the call's directory; the journal holds the hash of that file.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use kernel::call::{NOTHING_HAPPENED, State, UndoLevel};
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

/// What the journal holds of a call's changes: what its files are held against.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Told {
    /// Nothing: a tool's own record stands for itself, and a call that is not over, or did nothing,
    /// has none.
    #[default]
    Nothing,
    /// The marks of its process.
    Marked {
        /// Before it.
        before: Hash,
        /// After it; none of a call that was lost.
        after: Option<Hash>,
        /// The hash of the file that lists what differs.
        changes: Option<Hash>,
    },
}

impl Told {
    /// What a call's own facts say.
    #[must_use]
    pub fn of(state: &State) -> Self {
        match state {
            State::Settled { undo: UndoLevel::None(why), .. } if why == NOTHING_HAPPENED => {
                Self::Nothing
            }
            State::Settled { exit, .. } => {
                let trees = state.trees();
                let changes = exit.as_ref().and_then(|exit| exit.changes.as_deref());
                trees.before.and_then(Hash::from_hex).map_or(Self::Nothing, |before| Self::Marked {
                    before,
                    after: trees.after.and_then(Hash::from_hex),
                    changes: changes.and_then(Hash::from_hex),
                })
            }
            State::Undoing { from, .. } => Self::of(from),
            State::New
            | State::Asked { .. }
            | State::Denied { .. }
            | State::Allowed { .. }
            | State::Started { .. }
            | State::Unknown { .. }
            | State::Undone { .. } => Self::Nothing,
        }
    }
}

/// What a call changed, held against what the journal says of it. A list that is missing, or is not
/// the one whose hash was recorded, is drawn again from the marks, below `marks`; how each path is
/// known is lost with it.
///
/// # Errors
/// When neither list nor marks are left: a plan without them would lie.
pub fn proven(call_dir: &Path, marks: &Path, told: Told) -> io::Result<Vec<FileChange>> {
    let Told::Marked { before, after, changes } = told else { return of_call(call_dir) };
    if after == Some(before) {
        return Ok(Vec::new());
    }
    let kept = durable::read(&call_dir.join(FILE), BYTES_MAX);
    match (after, kept) {
        (_, Ok(bytes)) if changes == Some(Hash::of(&bytes)) => listed(&bytes),
        (Some(after), _) => {
            let (before, after) = (marked(marks, before)?, marked(marks, after)?);
            Ok(changed(&before, &after, &Named::default()))
        }
        // What was seen when a lost call was looked for: no exit of it was recorded.
        (None, kept) => listed(&kept?),
    }
}

fn marked(marks: &Path, digest: Hash) -> io::Result<Mark> {
    match tree::store::load(marks, digest) {
        Ok(found) => found.ok_or_else(|| io::ErrorKind::NotFound.into()),
        Err(tree::store::Error::Io(why)) => Err(why),
        Err(damaged @ tree::store::Error::Damaged(_)) => Err(io::Error::other(damaged)),
    }
}

fn listed(bytes: &[u8]) -> io::Result<Vec<FileChange>> {
    let changes: Changes = serde_json::from_slice(bytes).map_err(io::Error::other)?;
    if changes.format != FORMAT {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(changes.files_changed)
}

/// What a call is recorded to have changed: `changes.json`, else its undo manifest. None of both:
/// nothing. A file that cannot be read is an error, since a plan without it would lie.
///
/// # Errors
/// When a record is there and cannot be read.
pub fn of_call(call_dir: &Path) -> io::Result<Vec<FileChange>> {
    match durable::read(&call_dir.join(FILE), BYTES_MAX) {
        Ok(bytes) => listed(&bytes),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Cache, take};

    /// The directory of a call that changed one file, its marks, and what was recorded of it.
    fn changed_once(dir: &Path) -> (std::path::PathBuf, std::path::PathBuf, Told) {
        let (tree, call, marks) = (dir.join("tree"), dir.join("call"), dir.join("marks"));
        std::fs::create_dir_all(&tree).unwrap();
        std::fs::create_dir_all(&call).unwrap();
        let look = || {
            let mark = take(&tree, &mut Cache::default()).unwrap();
            tree::store::save(&marks, &mark).unwrap();
            mark
        };
        let before = look();
        std::fs::write(tree.join("made"), "x").unwrap();
        let after = look();
        let named = Named { reported: [b"made".to_vec()].into(), ..Named::default() };
        let sha256 = record(&call, "call-1", changed(&before, &after, &named)).unwrap();
        let (before, after) = (before.digest, Some(after.digest));
        (call, marks, Told::Marked { before, after, changes: Some(sha256) })
    }

    fn told(found: io::Result<Vec<FileChange>>) -> String {
        let one = |change: &FileChange| format!("{} {:?}", change.path.text(), change.how);
        match found {
            Ok(all) => all.iter().map(one).collect::<Vec<_>>().join(", "),
            Err(why) => format!("{:?}", why.kind()),
        }
    }

    #[test]
    fn a_list_that_is_missing_or_wrong_is_drawn_again_or_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (call, marks, recorded) = changed_once(dir.path());
        let list = call.join(FILE);
        let right = std::fs::read(&list).unwrap();
        let without = |told: Told, part: &str| match told {
            Told::Marked { before, after: _, changes } if part == "after" => {
                Told::Marked { before, after: None, changes }
            }
            Told::Marked { before, after, .. } => Told::Marked { before, after, changes: None },
            Told::Nothing => Told::Nothing,
        };
        assert_eq!(told(proven(&call, &marks, recorded)), "made Reported");
        // As records of an earlier build: its hash was not kept, so the marks speak.
        assert_eq!(told(proven(&call, &marks, without(recorded, "changes"))), "made Observed");
        let lost = without(without(recorded, "after"), "changes");
        assert_eq!(told(proven(&call, &marks, lost)), "made Reported");
        for wrong in [Some(&b"{}"[..]), None] {
            match wrong {
                Some(bytes) => std::fs::write(&list, bytes).unwrap(),
                None => std::fs::remove_file(&list).unwrap(),
            }
            assert_eq!(told(proven(&call, &marks, recorded)), "made Observed");
            assert!(proven(&call, &marks, lost).is_err(), "nothing else tells of a lost call");
        }
        std::fs::remove_dir_all(&marks).unwrap();
        assert_eq!(told(proven(&call, &marks, recorded)), "NotFound");
        std::fs::write(&list, right).unwrap();
        assert_eq!(told(proven(&call, &marks, recorded)), "made Reported");
        let Told::Marked { before, .. } = recorded else { unreachable!() };
        let same = Told::Marked { before, after: Some(before), changes: None };
        assert_eq!(told(proven(&call, &marks, same)), "");
        assert_eq!(told(proven(&call, &marks, Told::Nothing)), "made Reported");
    }
}
