//! Which loop an id means. No id leads anywhere but to a loop of the journal.

use journal::{Head, Journal};
use kernel::errors::{Machine, nearest};
use kernel::loops::valid_id;
use kernel::run::Kind;
use runtime::query::{self, Filter, Refusal};
use serde_json::json;

use crate::problem::Raised;
use crate::site::{Known, Site, of_query, refused};

/// Longest id of a loop, with the word it begins with.
const ID_BYTES_MAX: usize = 133;

/// Whether a text could be an id, or the beginning of one.
#[must_use]
pub fn plain_id(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    !id.is_empty() && id.len() <= ID_BYTES_MAX && !id.contains("..") && id.chars().all(plain)
}

/// What is no id of a loop.
#[must_use]
pub fn bad_id(id: &str) -> Raised {
    let details = json!({ "field": "loop_id", "found": id, "expected": "loop-…" });
    refused(Machine::Loop, "invalid_args", details)
}

/// The loop of this very id.
///
/// # Errors
/// When there is none, it is deleted, or it is no id.
pub fn exact(site: &Site, id: &str) -> Result<Known, Raised> {
    if !valid_id(id) {
        return Err(bad_id(id));
    }
    let Some((dir, journal)) = site.journal()? else { return Err(no_such(id, &[])) };
    let head = journal.head(id).map_err(|fault| of_query(&Refusal::Journal(fault)))?;
    match head.filter(|head| head.machine == Kind::Loop.name() && head.status != "deleted") {
        Some(head) => Ok(Known { dir, journal, head }),
        None => {
            let all = all(&journal)?;
            Err(no_such(id, &nearest(id, all.iter().map(|head| head.run.as_str()))))
        }
    }
}

fn no_such(id: &str, near: &[&str]) -> Raised {
    let details = json!({ "what": "loop", "id": id, "nearest": near });
    refused(Machine::Loop, "no_such", details)
}

/// Every loop that the journal has.
///
/// # Errors
/// A journal that cannot be read.
pub fn all(journal: &dyn Journal) -> Result<Vec<Head>, Raised> {
    let filter = Filter { machine: Some(Kind::Loop.name().to_owned()), ..Filter::default() };
    query::runs(journal, &filter).map_err(|refusal| of_query(&refusal))
}
