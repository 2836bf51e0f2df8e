//! Tools of the engine's own within a call: they act here, in one of the hands, and no shim stands
//! over them. So a start of an earlier life is lost, and what became of it is told by the files.

use kernel::call::{Acts, Command as CallCommand, Done, Ended, Exit, Failure, Finding, Launch};
use kernel::call::{Facts, Prep};
use kernel::hash;
use kernel::machine::At;
use kernel::paths::Names;
use serde_json::{Value, json};

use super::pool::{Desk, Watching};
use super::prepare::{io_failure, of_io};
use super::work::of_call;
use crate::engine::Start;
use crate::files::{Fault, Root, Tool};
use crate::shim::durable;
use crate::shim::files::Ticket;
use crate::tools;

/// What a tool gave, kept beside its call: it may hold the user's text, which no record may.
pub const PAYLOAD: &str = "payload.json";
/// The level of what runs inside the engine.
const NO_SANDBOX: &str = "none";

/// Why a tool did not do it, with its facts.
type Failed = (Failure, Value);

/// How a call acts, if it is one of the engine's own tools.
pub(super) fn own(facts: &Facts) -> Option<Acts> {
    let acts = kernel::call::named(&facts.request.name)?.acts;
    match acts {
        Acts::Reads | Acts::Changes | Acts::Converges => Some(acts),
        Acts::Runs => None,
    }
}

/// Gets one ready: makes its directory.
pub(super) fn prepare(desk: &Desk, call: &str) -> Result<Prep, Failure> {
    use std::os::unix::fs::DirBuilderExt as _;
    let dir = desk.call_dir(call);
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(|why| of_io(&why))?;
    Ok(Prep { tree_before: None, program: None, sandbox: NO_SANDBOX.to_owned() })
}

/// Lets it act, and reports its end.
pub(super) fn act(desk: &Desk, start: &Start, acts: Acts) {
    let ticket = ticket(start);
    let watching =
        Watching { key: start.key.clone(), tree_before: None, facts: start.facts.clone() };
    desk.watching().insert(ticket.clone(), watching);
    let began = desk.clock.now();
    let done = match acted(desk, start, acts) {
        Ok(payload) => keep_payload(desk, &start.run, &payload),
        Err(failed) => Err(failed),
    };
    let (done, code) = match done {
        Ok(reference) => (Done::Payload(reference), 0),
        Err((failure, details)) => (Done::Failed { failure, details }, 1),
    };
    desk.watching().remove(&ticket);
    let exit = exit(began, desk.clock.now(), code, done);
    let (attempt, epoch) = (start.attempt, start.epoch);
    let command = CallCommand::Exited { attempt, epoch, exit: Box::new(exit) };
    desk.land(of_call(start.run.clone(), start.key.clone(), command));
}

fn acted(desk: &Desk, start: &Start, acts: Acts) -> Result<Value, Failed> {
    let request = &start.facts.request;
    let recorded = request.args.as_deref().ok_or_else(|| lost("no arguments"))?;
    let args = tools::load(&desk.plan.loop_dir, recorded)
        .map_err(|why| (of_io(&why), json!({ "path": "cache/args" })))?;
    let root = Root::open(&desk.plan.root).map_err(|fault| of_fault(&fault))?;
    match acts {
        Acts::Reads => {
            let tool = Tool::named(&request.name).ok_or_else(|| lost("no such tool"))?;
            tools::read(&root, &Names::default(), tool, &args).map_err(|fault| of_fault(&fault))
        }
        Acts::Changes | Acts::Converges | Acts::Runs => Err(lost("no such tool")),
    }
}

/// A start of an earlier life: nobody acts for it any more.
pub(super) fn attach(desk: &Desk, start: &Start) {
    let command = CallCommand::Lost { attempt: start.attempt, launch: Launch::Perhaps };
    desk.land(of_call(start.run.clone(), start.key.clone(), command));
}

/// One that acts now ends by itself in a moment; one that nobody acts for is lost.
pub(super) fn kill(desk: &Desk, start: &Start) {
    if !desk.watching().contains_key(&ticket(start)) {
        attach(desk, start);
    }
}

/// Looks at what a lost one left.
pub(super) fn probe(desk: &Desk, start: &Start, n: u32) {
    let finding = Finding::Inconclusive { evidence: String::new() };
    let command = CallCommand::Probed { attempt: start.attempt, n, finding };
    desk.land(of_call(start.run.clone(), start.key.clone(), command));
}

fn keep_payload(desk: &Desk, call: &str, payload: &Value) -> Result<Value, Failed> {
    let text = payload.to_string();
    durable::replace(&desk.call_dir(call), PAYLOAD, text.as_bytes())
        .map_err(|why| (of_io(&why), json!({ "path": PAYLOAD })))?;
    Ok(json!({
        "file": PAYLOAD, "bytes": text.len(), "sha256": hash::sha256_hex(text.as_bytes()),
    }))
}

fn exit(started_at: At, ended_at: At, code: i32, done: Done) -> Exit {
    Exit {
        ended: Ended::Exit,
        exit_code: Some(code),
        signal: None,
        started_at,
        ended_at,
        stdout_bytes: 0,
        stderr_bytes: 0,
        dropped_bytes: 0,
        sandbox: NO_SANDBOX.to_owned(),
        survivors: Vec::new(),
        tree_after: None,
        files_changed: Vec::new(),
        agent: None,
        done: Some(Box::new(done)),
    }
}

fn ticket(start: &Start) -> Ticket {
    Ticket { call_id: start.run.clone(), attempt: start.attempt, epoch: start.epoch }
}

fn of_fault(fault: &Fault) -> Failed {
    let kind = fault.kind().to_owned();
    let failure = Failure { code: fault.code().to_string(), kind, detail: String::new() };
    (failure, fault.details())
}

fn lost(why: &str) -> Failed {
    (io_failure("interrupted", why), json!({}))
}
