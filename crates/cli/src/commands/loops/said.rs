//! Saying something to one loop and answering with how it stands then. What may be said is the
//! machine's business; what it means is told by the page.

use edge::door::{LoopSay, Taken};
use edge::loops;
use kernel::run::Kind;

use super::show;
use crate::commands::known::{self, Known};
use crate::ctx::Ctx;
use crate::desk::{self, Desk};
use crate::out::Reply;
use crate::trouble::Trouble;

/// The loop that an id means.
///
/// # Errors
/// When none or several fit, it is no loop, or no id could begin so.
pub fn find(ctx: &Ctx, id: &str) -> Result<Known, Trouble> {
    if !loops::plain_id(id) {
        return Err(loops::bad_id(id));
    }
    known::run_of(ctx, id, Kind::Loop)
}

/// Says it over an open desk.
///
/// # Errors
/// The refusal, or that the engine went away.
pub fn over(desk: &mut Desk, run: &str, says: Vec<LoopSay>) -> Result<Vec<Taken>, Trouble> {
    loops::over(desk, (run, None), says)
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
