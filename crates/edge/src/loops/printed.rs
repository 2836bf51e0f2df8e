//! What loops have come to and what their work printed: numbers over all of them, and the lines of
//! the calls of one. Read from the journal and the files of calls; nothing is changed.

use journal::{Head, Journal};
use kernel::run::{Kind, State};
use runtime::query::{self, Filter, Pipe};
use runtime::redact::Redactor;
use serde_json::{Map, Value, json};

use super::find;
use crate::problem::Raised;
use crate::site::{Known, Site, of_query};

/// Lines of a log if nobody says how many.
pub const LOG_LINES_USUAL: usize = 200;

/// How many loops there are, and how they ended.
///
/// # Errors
/// A journal that cannot be read.
pub fn stats(site: &Site) -> Result<Value, Raised> {
    let mut counts =
        [("created", 0u64), ("running", 0), ("paused", 0), ("completed", 0), ("failed", 0)];
    let mut iterations = Vec::new();
    if let Some((_, journal)) = site.journal()? {
        for head in find::all(&journal)? {
            let Some(count) = counts.iter_mut().find(|(word, _)| *word == head.status) else {
                continue;
            };
            count.1 += 1;
            iterations.extend(iteration(&journal, &head)?);
        }
    }
    let [_, (_, running), (_, paused), (_, completed), (_, failed)] = counts;
    let by_status: Map<String, Value> =
        counts.iter().map(|(word, count)| ((*word).to_owned(), json!(count))).collect();
    let total = iterations.len();
    let sum: u64 = iterations.iter().sum();
    Ok(json!({
        "total": total, "by_status": by_status, "active_count": running + paused,
        "success_rate": tenths(completed * 100, completed + failed),
        "avg_iterations": tenths(sum, u64::try_from(total).unwrap_or(u64::MAX)),
    }))
}

fn iteration(journal: &dyn Journal, head: &Head) -> Result<Option<u64>, Raised> {
    let folded = query::fold(journal, head, None).map_err(|why| of_query(&why))?;
    let State::Loop(state) = folded.state else { return Ok(None) };
    Ok(state.life().map(|life| u64::from(life.body.iteration)))
}

/// A quotient, cut to one decimal; 0 where there is nothing to divide by.
fn tenths(sum: u64, by: u64) -> Value {
    let tenths = (sum * 10).checked_div(by).unwrap_or(0);
    serde_json::from_str(&format!("{}.{}", tenths / 10, tenths % 10)).unwrap_or_default()
}

/// The last lines that the work of a loop printed, each with the step it belongs to.
///
/// # Errors
/// Files that cannot be read.
pub fn logs(known: &Known, limit: usize, redactor: &Redactor) -> Result<Value, Raised> {
    let below = Some(known.head.run.clone());
    let machine = Some(Kind::Call.name().to_owned());
    let calls = query::runs(&known.journal, &Filter { machine, state: None, below });
    let mut lines = Vec::new();
    for call in calls.map_err(|why| of_query(&why))?.iter().rev() {
        let step = step_of(&known.head.run, call);
        for pipe in [Pipe::Stdout, Pipe::Stderr] {
            let printed = query::output(&known.dir.call(&call.run), pipe, redactor);
            let printed = printed.map_err(|why| of_query(&why))?;
            // A control character could draw over our own lines.
            let clean = |line: &str| line.replace(char::is_control, " ");
            let entry =
                |line: &str| json!({ "step_id": step, "call": call.run, "line": clean(line) });
            lines.extend(printed.text.lines().map(entry));
        }
    }
    let from = lines.len().saturating_sub(limit);
    Ok(json!({
        "loop_id": known.head.run, "truncated": from > 0, "lines": lines.split_off(from),
    }))
}

/// `a3/c1`, or, below a child, the child's own place behind it.
fn step_of(id: &str, call: &Head) -> String {
    let key = call.key.as_deref().unwrap_or_default();
    key.strip_prefix(id).map_or(key, |rest| rest.trim_start_matches('/')).to_owned()
}
