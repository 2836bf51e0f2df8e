//! `log RUN`: the audit entries of a run.

use std::time::Duration;

use journal::Journal as _;
use kernel::errors::Exit;
use runtime::query;
use runtime::trace;
use serde_json::{Value, json};

use super::known::{self, Known};
use super::loops;
use crate::ctx::{Ctx, Form};
use crate::live::interrupt;
use crate::out::{self, Reply};
use crate::table;
use crate::trouble::{self, Trouble};

/// How often the journal is looked at: a reader has no engine that would tell of news.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Which run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run.
    #[arg(value_name = "RUN")]
    pub run: String,
    /// Only what came after this record.
    #[arg(long, alias = "after", value_name = "SEQ", default_value_t = 0)]
    pub since: u64,
    /// Go on until the run ends.
    #[arg(long)]
    pub follow: bool,
}

/// Lists them.
///
/// # Errors
/// An unknown run, or a journal that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let known = known::run(ctx, &args.run)?;
    if args.follow {
        return follow(ctx, &known, args.since);
    }
    let entries = query::log(&known.journal, &known.head, args.since);
    let entries = entries.map_err(|refusal| trouble::of_query(&refusal))?;
    let mut reply = known::redacted(ctx, &json!(entries), |data| {
        let rows: Vec<Vec<String>> = data.as_array().into_iter().flatten().map(row).collect();
        table::draw(&ctx.heading(["seq", "at", "by", "kind", "summary"]), &rows)
    })?;
    for notice in runtime::views::notices(&known.dir.path, &known.head.run) {
        reply.text = format!("{}\n{}", reply.text, loops::page::notice(ctx, &notice));
    }
    reply.data = trace::redacted(&audited(&known, args.since)?, &ctx.redactor()?);
    Ok(reply)
}

/// The entries as programs read them.
fn audited(known: &Known, after: u64) -> Result<Value, Trouble> {
    let entries = query::audited(&known.journal, &known.head, after);
    Ok(json!(entries.map_err(|refusal| trouble::of_query(&refusal))?))
}

/// One line each as it comes, until the run has ended or nobody reads any more.
fn follow(ctx: &Ctx, known: &Known, mut after: u64) -> Result<Reply, Trouble> {
    interrupt::listen();
    let redactor = ctx.redactor()?;
    loop {
        let ended = known.journal.head(&known.head.run);
        let ended = ended.map_err(|fault| trouble::of_query(&fault.into()))?;
        let entries = query::log(&known.journal, &known.head, after);
        let entries = entries.map_err(|refusal| trouble::of_query(&refusal))?;
        let lines = match ctx.form {
            Form::Json => audited(known, after)?,
            Form::Text => json!(entries),
        };
        after = entries.last().map_or(after, |last| last.seq);
        for entry in trace::redacted(&lines, &redactor).as_array().into_iter().flatten() {
            let line = match ctx.form {
                Form::Json => entry.to_string(),
                Form::Text => row(entry).join("  "),
            };
            if out::line(&line).is_err() {
                return Ok(Reply::printed(Exit::OK));
            }
        }
        if ended.is_none_or(|head| head.ended) || interrupt::asked() {
            return Ok(end(ctx));
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// The end of a stream is its last line.
fn end(ctx: &Ctx) -> Reply {
    if ctx.form == Form::Json {
        // A reader that has gone away needs no last line.
        drop(out::line(&json!({ "ok": true, "data": null }).to_string()));
    }
    Reply::printed(Exit::OK)
}

fn row(entry: &Value) -> Vec<String> {
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    let at = text("at").split('.').next().unwrap_or_default().replace('T', " ");
    vec![entry["seq"].to_string(), at, text("by"), text("kind"), text("summary")]
}
