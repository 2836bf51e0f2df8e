//! `loop list`: the loops of the workspace, the last changed first; with `--foreign` the files that
//! look like loops and are not ours.

use std::path::Path;

use journal::Head;
use kernel::run::State;
use runtime::config::AdoptForeign;
use runtime::query::{self, Filter};
use serde_json::{Value, json};

use super::{said, show};
use crate::commands::known;
use crate::ctx::Ctx;
use crate::out::{self, Reply};
use crate::table;
use crate::trouble::{self, Trouble};

/// The statuses a loop can have.
const STATUSES: [&str; 6] = ["all", "created", "running", "paused", "completed", "failed"];
/// Most that one page holds.
pub const PAGE_MAX: u64 = 500;

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
    let Some((_, journal)) = ctx.journal()? else { return answer(ctx, &[], 0, args) };
    let of = |refusal| trouble::of_query(&refusal);
    let mut heads = said::all(&journal)?;
    let fits = |head: &Head| match status {
        "all" => STATUSES.contains(&head.status.as_str()),
        status => head.status == status,
    };
    heads.retain(fits);
    heads.sort_by(|a, b| (b.updated_ms, &a.run).cmp(&(a.updated_ms, &b.run)));
    let (offset, limit) = (index(args.offset), index(args.limit));
    let mut rows = Vec::new();
    for head in heads.iter().skip(offset).take(limit) {
        let folded = query::fold(&journal, head, None).map_err(of)?;
        rows.extend(row(&folded.state, folded.seq));
    }
    answer(ctx, &rows, heads.len(), args)
}

/// A number of rows.
pub fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// What a list shows of a loop.
fn row(state: &State, seq: u64) -> Option<Value> {
    let State::Loop(state) = state else { return None };
    let life = state.life()?;
    let document = kernel::loops::view::draw(life, seq);
    let progress = kernel::loops::view::derived(&document).effective_progress;
    Some(json!({
        "loop_id": document["loop_id"], "title": document["title"],
        "status": document["status"], "current_iteration": document["current_iteration"],
        "max_iterations": document["max_iterations"],
        "current_action": document["skill_state"]["current_action"],
        "pause": document["ext"]["pause"]["reason"],
        "created_at": document["created_at"], "updated_at": document["updated_at"],
        "effective_progress": progress,
    }))
}

fn answer(ctx: &Ctx, rows: &[Value], total: usize, args: &Args) -> Result<Reply, Trouble> {
    let more = index(args.offset).saturating_add(rows.len()) < total;
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
