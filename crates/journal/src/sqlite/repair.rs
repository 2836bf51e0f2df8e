//! Writing the head file anew, when a person has decided to go on with the journal as it is. The
//! engine never does this by itself: a head file that does not fit is its reason to stop.

use super::writer::{HeadPolicy, Sqlite, claim};
use crate::contract::Journal;
use crate::fault::Fault;
use crate::head_file;
use crate::lock::Owner;
use std::path::Path;

/// What writing the head file anew has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repaired {
    /// The position that had been acknowledged; `None` when there was no readable head file.
    /// If it is higher than `now_pos`, the records between are lost.
    pub was_pos: Option<u64>,
    /// The position at which the journal ends.
    pub now_pos: u64,
}

/// Checks every record, hash and row, and if all of that is in order takes the journal's end as
/// what is acknowledged from now on.
///
/// # Errors
/// `locked` while an engine lives; whatever else is damaged, with the files left as they were.
pub fn repair_head(dir: &Path, owner: &Owner) -> Result<Repaired, Fault> {
    let lock = claim(dir, owner)?;
    let was_pos = head_file::read(dir).ok().flatten().map(|mark| mark.pos);
    let journal = Sqlite::open_locked(dir, lock, HeadPolicy::Replace)?;
    Ok(Repaired { was_pos, now_pos: journal.stats()?.last_pos })
}
