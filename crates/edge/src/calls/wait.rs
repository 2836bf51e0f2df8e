//! A call that a door asks for, and waits for no longer than it may. Nobody is asked anything here:
//! a call that asks stands still, and that is told.

use std::time::{Duration, Instant};

use journal::Journal as _;
use kernel::call;
use kernel::machine::At;
use kernel::run::{Kind, State};
use runtime::clock::Clock;
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;
use runtime::query;

use crate::door::Ask;
use crate::problem::Raised;
use crate::site::{Desk, Known, Site, Visit, of_query, run_of};

/// Between two looks where no engine tells of news.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A call as it was when it ended, or stood still, or was no longer waited for.
pub struct Done {
    /// The run.
    pub known: Known,
    /// Where it stands.
    pub state: call::State,
}

/// Makes a call and waits for its end.
///
/// # Errors
/// A refusal, or that no engine answers.
pub fn asked(
    visit: &Visit<'_>,
    limit: Duration,
    asking: &dyn Fn(String, String) -> Ask,
) -> Result<Done, Raised> {
    let mut desk = visit.open()?;
    let id = RandomIds.new_id("call-", Clock::start(At(0)).now());
    let trace = desk.trace();
    desk.take(&asking(id.clone(), trace))?;
    until_ended(visit.site, &mut desk, &id, limit)
}

/// Waits until a call has ended or asks, or until the time is over.
///
/// # Errors
/// A journal that cannot be read.
pub fn until_ended(
    site: &Site,
    desk: &mut Desk,
    id: &str,
    limit: Duration,
) -> Result<Done, Raised> {
    let over = Instant::now() + limit;
    loop {
        let (done, seq) = standing(site, id)?;
        let asks = !query::of_owed(id, "call", &call::owed(&done.state)).is_empty();
        if done.state.ended() || asks || Instant::now() >= over {
            return Ok(done);
        }
        if desk.ask(&Ask::News { run: id.to_owned(), seq }).is_err() {
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

/// A call as it stands, and its last record.
fn standing(site: &Site, id: &str) -> Result<(Done, u64), Raised> {
    let known = run_of(site, id, Kind::Call)?;
    let (state, seq) = folded(&known)?;
    Ok((Done { known, state }, seq))
}

/// Where a call stands, and its last record.
///
/// # Errors
/// A record that cannot be read.
pub(super) fn folded(known: &Known) -> Result<(call::State, u64), Raised> {
    let folded = query::fold(&known.journal, &known.head, None).map_err(|why| of_query(&why))?;
    match folded.state {
        State::Call(state) => Ok((state, folded.seq)),
        State::Loop(_)
        | State::Collab(_)
        | State::Grant(_)
        | State::Turn(_)
        | State::Lifecycle(_)
        | State::Session(_) => {
            let (id, machine) = (known.head.run.clone(), known.head.machine.clone());
            let other = query::Refusal::OtherMachine { id, machine, wanted: Kind::Call.name() };
            Err(of_query(&other))
        }
    }
}

/// The newest try to take a call back, as it stands.
///
/// # Errors
/// A journal that cannot be read.
pub fn undo_of(site: &Site, owner: &Known) -> Result<Option<Done>, Raised> {
    let heads = owner.journal.heads().map_err(|fault| of_query(&fault.into()))?;
    let own = |head: &&journal::Head| head.parent.as_deref() == Some(&*owner.head.run);
    let Some(head) = heads.iter().rev().find(own) else { return Ok(None) };
    standing(site, &head.run).map(|(done, _)| Some(done))
}
