//! What people have allowed, and taking it back before it is used again, for every door. Who may
//! take back is the engine's to say.

use kernel::errors::{Machine, nearest};
use runtime::query::{self, Given, TakenBack, Which};
use serde_json::{Value, json};

use crate::door::{Ask, CallSay};
use crate::problem::Raised;
use crate::site::{Site, Visit, of_query, refused};

/// Every grant on record, or those that still count.
///
/// # Errors
/// A journal that cannot be read.
pub fn list(site: &Site, which: Which) -> Result<Vec<Given>, Raised> {
    let Some((_, journal)) = site.journal()? else { return Ok(Vec::new()) };
    query::grants(&journal, which).map_err(|why| of_query(&why))
}

/// The grant that a word names: an id or a unique beginning of one.
///
/// # Errors
/// When there is none.
pub fn find<'a>(all: &'a [Given], word: &str) -> Result<&'a Given, Raised> {
    if let Some(given) = all.iter().find(|given| given.id == word) {
        return Ok(given);
    }
    let fits: Vec<&Given> =
        all.iter().filter(|given| !word.is_empty() && given.id.starts_with(word)).collect();
    if let [one] = fits.as_slice() {
        return Ok(one);
    }
    let near = nearest(word, all.iter().map(|given| given.id.as_str()));
    let details = json!({ "what": "grant", "id": word, "nearest": near });
    Err(refused(Machine::Policy, "no_such", details))
}

/// Takes one back.
///
/// # Errors
/// No such grant, a speaker who is no person, or one that is over or goes with its loop.
pub fn revoke(visit: &Visit<'_>, word: &str) -> Result<Value, Raised> {
    visit.person(Machine::Policy, "revoke")?;
    let all = list(visit.site, Which::All)?;
    let given = find(&all, word)?;
    let mut desk = visit.steer()?;
    let (run, trace) = (given.run.clone(), desk.trace());
    match given.back {
        TakenBack::Itself => desk.take(&Ask::Revoke { run, trace })?,
        TakenBack::WithCall => {
            let say = CallSay::Deny { note: given.id.clone(), answers: false };
            desk.take(&Ask::Call { run, trace, say })?
        }
        TakenBack::WithLoop => {
            let help = format!("loopwright loop stop {run}");
            let details = json!({ "state": "live", "holder": run, "help": help });
            return Err(refused(Machine::Policy, "not_now", details));
        }
        TakenBack::No => {
            let details = json!({ "state": given.view["state"] });
            return Err(refused(Machine::Policy, "not_now", details));
        }
    };
    Ok(json!({ "grant_id": given.id, "state": "revoked" }))
}
