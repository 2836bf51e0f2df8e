//! `undo`: a call taken back, or, with `--dry-run`, what that would do. Showing it needs no engine
//! and changes nothing.

use edge::door::{Ask, CallSay};
use edge::problem::{Place, Raised};
use kernel::call::{self, Command, Done, Foreign, TakeBack};
use kernel::errors::{Code, Exit, Machine};
use kernel::machine::{By, Refusal as _, Said};
use kernel::run::{Kind, State};
use runtime::change::{Planned, Record};
use runtime::files;
use runtime::query;
use runtime::tools::{self, Misfit, Taken, Trees, Would};
use serde_json::{Value, json};

use super::collab::now;
use super::known::{self, Known};
use super::waited;
use super::{checkpoint, tool};
use crate::ctx::Ctx;
use crate::desk;
use crate::live::interrupt;
use crate::live::keep::Keep;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// `undo`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The call.
    #[arg(value_name = "CALL")]
    call: String,
    /// Only show what would be done.
    #[arg(long)]
    dry_run: bool,
    /// Move aside what was changed since, then take back.
    #[arg(long)]
    force: bool,
}

/// Takes a call back and waits for it, or shows what that would do.
///
/// # Errors
/// What stood in the way, with each path, or that no engine answers.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let known = known::run_of(ctx, &args.call, Kind::Call)?;
    if args.dry_run {
        return shown(ctx, args, &[taken(&known)?]);
    }
    take_back(ctx, &known.head.run, args)
}

/// A call as its undo would find it, if it may be taken back at all.
fn taken(known: &Known) -> Result<Taken, Trouble> {
    let folded = query::fold(&known.journal, &known.head, None)
        .map_err(|refusal| trouble::of_query(&refusal))?;
    let call_id = known.head.run.clone();
    let State::Call(state) = folded.state else {
        let (machine, wanted) = (known.head.machine.clone(), Kind::Call.name());
        let other = query::Refusal::OtherMachine { id: call_id, machine, wanted };
        return Err(trouble::of_query(&other));
    };
    let how = TakeBack { call: call_id.clone(), foreign: Foreign::Refuse };
    let said = Said { by: By::Person, at: now(), command: Command::Undo(how) };
    call::decide(&state, &said).map_err(|refusal| refused(&call_id, &state, &refusal))?;
    let trees = state.trees();
    let record = Record { dir: known.dir.call(&call_id), call_id };
    Ok(Taken { record, trees: Trees::of(trees.before, trees.after) })
}

/// What the machine answers to an undo, as the engine would tell it.
fn refused(id: &str, state: &call::State, refusal: &call::Refusal) -> Trouble {
    let mut details = refusal.details();
    details["state"] = json!(state.name());
    let mut raised = Raised::new(Code::refused(Machine::Call, refusal.reason()), details);
    raised.allowed = Some(refusal.allowed().into_iter().map(str::to_owned).collect());
    raised.at(Place {
        run_id: Some(id.to_owned()),
        call_id: Some(id.to_owned()),
        machine: Some(Machine::Call.name().to_owned()),
        state: Some(state.name().to_owned()),
        ..Place::default()
    })
}

/// What would be done; it ends as the undo itself would.
fn shown(ctx: &Ctx, args: &Args, calls: &[Taken]) -> Result<Reply, Trouble> {
    let would = planned(ctx, calls)?;
    let ids: Vec<&str> = calls.iter().map(|taken| taken.record.call_id.as_str()).collect();
    let mut data = json!(would);
    data["calls"] = json!(ids);
    data["force"] = json!(args.force);
    let reply = known::redacted(ctx, &data, |_| page(ctx, args, &would))?;
    let stopped = !would.conflicts.is_empty() && !args.force;
    Ok(if stopped { reply.ended(Exit::CONFLICT, "conflict") } else { reply })
}

fn planned(ctx: &Ctx, calls: &[Taken]) -> Result<Would, Trouble> {
    let of_misfit = |misfit: Misfit| checkpoint::of(&misfit);
    let root = files::Root::open(&ctx.root()?.path).map_err(|fault| of_misfit((&fault).into()))?;
    let Some(dir) = ctx.state_dir()? else { return Ok(Would::default()) };
    let mut keeper = checkpoint::keeper(ctx)?;
    tools::would_undo(&root, &mut keeper, &dir.marks(), calls).map_err(of_misfit)
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

fn take_back(ctx: &Ctx, id: &str, args: &Args) -> Result<Reply, Trouble> {
    interrupt::listen();
    let mut keep = Keep::new(desk::open(ctx)?);
    let trace = keep.desk().trace();
    let say = CallSay::Undo { force: args.force };
    keep.desk().take(&Ask::Call { run: id.to_owned(), trace, say })?;
    let Some(done) = waited::until_ended(ctx, &mut keep, id, false)? else {
        return Ok(Reply::printed(Exit::CANCELLED));
    };
    let tried = waited::of_key(ctx, &done.known, id)?;
    if let call::State::Undone { undo_key, .. } = &done.state {
        return undone(ctx, id, undo_key, tried.as_ref());
    }
    match tried {
        Some(tried) => tool::told(ctx, &tried),
        None => tool::stands(ctx, &done),
    }
}

/// A call that was taken back, with what was not: paths no mark holds, and whatever a process did
/// elsewhere.
fn undone(ctx: &Ctx, id: &str, key: &str, undo: Option<&waited::Done>) -> Result<Reply, Trouble> {
    let mut told = Value::Null;
    if let Some(undo) = undo
        && let call::State::Settled { exit: Some(exit), .. } = &undo.state
        && let Some(Done::Payload(kept)) = exit.done.as_deref()
    {
        told = tool::payload(undo, kept);
    }
    let data = json!({
        "call": id, "undo": key, "level": told["level"], "aside": told["aside"],
        "not_undone": told["not_undone"],
    });
    known::redacted(ctx, &data, |data| {
        let mut lines = vec![ctx.tell("tool-undone", &[("call", &id)])];
        for left in data["not_undone"].as_array().into_iter().flatten() {
            let word = |name: &str| left[name].as_str().unwrap_or_default().to_owned();
            let (path, reason) = (word("path"), word("reason"));
            lines.push(ctx.tell("tool-not-undone", &[("path", &path), ("reason", &reason)]));
        }
        if data["level"] == "best_effort" {
            lines.push(ctx.say("tool-undone-elsewhere"));
        }
        lines.join("\n")
    })
}
