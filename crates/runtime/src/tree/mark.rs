//! One look at a work tree: entries sorted by path bytes, their digest, and the difference of two
//! looks. Nothing here touches a file; `walk` fills a mark and `store` keeps it.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::hash::Hash;

/// Opens the serialised form. A change of the form needs a new line here, since it is digested.
const HEADER: &[u8] = b"loopwright tree 1\n";
/// Kind byte, 32 bytes of hash, a path of at least one byte, NUL.
const RECORD_MIN: usize = 1 + 32 + 1 + 1;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A regular file.
    File,
    /// A regular file its owner may execute.
    Executable,
    /// A symbolic link; the hash is that of its target's name.
    Link,
    /// A regular file whose bytes were not read; the hash stands for its size and time.
    Stamped,
}

impl Kind {
    const ALL: [Self; 4] = [Self::File, Self::Executable, Self::Link, Self::Stamped];

    const fn byte(self) -> u8 {
        match self {
            Self::File => b'f',
            Self::Executable => b'x',
            Self::Link => b'l',
            Self::Stamped => b's',
        }
    }

    fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.byte() == byte)
    }
}

/// Kind and hash of what stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// File, executable, link, or only stamped.
    pub kind: Kind,
    /// SHA-256 of the bytes, of the link's target, or of the stamp.
    pub sha256: Hash,
}

/// One path of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Relative to the root, `/`-separated, raw bytes (a name need not be UTF-8).
    pub path: Vec<u8>,
    /// What stands there.
    pub content: Content,
}

/// Why a path is not covered by content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// An ignore file names it, and git does not track it. A directory stands for all below it.
    Ignored,
    /// Its name says it holds secrets.
    Secret,
    /// Larger than is read.
    TooLarge,
    /// A repository of its own.
    NestedRepository,
    /// A submodule by the index.
    Submodule,
    /// A fifo, socket or device.
    Special,
    /// It could not be opened or read.
    Unreadable,
    /// It changed during two readings; the hash is of what the second one found.
    ChangedWhileRead,
    /// A directory with nothing in it.
    EmptyDirectory,
    /// Deeper than directories are followed.
    TooDeep,
    /// Git takes such a name for its own directory and could not keep it.
    GitName,
}

impl Why {
    /// The reason's word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ignored => "ignored",
            Self::Secret => "secret",
            Self::TooLarge => "too_large",
            Self::NestedRepository => "nested_repository",
            Self::Submodule => "submodule",
            Self::Special => "special",
            Self::Unreadable => "unreadable",
            Self::ChangedWhileRead => "changed_while_read",
            Self::EmptyDirectory => "empty_directory",
            Self::TooDeep => "too_deep",
            Self::GitName => "git_name",
        }
    }
}

/// A path whose content the mark does not vouch for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCovered {
    /// As in [`Entry::path`].
    pub path: Vec<u8>,
    /// The reason.
    pub why: Why,
}

/// One look at a work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Sorted by path bytes, each path once.
    pub entries: Vec<Entry>,
    /// What is outside, and why. Not part of the digest, and not kept by `store`.
    pub not_covered: Vec<NotCovered>,
    /// SHA-256 of the serialised form.
    pub digest: Hash,
}

/// A path that differs between two marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// As in [`Entry::path`].
    pub path: Vec<u8>,
    /// What stood there, if anything did.
    pub before: Option<Content>,
    /// What stands there now, if anything does.
    pub after: Option<Content>,
}

impl Mark {
    /// A mark of these entries, in any order. Of two with one path the first is kept.
    pub fn new(mut entries: Vec<Entry>, mut not_covered: Vec<NotCovered>) -> Self {
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        entries.dedup_by(|later, first| later.path == first.path);
        not_covered.sort_by(|a, b| a.path.cmp(&b.path));
        let digest = digest(&entries, |_| true);
        Self { entries, not_covered, digest }
    }

    /// What stands at `path`.
    pub fn get(&self, path: &[u8]) -> Option<Content> {
        let at = self.entries.binary_search_by(|entry| entry.path.as_slice().cmp(path)).ok()?;
        Some(self.entries[at].content)
    }

    /// The digest over the paths `covers` names. With all of them it equals `self.digest`.
    pub fn digest_where(&self, covers: impl Fn(&[u8]) -> bool) -> Hash {
        digest(&self.entries, covers)
    }

    /// Every path that differs, sorted.
    pub fn diff(before: &Self, after: &Self) -> Vec<Change> {
        if before.digest == after.digest {
            return Vec::new();
        }
        let (mut old, mut new) = (before.entries.as_slice(), after.entries.as_slice());
        let mut changes = Vec::new();
        loop {
            let order = match (old.first(), new.first()) {
                (None, None) => return changes,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.path.cmp(&b.path),
            };
            let was = if order.is_le() { take_first(&mut old) } else { None };
            let is = if order.is_ge() { take_first(&mut new) } else { None };
            let (before, after) = (was.map(|e| e.content), is.map(|e| e.content));
            if let Some(entry) = was.or(is).filter(|_| before != after) {
                changes.push(Change { path: entry.path.clone(), before, after });
            }
        }
    }

    /// The serialised form, whose SHA-256 is the digest.
    pub fn to_bytes(&self) -> Vec<u8> {
        let paths: usize = self.entries.iter().map(|entry| entry.path.len()).sum();
        let mut out = Vec::with_capacity(HEADER.len() + paths + 34 * self.entries.len());
        each_part(&self.entries, |_| true, |part| out.extend_from_slice(part));
        out
    }

    /// Reads [`Self::to_bytes`]. `None` for anything that function did not write.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(HEADER)?;
        let mut entries: Vec<Entry> = Vec::with_capacity(rest.len() / 64);
        while !rest.is_empty() {
            let (entry, after) = record(rest)?;
            if entries.last().is_some_and(|last| last.path >= entry.path) {
                return None;
            }
            entries.push(entry);
            rest = after;
        }
        Some(Self { entries, not_covered: Vec::new(), digest: Hash::of(bytes) })
    }
}

fn take_first<'a>(list: &mut &'a [Entry]) -> Option<&'a Entry> {
    let (first, rest) = list.split_first()?;
    *list = rest;
    Some(first)
}

fn record(bytes: &[u8]) -> Option<(Entry, &[u8])> {
    if bytes.len() < RECORD_MIN {
        return None;
    }
    let kind = Kind::from_byte(bytes[0])?;
    let sha256 = Hash(bytes[1..33].try_into().ok()?);
    let end = 33 + bytes[33..].iter().position(|&byte| byte == 0)?;
    let path = bytes[33..end].to_vec();
    let entry = Entry { path, content: Content { kind, sha256 } };
    (!entry.path.is_empty()).then_some((entry, &bytes[end + 1..]))
}

fn digest(entries: &[Entry], covers: impl Fn(&[u8]) -> bool) -> Hash {
    let mut sha = Sha256::new();
    each_part(entries, covers, |part| sha.update(part));
    Hash(sha.finalize().into())
}

fn each_part(entries: &[Entry], covers: impl Fn(&[u8]) -> bool, mut to: impl FnMut(&[u8])) {
    to(HEADER);
    for entry in entries.iter().filter(|entry| covers(&entry.path)) {
        to(&[entry.content.kind.byte()]);
        to(&entry.content.sha256.0);
        to(&entry.path);
        to(&[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &[u8], kind: Kind, text: &str) -> Entry {
        Entry { path: path.to_vec(), content: Content { kind, sha256: Hash::of(text.as_bytes()) } }
    }

    #[test]
    fn round_trip_keeps_every_entry_and_the_digest() {
        let entries = vec![
            entry(b"b\xff\n", Kind::Link, "to"),
            entry(b"a/b", Kind::Executable, "1"),
            entry(b"a-b", Kind::File, "2"),
            entry(b"a", Kind::Stamped, ""),
        ];
        let mark = Mark::new(entries, Vec::new());
        let bytes = mark.to_bytes();
        assert_eq!(Mark::from_bytes(&bytes), Some(mark.clone()));
        assert_eq!(Hash::of(&bytes), mark.digest);
        assert_eq!(mark.digest_where(|_| true), mark.digest);
        assert_ne!(mark.digest_where(|path| path != b"a"), mark.digest);
        let paths: Vec<_> = mark.entries.iter().map(|e| e.path.as_slice()).collect();
        assert_eq!(paths, [b"a".as_slice(), b"a-b", b"a/b", b"b\xff\n"]);
    }

    #[test]
    fn invariant_no_cut_or_swap_of_a_serialised_mark_is_read_as_the_same_mark() {
        let mark = Mark::new(
            vec![entry(b"x", Kind::File, "1"), entry(b"y/z", Kind::File, "2")],
            Vec::new(),
        );
        let bytes = mark.to_bytes();
        for end in 0..bytes.len() {
            assert!(Mark::from_bytes(&bytes[..end]).is_none_or(|m| m.digest != mark.digest));
        }
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            assert!(Mark::from_bytes(&bad).is_none_or(|m| m.digest != mark.digest), "{at}");
        }
    }

    #[test]
    fn diff_names_added_removed_changed_and_mode_only() {
        let a = Mark::new(
            vec![
                entry(b"gone", Kind::File, "1"),
                entry(b"mode", Kind::File, "2"),
                entry(b"same", Kind::File, "3"),
                entry(b"text", Kind::File, "4"),
            ],
            Vec::new(),
        );
        let b = Mark::new(
            vec![
                entry(b"mode", Kind::Executable, "2"),
                entry(b"new", Kind::File, "1"),
                entry(b"same", Kind::File, "3"),
                entry(b"text", Kind::File, "5"),
            ],
            Vec::new(),
        );
        let seen: Vec<_> = Mark::diff(&a, &b)
            .into_iter()
            .map(|c| (c.path, c.before.is_some(), c.after.is_some()))
            .collect();
        let want = [("gone", true, false), ("mode", true, true), ("new", false, true)];
        let mut want: Vec<_> = want.map(|(p, b, a)| (p.as_bytes().to_vec(), b, a)).into();
        want.push((b"text".to_vec(), true, true));
        assert_eq!(seen, want);
        assert!(Mark::diff(&a, &a).is_empty());
    }
}
