//! What a making has taken in so far, entry by entry, and what it had to leave. It reads nothing.

use std::collections::HashSet;

use super::objects::Id;
use crate::tree::{self, Entry, Kind, Mark, Why};

/// Bytes that git has.
#[derive(Clone, Copy)]
pub(super) struct Blob {
    pub id: Id,
    pub bytes: u64,
}

/// Whether a look found what the last commit holds. Files that are only stamped are in no commit,
/// so they do not count.
pub(super) fn same_files(last: &Mark, now: &Mark) -> bool {
    let stored = |entry: &&Entry| entry.content.kind != Kind::Stamped;
    last.entries.iter().eq(now.entries.iter().filter(stored))
}

/// What a feed has taken in so far.
#[derive(Default)]
pub(super) struct Kept {
    pub entries: Vec<Entry>,
    pub not_covered: Vec<tree::NotCovered>,
    pub used: HashSet<Id>,
    pub bytes: u64,
}

impl Kept {
    pub(super) fn keep(&mut self, entry: Entry, blob: Blob) {
        self.bytes += blob.bytes;
        self.used.insert(blob.id);
        self.entries.push(entry);
    }

    pub(super) fn leave(&mut self, entry: &Entry, why: Why) {
        self.not_covered.push(tree::NotCovered { path: entry.path.clone(), why });
    }
}
