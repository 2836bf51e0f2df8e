//! What a change that was cut off left beside its targets. It is removed only if it is ours: it
//! holds what stood there, which is saved, or what shall, or the beginning of that. Anything else
//! was displaced from somebody and goes back.

use std::io::Read as _;

use rustix::fs::OFlags;

use super::content::{self, Content, Kind, same};
use super::kinds;
use super::manifest::{Entry, Of, Record};
use super::turn::{put_back, unlink, untouched};
use crate::files::{Fault, Parent};
use crate::shim::durable;

/// Clears the name beside a target.
pub(super) fn sweep(parent: &Parent, record: &Record, entry: &Entry) -> Result<(), Fault> {
    let Some(left) = content::at(parent, &entry.temp)? else { return Ok(()) };
    if left.kind == Kind::Dir {
        return kinds::sweep(parent, entry);
    }
    let (before, after) = (entry.before(), entry.after());
    let present = content::at(parent, parent.name())?;
    let is_after = same(present.as_ref(), after.as_ref());
    let is = |side: Option<Content>| side.is_some_and(|side| left.has_bytes_of(&side));
    if is(after) && !is(before) {
        return unlink(parent, &entry.temp);
    }
    if let Some(before) = before.filter(|_| is(before)) {
        // Displaced, or written to be put there by an undo; either way its bytes are saved.
        let quiet = untouched(parent, &entry.temp, &Content { mode: left.mode, ..before })?;
        return if quiet || !is_after {
            unlink(parent, &entry.temp)
        } else {
            put_back(parent, &entry.temp, after.as_ref())
        };
    }
    if !is_after && is_beginning(parent, record, entry, &left) {
        return unlink(parent, &entry.temp);
    }
    match present {
        Some(_) if is_after => put_back(parent, &entry.temp, after.as_ref()),
        None => put_back(parent, &entry.temp, None),
        // A third content stands there; the displaced one keeps its own name.
        Some(_) => Ok(()),
    }
}

/// Whether the name holds the first part of what we were writing.
fn is_beginning(parent: &Parent, record: &Record, entry: &Entry, left: &Content) -> bool {
    if left.kind != Kind::File {
        return false;
    }
    [Of::After, Of::Before].into_iter().any(|of| {
        let Ok((mut part, _)) = parent.open_named(&entry.temp) else { return false };
        let Ok(mut whole) = durable::open(&record.bytes(entry.n, of), OFlags::RDONLY) else {
            return false;
        };
        let mut a = vec![0; content::CHUNK_BYTES];
        let mut b = vec![0; content::CHUNK_BYTES];
        loop {
            let Ok(length) = part.read(&mut a) else { return false };
            if length == 0 {
                return true;
            }
            if whole.read_exact(&mut b[..length]).is_err() || a[..length] != b[..length] {
                return false;
            }
        }
    })
}
