//! Tools of the engine's own within a call: they act here, in one of the hands, and no shim stands
//! over them. So a start of an earlier life is lost, and what became of it is told by the files.

use kernel::call::{Acts, Command as CallCommand, Done, Ended, Exit, Failure, Finding, Launch};
use kernel::call::{CHECKPOINT, Facts, LEFT_ALONE, Prep, ROLLBACK, UNDO};
use kernel::hash;
use kernel::machine::At;
use serde_json::{Value, json};

use super::arranged;
use super::commits;
use super::pool::{Desk, Watching};
use super::prepare::{io_failure, of_io};
use super::saved;
use super::start::ticket;
use super::unmarked;
use super::work::of_call;
use crate::change::{self, Force, NotActed, Pass, Probed, Record};
use crate::engine::Start;
use crate::files::Tool;
use crate::shim::durable;
use crate::tools::{self, Misfit, Trees};

/// What a tool gave, kept beside its call: it may hold the user's text, which no record may.
pub const PAYLOAD: &str = "payload.json";
/// Why a tool could not be made ready, kept beside its call.
pub const FAILED: &str = "failed.json";
/// Where content goes that is in an undo's way, below the directory of our files.
const ASIDE: &str = "aside";
/// The level of what runs inside the engine.
const NO_SANDBOX: &str = "none";

/// Why a tool did not do it, with its facts.
pub(super) type Failed = (Failure, Value);

/// How a call acts, if it is one of the engine's own tools.
pub(super) fn own(facts: &Facts) -> Option<Acts> {
    let acts = kernel::call::named(&facts.request.name)?.acts;
    match acts {
        Acts::Reads | Acts::Changes | Acts::Converges | Acts::Arranges | Acts::Commits => {
            Some(acts)
        }
        Acts::Runs => None,
    }
}

/// Gets one ready. What changes files is worked out here, and every old byte saved; what stands in
/// its way is kept beside the call, because a record has no room for it.
pub(super) fn prepare(desk: &Desk, call: &str, facts: &Facts, acts: Acts) -> Result<Prep, Failure> {
    use std::os::unix::fs::DirBuilderExt as _;
    let dir = desk.call_dir(call);
    let make = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&dir);
    make.map_err(|why| of_io(&why))?;
    let ready = match acts {
        Acts::Changes => worked_out(desk, call, facts, acts),
        Acts::Converges if facts.request.name == UNDO => worked_out(desk, call, facts, acts),
        Acts::Arranges => args(desk, facts).and_then(|args| arranged::prepare(desk, call, &args)),
        Acts::Commits => args(desk, facts).and_then(|args| commits::prepare(desk, call, &args)),
        Acts::Reads | Acts::Converges | Acts::Runs => Ok(()),
    };
    if let Err((failure, details)) = ready {
        // Without it the person still has the code and its kind.
        drop(durable::replace(&dir, FAILED, details.to_string().as_bytes()));
        return Err(failure);
    }
    Ok(Prep { tree_before: None, program: None, sandbox: NO_SANDBOX.to_owned(), unkept: None })
}

fn worked_out(desk: &Desk, call: &str, facts: &Facts, acts: Acts) -> Result<(), Failed> {
    let args = args(desk, facts)?;
    let root = desk.plan.hold().map_err(|fault| of_misfit(&(&fault).into()))?;
    let record = record(desk, call);
    if acts == Acts::Changes {
        return tools::prepare(&root, &record, &facts.request.name, &args, desk.plan.tools.links)
            .map_err(|problem| of_misfit(&(&problem).into()));
    }
    let undone = self::record(desk, args["call"].as_str().unwrap_or_default());
    let left = match Trees::of(args["before"].as_str(), args["after"].as_str()) {
        Some(trees) => unmarked::draw(desk, &root, &undone, trees)?,
        None => unmarked::of_rollback(desk, &root, &undone)?,
    };
    let force = match args["foreign"].as_str() {
        Some("aside") => Force::Aside,
        Some("keep") => Force::Keep,
        Some(_) | None => Force::No,
    };
    let aside = desk.plan.loop_dir.join(ASIDE).join(call);
    tools::prepare_undo(&root, &record, &undone, force, &aside, &left)
        .map_err(|problem| of_misfit(&(&problem).into()))
}

pub(super) fn args(desk: &Desk, facts: &Facts) -> Result<Value, Failed> {
    let recorded = facts.request.args.as_deref().ok_or_else(|| lost("no arguments"))?;
    tools::load(&desk.plan.loop_dir, recorded)
        .map_err(|why| (of_io(&why), json!({ "path": "cache/args" })))
}

pub(super) fn record(desk: &Desk, call: &str) -> Record {
    Record { dir: desk.call_dir(call), call_id: call.to_owned() }
}

/// Lets it act, and reports its end.
pub(super) fn act(desk: &Desk, start: &Start, acts: Acts) {
    let ticket = ticket(start);
    let watching = Watching { tree_before: None, ..super::start::watching(start) };
    desk.watching().insert(ticket.clone(), watching);
    let began = desk.clock.now();
    let failed = |(failure, details)| Done::Failed { failure, details };
    let (done, changed) = match acted(desk, start, acts) {
        // What it changed is told even where its answer cannot be kept.
        Ok((payload, changed)) => {
            let kept = keep_payload(desk, &start.run, &payload);
            (kept.map_or_else(failed, Done::Payload), changed)
        }
        Err(failure) => (failed(failure), Vec::new()),
    };
    desk.watching().remove(&ticket);
    let exit = Exit { files_changed: changed, ..exit(began, desk.clock.now(), done) };
    let (attempt, epoch) = (start.attempt, start.epoch);
    let command = CallCommand::Exited { attempt, epoch, exit: Box::new(exit) };
    desk.land(of_call(start.run.clone(), start.key.clone(), command));
}

/// What it gave, and the paths that it changed.
fn acted(desk: &Desk, start: &Start, acts: Acts) -> Result<(Value, Vec<String>), Failed> {
    let root = desk.plan.hold().map_err(|fault| of_misfit(&(&fault).into()))?;
    let pass = match acts {
        Acts::Reads | Acts::Runs => {
            let args = args(desk, &start.facts)?;
            let tool = Tool::named(&start.facts.request.name);
            let tool = tool.ok_or_else(|| lost("no such tool"))?;
            return tools::read(&root, &desk.plan.tools, tool, &args)
                .map(|payload| (payload, Vec::new()))
                .map_err(|fault| of_misfit(&(&fault).into()));
        }
        Acts::Changes => Pass::First,
        Acts::Arranges => return arranged::act(desk, start, &root),
        Acts::Commits => {
            let args = args(desk, &start.facts)?;
            return commits::make(desk, &start.run, &args).map(|made| (made, Vec::new()));
        }
        Acts::Converges => match start.facts.request.name.as_str() {
            CHECKPOINT => {
                let args = args(desk, &start.facts)?;
                return saved::make(desk, &start.run, &args).map(|made| (made, Vec::new()));
            }
            ROLLBACK => {
                let watching = desk.watching().get(&ticket(start)).cloned();
                let mut told = watching.map(|watching| watching.told).unwrap_or_default();
                return saved::roll_back(desk, &start.run, &args(desk, &start.facts)?, &mut told);
            }
            _ => {
                let args = args(desk, &start.facts)?;
                commits::take_back(desk, args["call"].as_str().unwrap_or_default())?;
                Pass::Again
            }
        },
    };
    tools::act(&root, &record(desk, &start.run), pass).map_err(|NotActed { why, mixed }| {
        let (failure, mut details) = of_misfit(&(&why).into());
        if !mixed.is_empty() {
            details["mixed"] = json!(mixed);
        }
        (failure, details)
    })
}

/// A start of an earlier life: nobody acts for it any more.
pub(super) fn attach(desk: &Desk, start: &Start) {
    let command = CallCommand::Lost { attempt: start.attempt, launch: Launch::Perhaps };
    desk.land(of_call(start.run.clone(), start.key.clone(), command));
}

/// One that acts now ends by itself in a moment, a rollback before its next path; one that nobody
/// acts for is lost.
pub(super) fn kill(desk: &Desk, start: &Start) {
    let acts = desk.watching().get(&ticket(start)).map(|watching| watching.told.stop());
    if acts.is_none() {
        attach(desk, start);
    }
}

/// Looks at what a lost one left: the files tell.
pub(super) fn probe(desk: &Desk, start: &Start, n: u32) {
    // What its last writing was cut off at is nobody's: there is no such file in most cases.
    durable::sweep(&desk.call_dir(&start.run), PAYLOAD);
    let probed = match own(&start.facts) {
        Some(Acts::Commits) => args(desk, &start.facts)
            .map_err(|(failure, _)| failure.kind)
            .and_then(|args| commits::probe(desk, &start.run, &args)),
        Some(Acts::Reads | Acts::Changes | Acts::Converges | Acts::Arranges | Acts::Runs)
        | None => {
            let root = desk.plan.hold().map_err(|fault| fault.to_string());
            root.and_then(|root| {
                let found = change::probe(&root, &record(desk, &start.run));
                found.map_err(|problem| problem.to_string())
            })
        }
    };
    let finding = match probed {
        Ok(Probed::Happened) => Finding::Happened,
        Ok(Probed::DidNotHappen) => Finding::DidNotHappen,
        Ok(Probed::Inconclusive(standings)) => {
            Finding::Inconclusive { evidence: json!(standings).to_string() }
        }
        Err(evidence) => Finding::Inconclusive { evidence },
    };
    let command = CallCommand::Probed { attempt: start.attempt, n, finding };
    desk.land(of_call(start.run.clone(), start.key.clone(), command));
}

fn keep_payload(desk: &Desk, call: &str, payload: &Value) -> Result<Value, Failed> {
    let text = payload.to_string();
    durable::replace(&desk.call_dir(call), PAYLOAD, text.as_bytes())
        .map_err(|why| (of_io(&why), json!({ "path": PAYLOAD })))?;
    let mut kept = json!({
        "file": PAYLOAD, "bytes": text.len(), "sha256": hash::sha256_hex(text.as_bytes()),
    });
    let left_alone = left_alone(payload);
    if !left_alone.is_empty() {
        kept[LEFT_ALONE] = json!(left_alone);
    }
    Ok(kept)
}

/// The paths that an undo left as they are: whoever asked for it has to name them.
fn left_alone(payload: &Value) -> Vec<&str> {
    let lists = [&payload["plan"]["kept"], &payload["not_undone"]];
    let all = lists.into_iter().filter_map(Value::as_array).flatten();
    all.filter_map(|one| one["path"].as_str()).collect()
}

fn exit(started_at: At, ended_at: At, done: Done) -> Exit {
    Exit {
        ended: Ended::Exit,
        exit_code: None,
        signal: None,
        started_at,
        ended_at,
        stdout_bytes: 0,
        stderr_bytes: 0,
        dropped_bytes: 0,
        sandbox: NO_SANDBOX.to_owned(),
        held: Box::default(),
        survivors: Vec::new(),
        tree_after: None,
        files_changed: Vec::new(),
        changes: None,
        agent: None,
        done: Some(Box::new(done)),
    }
}

pub(super) fn of_misfit(misfit: &Misfit) -> Failed {
    let (code, kind) = (misfit.code.to_string(), misfit.kind.to_owned());
    // Whoever owns the call sees no details: files that are others' by now are named to people.
    let paths = misfit.details["paths"].as_array().into_iter().flatten();
    let names: Vec<&str> = paths.filter_map(|one| one["path"].as_str()).collect();
    (Failure { code, kind, detail: names.join(", ") }, misfit.details.clone())
}

fn lost(why: &str) -> Failed {
    (io_failure("interrupted", why), json!({}))
}
