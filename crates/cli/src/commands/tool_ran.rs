//! What `tool run run` tells of a command that ended: how, what it printed last, what it changed.

use kernel::call;
use kernel::run::State;
use runtime::checks;
use runtime::query::{self, Output, Pipe};
use serde_json::{Value, json};

use super::call::exit_of;
use super::known;
use super::waited::Done;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// Tells it; a command that failed is told like one that did not, by its own exit code.
///
/// # Errors
/// When its output cannot be read.
pub fn told(ctx: &Ctx, done: &Done, exit: &call::Exit) -> Result<Reply, Trouble> {
    let id = &done.known.head.run;
    let dir = done.known.dir.call(id);
    let redactor = ctx.redactor()?;
    let tail = |pipe| query::output(&dir, pipe, &redactor).map_err(|why| trouble::of_query(&why));
    let (stdout, stderr) = (tail(Pipe::Stdout)?, tail(Pipe::Stderr)?);
    let mut payload = payload(exit, &stdout, &stderr);
    payload["anchors"] = json!(checks::told(&dir).0);
    let given = done.state.facts().and_then(|facts| facts.request.given.as_deref());
    payload["undeclared"] = json!(given.map(|given| given.undeclared(&exit.files_changed)));
    let data = json!({ "call": id, "payload": payload });
    let reply = known::redacted(ctx, &data, |data| page(ctx, data))?;
    let word = done.state.result().unwrap_or_default();
    Ok(reply.ended(exit_of(&State::Call(done.state.clone())), word))
}

fn payload(exit: &call::Exit, stdout: &Output, stderr: &Output) -> Value {
    json!({
        "exit_code": exit.exit_code, "signal": exit.signal, "ended": exit.ended,
        "stdout_tail": stdout.text, "stderr_tail": stderr.text,
        "bytes": { "stdout": exit.stdout_bytes, "stderr": exit.stderr_bytes },
        "truncated": stdout.from > 0 || stderr.from > 0 || exit.dropped_bytes > 0,
        "files_changed": exit.files_changed, "sandbox": exit.sandbox,
    })
}

fn page(ctx: &Ctx, data: &Value) -> String {
    let payload = &data["payload"];
    let mut lines: Vec<String> = ["stdout_tail", "stderr_tail"]
        .iter()
        .filter_map(|name| payload[*name].as_str())
        .map(|text| text.trim_end().to_owned())
        .filter(|text| !text.is_empty())
        .collect();
    let undeclared = payload["undeclared"].as_array().into_iter().flatten();
    let paths: Vec<&str> = undeclared.filter_map(Value::as_str).collect();
    if !paths.is_empty() {
        lines.push(ctx.tell("tool-undeclared", &[("paths", &paths.join(", "))]));
    }
    let call = data["call"].as_str().unwrap_or_default();
    lines.push(ctx.tell("tool-done", &[("call", &call)]));
    lines.join("\n")
}
