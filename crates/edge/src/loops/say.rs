//! Saying something to one loop. What may be said is the machine's business.

use kernel::machine::At;
use runtime::clock::Clock;
use runtime::ids;
use runtime::redact::{Redactor, Secrets};

use crate::door::{self, Ask, LoopSay, Taken};
use crate::problem::Raised;
use crate::site::{Desk, Visit, env, of_refusal};

/// Says it over an open desk; with `at` only if the loop has recorded nothing since.
///
/// # Errors
/// The refusal, or that the engine went away.
pub fn over(
    desk: &mut Desk,
    (run, at): (&str, Option<u64>),
    says: Vec<LoopSay>,
) -> Result<Vec<Taken>, Raised> {
    let secrets = Secrets { env: env(), ..Secrets::default() };
    let redactor = Redactor::new(&secrets).expect("no patterns, so none can be wrong");
    let says = door::scrub(says, &redactor).map_err(|refusal| of_refusal(&refusal))?;
    let (run, trace) = (run.to_owned(), desk.trace());
    desk.take(&Ask::Loop { run, trace, says, at })
}

/// Says it; what lets more happen than before needs a workspace that is trusted.
///
/// # Errors
/// As [`over`], or that no engine answers.
pub fn say(
    visit: &Visit<'_>,
    to: (&str, Option<u64>),
    says: Vec<LoopSay>,
) -> Result<Vec<Taken>, Raised> {
    let widens = says.iter().any(LoopSay::widens);
    let mut desk = if widens { visit.open()? } else { visit.steer()? };
    over(&mut desk, to, says)
}

/// Makes a loop whole or not at all, and answers its id.
///
/// # Errors
/// As [`over`].
pub fn make(desk: &mut Desk, says: Vec<LoopSay>) -> Result<String, Raised> {
    let id = ids::loop_id(Clock::start(At(0)).now());
    match over(desk, (&id, None), says) {
        Ok(_) => Ok(id),
        Err(why) => {
            // Where nothing was made there is nothing to take back.
            drop(delete(desk, &id));
            Err(why)
        }
    }
}

/// Deletes a loop and its files; the id is never used again.
///
/// # Errors
/// As [`over`].
pub fn delete(desk: &mut Desk, id: &str) -> Result<Vec<Taken>, Raised> {
    over(desk, (id, None), vec![LoopSay::Delete])
}
