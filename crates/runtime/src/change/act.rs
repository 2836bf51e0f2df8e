//! Carrying out a prepared change, path by path. If one of them does not hold what was prepared
//! for, those already written are taken back, so that a change is whole or did not happen; only a
//! crash leaves it in the middle, and then its record says what is what.

use std::io;

use super::manifest::{Entry, Manifest, Of, Record};
use super::problem::Problem;
use super::revert::{Holds, Standing, holds, parent_of, revert, standings};
use super::steps::Steps;
use super::sweep::sweep;
use super::turn::{Swap, Turn, Turned};
use super::wanted::Removal;
use crate::files::{Fault, Parent, Root};

/// Whether a change is carried out for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// It is: a path that already holds the new content was changed by somebody else.
    First,
    /// It may have been begun before: what is done is done. For undo, which may be repeated.
    Again,
}

/// A change that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acted {
    /// Whether old content was compared in the same step in which it was replaced.
    pub cas: bool,
    /// The paths it changed. Its record may not be readable any more.
    pub changed: Vec<String>,
}

/// A change that did not happen, or not wholly.
#[derive(Debug)]
pub struct NotActed {
    /// Why.
    pub why: Problem,
    /// Paths that do not hold what stood there before; empty if nothing happened.
    pub mixed: Vec<Standing>,
}

/// Carries out what the record says.
///
/// # Errors
/// With what could not be taken back, if anything.
pub fn act(
    root: &Root,
    record: &Record,
    pass: Pass,
    swap: Swap,
    steps: Steps<'_>,
) -> Result<Acted, NotActed> {
    let untouched = |why| NotActed { why, mixed: Vec::new() };
    let manifest = record.read().map_err(untouched)?;
    let mut cas = true;
    for entry in &manifest.paths {
        match carry_out(root, record, entry, pass, swap, steps) {
            Ok(Swap::Exchange) => {}
            Ok(Swap::Rename) => cas = false,
            Err(why) => return Err(take_back(root, record, &manifest, why, steps)),
        }
    }
    // What is left of the staged bytes is swept with the call's other files.
    drop(record.drop_new());
    Ok(Acted { cas, changed: manifest.changed().collect() })
}

fn take_back(
    root: &Root,
    record: &Record,
    manifest: &Manifest,
    why: Problem,
    steps: Steps<'_>,
) -> NotActed {
    let mixed = match revert(root, record, manifest, steps) {
        // Somebody else's content is no part of what we did.
        Ok(standings) => standings.into_iter().filter(|it| it.holds == Holds::After).collect(),
        Err(_) => standings(root, manifest).unwrap_or_default(),
    };
    NotActed { why, mixed }
}

fn carry_out(
    root: &Root,
    record: &Record,
    entry: &Entry,
    pass: Pass,
    swap: Swap,
    steps: Steps<'_>,
) -> Result<Swap, Problem> {
    let parent = match parent_of(root, &entry.path) {
        Ok(Some(parent)) => parent,
        // Gone with the directory it was in.
        Ok(None) | Err(Fault::Symlink { .. }) if entry.after.is_none() && pass == Pass::Again => {
            return Ok(swap);
        }
        Ok(None) => root.open_parent(&entry.path)?,
        Err(fault) => return Err(fault.into()),
    };
    sweep(&parent, record, entry)?;
    let standing = holds(root, entry)?;
    match (standing.holds, pass) {
        (Holds::Either, _) | (Holds::After, Pass::Again) => return synced(&parent, swap, steps),
        (Holds::Before | Holds::After | Holds::Other, _) => {}
    }
    let turn = Turn {
        from: entry.before(),
        to: entry.after(),
        bytes: record.bytes(entry.n, Of::After),
        temp: &entry.temp,
        swap,
    };
    match turn.run(&parent, steps)? {
        Turned::Done(swap) => Ok(swap),
        Turned::Other(_) if entry.removal == Removal::IfEmpty => Ok(swap),
        Turned::Other(present) => Err(Problem::Changed {
            path: entry.path.clone(),
            expected: entry.before().map(|it| it.sha256),
            present: present.map(|it| it.sha256),
        }),
    }
}

/// Done before, perhaps by a process that died ere it synced.
fn synced(parent: &Parent, swap: Swap, steps: Steps<'_>) -> Result<Swap, Problem> {
    let fail = |error: io::Error| Fault::io(parent.path(), &error);
    steps.at("sync directory").map_err(fail)?;
    rustix::fs::fsync(parent.dir()).map_err(|errno| Fault::errno(parent.path(), errno))?;
    Ok(swap)
}
