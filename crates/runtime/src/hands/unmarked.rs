//! What a process changed, from the marks of its call to an undo record: the two looks say which
//! paths, the commit of the first has the bytes. What a process did elsewhere is nowhere recorded.

use super::pool::Desk;
use super::tool::{Failed, of_misfit};
use crate::change::{self, Left, Marked, Problem, Record};
use crate::checkpoints::{self, FileChange, Named};
use crate::files::Root;
use crate::tools::Misfit;
use crate::tree::{self, Hash, Mark};

/// Draws the record of a call with these marks, and answers which paths it can't speak of.
pub(super) fn draw(
    desk: &Desk,
    root: &Root,
    undone: &Record,
    before: Hash,
    after: Option<Hash>,
) -> Result<Vec<Left>, Failed> {
    let problem = |problem: Problem| of_misfit(&(&problem).into());
    let of_keeper = |error: checkpoints::Error| of_misfit(&Misfit::from(&error));
    let changes = changes(desk, undone, before, after).map_err(problem)?;
    if changes.is_empty() {
        change::unchanged(undone).map_err(problem)?;
        return Ok(Vec::new());
    }
    let keeper = desk.keeper();
    let commit = keeper.marked(before).ok_or_else(|| problem(Problem::Damaged))?;
    let base = keeper.snapshot(commit).map_err(of_keeper)?;
    let mut reader = keeper.reader().map_err(of_keeper)?;
    let marked = Marked { base: &base, changes: &changes };
    let mut bytes = |blob| reader.get("blob", blob).ok();
    marked.write(root, undone, &mut bytes).map_err(problem)?;
    Ok(marked.left())
}

/// The difference of the two marks. A call that was lost has no second one: what was seen to have
/// changed when it was looked for stands in for it, else the tree as it is.
fn changes(
    desk: &Desk,
    undone: &Record,
    before: Hash,
    after: Option<Hash>,
) -> Result<Vec<FileChange>, Problem> {
    let load = |digest| match tree::store::load(&desk.marks_dir(), digest) {
        Ok(Some(mark)) => Ok(mark),
        Ok(None) | Err(tree::store::Error::Damaged(_)) => Err(Problem::Damaged),
        Err(tree::store::Error::Io(why)) => Err(Problem::Record(why)),
    };
    let before: Mark = load(before)?;
    let named = Named::default();
    if let Some(after) = after {
        return Ok(checkpoints::changed(&before, &load(after)?, &named));
    }
    let seen = checkpoints::of_call(&undone.dir).map_err(Problem::Record)?;
    if !seen.is_empty() {
        return Ok(seen);
    }
    let now = desk.mark().map_err(|_| Problem::Damaged)?;
    Ok(checkpoints::changed(&before, &now, &named))
}
