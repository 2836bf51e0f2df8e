//! `workspace map`: the most central files with the names they define. Needs no engine and reads
//! nothing that is secret or ignored.

use runtime::files::{Root, map};
use runtime::tools::{Bounds, Misfit};
use serde_json::json;

use super::checkpoint;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

/// Draws the map.
///
/// # Errors
/// When the root cannot be walked.
pub fn run(ctx: &Ctx) -> Result<Reply, Trouble> {
    let bounds = Bounds::of(&ctx.settings()?.settings);
    let fault = |fault| checkpoint::of(&Misfit::from(&fault));
    let root = Root::open(&ctx.root()?.path).map_err(fault)?;
    let map = map::map(&bounds.desk(&root)).map_err(fault)?;
    let lines: Vec<String> = map.files.iter().map(map::File::line).collect();
    let (shown, total) = (map.files.len(), map.files_total);
    let said = ctx.tell("map-said", &[("shown", &shown), ("total", &total)]);
    Ok(Reply::new(json!(map), format!("{}\n\n{said}", lines.join("\n"))))
}
