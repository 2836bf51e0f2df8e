//! Which runs there are, and which one a beginning of an id means.

use std::collections::BTreeSet;

use journal::{Head, Journal};
use kernel::errors::nearest;
use kernel::run::Kind;

use super::refusal::Refusal;

/// Which runs to list; an empty filter lists all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only this machine's.
    pub machine: Option<String>,
    /// Only those in this state, ignoring letter case.
    pub state: Option<String>,
    /// Only this run and those below it.
    pub below: Option<String>,
}

/// The runs that fit, newest first.
///
/// # Errors
/// When the journal cannot be read.
pub fn runs(journal: &dyn Journal, filter: &Filter) -> Result<Vec<Head>, Refusal> {
    let all = journal.heads()?;
    let fits = |head: &&Head| {
        filter.machine.as_ref().is_none_or(|machine| *machine == head.machine)
            && filter.state.as_ref().is_none_or(|state| state.eq_ignore_ascii_case(&head.status))
            && filter.below.as_ref().is_none_or(|top| is_below(&all, head, top))
    };
    let mut found: Vec<Head> = all.iter().filter(fits).cloned().collect();
    found.reverse();
    Ok(found)
}

/// Whether a run is `top` or has it above itself. The walk is bounded: a journal holds no cycle,
/// but a reader must not hang on one that does.
pub(super) fn is_below(all: &[Head], head: &Head, top: &str) -> bool {
    let mut at = Some(head);
    for _ in 0..=all.len() {
        match at {
            Some(run) if run.run == top => return true,
            Some(run) => {
                at = run.parent.as_ref().and_then(|up| all.iter().find(|h| h.run == *up));
            }
            None => return false,
        }
    }
    false
}

/// The newest call below a run that has not ended: what is at work for it now.
///
/// # Errors
/// When the journal cannot be read.
pub fn at_work(journal: &dyn Journal, top: &str) -> Result<Option<Head>, Refusal> {
    let all = journal.heads()?;
    let live = |head: &&Head| !head.ended && head.machine == Kind::Call.name();
    let found = all.iter().rev().filter(live).find(|head| is_below(&all, head, top));
    Ok(found.cloned())
}

/// A run and all below it, in the order they began. A parent stands before its children in a
/// journal, so one pass finds them.
pub(super) fn below<'a>(all: &'a [Head], top: &str) -> Vec<&'a Head> {
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for head in all {
        if head.run == top || head.parent.as_ref().is_some_and(|up| known.contains(up.as_str())) {
            known.insert(head.run.as_str());
            found.push(head);
        }
    }
    found
}

/// The run that an id or a unique beginning of one means.
///
/// # Errors
/// When none or several fit.
pub fn resolve(journal: &dyn Journal, id: &str) -> Result<Head, Refusal> {
    if let Some(head) = journal.head(id)? {
        return Ok(head);
    }
    let all = journal.heads()?;
    let mut fitting: Vec<&Head> =
        all.iter().filter(|head| !id.is_empty() && head.run.starts_with(id)).collect();
    match fitting.as_slice() {
        [one] => Ok((*one).clone()),
        [] => {
            let near = nearest(id, all.iter().map(|head| head.run.as_str()));
            let nearest = near.into_iter().map(str::to_owned).collect();
            Err(Refusal::NoSuch { id: id.to_owned(), nearest })
        }
        _ => {
            fitting.reverse();
            let newest = fitting.iter().take(CANDIDATES_MAX).map(|head| head.run.clone());
            Err(Refusal::Ambiguous { id: id.to_owned(), candidates: newest.collect() })
        }
    }
}

/// More candidates than this are a list; `runs` shows it.
const CANDIDATES_MAX: usize = 10;
