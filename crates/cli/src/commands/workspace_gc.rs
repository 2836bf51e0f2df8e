//! `workspace gc`: what files of runs that ended long ago can go, and, unless only asked, lets them
//! go. Needs no engine; what a live or lost call may still need is never among them.

use kernel::errors::{Code, Machine};
use runtime::checkpoints::{
    Always, Collected, Gc, KeepDays, Kept, Part, Standing, What, collect, look,
};
use runtime::query;
use runtime::tools::Misfit;
use serde_json::json;

use super::checkpoint;
use super::collab::now;
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

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
    desk::person(ctx, Machine::Workspace, "gc")?;
    let Some((dir, journal)) = ctx.journal()? else {
        return Ok(reply(ctx, &Gc::default(), (!args.dry_run).then(Collected::default)));
    };
    let facts = query::call_facts(&journal).map_err(|refusal| trouble::of_query(&refusal))?;
    let live = facts.iter().find(|fact| fact.standing == Standing::Live);
    let mut keeper = checkpoint::keeper(ctx)?;
    let settings = ctx.settings()?.settings;
    let (calls, checkpoints) = (settings.call.keep_days, settings.checkpoint.keep_days);
    let (now, keep) = (now(), KeepDays { calls, checkpoints });
    let texts = query::texts(&journal, now, calls);
    let texts = texts.map_err(|refusal| trouble::of_query(&refusal))?;
    let gc = look(&keeper, &facts, now, keep).with_texts(&dir.path, &texts, now, keep);
    if args.dry_run {
        return Ok(reply(ctx, &gc, None));
    }
    // Repacking is for the time between calls.
    if let Some(live) = live {
        let code = Code::refused(Machine::Workspace, "busy");
        return Err(Trouble::new(code, json!({ "holder": live.call, "run": live.call })));
    }
    let done = collect(&mut keeper, &gc, &mut Always);
    let done = done.map_err(|error| checkpoint::of(&Misfit::from(&error)))?;
    Ok(reply(ctx, &gc, Some(done)))
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
