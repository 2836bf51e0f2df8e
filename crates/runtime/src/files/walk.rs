//! Walks the tree below the root by handles, in the order of paths, and says of every entry what
//! a tool must know: whether it is ignored, tracked, protected. Which entries count is for the
//! visitor to say. No link is followed, and every directory is opened beneath the one above.

use std::ffi::{CStr, CString};
use std::os::fd::OwnedFd;
use std::sync::Arc;

use kernel::paths::{Classes, Names, Place, Rel};
use rustix::fs::{AtFlags, Dir, FileType, OFlags};

use super::beneath::{self, Links};
use super::facts::Kind;
use super::fault::Fault;
use super::root::Root;
use crate::tree::{Cache, Node as Sort, Rules};

/// Each level holds a handle open, and a process may have about a thousand.
const DEPTH_MAX: usize = 128;

/// Directories of tools and their output: never searched unless git tracks what is in them.
const ALWAYS_IGNORED: [&[u8]; 12] = [
    b".git",
    b".loop",
    b"node_modules",
    b"vendor",
    b"__pycache__",
    b".venv",
    b"dist",
    b"build",
    b"target",
    b"out",
    b"bin",
    b"coverage",
];

/// Whether a directory of this name is one of those.
pub(crate) fn always_ignored(name: &[u8]) -> bool {
    ALWAYS_IGNORED.contains(&name)
}

/// One entry as the walk meets it.
pub(super) struct Node<'walk> {
    /// The directory it stands in.
    pub dir: &'walk Arc<OwnedFd>,
    /// Its name there.
    pub name: &'walk CStr,
    /// Its path below the root.
    pub path: &'walk [u8],
    /// What it is.
    pub kind: Kind,
    /// How far below the start it is; entries of the start itself are 1.
    pub depth: usize,
    /// Whether ignore files or the list above leave it out.
    pub ignored: bool,
    /// Whether git tracks it, or, for a directory, something in it; unknown without an index.
    pub tracked: Option<bool>,
    /// The protected classes of its own name; what is above was judged before.
    pub classes: Classes,
}

/// How the walk goes on after an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Into a directory; past anything else.
    Into,
    /// Past it, with everything below.
    Past,
    /// No further.
    Stop,
}

/// How a walk ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// Everything was met.
    Whole,
    /// Something lay too deep.
    TooDeep,
    /// The visitor stopped it.
    Stopped,
}

/// What a walk needs besides its visitor.
pub(super) struct Ground<'a> {
    pub root: &'a Root,
    pub names: &'a Names,
}

/// What of a directory counts as not ignored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    All,
    Tracked,
}

struct Walk<'a, Visit> {
    names: &'a Names,
    rules: Rules,
    cache: Cache,
    visit: Visit,
    ended: Ended,
}

/// Walks the directory `start`.
///
/// # Errors
/// When `start` cannot be opened as a directory.
pub(super) fn walk(
    ground: &Ground<'_>,
    start: &Rel,
    visit: impl FnMut(&Node<'_>) -> Step,
) -> Result<Ended, Fault> {
    let (dir, _) = ground.root.open_dir(start)?;
    let mut cache = Cache::with_user_ignores();
    let rules = Rules::find(ground.root.path(), &mut cache);
    let mut walk = Walk { names: ground.names, rules, cache, visit, ended: Ended::Whole };
    let reach = walk.enter_above(ground.root, start);
    let mut path = match start.is_root() {
        true => Vec::new(),
        false => start.as_str().as_bytes().to_vec(),
    };
    walk.directory(dir, &mut path, reach, 1);
    Ok(walk.ended)
}

impl<Visit: FnMut(&Node<'_>) -> Step> Walk<'_, Visit> {
    /// The rules of the directories above the start hold in it too, and an ignored one among
    /// them leaves only what is tracked.
    fn enter_above(&mut self, root: &Root, start: &Rel) -> Reach {
        let mut reach = Reach::All;
        let mut path = Vec::new();
        for part in start.parts() {
            let above: &[u8] = if path.is_empty() { b"." } else { &path };
            let flags = OFlags::RDONLY | OFlags::DIRECTORY;
            if let Ok(dir) = beneath::open(root.fd(), above, flags, Links::Inside) {
                self.rules.enter(&mut self.cache, &dir, &path);
                self.rules.enter_searched(&mut self.cache, &dir, &path);
            }
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(part.as_bytes());
            // Whoever names a directory wants it, so only ignore files count here.
            if self.rules.is_ignored(&path, Sort::Directory) {
                reach = Reach::Tracked;
            }
        }
        reach
    }

    fn directory(&mut self, dir: OwnedFd, path: &mut Vec<u8>, reach: Reach, depth: usize) {
        let Some(listing) = Listing::of(&dir) else { return };
        let levels = self.rules.levels();
        if listing.rules.0 {
            self.rules.enter(&mut self.cache, &dir, path);
        }
        if listing.rules.1 {
            self.rules.enter_searched(&mut self.cache, &dir, path);
        }
        let dir = Arc::new(dir);
        let length = path.len();
        for (name, kind) in &listing.entries {
            if length > 0 {
                path.push(b'/');
            }
            path.extend_from_slice(name.as_bytes());
            self.entry(&dir, name, *kind, path, reach, depth);
            path.truncate(length);
            if self.ended == Ended::Stopped {
                break;
            }
        }
        self.rules.leave(levels);
    }

    fn entry(
        &mut self,
        dir: &Arc<OwnedFd>,
        name: &CStr,
        kind: Kind,
        path: &mut Vec<u8>,
        reach: Reach,
        depth: usize,
    ) {
        let (ignored, tracked) = self.standing(name, kind, path, reach);
        let place = if path.contains(&b'/') { Place::Below } else { Place::Root };
        let classes = self.names.classes_of_name(&name.to_string_lossy(), place);
        let tracked = self.rules.tracked.is_known().then_some(tracked);
        let node = Node { dir, name, path, kind, depth, ignored, tracked, classes };
        match (self.visit)(&node) {
            Step::Stop => self.ended = Ended::Stopped,
            Step::Past => {}
            Step::Into if kind != Kind::Dir => {}
            Step::Into if depth >= DEPTH_MAX => self.ended = Ended::TooDeep,
            Step::Into => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY;
                // Gone, or no directory any more: the same as never there.
                if let Ok(below) = beneath::open(dir, name.to_bytes(), flags, Links::None) {
                    let reach = if ignored || reach == Reach::Tracked || self.is_left_out(path) {
                        Reach::Tracked
                    } else {
                        Reach::All
                    };
                    self.directory(below, path, reach, depth + 1);
                }
            }
        }
    }

    /// Whether an entry is ignored, and whether git tracks it. What is tracked is never ignored.
    fn standing(&self, name: &CStr, kind: Kind, path: &[u8], reach: Reach) -> (bool, bool) {
        let is_dir = kind == Kind::Dir;
        let tracked = match is_dir {
            true => self.rules.tracked.has_below(path) || self.rules.tracked.is_submodule(path),
            false => self.rules.tracked.has(path),
        };
        let left_out = reach == Reach::Tracked
            || (is_dir && always_ignored(name.to_bytes()))
            || self.rules.is_ignored(path, if is_dir { Sort::Directory } else { Sort::Other });
        (left_out && !tracked, tracked)
    }

    /// Whether a directory is entered only for what is tracked in it.
    fn is_left_out(&self, path: &[u8]) -> bool {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        always_ignored(name) || self.rules.is_ignored(path, Sort::Directory)
    }
}

/// The entries of a directory in the order of paths, and which files of rules are among them.
struct Listing {
    entries: Vec<(CString, Kind)>,
    rules: (bool, bool),
}

impl Listing {
    fn of(dir: &OwnedFd) -> Option<Self> {
        let mut listing = Self { entries: Vec::new(), rules: (false, false) };
        for entry in Dir::read_from(dir).ok()? {
            let entry = entry.ok()?;
            let name = entry.file_name();
            match name.to_bytes() {
                b"." | b".." => continue,
                b".gitignore" => listing.rules.0 = true,
                b".ignore" => listing.rules.1 = true,
                _ => {}
            }
            let Some(kind) = kind_of(dir, name, entry.file_type()) else { continue };
            listing.entries.push((name.to_owned(), kind));
        }
        listing.entries.sort_unstable_by(|a, b| ordered(a).cmp(ordered(b)));
        Some(listing)
    }
}

/// What an entry is; the system is asked where the listing does not say. Nothing if it is gone.
fn kind_of(dir: &OwnedFd, name: &CStr, listed: FileType) -> Option<Kind> {
    if listed != FileType::Unknown {
        return Some(Kind::of(listed));
    }
    let stat = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    Some(Kind::of(FileType::from_raw_mode(stat.st_mode)))
}

/// A directory sorts as if its name ended in `/`, so that the walk meets whole paths in order.
fn ordered((name, kind): &(CString, Kind)) -> impl Iterator<Item = &u8> {
    let end: &[u8] = if *kind == Kind::Dir { b"/" } else { b"" };
    name.as_bytes().iter().chain(end)
}
