//! What a process changed, from the marks of its call to an undo record: the two looks say which
//! paths, the commit of the first has the bytes. What a process did elsewhere is nowhere recorded.

use super::pool::Desk;
use super::tool::{Failed, of_misfit};
use crate::change::{Left, Record, Saves};
use crate::files::Root;
use crate::rollback;
use crate::tools::{self, Misfit, Trees};

/// Draws the record of a call with these marks, and answers which paths it can't speak of.
pub(super) fn draw(
    desk: &Desk,
    root: &Root,
    undone: &Record,
    trees: Trees,
) -> Result<Vec<Left>, Failed> {
    let now = &mut || desk.mark().ok();
    let changes = tools::changes(&desk.marks_dir(), undone, trees, now);
    let changes = changes.map_err(|problem| of_misfit(&Misfit::from(&problem)))?;
    let drawn = tools::drawn(&desk.keeper(), root, undone, &changes, Saves::All);
    drawn.map(|drawn| drawn.left).map_err(|misfit| of_misfit(&misfit))
}

/// The same of a rollback, whose plan and checkpoint say what it changed; nothing of another tool,
/// which has written its record itself.
pub(super) fn of_rollback(desk: &Desk, root: &Root, undone: &Record) -> Result<Vec<Left>, Failed> {
    let begun = rollback::begun(&undone.dir).map_err(|why| of_misfit(&Misfit::from(&why)))?;
    let Some(begun) = begun else { return Ok(Vec::new()) };
    let drawn = tools::drawn_back(&desk.keeper(), root, undone, &begun, Saves::All);
    drawn.map(|drawn| drawn.left).map_err(|misfit| of_misfit(&misfit))
}
