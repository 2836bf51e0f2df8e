//! `workspace gc`: what files of runs that ended long ago can go, and, unless only asked, lets them
//! go. Needs no engine; what a live or lost call may still need is never among them.

use edge::workspace::{Sweep, sweep};
use runtime::checkpoints::{Collected, Gc, Kept, Part, What};
use serde_json::json;

use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::table;
use crate::trouble::Trouble;

/// `workspace gc`
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Args {
    /// Only say what would go.
    #[arg(long)]
    dry_run: bool,
}

/// Looks, and removes what may go.
///
/// # Errors
/// A call at work, a speaker who is no person, or what could not be removed.
pub fn run(ctx: &Ctx, args: Args) -> Result<Reply, Trouble> {
    let site = ctx.site()?;
    let how = if args.dry_run { Sweep::Shown } else { Sweep::Away };
    let swept = sweep(&desk::visit(ctx, &site), how)?;
    Ok(reply(ctx, &swept.plan, swept.done))
}

fn reply(ctx: &Ctx, gc: &Gc, done: Option<Collected>) -> Reply {
    let goes = gc.remove.iter().map(|part| gone(part, "goes"));
    let over = gc.over_quota.iter().map(|part| gone(part, "over_quota"));
    let rows: Vec<Vec<String>> = goes.chain(over).chain(gc.kept.iter().map(kept)).collect();
    let mut text = table::draw(&ctx.heading(["call", "what", "bytes", "state"]), &rows);
    if rows.is_empty() {
        text.clear();
    }
    let said = match done {
        Some(done) => {
            let (count, bytes) = (done.removed, done.freed_bytes);
            ctx.tell("gc-done", &[("count", &count), ("bytes", &bytes)])
        }
        None => {
            let count = gc.remove.len();
            ctx.tell("gc-would", &[("count", &count), ("bytes", &gc.bytes)])
        }
    };
    let said = if gc.over_quota.is_empty() {
        said
    } else {
        let (used, quota) = (gc.used_bytes, gc.quota_bytes);
        let more = ctx.tell("gc-over-quota", &[("used", &used), ("quota", &quota)]);
        format!("{said}\n{more}")
    };
    let text = if text.is_empty() { said } else { format!("{}\n\n{said}", text.trim_end()) };
    Reply::new(json!({ "plan": gc, "done": done }), text)
}

fn gone(part: &Part, state: &str) -> Vec<String> {
    let what = match &part.what {
        What::Spool { file } => (*file).to_owned(),
        What::Mark { .. } => "mark".to_owned(),
        What::Checkpoint { name } => name.clone(),
        What::Aside { folder } => format!("aside/{folder}"),
        What::Text { sha256 } => format!("text {sha256}"),
    };
    vec![part.call.clone(), what, part.bytes.to_string(), state.to_owned()]
}

fn kept(kept: &Kept) -> Vec<String> {
    let why = match kept.why {
        runtime::checkpoints::WhyKept::Live => "live",
        runtime::checkpoints::WhyKept::Unknown => "unknown",
        runtime::checkpoints::WhyKept::Young => "young",
        runtime::checkpoints::WhyKept::NoRecord => "no_record",
    };
    vec![kept.call.clone(), String::new(), String::new(), why.to_owned()]
}
