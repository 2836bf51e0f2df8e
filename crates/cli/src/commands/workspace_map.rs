//! `workspace map`: the most central files with the names they define. Needs no engine and reads
//! nothing that is secret or ignored.

use runtime::files::map;
use serde_json::json;

use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

/// Draws the map.
///
/// # Errors
/// When the root cannot be walked.
pub fn run(ctx: &Ctx) -> Result<Reply, Trouble> {
    let map = edge::workspace::map(&ctx.site()?)?;
    let lines: Vec<String> = map.files.iter().map(map::File::line).collect();
    let (shown, total) = (map.files.len(), map.files_total);
    let said = ctx.tell("map-said", &[("shown", &shown), ("total", &total)]);
    Ok(Reply::new(json!(map), format!("{}\n\n{said}", lines.join("\n"))))
}
