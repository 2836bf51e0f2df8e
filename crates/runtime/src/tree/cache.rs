//! What is remembered between two looks at one tree: hashes by stat, and compiled ignore files.
//! It is only ever a shortcut: an empty cache gives the same mark. It is not kept on disk.

use std::collections::HashMap;
use std::sync::Arc;

use ignore::gitignore::Gitignore;
use rustix::fs::Stat;

use super::git_index::Tracked;
use super::hash::Hash;
use super::scope::Scope;
use crate::view_file::is_temp_of;

/// Kernels stamp files with a clock that ticks as rarely as every 10 ms: a file written in the
/// tick of our reading may change again without its stamps moving.
const TICK_NS: i128 = 20_000_000;
/// File systems without sub-second times (FAT counts two seconds) show whole seconds only.
const COARSE_NS: i128 = 2_000_000_000;
const SECOND_NS: i128 = 1_000_000_000;

/// Remembers hashes of files whose stat did not change. Belongs to one root.
#[derive(Default)]
pub struct Cache {
    files: HashMap<(i128, u64), Known>,
    look: u64,
    pub(super) scope: Scope,
    /// A page of ours that people find in their tree; it is redrawn while others work there.
    page: Vec<u8>,
    pub(super) ignores: HashMap<Vec<u8>, (Vec<u8>, Arc<Gitignore>)>,
    pub(super) user_ignores: Option<Arc<Gitignore>>,
    pub(super) tracked: Option<(Stamp, i128, Arc<Tracked>)>,
}

struct Known {
    stamp: Stamp,
    read_at_ns: i128,
    hash: Hash,
    look: u64,
}

/// What must stay equal for content to count as unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub dev: i128,
    pub inode: u64,
    pub size: u64,
    pub mtime_ns: i128,
    pub ctime_ns: i128,
}

impl Stamp {
    pub(crate) fn of(stat: &Stat) -> Self {
        let ns = |seconds: i64, nanos: i128| i128::from(seconds) * SECOND_NS + nanos;
        Self {
            dev: i128::from(stat.st_dev),
            inode: stat.st_ino,
            size: u64::try_from(stat.st_size).unwrap_or(0),
            mtime_ns: ns(stat.st_mtime, i128::from(stat.st_mtime_nsec)),
            ctime_ns: ns(stat.st_ctime, i128::from(stat.st_ctime_nsec)),
        }
    }

    /// Whether a reading begun at `read_at_ns` may have missed a change these stamps do not show.
    pub(crate) fn is_racy(&self, read_at_ns: i128) -> bool {
        let coarse = self.mtime_ns % SECOND_NS == 0 && self.ctime_ns % SECOND_NS == 0;
        let slack_ns = if coarse { COARSE_NS } else { TICK_NS };
        self.mtime_ns.max(self.ctime_ns) + slack_ns >= read_at_ns
    }
}

impl Cache {
    /// A cache that also honours the ignore file of the user's own git settings.
    pub fn with_user_ignores() -> Self {
        let (ignores, _) = Gitignore::global();
        Self { user_ignores: Some(Arc::new(ignores)), ..Self::default() }
    }

    /// The same cache with other bounds of what is read.
    #[must_use]
    pub fn within(self, scope: Scope) -> Self {
        Self { scope, ..self }
    }

    /// The same cache beside a page of ours, which is no part of what others work at.
    #[must_use]
    pub fn beside(self, page: &str) -> Self {
        let page = page.strip_prefix("./").unwrap_or(page).as_bytes().to_vec();
        Self { page, ..self }
    }

    /// The page itself, and what stands beside it for a moment while it is redrawn.
    pub(super) fn is_ours(&self, path: &[u8]) -> bool {
        if self.page.is_empty() {
            return false;
        }
        let (dir, name) = split(path);
        let (page_dir, page) = split(&self.page);
        if dir != page_dir {
            return false;
        }
        let texts = std::str::from_utf8(name).ok().zip(std::str::from_utf8(page).ok());
        name == page || texts.is_some_and(|(name, page)| is_temp_of(name, page))
    }

    pub(super) fn get(&mut self, stamp: &Stamp) -> Option<Hash> {
        let known = self.files.get_mut(&(stamp.dev, stamp.inode))?;
        if known.stamp != *stamp || stamp.is_racy(known.read_at_ns) {
            return None;
        }
        known.look = self.look;
        Some(known.hash)
    }

    pub(super) fn put(&mut self, stamp: Stamp, read_at_ns: i128, hash: Hash) {
        let known = Known { stamp, read_at_ns, hash, look: self.look };
        self.files.insert((stamp.dev, stamp.inode), known);
    }

    pub(super) fn begin(&mut self) {
        self.look += 1;
    }

    /// Forgets files this look did not meet, so the cache is never larger than the tree.
    pub(super) fn end(&mut self) {
        let look = self.look;
        self.files.retain(|_, known| known.look == look);
    }
}

/// The directory of a path, with its `/`, and the name below it.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    let name = path.iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
    path.split_at(name)
}

/// The wall clock, which is the clock files are stamped with.
pub(crate) fn now_ns() -> i128 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
    i128::from(now.tv_sec) * SECOND_NS + i128::from(now.tv_nsec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_as_young_as_the_reading_is_racy() {
        let stamp = |mtime_ns, ctime_ns| Stamp { dev: 1, inode: 1, size: 1, mtime_ns, ctime_ns };
        let at = 100 * SECOND_NS + 500;
        let rows = [
            ("older", stamp(at - TICK_NS - 1, at - TICK_NS - 1), false),
            ("same tick", stamp(at - TICK_NS, at - SECOND_NS), true),
            ("changed mode in the tick", stamp(at - SECOND_NS, at - 5), true),
            ("from the future", stamp(at + SECOND_NS, at - SECOND_NS), true),
            ("whole seconds, one ago", stamp(99 * SECOND_NS, 99 * SECOND_NS), true),
            ("whole seconds, three ago", stamp(97 * SECOND_NS, 97 * SECOND_NS), false),
        ];
        for (name, stamp, want) in rows {
            assert_eq!(stamp.is_racy(at), want, "{name}");
        }
    }

    #[test]
    fn a_page_is_ours_with_its_temps_and_nothing_else_is() {
        let cache = Cache::default().beside("./notes/context.md");
        for (path, want) in [
            ("notes/context.md", true),
            ("notes/.lw-view-new-1.2.context.md", true),
            ("notes/.lw-view-old-1.2.aa.bb.context.md", true),
            ("notes/.lw-view-old-1.2.aa.bb.context.md~", true),
            ("notes/.lw-view-old-1.2.aa.bb.other.md", false),
            ("notes/.lw-view-old-1.2.aa.bb.xcontext.md", false),
            (".lw-view-new-1.2.context.md", false),
            ("other/.lw-view-new-1.2.context.md", false),
            ("context.md", false),
        ] {
            assert_eq!(cache.is_ours(path.as_bytes()), want, "{path}");
        }
        assert!(!Cache::default().is_ours(b""));
    }

    #[test]
    fn invariant_a_racy_hash_is_never_given_back() {
        let at = 100 * SECOND_NS + 500;
        let stamp = Stamp { dev: 1, inode: 1, size: 1, mtime_ns: at, ctime_ns: at };
        let mut cache = Cache::default();
        cache.begin();
        cache.put(stamp, at + 1, Hash::of(b"read in the tick it was written in"));
        assert_eq!(cache.get(&stamp), None);
        cache.put(stamp, at + TICK_NS + 1, Hash::of(b"read later"));
        assert_eq!(cache.get(&stamp), Some(Hash::of(b"read later")));
        assert_eq!(cache.get(&Stamp { size: 2, ..stamp }), None);
        cache.begin();
        cache.end();
        assert_eq!(cache.get(&stamp), None, "forgotten once a look did not meet it");
    }
}
