//! Whether an outside skill may go on. Without a runner it only reads.

use kernel::loops::view::{self, Signal};
use kernel::run::State;
use runtime::query::{self, Refusal};

use super::say::over;
use crate::door::LoopSay;
use crate::problem::Raised;
use crate::site::{Desk, Site, of_query};

/// Answers a skill. What can't be read is an answer too, with why: whoever asks before every action
/// must not go on because nobody told it to stop.
///
/// # Errors
/// An id that fits several loops, or that no engine answers a runner.
pub fn signal(
    site: &Site,
    (id, runner): (&str, Option<&str>),
    desk: impl FnOnce() -> Result<Desk, Raised>,
) -> Result<(Signal, Option<Raised>), Raised> {
    let none = || Ok((view::signal(None, runner, 0), None));
    let journal = match site.journal() {
        Ok(Some((_, journal))) => journal,
        Ok(None) => return none(),
        Err(why) => return Ok((view::unreadable(), Some(why))),
    };
    let head = match query::resolve(&journal, id) {
        Ok(head) if head.machine == "loop" => head,
        Ok(_) | Err(Refusal::NoSuch { .. }) => return none(),
        Err(why @ Refusal::Ambiguous { .. }) => return Err(of_query(&why)),
        Err(why) => return Ok((view::unreadable(), Some(of_query(&why)))),
    };
    if let Some(runner) = runner.filter(|_| !head.ended) {
        let say = LoopSay::Signal { runner: runner.to_owned() };
        over(&mut desk()?, (&head.run, None), vec![say])?;
    }
    let folded =
        query::resolve(&journal, &head.run).and_then(|head| query::fold(&journal, &head, None));
    match folded {
        Ok(folded) => match &folded.state {
            State::Loop(state) => Ok((view::signal(Some(state), runner, folded.seq), None)),
            State::Call(_)
            | State::Collab(_)
            | State::Grant(_)
            | State::Turn(_)
            | State::Lifecycle(_)
            | State::Session(_) => none(),
        },
        Err(why) => Ok((view::unreadable(), Some(of_query(&why)))),
    }
}
