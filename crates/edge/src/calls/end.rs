//! How a call of a tool or a command ended: its payload, or why there is none.

use std::path::Path;

use kernel::call::{self, DeniedBy, Done as Kept, Failure, Given, Outcome};
use kernel::errors::{Class, Code, Exit, Machine, of_result};
use kernel::run::State;
use runtime::checks;
use runtime::hands::TOOL_FAILED;
use runtime::query::{self, Output, Pipe};
use runtime::redact::Redactor;
use runtime::shim::durable;
use serde_json::{Value, json};

use super::wait::Done;
use crate::problem::{Place, Raised};
use crate::site::{class, of_query};

/// What is read of a payload that is not shown but told in other words: one may speak of every file
/// of the largest tree.
pub const REPORT_BYTES_MAX: u64 = 256 << 20;
/// What is kept of why a call never began.
const FAILED_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// How it ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// A tool's payload.
    Tool(Value),
    /// What a command printed and changed, however it went.
    Command(Value),
    /// Not by itself: it waits, was stopped, or took too long.
    Stands,
}

/// Tells it, with a payload of at most so many bytes.
///
/// # Errors
/// Why there is no payload.
pub fn told(done: &Done, redactor: &Redactor, bytes_max: u64) -> Result<End, Raised> {
    let id = &done.known.head.run;
    if let call::State::Denied { by: DeniedBy::Policy { rule }, .. } = &done.state {
        let details = json!({ "rule": rule, "call": id });
        return Err(class(Class::PolicyDenied, details).at(place(id)));
    }
    let call::State::Settled { outcome, exit, .. } = &done.state else { return Ok(End::Stands) };
    let ended = exit.as_ref().and_then(|exit| exit.done.as_deref());
    if let (Some(exit), None) = (exit, ended) {
        return ran(done, exit, redactor).map(End::Command);
    }
    match (outcome, ended) {
        (Outcome::Ok, Some(Kept::Payload(kept))) => {
            Ok(End::Tool(json!({ "call": id, "payload": payload(done, kept, bytes_max) })))
        }
        (Outcome::Failed(_), Some(Kept::Failed { failure, details })) => {
            Err(failed(id, failure, details))
        }
        (Outcome::Failed(failure), _) => Err(failed(id, failure, &not_ready(done))),
        (Outcome::Ok | Outcome::TimedOut { .. } | Outcome::Stopped, _) => Ok(End::Stands),
    }
}

/// The payload itself where it may be shown, else where it lies.
#[must_use]
pub fn payload(done: &Done, kept: &Value, bytes_max: u64) -> Value {
    of_file(&done.known.dir.call(&done.known.head.run), kept, bytes_max)
}

/// The same of a call by its directory.
pub(crate) fn of_file(dir: &Path, kept: &Value, bytes_max: u64) -> Value {
    let Some(file) = kept["file"].as_str() else { return kept.clone() };
    let path = dir.join(file);
    let read = durable::read(&path, bytes_max).ok();
    let value = read.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    value.unwrap_or_else(|| json!({ "file": path, "bytes": kept["bytes"] }))
}

/// What stood in the way of a call that never began.
fn not_ready(done: &Done) -> Value {
    let path = done.known.dir.call(&done.known.head.run).join(TOOL_FAILED);
    let read = durable::read(&path, FAILED_BYTES_MAX).ok();
    read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_else(|| json!({}))
}

fn ran(done: &Done, exit: &call::Exit, redactor: &Redactor) -> Result<Value, Raised> {
    let id = &done.known.head.run;
    let given = done.state.facts().and_then(|facts| facts.request.given.as_deref());
    let payload = of_command(&done.known.dir.call(id), exit, given, redactor)?;
    Ok(json!({ "call": id, "payload": payload }))
}

/// A command that ended: how, what it printed last, what it changed.
///
/// # Errors
/// What it printed cannot be read.
pub(crate) fn of_command(
    dir: &Path,
    exit: &call::Exit,
    given: Option<&Given>,
    redactor: &Redactor,
) -> Result<Value, Raised> {
    let tail = |pipe| query::output(dir, pipe, redactor).map_err(|why| of_query(&why));
    let (stdout, stderr) = (tail(Pipe::Stdout)?, tail(Pipe::Stderr)?);
    let mut payload = printed(exit, &stdout, &stderr);
    payload["anchors"] = json!(checks::told(dir).0);
    payload["undeclared"] = json!(given.map(|given| given.undeclared(&exit.files_changed)));
    Ok(payload)
}

fn printed(exit: &call::Exit, stdout: &Output, stderr: &Output) -> Value {
    json!({
        "exit_code": exit.exit_code, "signal": exit.signal, "ended": exit.ended,
        "stdout_tail": stdout.text, "stderr_tail": stderr.text,
        "bytes": { "stdout": exit.stdout_bytes, "stderr": exit.stderr_bytes },
        "truncated": stdout.from > 0 || stderr.from > 0 || exit.dropped_bytes > 0,
        "files_changed": exit.files_changed, "sandbox": exit.sandbox,
    })
}

fn failed(call: &str, failure: &Failure, details: &Value) -> Raised {
    let mut details = details.clone();
    if let Some(fields) = details.as_object_mut() {
        fields.insert("call".to_owned(), json!(call));
        fields.entry("kind").or_insert_with(|| json!(failure.kind));
        if !failure.detail.is_empty() {
            fields.entry("detail").or_insert_with(|| json!(failure.detail));
        }
    }
    let code = Code::parse(&failure.code).unwrap_or(Code::Class(Class::Internal));
    Raised::new(code, details).at(place(call))
}

/// Where it went wrong: in this call.
fn place(call: &str) -> Place {
    Place {
        run_id: Some(call.to_owned()),
        machine: Some(Machine::Call.name().to_owned()),
        call_id: Some(call.to_owned()),
        ..Place::default()
    }
}

/// The exit code for how a call ended.
#[must_use]
pub fn exit_of(state: &State) -> Exit {
    let State::Call(state) = state else { return Exit::OK };
    let Some(result) = state.result() else { return Exit::OK };
    let mut failed = Exit::FAILED;
    if let call::State::Settled { outcome: Outcome::Failed(failure), .. } = state {
        failed = Code::parse(&failure.code).map_or(failed, |code| code.class().exit_of_run());
    }
    of_result(Machine::Call, result).unwrap_or(failed)
}
