//! The tools a call may name, and what their arguments must look like. It declares; running,
//! undoing and probing are done elsewhere under the same names.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::refusal::Refusal;
use super::request::{Args, Class, GRACE_MS, OnUnknown, Request};
use super::standing::Trees;
use super::state::TakeBack;
use crate::agent::{self, Part};
use crate::hash;

/// How a tool acts. It decides what repeating it means, what becomes of a lost start and how far it
/// can be taken back: there is no tool without an answer to these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acts {
    /// The engine reads; a lost start is run again.
    Reads,
    /// The engine changes files after a preflight: a lost start is looked at by the files' hashes,
    /// and every byte can be taken back.
    Changes,
    /// The engine acts so that repeating it gives the same end.
    Converges,
    /// The engine changes files by a plan that is fixed before it starts: repeating it carries on
    /// where it stopped, and every byte can be taken back.
    Arranges,
    /// The engine commits: a lost start is looked at by what the branch ends with.
    Commits,
    /// A process acts below a shim, whose files tell what became of it.
    Runs,
}

/// One tool's declaration.
#[derive(Debug)]
pub struct Tool {
    /// Its one name.
    pub name: &'static str,
    /// Names it is also known by.
    pub aliases: &'static [&'static str],
    /// How it acts.
    pub acts: Acts,
    /// What it needs to be allowed.
    pub permission: &'static str,
}

impl Tool {
    /// What repeating it can mean. `Read` for a command only because a policy rule declares it so.
    #[must_use]
    pub fn classes(&self) -> &'static [Class] {
        match self.acts {
            Acts::Reads => &[Class::Read],
            Acts::Changes => &[Class::Guarded],
            Acts::Converges | Acts::Arranges => &[Class::Converge],
            Acts::Commits => &[Class::Once],
            Acts::Runs if self.name == AGENT => &[Class::Once],
            Acts::Runs => &[Class::Once, Class::Read],
        }
    }
}

/// Every tool of this build.
pub const TOOLS: [Tool; 14] = [
    reads("read", &["read_file"]),
    reads("list", &["list_dir"]),
    reads("search", &["grep", "glob_file_search"]),
    reads("search_semantic", &["codebase_search"]),
    changes("apply_patch", &["patch"], "fs.write"),
    changes("write", &["write_file"], "fs.write"),
    changes("delete", &["delete_file"], "fs.delete"),
    Tool { name: CHECKPOINT, aliases: &[], acts: Acts::Converges, permission: "checkpoint" },
    Tool { name: ROLLBACK, aliases: &[], acts: Acts::Converges, permission: "fs.write" },
    Tool { name: UNDO, aliases: &["undo_patch"], acts: Acts::Converges, permission: "fs.write" },
    Tool { name: PACKAGE, aliases: &[], acts: Acts::Arranges, permission: "fs.write" },
    Tool { name: GIT_COMMIT, aliases: &[], acts: Acts::Commits, permission: "git.write" },
    Tool {
        name: RUN,
        aliases: &["run_terminal_cmd", "run_cmd"],
        acts: Acts::Runs,
        permission: "proc.exec",
    },
    Tool { name: AGENT, aliases: &["run_task"], acts: Acts::Runs, permission: "proc.exec" },
];

const fn reads(name: &'static str, aliases: &'static [&'static str]) -> Tool {
    Tool { name, aliases, acts: Acts::Reads, permission: "fs.read" }
}

const fn changes(
    name: &'static str,
    aliases: &'static [&'static str],
    permission: &'static str,
) -> Tool {
    Tool { name, aliases, acts: Acts::Changes, permission }
}

/// The tool that runs a command.
pub const RUN: &str = "run";
/// The tool that launches an agent.
pub const AGENT: &str = "agent";
/// The tool that keeps the tree as it is.
pub const CHECKPOINT: &str = "checkpoint";
/// The tool that brings the tree back to a checkpoint.
pub const ROLLBACK: &str = "rollback";
/// The tool that commits what a turn changed.
pub const GIT_COMMIT: &str = "git_commit";
/// The tool that arranges packages and the knowledge base.
pub const PACKAGE: &str = "package";
/// The tool that takes a call back.
pub const UNDO: &str = "undo";
/// Version of the declarations above.
pub const VERSION: &str = "1.0.0";
/// Wall limit of a tool of the engine's own: far more than its own bounds let it take.
const TOOL_DEADLINE_MS: u64 = 300_000;

/// A request to a tool of the engine's own; none if there is no such tool.
#[must_use]
pub fn request(name: &str, args: Args) -> Option<Request> {
    let tool = named(name)?;
    Some(Request {
        name: tool.name.to_string(),
        version: VERSION.to_string(),
        argv: Vec::new(),
        agent: None,
        args: Some(Box::new(args)),
        cwd: ".".to_string(),
        env_names: Vec::new(),
        collect: Vec::new(),
        class: *tool.classes().first()?,
        deadline_ms: TOOL_DEADLINE_MS,
        idle_ms: None,
        grace_ms: GRACE_MS,
        on_unknown: OnUnknown::Wait,
        given: None,
    })
}

/// A request to a tool that runs a process in the root, yet without what it runs.
#[must_use]
pub fn process(name: &str, deadline_ms: u64, on_unknown: OnUnknown) -> Request {
    Request {
        name: name.to_string(),
        version: VERSION.to_string(),
        argv: Vec::new(),
        agent: None,
        args: None,
        cwd: ".".to_string(),
        env_names: Vec::new(),
        collect: Vec::new(),
        class: Class::Once,
        deadline_ms,
        idle_ms: None,
        grace_ms: GRACE_MS,
        on_unknown,
        given: None,
    }
}

/// The request that takes a call back. What a process did stands between the two marks of its
/// call; a tool of the engine's own keeps a record beside its call and has none.
#[must_use]
pub fn undo_request(undo: &TakeBack, trees: &Trees<'_>) -> Option<Request> {
    let mut shown = json!({ "call": undo.call, "foreign": undo.foreign });
    for (name, digest) in [("before", trees.before), ("after", trees.after)] {
        if let Some(digest) = digest {
            shown[name] = json!(digest);
        }
    }
    let sha256 = hash::of_json(&shown);
    request(UNDO, Args { shown, sha256 })
}

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
    match (&request.agent, &request.args) {
        (Some(ask), _) => match &request.given {
            Some(given) => json!({ "agent": ask, "given": given }),
            None => json!({ "agent": ask }),
        },
        (None, Some(args)) => json!({ "args": args }),
        (None, None) => match &request.given {
            Some(given) => json!({ "argv": request.argv, "given": given }),
            None => json!({ "argv": request.argv }),
        },
    }
}

/// Checks a request against its tool's declaration.
pub fn check(request: &Request) -> Result<(), Refusal> {
    let Some(tool) = named(&request.name) else {
        return Err(Refusal::UnknownTool { name: request.name.clone() });
    };
    if !tool.classes().contains(&request.class) {
        return Err(invalid("/class", "a class this tool can have"));
    }
    match tool.acts {
        Acts::Runs => check_process(tool.name, request)?,
        Acts::Reads | Acts::Changes | Acts::Converges | Acts::Arranges | Acts::Commits => {
            match (&request.agent, &request.args) {
                (None, Some(_)) if request.argv.is_empty() => {}
                (_, _) => return Err(invalid("/args", "the arguments of this tool alone")),
            }
        }
    }
    if !inside(&request.cwd) {
        return Err(invalid("/cwd", "a relative path without '..'"));
    }
    if request.env_names.iter().any(|name| name.is_empty() || name.contains(['=', '\0'])) {
        return Err(invalid("/env_names", "names without '='"));
    }
    Ok(())
}

fn check_process(name: &str, request: &Request) -> Result<(), Refusal> {
    if request.args.is_some() {
        return Err(invalid("/args", "nothing: this tool runs a process"));
    }
    match (&request.agent, name) {
        (Some(ask), AGENT) => check_ask(ask),
        (None, AGENT) => Err(Refusal::UnknownTool { name: request.argv.join(" ") }),
        (Some(_), _) => Err(invalid("/args/agent", "nothing: this tool runs a command")),
        (None, _) => check_argv(&request.argv),
    }
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

/// What is asked for, in one line for a person.
#[must_use]
pub fn about(request: &Request) -> String {
    match (&request.agent, &request.args) {
        (Some(ask), _) => format!("{} {} {}", request.name, ask.agent, ask.access.name()),
        (None, Some(args)) => format!("{} {}", request.name, args.shown),
        (None, None) => typed(&request.argv),
    }
}

/// The command as a person would type it: words that need it are quoted, so that two different
/// commands never look the same in the question.
#[must_use]
pub fn typed(argv: &[String]) -> String {
    let quoted: Vec<String> = argv.iter().map(|word| quoted(word)).collect();
    quoted.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    let mut out = String::from("'");
    out.push_str(&word.replace('\'', r"'\''"));
    out.push('\'');
    out
}
