//! Walks a work tree by directory handles and makes a mark of it. Every open starts at a handle
//! and follows no link, so a directory swapped for a link during the walk leads nowhere.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Stat};

use super::cache::{Cache, Stamp};
use super::hash::Hash;
use super::mark::{Content, Entry, Kind, Mark, NotCovered, Why};
use super::read::{Reading, hash_file, open_dir, stamp_hash};
use super::rules::{Node, Rules, is_secret};
use super::scope::Secrets;

/// A tree with more files is most likely not a project: a home directory, a disk.
pub const FILES_MAX: usize = 200_000;
/// Each level holds a handle open, and a process may have about a thousand.
pub const DEPTH_MAX: usize = 128;
/// More single paths outside than may be inside: the root itself is listed then, for all of them.
const NOT_COVERED_MAX: usize = FILES_MAX;

/// Why a tree could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The root itself can't be opened as a directory.
    #[error("the root can't be opened: {0}")]
    Root(#[source] std::io::Error),
    /// More than [`FILES_MAX`] files; `directory` holds the most of them.
    #[error("more than {FILES_MAX} files, most of them in {}", directory.display())]
    TooLarge {
        /// Relative to the root.
        directory: PathBuf,
    },
}

/// Looks at the tree below `root`. The cache must be one that only ever saw this root.
pub fn take(root: &Path, cache: &mut Cache) -> Result<Mark, Error> {
    let root = std::fs::canonicalize(root).map_err(Error::Root)?;
    let path = CString::new(root.as_os_str().as_bytes()).map_err(|e| Error::Root(e.into()))?;
    let handle = open_dir(rustix::fs::CWD, &path).map_err(|e| Error::Root(e.into()))?;
    cache.begin();
    let rules = Rules::find(&root, cache);
    let mut walk = Walk { rules, cache, entries: Vec::new(), not_covered: Vec::new() };
    walk.directory(handle, &mut Vec::new(), Reach::All, 0)?;
    let (entries, not_covered) = (walk.entries, walk.not_covered);
    cache.end();
    Ok(Mark::new(entries, not_covered))
}

/// What of a directory counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    All,
    /// The directory is ignored: only what git tracks in it.
    Tracked,
}

struct Walk<'a> {
    rules: Rules,
    cache: &'a mut Cache,
    entries: Vec<Entry>,
    not_covered: Vec<NotCovered>,
}

impl Walk<'_> {
    fn directory(
        &mut self,
        handle: OwnedFd,
        path: &mut Vec<u8>,
        reach: Reach,
        depth: usize,
    ) -> Result<(), Error> {
        let Some(names) = names(&handle) else {
            self.outside(path, Why::Unreadable);
            return Ok(());
        };
        if depth > 0 && names.iter().any(|(name, _)| is_git(name.as_bytes())) {
            self.outside(path, Why::NestedRepository);
            return Ok(());
        }
        if names.is_empty() && depth > 0 && reach == Reach::All {
            self.outside(path, Why::EmptyDirectory);
        }
        let levels = self.rules.enter(self.cache, &handle, path);
        let length = path.len();
        for (name, kind) in names {
            if depth == 0 && (is_git(name.as_bytes()) || name.as_bytes() == b".loop") {
                continue;
            }
            if length > 0 {
                path.push(b'/');
            }
            path.extend_from_slice(name.as_bytes());
            self.node(&handle, &Named { name, kind }, path, reach, depth)?;
            path.truncate(length);
        }
        self.rules.leave(levels);
        Ok(())
    }

    fn node(
        &mut self,
        parent: &OwnedFd,
        node: &Named,
        path: &mut Vec<u8>,
        reach: Reach,
        depth: usize,
    ) -> Result<(), Error> {
        if self.cache.is_ours(path) {
            return Ok(());
        }
        let mut stat = None;
        let mut kind = node.kind;
        if kind != FileType::Directory {
            // Gone since the listing: the same as never there.
            let Some(found) = stat_of(parent, node) else { return Ok(()) };
            kind = FileType::from_raw_mode(found.st_mode);
            stat = Some(found);
        }
        if kind == FileType::Directory {
            return self.subdirectory(parent, node, path, reach, depth);
        }
        if self.is_secret(node) {
            self.outside(path, Why::Secret);
            return Ok(());
        }
        let ignored = reach == Reach::Tracked || self.rules.is_ignored(path, Node::Other);
        if ignored && !self.rules.tracked.has(path) {
            if reach == Reach::All {
                self.outside(path, Why::Ignored);
            }
            return Ok(());
        }
        if let Some(content) = stat.and_then(|stat| self.content(parent, node, path, kind, &stat)) {
            self.entries.push(Entry { path: path.clone(), content });
        }
        if self.entries.len() > FILES_MAX {
            return Err(Error::TooLarge { directory: fullest(&self.entries) });
        }
        Ok(())
    }

    fn subdirectory(
        &mut self,
        parent: &OwnedFd,
        node: &Named,
        path: &mut Vec<u8>,
        reach: Reach,
        depth: usize,
    ) -> Result<(), Error> {
        let ignored = reach == Reach::Tracked || self.rules.is_ignored(path, Node::Directory);
        let reach = if ignored { Reach::Tracked } else { Reach::All };
        let why = if self.rules.tracked.is_submodule(path) {
            Some(Why::Submodule)
        } else if self.is_secret(node) {
            Some(Why::Secret)
        } else if ignored && !self.rules.tracked.has_below(path) {
            Some(Why::Ignored)
        } else if depth >= DEPTH_MAX {
            Some(Why::TooDeep)
        } else {
            None
        };
        if let Some(why) = why {
            self.outside(path, why);
            return Ok(());
        }
        match open_dir(parent, &node.name) {
            Ok(handle) => self.directory(handle, path, reach, depth + 1),
            Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => Ok(()),
            Err(_) => {
                self.outside(path, Why::Unreadable);
                Ok(())
            }
        }
    }

    fn content(
        &mut self,
        parent: &OwnedFd,
        node: &Named,
        path: &[u8],
        kind: FileType,
        stat: &Stat,
    ) -> Option<Content> {
        let stamp = Stamp::of(stat);
        if kind == FileType::Symlink {
            let Ok(target) = rustix::fs::readlinkat(parent, &node.name, Vec::new()) else {
                self.outside(path, Why::Unreadable);
                return None;
            };
            return Some(Content { kind: Kind::Link, sha256: Hash::of(target.as_bytes()) });
        }
        if kind != FileType::RegularFile {
            self.outside(path, Why::Special);
            return None;
        }
        let kind = if stat.st_mode & 0o100 == 0 { Kind::File } else { Kind::Executable };
        if let Some(sha256) = self.cache.get(&stamp) {
            return Some(Content { kind, sha256 });
        }
        let bytes_max = self.cache.scope.file_bytes_max;
        let reading = if stamp.size > bytes_max {
            Reading::TooLarge
        } else {
            hash_file(parent, &node.name, bytes_max)
        };
        let stamped = Content { kind: Kind::Stamped, sha256: stamp_hash(&stamp) };
        let (content, why) = match reading {
            Reading::Steady { hash, stamp, read_at_ns } => {
                self.cache.put(stamp, read_at_ns, hash);
                return Some(Content { kind, sha256: hash });
            }
            Reading::Moving(sha256) => (Content { kind, sha256 }, Why::ChangedWhileRead),
            Reading::TooLarge => (stamped, Why::TooLarge),
            Reading::Unreadable => {
                // Deleted while we looked is no more than absent.
                stat_of(parent, node)?;
                (stamped, Why::Unreadable)
            }
        };
        self.outside(path, why);
        Some(content)
    }

    fn is_secret(&self, node: &Named) -> bool {
        match self.cache.scope.secrets {
            Secrets::Outside => is_secret(node.name.as_bytes()),
            Secrets::Inside => false,
        }
    }

    fn outside(&mut self, path: &[u8], why: Why) {
        let path = match self.not_covered.len() {
            0..NOT_COVERED_MAX => path.to_vec(),
            NOT_COVERED_MAX => Vec::new(),
            _ => return,
        };
        self.not_covered.push(NotCovered { path, why });
    }
}

struct Named {
    name: CString,
    kind: FileType,
}

fn stat_of(parent: &OwnedFd, node: &Named) -> Option<Stat> {
    rustix::fs::statat(parent, &node.name, AtFlags::SYMLINK_NOFOLLOW).ok()
}

/// The names in a directory with the kind the listing gives; unsorted, since a mark sorts itself.
fn names(handle: &OwnedFd) -> Option<Vec<(CString, FileType)>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(handle).ok()? {
        let entry = entry.ok()?;
        let name = entry.file_name();
        if name != c"." && name != c".." {
            names.push((name.to_owned(), entry.file_type()));
        }
    }
    Some(names)
}

fn is_git(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b".git")
}

fn fullest(entries: &[Entry]) -> PathBuf {
    let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
    for entry in entries {
        let end = entry.path.iter().position(|&byte| byte == b'/').unwrap_or(0);
        *counts.entry(&entry.path[..end]).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|&(_, count)| count);
    PathBuf::from(OsStr::from_bytes(most.map_or(&[][..], |(directory, _)| directory)))
}
