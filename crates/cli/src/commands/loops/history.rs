//! `loop history`, `loop stats`, `loop logs`: what loops have done, in rows, numbers and lines.
//! They read the journal and the files of calls, and change nothing.

use edge::loops::{self, LOG_LINES_USUAL, Page};
use serde_json::{Value, json};

use super::list::{PAGE_MAX, index};
use super::said;
use crate::commands::known;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::Trouble;

/// `loop history`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The loop.
    #[arg(value_name = "LOOP")]
    id: String,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u64).range(1..=PAGE_MAX))]
    limit: u64,
    /// Without the first so many.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
}

/// `loop logs`
#[derive(Debug, clap::Args)]
pub struct LogsArgs {
    /// The loop.
    #[arg(value_name = "LOOP")]
    id: String,
    /// The last lines, so many.
    #[arg(long, value_name = "N", default_value_t = LOG_LINES_USUAL)]
    limit: usize,
}

/// The actions of a loop, the oldest first.
///
/// # Errors
/// An unknown loop, or a journal that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let known = said::find(ctx, &args.id)?;
    let page = Page { limit: index(args.limit), offset: index(args.offset) };
    let data = loops::history(&known, page)?;
    known::redacted(ctx, &data, |data| {
        let rows: Vec<Vec<String>> =
            data["history"].as_array().into_iter().flatten().map(cells).collect();
        if rows.is_empty() {
            return ctx.say("lc-no-history");
        }
        let heading = ctx.heading(["number", "iteration", "action", "outcome", "took", "what"]);
        table::draw(&heading, &rows)
    })
}

fn cells(row: &Value) -> Vec<String> {
    let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let what = match row["task_id"].as_str() {
        Some(task) => format!("{task} {}", text("summary")),
        None => text("summary"),
    };
    let first = what.lines().next().unwrap_or_default().trim().to_owned();
    let took = format!("{} ms", row["duration_ms"]);
    let (n, iteration) = (row["n"].to_string(), row["iteration"].to_string());
    vec![n, iteration, text("action"), text("result"), took, first]
}

/// How many loops there are, and how they ended.
///
/// # Errors
/// A journal that cannot be read.
pub fn stats(ctx: &Ctx) -> Result<Reply, Trouble> {
    let data = loops::stats(&ctx.site()?)?;
    let mut lines = vec![ctx.tell("lc-stats-total", &[("count", &data["total"])])];
    let words = data["by_status"].as_object().into_iter().flatten();
    let words = words.filter(|(_, count)| **count != json!(0));
    lines.extend(words.map(|(word, count)| format!("  {word}: {count}")));
    lines.push(ctx.tell("lc-stats-rate", &[("rate", &data["success_rate"])]));
    lines.push(ctx.tell("lc-stats-mean", &[("count", &data["avg_iterations"])]));
    Ok(Reply::new(data, lines.join("\n")))
}

/// What the work of a loop printed, each line behind the action and leg it belongs to.
///
/// # Errors
/// An unknown loop, or files that cannot be read.
pub fn logs(ctx: &Ctx, args: &LogsArgs) -> Result<Reply, Trouble> {
    let known = said::find(ctx, &args.id)?;
    let data = loops::logs(&known, args.limit, &ctx.redactor()?)?;
    let told = |line: &Value| {
        let text = |name: &str| line[name].as_str().unwrap_or_default();
        format!("{} | {}", text("step_id"), text("line"))
    };
    let text: Vec<String> = data["lines"].as_array().into_iter().flatten().map(told).collect();
    let text = if text.is_empty() { ctx.say("lc-no-logs") } else { text.join("\n") };
    Ok(Reply::new(data, text))
}
