//! What stands at the paths of a change, and taking back what was done of one that could not be
//! finished. Only what we put there is taken back.

use kernel::paths::Rel;
use serde::Serialize;

use super::content::{self, Content, same};
use super::manifest::{Entry, Manifest, Of, Record};
use super::steps::Steps;
use super::sweep::sweep;
use super::turn::{Swap, Turn, Turned};
use crate::files::{Fault, Parent, Root};
use crate::tree::Hash;

/// What a path of a change holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// What stood there before.
    Before,
    /// What the change puts there.
    After,
    /// Both are the same.
    Either,
    /// Something else.
    Other,
}

/// One path of a change, and what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// The path.
    pub path: Rel,
    /// What it holds.
    pub holds: Holds,
    /// The hash of what is there.
    pub present: Option<Hash>,
}

/// The directory of a path; none if it is not there.
pub(super) fn parent_of(root: &Root, path: &Rel) -> Result<Option<Parent>, Fault> {
    match root.open_parent(path) {
        Ok(parent) => Ok(Some(parent)),
        Err(Fault::Io { kind: "not_found" | "not_a_file", .. } | Fault::NotAFile { .. }) => {
            Ok(None)
        }
        Err(fault) => Err(fault),
    }
}

/// What stands at a path; nothing where its directory is not there.
pub(super) fn present(root: &Root, path: &Rel) -> Result<Option<Content>, Fault> {
    match parent_of(root, path) {
        Ok(Some(parent)) => content::at(&parent, parent.name()),
        // Whatever stands behind a link is not at this path.
        Ok(None) | Err(Fault::Symlink { .. }) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// What the path of an entry holds.
pub(super) fn holds(root: &Root, entry: &Entry) -> Result<Standing, Fault> {
    let present = present(root, &entry.path)?;
    let is = |side: Option<Content>| same(present.as_ref(), side.as_ref());
    let holds = match (is(entry.before()), is(entry.after())) {
        (true, true) => Holds::Either,
        (true, false) => Holds::Before,
        (false, true) => Holds::After,
        (false, false) => Holds::Other,
    };
    let path = entry.path.clone();
    Ok(Standing { path, holds, present: present.map(|it| it.sha256) })
}

/// What the paths hold that prove whether the change happened.
pub(super) fn standings(root: &Root, manifest: &Manifest) -> Result<Vec<Standing>, Fault> {
    manifest.paths.iter().filter(|it| !it.is_way()).map(|entry| holds(root, entry)).collect()
}

/// Takes back every entry that holds what we put there, the last one first, and says what the
/// paths hold then. An entry that can't be taken back does not keep the others from it.
pub(super) fn revert(
    root: &Root,
    record: &Record,
    manifest: &Manifest,
    steps: Steps<'_>,
) -> Result<Vec<Standing>, Fault> {
    let mut failed = Ok(());
    for entry in manifest.paths.iter().rev() {
        if let Err(fault) = back(root, record, entry, steps) {
            failed = Err(fault);
        }
    }
    failed.and_then(|()| standings(root, manifest))
}

fn back(root: &Root, record: &Record, entry: &Entry, steps: Steps<'_>) -> Result<(), Fault> {
    let Some(parent) = parent_of(root, &entry.path)? else { return Ok(()) };
    sweep(&parent, record, entry)?;
    if holds(root, entry)?.holds != Holds::After {
        return Ok(());
    }
    let turn = Turn {
        from: entry.after(),
        to: entry.before(),
        bytes: record.bytes(entry.n, Of::Before),
        temp: &entry.temp,
        swap: Swap::Exchange,
    };
    match turn.run(&parent, steps)? {
        Turned::Done(_) | Turned::Other(_) => Ok(()),
    }
}
