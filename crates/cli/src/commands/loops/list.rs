//! `loop list`: the loops of the workspace, the last changed first; with `--foreign` the files that
//! look like loops and are not ours.

use std::path::Path;

use edge::loops::{self, Listed, Page, STATUSES};
use runtime::config::AdoptForeign;
use runtime::query::{self, Filter};
use serde_json::{Value, json};

use super::show;
use crate::commands::known;
use crate::ctx::Ctx;
use crate::out::{self, Reply};
use crate::table;
use crate::trouble::{self, Trouble};

/// Most that one page holds.
pub const PAGE_MAX: u64 = loops::PAGE_MAX as u64;

/// `loop list`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only loops of this status.
    #[arg(long, value_name = "STATUS")]
    status: Option<String>,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u64).range(1..=PAGE_MAX))]
    limit: u64,
    /// Without the first so many.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
    /// Files that look like loops and are not ours.
    #[arg(long)]
    foreign: bool,
}

/// Lists them.
///
/// # Errors
/// An unknown status, or a journal that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let status = args.status.as_deref().unwrap_or("all");
    if !STATUSES.contains(&status) {
        return Err(trouble::bad_value("--status", status, &STATUSES));
    }
    if args.foreign {
        return foreign(ctx);
    }
    // A lost journal would look like an empty one; whoever wants none of it says so.
    let told = ctx.settings()?.settings.loops.adopt_foreign == AdoptForeign::Ask;
    let strange = if told { strangers(ctx)?.len() } else { 0 };
    if strange > 0 {
        let text = ctx.tell("lc-foreign", &[("count", &strange)]);
        let label = ctx.say("cli-notice");
        out::notice(&ctx.tell("cli-line", &[("label", &label), ("text", &text)]));
    }
    let page = Page { limit: index(args.limit), offset: index(args.offset) };
    answer(ctx, &loops::list(&ctx.site()?, status, page)?, args)
}

/// A number of rows.
pub fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn answer(ctx: &Ctx, listed: &Listed, args: &Args) -> Result<Reply, Trouble> {
    let (total, more) = (listed.total, listed.more);
    let rows: Vec<Value> = listed.loops.iter().map(|(life, seq)| loops::row(life, *seq)).collect();
    let data = json!({
        "loops": rows, "total": total, "limit": args.limit, "offset": args.offset, "hasMore": more,
    });
    known::redacted(ctx, &data, |data| {
        let rows: Vec<Vec<String>> =
            data["loops"].as_array().into_iter().flatten().map(|row| cells(ctx, row)).collect();
        if rows.is_empty() {
            return ctx.say("lc-no-loops");
        }
        let mut text = table::draw(&ctx.heading(["loop", "status", "iteration", "title"]), &rows);
        if more {
            text = format!("{text}\n{}", ctx.tell("lc-more", &[("total", &total)]));
        }
        text
    })
}

fn cells(ctx: &Ctx, row: &Value) -> Vec<String> {
    let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let iteration = format!("{}/{}", row["current_iteration"], row["max_iterations"]);
    vec![text("loop_id"), show::status_word(ctx, &text("status")), iteration, text("title")]
}

/// Files named like a loop's document that the journal does not know. Nothing of them runs.
fn strangers(ctx: &Ctx) -> Result<Vec<String>, Trouble> {
    let mut found = Vec::new();
    if let Some(dir) = ctx.state_dir()? {
        let known = match ctx.journal()? {
            Some((_, journal)) => query::runs(&journal, &Filter::default())
                .map_err(|refusal| trouble::of_query(&refusal))?,
            None => Vec::new(),
        };
        for name in names(&dir.path) {
            if !known.iter().any(|head| head.run == name) {
                found.push(name);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn foreign(ctx: &Ctx) -> Result<Reply, Trouble> {
    let found = strangers(ctx)?;
    let data: Vec<Value> = found
        .iter()
        .map(|id| json!({ "loop_id": id, "status": "foreign", "file": format!(".loop/{id}.json") }))
        .collect();
    let text = if found.is_empty() { ctx.say("lc-no-foreign") } else { found.join("\n") };
    Ok(Reply::new(json!({ "loops": data, "total": found.len() }), text))
}

/// Ids of the documents in a directory.
fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let id = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let id = name.strip_suffix(".json")?;
        id.starts_with("loop-").then(|| id.to_owned())
    };
    entries.filter_map(id).collect()
}
