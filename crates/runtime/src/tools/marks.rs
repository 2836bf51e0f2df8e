//! What a process changed, as its marks tell it, drawn as a record that an undo can read. Whether
//! the record is written or only looked at is the caller's to say.

use std::path::Path;

use super::fits::Misfit;
use crate::change::{self, Left, Level, Manifest, Marked, Problem, Record, Saves};
use crate::checkpoints::{self, FileChange, Keeper, Named};
use crate::files::Root;
use crate::rollback::Begun;
use crate::tree::{self, Hash, Mark};

/// The marks of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trees {
    /// Before it.
    pub before: Hash,
    /// After it; a call that was lost has none.
    pub after: Option<Hash>,
}

impl Trees {
    /// From digests as records hold them; none if the call was not marked.
    #[must_use]
    pub fn of(before: Option<&str>, after: Option<&str>) -> Option<Self> {
        let before = before.and_then(Hash::from_hex)?;
        Some(Self { before, after: after.and_then(Hash::from_hex) })
    }
}

/// A process's changes, with where the bytes are that stood there before.
#[derive(Debug)]
pub struct Changed {
    before: Hash,
    files: Vec<FileChange>,
}

/// A record that was drawn.
#[derive(Debug)]
pub struct Drawn {
    /// The record.
    pub manifest: Manifest,
    /// The paths it can't speak of.
    pub left: Vec<Left>,
}

/// The difference of the two marks. Where there is no second one, what was seen to have changed
/// when the call was looked for stands in for it, else the tree as it is.
///
/// # Errors
/// When a mark is gone or damaged.
pub fn changes(
    marks: &Path,
    undone: &Record,
    trees: Trees,
    now: &mut dyn FnMut() -> Option<Mark>,
) -> Result<Changed, Problem> {
    let load = |digest| match tree::store::load(marks, digest) {
        Ok(Some(mark)) => Ok(mark),
        Ok(None) | Err(tree::store::Error::Damaged(_)) => Err(Problem::Damaged),
        Err(tree::store::Error::Io(why)) => Err(Problem::Record(why)),
    };
    let before: Mark = load(trees.before)?;
    let named = Named::default();
    let mut files = match trees.after {
        Some(after) => checkpoints::changed(&before, &load(after)?, &named),
        None => checkpoints::of_call(&undone.dir).map_err(Problem::Record)?,
    };
    if trees.after.is_none() && files.is_empty() {
        let now = now().ok_or(Problem::Damaged)?;
        files = checkpoints::changed(&before, &now, &named);
    }
    Ok(Changed { before: trees.before, files })
}

/// Draws the record of a process.
///
/// # Errors
/// When the bytes of its mark are gone, or the record can't be written.
pub fn drawn(
    keeper: &Keeper,
    root: &Root,
    undone: &Record,
    changed: &Changed,
    saves: Saves,
) -> Result<Drawn, Misfit> {
    let problem = |problem: Problem| Misfit::from(&problem);
    let of_keeper = |error: checkpoints::Error| Misfit::from(&error);
    if changed.files.is_empty() {
        let manifest = change::unchanged(undone, saves).map_err(problem)?;
        return Ok(Drawn { manifest, left: Vec::new() });
    }
    let commit = keeper.marked(changed.before).ok_or_else(|| problem(Problem::Damaged))?;
    let base = keeper.snapshot(commit).map_err(of_keeper)?;
    let marked = Marked { base: &base, changes: &changed.files, level: Level::BestEffort };
    from(keeper, root, undone, &marked, saves)
}

/// Draws the record of a rollback that has begun: what stood there before it is in the checkpoint
/// that it began with.
///
/// # Errors
/// When that checkpoint is gone or damaged, or the record can't be written.
pub(crate) fn drawn_back(
    keeper: &Keeper,
    root: &Root,
    undone: &Record,
    begun: &Begun,
    saves: Saves,
) -> Result<Drawn, Misfit> {
    let base = keeper.show(&begun.checkpoint).map_err(|error| Misfit::from(&error))?;
    let marked = Marked { base: &base, changes: &begun.changes, level: Level::Exact };
    from(keeper, root, undone, &marked, saves)
}

fn from(
    keeper: &Keeper,
    root: &Root,
    undone: &Record,
    marked: &Marked<'_>,
    saves: Saves,
) -> Result<Drawn, Misfit> {
    let mut reader = keeper.reader().map_err(|error| Misfit::from(&error))?;
    let mut bytes = |blob| reader.get("blob", blob).ok();
    let manifest = marked.draw(root, undone, saves, &mut bytes);
    let manifest = manifest.map_err(|problem| Misfit::from(&problem))?;
    Ok(Drawn { manifest, left: marked.left() })
}
