//! The last words of the work that brought a loop to a stand: what a person would look for first.
//! Where nothing was printed or it cannot be read, nothing is said.

use kernel::run::Kind;
use runtime::query::{self, Filter, Pipe};

use crate::ctx::Ctx;
use crate::table::{COLUMNS, cut};

/// Enough for a message and its place; the rest is a command away.
const LINES_MAX: usize = 3;

/// The last lines of a loop's newest call, and how to see the rest.
pub fn last(ctx: &Ctx, id: &str) -> Option<Vec<String>> {
    let (dir, journal) = ctx.journal().ok()??;
    let machine = Some(Kind::Call.name().to_owned());
    let filter = Filter { machine, state: None, below: Some(id.to_owned()) };
    let call = query::runs(&journal, &filter).ok()?.into_iter().next()?.run;
    let redactor = ctx.redactor().ok()?;
    let files = dir.call(&call);
    let printed = |pipe| query::output(&files, pipe, &redactor).ok().map(|out| ends(&out.text));
    // Errors say more than progress.
    let mut lines = [Pipe::Stderr, Pipe::Stdout]
        .into_iter()
        .filter_map(printed)
        .find(|lines| !lines.is_empty())?;
    lines.push(format!("  {}", ctx.tell("lc-see-call", &[("call", &call)])));
    Some(lines)
}

fn ends(text: &str) -> Vec<String> {
    let full: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = full.len().saturating_sub(LINES_MAX);
    // A control character could draw over our own lines.
    let line = |line: &&str| cut(&format!("  | {}", line.replace(char::is_control, " ")), COLUMNS);
    full[from..].iter().map(line).collect()
}
