//! Which run an id means, of any machine or of one.

use journal::{Head, Journal};
use kernel::errors::{Code, Machine};
use kernel::run::Kind;
use runtime::query::{self, Filter, Refusal};

use super::place::{Known, Site};
use super::raise::{bad_value, of_query};
use crate::problem::Raised;

/// As many as a sentence can name.
const NEWEST_MAX: usize = 3;

/// The run an id or a unique beginning of one means.
///
/// # Errors
/// When none or several fit, or the journal cannot be read.
pub fn run(site: &Site, id: &str) -> Result<Known, Raised> {
    let Some((dir, journal)) = site.journal()? else {
        return Err(of_query(&Refusal::NoSuch { id: id.to_owned(), nearest: Vec::new() }));
    };
    let head = query::resolve(&journal, id).map_err(|refusal| of_query(&refusal))?;
    Ok(Known { dir, journal, head })
}

/// The same, of one machine only.
///
/// # Errors
/// As [`run`], or when the run belongs to another machine.
pub fn run_of(site: &Site, id: &str, kind: Kind) -> Result<Known, Raised> {
    let known = run(site, id).map_err(|raised| meant(site, kind, raised))?;
    if known.head.machine == kind.name() {
        return Ok(known);
    }
    let (id, machine) = (known.head.run, known.head.machine);
    Err(of_query(&Refusal::OtherMachine { id, machine, wanted: kind.name() }))
}

/// Every run of one machine, the newest first.
///
/// # Errors
/// A journal that cannot be read.
pub fn all_of(journal: &dyn Journal, kind: Kind) -> Result<Vec<Head>, Raised> {
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
        let filter = Filter { machine: Some(kind.name().to_owned()), ..Filter::default() };
        let newest = query::runs(&journal, &filter).unwrap_or_default();
        let newest = newest.into_iter().take(NEWEST_MAX).map(|head| head.run);
        raised.details["nearest"] = newest.collect();
    }
    raised
}

/// Whether a word is a state of one of these machines.
///
/// # Errors
/// When it is not.
pub fn state(name: &str, word: &str, kinds: &[Kind]) -> Result<(), Raised> {
    let all: Vec<&str> = kinds.iter().flat_map(|kind| crate::draw::kept(*kind).states).collect();
    if all.iter().any(|known| known.eq_ignore_ascii_case(word)) {
        return Ok(());
    }
    Err(bad_value(name, word, &all))
}
