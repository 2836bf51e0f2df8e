//! The run that an id, or a unique beginning of one, means; and all runs of one machine.

use journal::{Head, Journal};
use kernel::errors::{Code, Machine};
use kernel::run::Kind;
use runtime::query::{self, Filter, Refusal};

use crate::problem::Raised;
use crate::site::{Known, Site, of_query};

/// As many as a sentence can name.
const NEWEST_MAX: usize = 3;

/// The run an id or a unique beginning of one means.
///
/// # Errors
/// When none or several fit, or the journal cannot be read.
pub fn named(site: &Site, id: &str) -> Result<Known, Raised> {
    let Some((dir, journal)) = site.journal()? else {
        return Err(of_query(&Refusal::NoSuch { id: id.to_owned(), nearest: Vec::new() }));
    };
    let head = query::resolve(&journal, id).map_err(|refusal| of_query(&refusal))?;
    Ok(Known { dir, journal, head })
}

/// The same, of one machine only.
///
/// # Errors
/// As [`named`], or when the run belongs to another machine.
pub fn of_kind(site: &Site, id: &str, kind: Kind) -> Result<Known, Raised> {
    let known = named(site, id).map_err(|raised| meant(site, kind, raised))?;
    if known.head.machine == kind.name() {
        return Ok(known);
    }
    let machine = known.head.machine;
    Err(of_query(&Refusal::OtherMachine { id: known.head.run, machine, wanted: kind.name() }))
}

/// Every run of one machine, as they lie in the journal.
///
/// # Errors
/// A journal that cannot be read.
pub fn all(journal: &dyn Journal, kind: Kind) -> Result<Vec<Head>, Raised> {
    let filter = Filter { machine: Some(kind.name().to_owned()), ..Filter::default() };
    query::runs(journal, &filter).map_err(|refusal| of_query(&refusal))
}

/// An id that says nothing of its machine was meant for the one the command is about. Where
/// nothing is near, the newest are named.
fn meant(site: &Site, kind: Kind, mut raised: Raised) -> Raised {
    let Code::Refusal(Machine::Door, reason) = raised.code else { return raised };
    let machine = match kind {
        Kind::Call => Machine::Call,
        Kind::Loop => Machine::Loop,
        Kind::Collab => Machine::Collab,
        Kind::Grant => Machine::Policy,
        Kind::Turn => Machine::Turn,
        Kind::Lifecycle => Machine::Lifecycle,
        Kind::Session => Machine::Session,
    };
    raised.code = Code::refused(machine, reason.word);
    let near = raised.details["nearest"].as_array().is_some_and(|near| !near.is_empty());
    if reason.word == "no_such"
        && !near
        && let Ok(Some((_, journal))) = site.journal()
    {
        let newest = all(&journal, kind).unwrap_or_default();
        raised.details["nearest"] =
            newest.into_iter().take(NEWEST_MAX).map(|head| head.run).collect();
    }
    raised
}
