//! An operation on packages asked for as a call, waited for, and its report. While somebody else
//! changes the tree it waits its turn.

use std::time::{Duration, Instant};

use edge::door::{Ask, ToolForm};
use kernel::call::{self, Done, Outcome};
use kernel::errors::{Code, Exit, Machine};
use runtime::packages::Wish;
use serde_json::{Value, json};

use super::tool;
use super::waited::waited;
use crate::ctx::Ctx;
use crate::desk;
use crate::live::People;
use crate::live::interrupt;
use crate::live::keep::Keep;
use crate::out::Reply;
use crate::trouble::Trouble;

/// How long another change of the tree is waited for; such operations take moments.
const BUSY_MAX: Duration = Duration::from_secs(10);
/// Between two tries.
const TRY_EVERY: Duration = Duration::from_millis(100);

/// How it went.
pub enum Ran {
    /// It is done.
    Done {
        /// Its report.
        report: Value,
        /// The call.
        call: String,
    },
    /// It is not, and this is said.
    Told(Reply),
}

/// Asks for it and waits.
///
/// # Errors
/// What was refused or failed, or that no engine answers.
pub fn ran(ctx: &Ctx, wish: &Wish, people: People) -> Result<Ran, Trouble> {
    interrupt::listen();
    let mut keep = Keep::new(desk::open(ctx)?);
    let form = ToolForm { name: call::PACKAGE.to_owned(), args: json!(wish) };
    let asking = |run, trace| Ask::Tool { run, trace, form: form.clone() };
    let until = Instant::now() + BUSY_MAX;
    let busy = Code::refused(Machine::Call, "busy");
    let done = loop {
        match waited(ctx, &mut keep, &asking, people) {
            Err(why) if why.code == busy && Instant::now() < until => {
                std::thread::sleep(TRY_EVERY);
            }
            done => break done?,
        }
    };
    let Some(done) = done else { return Ok(Ran::Told(Reply::printed(Exit::CANCELLED))) };
    if let call::State::Settled { outcome: Outcome::Ok, exit: Some(exit), .. } = &done.state
        && let Some(Done::Payload(kept)) = exit.done.as_deref()
    {
        let report = edge::calls::payload(&done, kept, edge::calls::REPORT_BYTES_MAX);
        return Ok(Ran::Done { report, call: done.known.head.run.clone() });
    }
    tool::told(ctx, &done).map(Ran::Told)
}
