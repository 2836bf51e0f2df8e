//! The tools a call may name, and what their arguments must look like. It declares; running,
//! undoing and probing are done elsewhere under the same names.

use alloc::string::{String, ToString};

use serde_json::{Value, json};

use super::refusal::Refusal;
use super::request::{Class, Request};
use crate::agent::{self, Part};
use crate::hash;

/// One tool's declaration.
#[derive(Debug)]
pub struct Tool {
    /// Its one name.
    pub name: &'static str,
    /// Names it is also known by.
    pub aliases: &'static [&'static str],
    /// What repeating it can mean. `Read` for a command only because a policy rule declares it so.
    pub classes: &'static [Class],
}

/// Every tool of this build.
pub const TOOLS: [Tool; 2] = [
    Tool {
        name: RUN,
        aliases: &["run_terminal_cmd", "run_cmd"],
        classes: &[Class::Once, Class::Read],
    },
    Tool { name: AGENT, aliases: &["run_task"], classes: &[Class::Once] },
];

/// The tool that runs a command.
pub const RUN: &str = "run";
/// The tool that launches an agent.
pub const AGENT: &str = "agent";

/// The tool of that name or alias.
pub fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name || tool.aliases.contains(&name))
}

/// The request with its tool's one name, so that an alias is never another request.
pub fn canonical(request: &Request) -> Request {
    let name = named(&request.name).map_or(request.name.as_str(), |tool| tool.name);
    Request { name: name.to_string(), ..request.clone() }
}

/// What an approval and a repeated key are compared by.
pub fn request_hash(request: &Request) -> String {
    let canonical = canonical(request);
    hash::of_json(&json!({
        "name": canonical.name,
        "version": canonical.version,
        "args": args(&canonical),
        "cwd": canonical.cwd,
        "env_names": canonical.env_names,
    }))
}

fn args(request: &Request) -> Value {
    match &request.agent {
        None => json!({ "argv": request.argv }),
        Some(ask) => json!({ "agent": ask }),
    }
}

/// Checks a request against its tool's declaration.
pub fn check(request: &Request) -> Result<(), Refusal> {
    let Some(tool) = named(&request.name) else {
        return Err(Refusal::UnknownTool { name: request.name.clone() });
    };
    if !tool.classes.contains(&request.class) {
        return Err(invalid("/class", "a class this tool can have"));
    }
    match (&request.agent, tool.name) {
        (Some(ask), AGENT) => check_ask(ask)?,
        (None, AGENT) => return Err(Refusal::UnknownTool { name: request.argv.join(" ") }),
        (Some(_), _) => return Err(invalid("/args/agent", "nothing: this tool runs a command")),
        (None, _) => check_argv(&request.argv)?,
    }
    if !inside(&request.cwd) {
        return Err(invalid("/cwd", "a relative path without '..'"));
    }
    if request.env_names.iter().any(|name| name.is_empty() || name.contains(['=', '\0'])) {
        return Err(invalid("/env_names", "names without '='"));
    }
    Ok(())
}

fn check_argv(argv: &[String]) -> Result<(), Refusal> {
    if argv.first().is_none_or(String::is_empty) {
        return Err(invalid("/args/argv", "a program and its arguments"));
    }
    if argv.iter().any(|word| word.contains('\0')) {
        return Err(invalid("/args/argv", "words without NUL"));
    }
    Ok(())
}

fn check_ask(ask: &agent::Ask) -> Result<(), Refusal> {
    let size = |part: &Part| match part {
        Part::Text(text) => text.len(),
        Part::Answer { sha256, .. } => sha256.len(),
    };
    let bytes: usize = ask.prompt.iter().map(size).sum();
    if ask.agent.is_empty() {
        return Err(invalid("/args/agent/agent", "an agent's name"));
    }
    if bytes == 0 || bytes > agent::PROMPT_BYTES_MAX {
        return Err(invalid("/args/agent/prompt", "1 byte to 1 MiB of text"));
    }
    Ok(())
}

/// Whether a written directory stays below the root by its words alone; links are looked at when
/// the call is prepared.
fn inside(cwd: &str) -> bool {
    !cwd.starts_with('/') && !cwd.contains('\0') && cwd.split('/').all(|part| part != "..")
}

fn invalid(path: &'static str, expected: &'static str) -> Refusal {
    Refusal::InvalidArgs { path, expected }
}

/// A refusal's data for a field that failed.
pub fn field(path: &str, expected: &str) -> Value {
    json!({ "path": path, "expected": expected })
}
