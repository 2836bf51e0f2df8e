//! Loops that the journal does not know: a document in `.loop`, or one of the older place. They are
//! read and shown with where they lie; nothing of them runs, and nothing is written.

use kernel::loops::{valid_id, view};
use runtime::views;
use serde_json::{Value, json};

use super::{page, show};
use crate::commands::known;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table::{COLUMNS, cut};
use crate::trouble::Trouble;

/// One that was found.
pub struct Stray {
    /// What it says, by its own names.
    pub document: Value,
    /// Its file or its directory.
    file: String,
    /// The command that takes it in.
    take_in: String,
}

/// The loop of this very id, first in `.loop`, then in the older place.
///
/// # Errors
/// A state directory that is not ours.
pub fn find(ctx: &Ctx, id: &str) -> Result<Option<Stray>, Trouble> {
    // No id leads anywhere but to files of loops.
    if valid_id(id)
        && let Some(dir) = ctx.state_dir()?
        && let Some(document) = views::left(&dir.path, id)
    {
        return Ok(Some(Stray {
            document,
            file: format!(".loop/{id}.json"),
            take_in: format!("loopwright loop rebuild {id} --from-progress"),
        }));
    }
    let root = ctx.root()?.path;
    let old = views::old(&root).into_iter().find(|old| old.id == id);
    Ok(old.and_then(|old| {
        let file = old.path.strip_prefix(&root).unwrap_or(&old.path).display().to_string();
        let take_in = format!("loopwright loop migrate {id}");
        Some(Stray { document: old.document?, file, take_in })
    }))
}

/// Shows it.
///
/// # Errors
/// Settings that name further secrets and cannot be used.
pub fn show(ctx: &Ctx, id: &str, stray: Stray) -> Result<Reply, Trouble> {
    let Stray { document, file, take_in } = stray;
    let mut document = views::modern(document);
    document["loop_id"] = json!(id);
    document["derived"] = json!(view::derived(&document));
    document["ext"] = json!({ "foreign": { "file": file, "take_in": take_in } });
    known::redacted(ctx, &document, |document| drawn(ctx, document, &file, &take_in))
}

fn drawn(ctx: &Ctx, document: &Value, file: &str, take_in: &str) -> String {
    let text = |name: &str| document[name].as_str().unwrap_or("-").to_owned();
    let number = |name: &str| document[name].as_u64().unwrap_or(0);
    let status = show::status_word(ctx, &text("status"));
    let mut lines = vec![format!("{}  {status}", text("loop_id"))];
    lines.extend([document["title"].as_str().unwrap_or(&text("description")).to_owned()]);
    let (n, max) = (number("current_iteration"), number("max_iterations"));
    lines.push(ctx.tell("lc-iterations", &[("n", &n), ("max", &max)]));
    let tasks: Vec<String> = document["skill_state"]["develop"]["tasks"]
        .as_array()
        .into_iter()
        .flatten()
        .map(task)
        .collect();
    if !tasks.is_empty() {
        lines.push(ctx.say("lc-tasks"));
        lines.extend(tasks);
    }
    let (label, why) = (ctx.say("cli-notice"), ctx.tell("lc-stray", &[("file", &file)]));
    lines.push(ctx.tell("cli-line", &[("label", &label), ("text", &why)]));
    lines.push(page::next(ctx, &ctx.tell("lc-stray-next", &[("command", &take_in)])));
    lines.join("\n")
}

fn task(task: &Value) -> String {
    let text = |name: &str| task[name].as_str().unwrap_or("-");
    let mark = match text("status") {
        "completed" => "[x]",
        "failed" => "[!]",
        "in_progress" => "[>]",
        _ => "[ ]",
    };
    cut(&format!("  {mark} {}  {}  {}", text("id"), text("tool"), text("description")), COLUMNS)
}
