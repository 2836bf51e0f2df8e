//! Whether a change that was cut off happened, told from what stands at its paths. It changes
//! nothing but what the change itself left lying beside them.

use super::manifest::{Entry, Manifest, Record};
use super::problem::Problem;
use super::revert::{Holds, Standing, parent_of, standings};
use super::sweep::sweep;
use crate::files::Root;

/// What a probe found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probed {
    /// Every path holds the new content.
    Happened,
    /// Every path holds the old content.
    DidNotHappen,
    /// Some so, some so, or something else: undoing it is the way out.
    Inconclusive(Vec<Standing>),
}

/// Looks at every path of the record.
///
/// # Errors
/// When the record can't be read, or a path can't be looked at.
pub fn probe(root: &Root, record: &Record) -> Result<Probed, Problem> {
    let manifest = record.read()?;
    for entry in &manifest.paths {
        if let Some(parent) = parent_of(root, &entry.path)? {
            sweep(&parent, record, entry)?;
        }
    }
    let standings = standings(root, &manifest)?;
    let all =
        |wanted: Holds| standings.iter().all(|it| it.holds == wanted || it.holds == Holds::Either);
    if all(Holds::After) {
        drop(record.drop_new());
        return Ok(Probed::Happened);
    }
    if all(Holds::Before) {
        remove_made(root, &manifest);
        drop(record.drop_new());
        return Ok(Probed::DidNotHappen);
    }
    Ok(Probed::Inconclusive(standings))
}

/// Directories made for files that never came, if nothing else is in them.
fn remove_made(root: &Root, manifest: &Manifest) {
    let made = |entry: &&Entry| entry.is_way() && entry.before.is_none();
    for entry in manifest.paths.iter().rev().filter(made) {
        if let Ok(Some(parent)) = parent_of(root, &entry.path) {
            let flags = rustix::fs::AtFlags::REMOVEDIR;
            // Not empty, or not there: either way there is nothing of ours to remove.
            let _ = rustix::fs::unlinkat(parent.dir(), parent.name(), flags);
        }
    }
}
