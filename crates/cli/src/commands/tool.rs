//! `tool list|run`: one tool of the engine's own, asked for by a person as a call, and how its end
//! is told.

use std::io::Read as _;

use edge::calls::{self, End};
use edge::door::{Ask, ToolForm};
use kernel::call;
use kernel::errors::Exit;
use kernel::run::State;
use serde_json::{Map, Value, json};

use super::waited::{self, waited};
use super::{known, show, tool_ran};
use crate::ctx::Ctx;
use crate::desk;
use crate::live::People;
use crate::live::interrupt;
use crate::live::keep::Keep;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// Arguments from standard input.
const STDIN_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// What can be done with tools.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    List,
    Run(RunArgs),
}

/// `tool run`
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// The tool.
    #[arg(value_name = "TOOL")]
    name: String,
    /// Its arguments: name=value.
    #[arg(value_name = "NAME=VALUE")]
    pairs: Vec<String>,
    /// Its arguments as a JSON object; `-` reads it from standard input.
    #[arg(long, value_name = "JSON")]
    args: Option<String>,
    /// Ask nothing on the terminal.
    #[arg(long)]
    headless: bool,
}

/// Lists tools, or runs one.
///
/// # Errors
/// What the tool refused, or that no engine answers.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::List => Ok(list(ctx)),
        Verb::Run(args) => run_one(ctx, args),
    }
}

fn list(ctx: &Ctx) -> Reply {
    let tools = call::TOOLS.iter();
    let data: Vec<Value> = tools.clone().map(runtime::tools::declared).collect();
    let rows: Vec<Vec<String>> = tools
        .map(|tool| {
            let classes: Vec<String> =
                tool.classes().iter().map(|class| format!("{class:?}").to_lowercase()).collect();
            let also = tool.aliases.join(", ");
            vec![tool.name.to_owned(), classes.join(", "), tool.permission.to_owned(), also]
        })
        .collect();
    let heading = ["col-tool", "col-class", "col-permission", "col-also"].map(|key| ctx.say(key));
    Reply::new(json!(data), table::draw(&heading, &rows))
}

fn run_one(ctx: &Ctx, args: &RunArgs) -> Result<Reply, Trouble> {
    let form = ToolForm { name: args.name.clone(), args: given(args)? };
    asked(ctx, &form, People::of(args.headless))
}

/// Asks for a tool as a call, waits for it and tells its end.
///
/// # Errors
/// What the tool refused, or that no engine answers.
pub fn asked(ctx: &Ctx, form: &ToolForm, people: People) -> Result<Reply, Trouble> {
    interrupt::listen();
    let mut keep = Keep::new(desk::open(ctx)?);
    let asking = |run, trace| Ask::Tool { run, trace, form: form.clone() };
    match waited(ctx, &mut keep, &asking, people)? {
        Some(done) => told(ctx, &done),
        None => Ok(Reply::printed(Exit::CANCELLED)),
    }
}

/// The arguments as an object: a whole one, or pairs whose values are JSON where they can be.
fn given(args: &RunArgs) -> Result<Value, Trouble> {
    let mut fields = Map::new();
    if let Some(text) = &args.args {
        let text = if text == "-" { stdin()? } else { text.clone() };
        let parsed = serde_json::from_str::<Value>(&text).ok();
        match parsed {
            Some(Value::Object(object)) => fields = object,
            Some(_) | None => return Err(trouble::bad_value("--args", &text, &["JSON object"])),
        }
    }
    for pair in &args.pairs {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(trouble::bad_value("NAME=VALUE", pair, &["NAME=VALUE"]));
        };
        // A bare word is a text; numbers, flags and lists are written as JSON writes them.
        let value = match serde_json::from_str::<Value>(value) {
            Ok(parsed) if !parsed.is_string() && !parsed.is_null() => parsed,
            Ok(_) | Err(_) => json!(value),
        };
        fields.insert(name.to_owned(), value);
    }
    Ok(Value::Object(fields))
}

fn stdin() -> Result<String, Trouble> {
    let mut text = String::new();
    std::io::stdin()
        .take(STDIN_BYTES_MAX)
        .read_to_string(&mut text)
        .map_err(|why| desk::io("-", &why))?;
    Ok(text)
}

/// The end of a tool's call: its payload, or why there is none.
///
/// # Errors
/// Why there is none.
pub fn told(ctx: &Ctx, done: &waited::Done) -> Result<Reply, Trouble> {
    let exit = calls::exit_of(&State::Call(done.state.clone()));
    let bytes_max = ctx.settings()?.settings.call.payload_bytes;
    match calls::told(done, &ctx.redactor()?, bytes_max)? {
        End::Tool(data) => {
            let reply = known::redacted(ctx, &data, |data| page(ctx, data))?;
            Ok(reply.ended(exit, "ok"))
        }
        End::Command(data) => {
            let reply = known::redacted(ctx, &data, |data| tool_ran::page(ctx, data))?;
            Ok(reply.ended(exit, done.state.result().unwrap_or_default()))
        }
        End::Stands => stands(ctx, done),
    }
}

fn page(ctx: &Ctx, data: &Value) -> String {
    let payload = &data["payload"];
    let lines = |list: &Value, line: &dyn Fn(&Value) -> String| {
        list.as_array().map(|all| all.iter().map(line).collect::<Vec<_>>().join("\n"))
    };
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let text = payload["text"].as_str().map(|text| text.trim_end_matches('\n').to_owned());
    let hits = || {
        lines(&payload["hits"], &|hit| {
            let at = ["path", "line", "column", "text"].map(|name| word(&hit[name]));
            at.join(":")
        })
    };
    let entries = || lines(&payload["entries"], &|entry| word(&entry["path"]));
    let whole = || serde_json::to_string_pretty(payload).unwrap_or_default();
    let text = text.or_else(hits).or_else(entries).unwrap_or_else(whole);
    let call = data["call"].as_str().unwrap_or_default();
    format!("{text}\n\n{}", ctx.tell("tool-done", &[("call", &call)]))
}

/// A call that has not ended by itself: where it stands, and what can be done.
///
/// # Errors
/// A record that cannot be read.
pub fn stands(ctx: &Ctx, done: &waited::Done) -> Result<Reply, Trouble> {
    let view = show::view(ctx, &done.known, None)?;
    let mut reply = known::redacted(ctx, &view, |view| {
        known::facts(ctx, view, &["run_id", "state", "outcome"])
    })?;
    if let call::State::Asked { .. } = &done.state {
        let next = ctx.tell("lc-asked-next", &[("call", &done.known.head.run)]);
        reply.text = format!("{}\n{next}", reply.text);
    }
    let ended = calls::exit_of(&State::Call(done.state.clone()));
    reply.exit = if done.state.ended() { ended } else { Exit::WAITING };
    Ok(reply)
}
