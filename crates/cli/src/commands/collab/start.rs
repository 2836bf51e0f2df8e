//! `collab start`: from the words of a command line to a form; the engine makes the plan.

use std::collections::BTreeMap;
use std::io::Read as _;

use edge::collabs::{BACKENDS, backends, mode_of};
use edge::door::{Ask, CollabSay};
use kernel::machine::At;
use runtime::collab::Form;
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;

use super::{follow, shown};
use crate::ctx::Ctx;
use crate::desk;
use crate::live::People;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// The longest task that is read from standard input: one byte more than one may have.
const STDIN_BYTES_MAX: u64 = (kernel::agent::PROMPT_BYTES_MAX + 1) as u64;

/// A question to several agents.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The question; `-` reads it from standard input.
    #[arg(value_name = "TASK")]
    task: String,
    /// What else to know.
    #[arg(long, value_name = "TEXT", default_value = "")]
    context: String,
    /// Who is asked, in order.
    #[arg(long = "with", value_name = "NAMES", value_delimiter = ',')]
    with: Option<Vec<String>>,
    /// Their role.
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// The same in older words: both, codex, gemini.
    #[arg(long, value_name = "WHO", conflicts_with = "with",
          value_parser = BACKENDS)]
    backend: Option<String>,
    /// One after the other, each with the answers before it.
    #[arg(long)]
    serial: bool,
    /// The same in older words: true asks all at once, false one after the other.
    #[arg(long, value_name = "BOOL", conflicts_with = "serial")]
    parallel: Option<bool>,
    /// What a success needs: or, and.
    #[arg(long, value_name = "RULE")]
    gate: Option<String>,
    /// The whole run's time.
    #[arg(long, value_name = "DURATION")]
    timeout: Option<String>,
    /// Retries of each.
    #[arg(long, value_name = "N")]
    retries: Option<u32>,
    /// Ask nobody.
    #[arg(long)]
    lite: bool,
    /// A conversation to go on with.
    #[arg(long, value_name = "NAME=ID")]
    resume: Vec<String>,
    /// The sides that must not be missing.
    #[arg(long, value_name = "SIDES", value_delimiter = ',')]
    core: Option<Vec<String>>,
    /// JSON Schema that answers must meet.
    #[arg(long, value_name = "FILE")]
    schema: Option<String>,
    /// How answers are put together.
    #[arg(long, value_name = "HOW")]
    merge: Option<String>,
    /// Accept an acceptable degraded result beforehand.
    #[arg(long)]
    accept_degraded: bool,
    /// How long the question about a degraded result stays open.
    #[arg(long, value_name = "DURATION")]
    confirm_timeout: Option<String>,
    /// Where the agents work.
    #[arg(long, value_name = "DIR")]
    workdir: Option<String>,
    /// Wait for the end, as is done unless said otherwise.
    #[arg(long, overrides_with = "no_wait")]
    wait: bool,
    /// Do not wait for the end.
    #[arg(long, overrides_with = "wait")]
    no_wait: bool,
    /// Ask nothing on the terminal.
    #[arg(long)]
    headless: bool,
}

/// Asks the question, and follows the run unless told not to.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let form = form(ctx, args)?;
    let mut desk = desk::open(ctx)?;
    let id = RandomIds.new_id("collab-", now());
    let trace = desk.trace();
    let say = CollabSay::Create { form: Box::new(form) };
    desk.take(&Ask::Collab { run: id.clone(), trace, say })?;
    if args.no_wait && !args.wait {
        return shown::show(ctx, &id);
    }
    follow::follow(ctx, Some(desk), &id, People::of(args.headless))
}

/// Now, by the clock that ids sort by.
pub fn now() -> At {
    runtime::clock::Clock::start(At(0)).now()
}

fn form(ctx: &Ctx, args: &Args) -> Result<Form, Trouble> {
    let ms = |name: &'static str, text: &Option<String>| {
        text.as_deref().map(|text| duration_ms(name, text)).transpose()
    };
    Ok(Form {
        task: task_text(&args.task)?,
        context: args.context.clone(),
        role: args.role.clone(),
        with: args.with.clone().or_else(|| args.backend.as_deref().map(backends)),
        mode: mode(args).map(str::to_owned),
        gate: args.gate.clone(),
        timeout_ms: ms("--timeout", &args.timeout)?,
        max_retries: args.retries,
        lite: args.lite.then_some(true),
        resume: resumes(&args.resume),
        core_dimensions: args.core.clone(),
        schema: args.schema.as_deref().map(file_text).transpose()?,
        merge: args.merge.clone(),
        accept: args.accept_degraded.then(|| "acceptable".to_owned()),
        confirm_timeout_ms: ms("--confirm-timeout", &args.confirm_timeout)?,
        workdir: args.workdir.clone(),
        lang: Some(ctx.lang.tag().to_owned()),
    })
}

/// All at once or one after the other, where that is said.
const fn mode(args: &Args) -> Option<&'static str> {
    match (args.serial, args.parallel) {
        (true, _) => Some(mode_of(false)),
        (false, Some(parallel)) => Some(mode_of(parallel)),
        (false, None) => None,
    }
}

/// Conversations by participant; a bare id belongs to the only one.
fn resumes(words: &[String]) -> BTreeMap<String, String> {
    let pair = |word: &String| match word.split_once('=') {
        Some((name, id)) => (name.to_owned(), id.to_owned()),
        None => (String::new(), word.clone()),
    };
    words.iter().map(pair).collect()
}

/// The task, from standard input if it is `-`.
///
/// # Errors
/// Input that is no text.
pub fn task_text(word: &str) -> Result<String, Trouble> {
    if word != "-" {
        return Ok(word.to_owned());
    }
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .take(STDIN_BYTES_MAX)
        .read_to_string(&mut text)
        .map_err(|why| desk::io("-", &why))?;
    Ok(text)
}

/// The text of a file that a flag names.
///
/// # Errors
/// When it can't be read.
pub fn file_text(path: &str) -> Result<String, Trouble> {
    std::fs::read_to_string(path).map_err(|why| desk::io(path, &why))
}

/// A duration as people write it.
///
/// # Errors
/// When it is none.
pub fn duration_ms(name: &'static str, text: &str) -> Result<u64, Trouble> {
    runtime::config::duration_ms(text)
        .ok_or_else(|| trouble::bad_value(name, text, &["30s", "10m", "1500ms"]))
}
