//! Asks a shim to end its call, or ends a shim that does not listen. Both go through the
//! identities in `pid.json`; no number read from a file is ever signalled as it stands. What the
//! end means is read from the files afterwards.

use std::io;
use std::path::Path;

use rustix::process::Signal;

use super::files::{self, PidRecord, Record, Ticket};
use super::identity::Handle;
use super::look::{self, Swept};
use super::{token, tree};

/// What a request to stop met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The shim was told; it climbs the ladder by itself.
    Told,
    /// The shim is not, or no longer, there: look.
    Gone,
    /// `pid.json` is not written yet (or damaged, or another's): ask again or look.
    NotYet,
}

/// Tells the shim to stop its tree: TERM, grace, KILL, and the outcome in `exit.json`.
pub fn stop(dir: &Path, ticket: &Ticket) -> io::Result<Stop> {
    match shim(dir, ticket)? {
        Found::NotYet => Ok(Stop::NotYet),
        Found::Gone => Ok(Stop::Gone),
        Found::Live(handle) => {
            handle.signal(Signal::TERM)?;
            Ok(Stop::Told)
        }
    }
}

/// Ends a shim that did not end by itself, and all that is below it or carries the call's mark.
/// There will be no `exit.json`: what happened stays unknown, but nothing of it goes on.
pub fn force(dir: &Path, ticket: &Ticket) -> io::Result<Swept> {
    if let Found::Live(handle) = shim(dir, ticket)? {
        // Named before the shim dies: afterwards they have another parent.
        let below = tree::living(handle.process().pid);
        handle.signal(Signal::KILL)?;
        tree::signal(&below, Signal::KILL);
    }
    Ok(look::sweep(&ticket.call_id))
}

enum Found {
    NotYet,
    Gone,
    Live(Handle),
}

fn shim(dir: &Path, ticket: &Ticket) -> io::Result<Found> {
    let record: PidRecord = match files::read(dir, files::PID, ticket) {
        Record::Found(record) => record,
        Record::Absent | Record::Damaged { .. } | Record::Foreign { .. } => {
            return Ok(Found::NotYet);
        }
    };
    Ok(token::holder(dir, &record)?.map_or(Found::Gone, Found::Live))
}
