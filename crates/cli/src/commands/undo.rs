//! `undo`: a call, or all calls of a run or a step taken back, or, with `--dry-run`, what that
//! would do.
//! Showing it needs no engine and changes nothing.

use edge::calls;
use edge::door::{Ask, CallSay};
use kernel::call;
use kernel::errors::Exit;
use kernel::run::Kind;
use runtime::change::{Planned, Problem};
use runtime::tools::{Misfit, Taken, Would};
use serde_json::{Value, json};

use super::known::{self, Known};
use super::undo_step::{self, Step};
use super::{tool, waited};
use crate::ctx::Ctx;
use crate::desk;
use crate::live::People;
use crate::live::interrupt;
use crate::live::keep::Keep;
use crate::out::Reply;
use crate::table;
use crate::trouble::Trouble;

/// `undo`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The call, a whole run, or a step: a run and a part of it.
    #[arg(value_name = "CALL|STEP|RUN")]
    what: String,
    /// Only show what would be done.
    #[arg(long)]
    dry_run: bool,
    /// Move aside what was changed since, then take back.
    #[arg(long)]
    force: bool,
}

/// Takes calls back and waits for it, or shows what that would do.
///
/// # Errors
/// What stood in the way, with each path, or that no engine answers.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let (run, part) = args.what.split_once('/').unwrap_or((&args.what, ""));
    let whole_run = part.is_empty() && known::run(ctx, run)?.head.machine != Kind::Call.name();
    if whole_run || !part.is_empty() {
        let step = undo_step::calls(ctx, run, part)?;
        return if args.dry_run { shown(ctx, args, &step.calls) } else { whole(ctx, args, &step) };
    }
    let known = known::run_of(ctx, &args.what, Kind::Call)?;
    if args.dry_run {
        return shown(ctx, args, &[taken(&known)?]);
    }
    interrupt::listen();
    let mut keep = Keep::new(desk::open(ctx)?);
    match take_back(ctx, &mut keep, &known.head.run, args)? {
        Took::Back(told) => known::redacted(ctx, &told, |told| lines(ctx, told).join("\n")),
        Took::Not(reply) => Ok(reply),
    }
}

/// Takes back every call of a step, the newest first. The whole is planned before the first is
/// touched; what was done when one of them fails stays done, and asking again goes on from there.
fn whole(ctx: &Ctx, args: &Args, step: &Step) -> Result<Reply, Trouble> {
    let would = calls::planned(&ctx.site()?, &step.calls)?;
    if !would.conflicts.is_empty() && !args.force {
        return Err(edge::checkpoints::of(&Misfit::from(&Problem::Undo(would.conflicts))));
    }
    interrupt::listen();
    let mut keep = Keep::new(desk::open(ctx)?);
    let mut done: Vec<Value> = Vec::new();
    for taken in &step.calls {
        let took =
            take_back(ctx, &mut keep, &taken.record.call_id, args).map_err(|mut trouble| {
                trouble.details["undone"] = done.iter().map(|told| told["call"].clone()).collect();
                trouble
            })?;
        match took {
            Took::Back(told) => done.push(told),
            Took::Not(reply) => return Ok(reply),
        }
    }
    let data = json!({ "step": args.what, "calls": done, "skipped": step.skipped });
    known::redacted(ctx, &data, |data| {
        let calls = data["calls"].as_array().into_iter().flatten();
        calls.flat_map(|told| lines(ctx, told)).collect::<Vec<_>>().join("\n")
    })
}

/// A call as its undo would find it, if it may be taken back at all.
fn taken(known: &Known) -> Result<Taken, Trouble> {
    let state = calls::state(known)?;
    let refused = |refusal| calls::refused(&known.head.run, &state, &refusal);
    calls::may(known, &state).map_err(refused)?;
    Ok(calls::taken(known, &state))
}

/// What would be done; it ends as the undo itself would.
fn shown(ctx: &Ctx, args: &Args, taken: &[Taken]) -> Result<Reply, Trouble> {
    let would = calls::planned(&ctx.site()?, taken)?;
    let ids: Vec<&str> = taken.iter().map(|taken| taken.record.call_id.as_str()).collect();
    let mut data = json!(would);
    data["calls"] = json!(ids);
    data["force"] = json!(args.force);
    let reply = known::redacted(ctx, &data, |_| page(ctx, args, &would))?;
    let stopped = !would.conflicts.is_empty() && !args.force;
    Ok(if stopped { reply.ended(Exit::CONFLICT, "conflict") } else { reply })
}

fn page(ctx: &Ctx, args: &Args, would: &Would) -> String {
    let rows: Vec<Vec<String>> = would.plan.paths.iter().map(row).collect();
    let mut lines = Vec::new();
    if !rows.is_empty() {
        let drawn = table::draw(&ctx.heading(["path", "action"]), &rows);
        lines.extend([drawn.trim_end().to_owned(), String::new()]);
    }
    for left in &would.not_undone {
        let (path, reason) = (left.path.text(), &left.reason);
        lines.push(ctx.tell("tool-not-undone", &[("path", &path), ("reason", reason)]));
    }
    if would.level == "best_effort" {
        lines.push(ctx.say("undo-elsewhere"));
    }
    let count = would.conflicts.len();
    lines.push(if would.plan.is_done() {
        ctx.say("undo-nothing")
    } else if count > 0 && !args.force {
        ctx.tell("undo-conflicts", &[("count", &count)])
    } else {
        ctx.say("undo-would")
    });
    lines.join("\n")
}

fn row(planned: &Planned) -> Vec<String> {
    let action = json!(planned.action).as_str().unwrap_or_default().to_owned();
    let action = if planned.aside { format!("aside, {action}") } else { action };
    vec![planned.path.as_str().to_owned(), action]
}

/// How an undo ended.
enum Took {
    /// It is done; what is to be told of it.
    Back(Value),
    /// It was not done, or the person no longer waits.
    Not(Reply),
}

fn take_back(ctx: &Ctx, keep: &mut Keep, id: &str, args: &Args) -> Result<Took, Trouble> {
    let trace = keep.desk().trace();
    let say = CallSay::Undo { force: args.force };
    keep.desk().take(&Ask::Call { run: id.to_owned(), trace, say })?;
    let Some(done) = waited::until_ended(ctx, keep, id, People::Away)? else {
        return Ok(Took::Not(Reply::printed(Exit::CANCELLED)));
    };
    let tried = calls::undo_of(&ctx.site()?, &done.known)?;
    if let call::State::Undone { undo_key, .. } = &done.state {
        return Ok(Took::Back(calls::took_back(id, undo_key, tried.as_ref())));
    }
    match tried {
        Some(tried) => tool::told(ctx, &tried).map(Took::Not),
        None => tool::stands(ctx, &done).map(Took::Not),
    }
}

fn lines(ctx: &Ctx, told: &Value) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut lines = vec![ctx.tell("tool-undone", &[("call", &word(&told["call"]))])];
    for left in told["not_undone"].as_array().into_iter().flatten() {
        let (path, reason) = (word(&left["path"]), word(&left["reason"]));
        lines.push(ctx.tell("tool-not-undone", &[("path", &path), ("reason", &reason)]));
    }
    if told["level"] == "best_effort" {
        lines.push(ctx.say("tool-undone-elsewhere"));
    }
    lines
}
