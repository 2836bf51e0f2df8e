//! Saying something to one loop and answering with how it stands then. What may be said is the
//! machine's business; what it means is told by the page.

use edge::door::{self, Ask, LoopSay, Taken};
use journal::{Head, Journal};
use kernel::errors::Machine;
use kernel::run::Kind;
use runtime::query::{self, Filter};
use runtime::redact::{Redactor, Secrets};
use serde_json::json;

use super::show;
use crate::commands::known::{self, Known};
use crate::ctx::{self, Ctx};
use crate::desk::{self, Desk};
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// Longest id of a loop, with the word it begins with.
const ID_BYTES_MAX: usize = 133;

/// The loop that an id means.
///
/// # Errors
/// When none or several fit, it is no loop, or no id could begin so.
pub fn find(ctx: &Ctx, id: &str) -> Result<Known, Trouble> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if id.is_empty() || id.len() > ID_BYTES_MAX || id.contains("..") || !id.chars().all(plain) {
        return Err(bad_id(id));
    }
    known::run_of(ctx, id, Kind::Loop)
}

/// What is no id of a loop.
pub fn bad_id(id: &str) -> Trouble {
    let details = json!({ "field": "loop_id", "found": id, "expected": "loop-…" });
    trouble::refused(Machine::Loop, "invalid_args", details)
}

/// Every loop that the journal has.
///
/// # Errors
/// A journal that cannot be read.
pub fn all(journal: &dyn Journal) -> Result<Vec<Head>, Trouble> {
    let filter = Filter { machine: Some(Kind::Loop.name().to_owned()), ..Filter::default() };
    query::runs(journal, &filter).map_err(|refusal| trouble::of_query(&refusal))
}

/// Says it over an open desk.
///
/// # Errors
/// The refusal, or that the engine went away.
pub fn over(desk: &mut Desk, run: &str, says: Vec<LoopSay>) -> Result<Vec<Taken>, Trouble> {
    let secrets = Secrets { env: ctx::env(), ..Secrets::default() };
    let redactor = Redactor::new(&secrets).expect("no patterns, so none can be wrong");
    let says = door::scrub(says, &redactor).map_err(|refusal| desk::of_refusal(&refusal))?;
    let trace = desk.trace();
    desk.take(&Ask::Loop { run: run.to_owned(), trace, says })
}

/// Says it to the loop that an id means, and answers with the loop as it stands then.
///
/// # Errors
/// An unknown id, the refusal, or that no engine answers.
pub fn say(ctx: &Ctx, id: &str, says: Vec<LoopSay>) -> Result<Reply, Trouble> {
    let known = find(ctx, id)?;
    over(&mut desk::for_says(ctx, &says)?, &known.head.run, says)?;
    show::brief(ctx, &known.head.run)
}
