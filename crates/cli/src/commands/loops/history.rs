//! `loop history`, `loop stats`, `loop logs`: what loops have done, in rows, numbers and lines.
//! They read the journal and the files of calls, and change nothing.

use edge::loops::{self, Page};
use journal::Head;
use kernel::run::{Kind, State};
use runtime::query::{self, Filter, Pipe};
use serde_json::{Value, json};

use super::list::{PAGE_MAX, index};
use super::said;
use crate::commands::known;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

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
    #[arg(long, value_name = "N", default_value_t = 200)]
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
    let of = |refusal| trouble::of_query(&refusal);
    let mut iterations = Vec::new();
    let mut counts =
        [("created", 0), ("running", 0), ("paused", 0), ("completed", 0), ("failed", 0)];
    if let Some((_, journal)) = ctx.journal()? {
        for head in loops::all(&journal)? {
            let Some(count) = counts.iter_mut().find(|(word, _)| *word == head.status) else {
                continue;
            };
            count.1 += 1;
            if let State::Loop(state) = query::fold(&journal, &head, None).map_err(of)?.state {
                iterations.extend(state.life().map(|life| u64::from(life.body.iteration)));
            }
        }
    }
    let [_, (_, running), (_, paused), (_, completed), (_, failed)] = counts;
    let by_status: serde_json::Map<String, Value> =
        counts.iter().map(|(word, count)| ((*word).to_owned(), json!(count))).collect();
    let total = iterations.len();
    let sum: u64 = iterations.iter().sum();
    let data = json!({
        "total": total, "by_status": by_status, "active_count": running + paused,
        "success_rate": tenths(completed * 100, completed + failed),
        "avg_iterations": tenths(sum, u64::try_from(total).unwrap_or(u64::MAX)),
    });
    let mut lines = vec![ctx.tell("lc-stats-total", &[("count", &total)])];
    let words = counts.iter().filter(|(_, count)| *count > 0);
    lines.extend(words.map(|(word, count)| format!("  {word}: {count}")));
    let rate = data["success_rate"].to_string();
    lines.push(ctx.tell("lc-stats-rate", &[("rate", &rate)]));
    lines.push(ctx.tell("lc-stats-mean", &[("count", &data["avg_iterations"].to_string())]));
    Ok(Reply::new(data, lines.join("\n")))
}

/// A quotient, cut to one decimal; 0 where there is nothing to divide by.
fn tenths(sum: u64, by: u64) -> Value {
    let tenths = (sum * 10).checked_div(by).unwrap_or(0);
    serde_json::from_str(&format!("{}.{}", tenths / 10, tenths % 10)).unwrap_or_default()
}

/// What the work of a loop printed, each line behind the action and leg it belongs to.
///
/// # Errors
/// An unknown loop, or files that cannot be read.
pub fn logs(ctx: &Ctx, args: &LogsArgs) -> Result<Reply, Trouble> {
    let known = said::find(ctx, &args.id)?;
    let of = |refusal| trouble::of_query(&refusal);
    let below = Some(known.head.run.clone());
    let machine = Some(Kind::Call.name().to_owned());
    let mut calls =
        query::runs(&known.journal, &Filter { machine, state: None, below }).map_err(of)?;
    calls.reverse();
    let redactor = ctx.redactor()?;
    let mut lines = Vec::new();
    for call in &calls {
        let step = step_of(&known.head.run, call);
        for pipe in [Pipe::Stdout, Pipe::Stderr] {
            let printed = query::output(&known.dir.call(&call.run), pipe, &redactor).map_err(of)?;
            // A control character could draw over our own lines.
            let clean = |line: &str| line.replace(char::is_control, " ");
            lines.extend(
                printed.text.lines().map(|line| (step.clone(), call.run.clone(), clean(line))),
            );
        }
    }
    let from = lines.len().saturating_sub(args.limit);
    let lines = &lines[from..];
    let entry = |line: &(String, String, String)| {
        let (step, call, line) = line;
        json!({ "step_id": step, "call": call, "line": line })
    };
    let data = json!({
        "loop_id": known.head.run, "truncated": from > 0,
        "lines": lines.iter().map(entry).collect::<Vec<_>>(),
    });
    let text: Vec<String> =
        lines.iter().map(|(step, _, line)| format!("{step} | {line}")).collect();
    let text = if text.is_empty() { ctx.say("lc-no-logs") } else { text.join("\n") };
    Ok(Reply::new(data, text))
}

/// `a3/c1`, or, below a child, the child's own place behind it.
fn step_of(id: &str, call: &Head) -> String {
    let key = call.key.as_deref().unwrap_or_default();
    key.strip_prefix(id).map_or(key, |rest| rest.trim_start_matches('/')).to_owned()
}
