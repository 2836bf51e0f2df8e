//! Decides which paths belong to a tree: git's ignore files, what git tracks in spite of them,
//! and names that hold secrets. It opens only the files those rules are written in.

use std::ffi::{CStr, CString, OsStr};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use kernel::paths::{Class, Names, Place};
use rustix::fs::{AtFlags, CWD};

use super::cache::{Cache, Stamp, now_ns};
use super::git_index::{INDEX_BYTES_MAX, Tracked};
use super::read::{open_dir, small_file};

/// Git itself reads no larger ignore file than fits its memory; a real one has a few kilobytes.
const IGNORE_BYTES_MAX: u64 = 1024 * 1024;
/// A `.git` file holds one path.
const GIT_FILE_BYTES_MAX: u64 = 8 * 1024;
/// How far above the root a repository is looked for.
const ANCESTORS_MAX: usize = 64;

/// The rules in force for one look.
pub(crate) struct Rules {
    /// The root's path below the top of its repository: empty, or ending in `/`.
    prefix: Vec<u8>,
    /// Weakest first: the user's, the repository's, then each directory's from the top down.
    levels: Vec<Level>,
    pub(crate) tracked: Arc<Tracked>,
}

struct Level {
    /// How many bytes of a path (prefix included) lead to the directory this level stands in.
    base: usize,
    ignores: Arc<Gitignore>,
}

impl Rules {
    pub(crate) fn find(root: &Path, cache: &mut Cache) -> Self {
        let mut rules = Self { prefix: Vec::new(), levels: Vec::new(), tracked: Arc::default() };
        rules.levels.extend(cache.user_ignores.clone().map(|ignores| Level { base: 0, ignores }));
        let Some((top, git)) = repository(root) else { return rules };
        if let Some((bytes, _)) =
            open_dir(&git.shared, c"info").ok().and_then(|dir| ignore_file(dir, c"exclude"))
        {
            rules.push(cache, b"/exclude".to_vec(), 0, bytes);
        }
        if let Ok(below) = root.strip_prefix(&top) {
            rules.add_outer(cache, &top, below);
        }
        rules.tracked = tracked(&git.own, &rules.prefix, cache);
        rules
    }

    /// Ignore files between the top of the repository and the root, which hold below it too.
    fn add_outer(&mut self, cache: &mut Cache, top: &Path, below: &Path) {
        let mut dir = top.to_path_buf();
        for part in below.components() {
            let opened = rustix::fs::open(
                &dir,
                rustix::fs::OFlags::RDONLY
                    | rustix::fs::OFlags::DIRECTORY
                    | rustix::fs::OFlags::CLOEXEC,
                rustix::fs::Mode::empty(),
            );
            if let Some((bytes, _)) = opened.ok().and_then(|fd| ignore_file(fd, c".gitignore")) {
                let key = [b"/outer/", self.prefix.as_slice()].concat();
                self.push(cache, key, self.prefix.len(), bytes);
            }
            dir.push(part);
            self.prefix.extend_from_slice(part.as_os_str().as_bytes());
            self.prefix.push(b'/');
        }
    }

    /// Takes in the `.gitignore` of a directory and answers how many levels stood before it.
    pub(crate) fn enter(&mut self, cache: &mut Cache, dir: impl AsFd, path: &[u8]) -> usize {
        let before = self.levels.len();
        if let Some((bytes, _)) = ignore_file(dir, c".gitignore") {
            let base = self.prefix.len() + if path.is_empty() { 0 } else { path.len() + 1 };
            self.push(cache, path.to_vec(), base, bytes);
        }
        before
    }

    /// Takes in the `.ignore` of a directory, which searches honour and git does not know. It
    /// speaks after the `.gitignore` beside it, and so has the last word.
    pub(crate) fn enter_searched(&mut self, cache: &mut Cache, dir: impl AsFd, path: &[u8]) {
        if let Some((bytes, _)) = ignore_file(dir, c".ignore") {
            let base = self.prefix.len() + if path.is_empty() { 0 } else { path.len() + 1 };
            self.push(cache, [path, b"//ignore"].concat(), base, bytes);
        }
    }

    /// How many levels are in force, for [`Self::leave`].
    pub(crate) fn levels(&self) -> usize {
        self.levels.len()
    }

    pub(crate) fn leave(&mut self, levels: usize) {
        self.levels.truncate(levels);
    }

    fn push(&mut self, cache: &mut Cache, key: Vec<u8>, base: usize, bytes: Vec<u8>) {
        let ignores = match cache.ignores.get(&key) {
            Some((old, ignores)) if *old == bytes => ignores.clone(),
            _ => {
                let ignores = Arc::new(compile(&bytes));
                cache.ignores.insert(key, (bytes, ignores.clone()));
                ignores
            }
        };
        self.levels.push(Level { base, ignores });
    }

    /// Whether an ignore file names `path`; the nearest one that says anything decides.
    pub(crate) fn is_ignored(&self, path: &[u8], what: Node) -> bool {
        let full = [self.prefix.as_slice(), path].concat();
        for level in self.levels.iter().rev() {
            let below = Path::new(OsStr::from_bytes(&full[level.base..]));
            match level.ignores.matched(below, what == Node::Directory) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        false
    }
}

/// Ignore rules may speak of directories alone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Node {
    Directory,
    Other,
}

fn ignore_file(dir: impl AsFd, name: &CStr) -> Option<(Vec<u8>, rustix::fs::Stat)> {
    small_file(dir, name, IGNORE_BYTES_MAX)
}

fn compile(bytes: &[u8]) -> Gitignore {
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    // With `.` as its place a matcher takes paths as they are, relative to its directory.
    let mut builder = GitignoreBuilder::new(".");
    for line in text.lines() {
        // A pattern git could not use either: the others still hold.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

pub(super) struct GitDirs {
    /// Holds the index and `HEAD`: the work tree's own directory.
    pub(super) own: OwnedFd,
    /// Holds `info/` and branches: the same, or that of the main work tree.
    pub(super) shared: OwnedFd,
}

/// The nearest directory at or above `root` with a `.git`, and what that leads to.
pub(super) fn repository(root: &Path) -> Option<(PathBuf, GitDirs)> {
    let top = root
        .ancestors()
        .take(ANCESTORS_MAX)
        .find(|dir| rustix::fs::statat(CWD, dir.join(".git"), AtFlags::SYMLINK_NOFOLLOW).is_ok())?;
    let dir = c_path(top)?;
    let top_fd = open_dir(CWD, &dir).ok()?;
    if let Ok(own) = open_dir(&top_fd, c".git") {
        let shared = own.try_clone().ok()?;
        return Some((top.to_path_buf(), GitDirs { own, shared }));
    }
    let own_path = named_path(&top_fd, c".git", b"gitdir: ", top)?;
    let own = open_dir(CWD, &c_path(&own_path)?).ok()?;
    let shared = named_path(&own, c"commondir", b"", &own_path)
        .and_then(|path| open_dir(CWD, &c_path(&path)?).ok())
        .or_else(|| own.try_clone().ok())?;
    Some((top.to_path_buf(), GitDirs { own, shared }))
}

/// The top of the repository that a directory is in.
pub(crate) fn top(root: &Path) -> Option<PathBuf> {
    repository(&root.canonicalize().ok()?).map(|(top, _)| top)
}

/// The path a one-line file holds, relative ones from `base`.
fn named_path(dir: impl AsFd, name: &CStr, before: &[u8], base: &Path) -> Option<PathBuf> {
    let (bytes, _) = small_file(dir, name, GIT_FILE_BYTES_MAX)?;
    let line = bytes.strip_prefix(before)?.trim_ascii_end();
    Some(base.join(OsStr::from_bytes(line)))
}

/// Whether git tracks anything at or below a path of the root.
pub(crate) fn tracks(root: &Path, path: &[u8]) -> bool {
    let Some((top, git)) = repository(root) else { return false };
    let Some((index, _)) = small_file(&git.own, c"index", INDEX_BYTES_MAX) else { return false };
    let mut prefix =
        root.strip_prefix(&top).map_or(Vec::new(), |it| it.as_os_str().as_bytes().to_vec());
    if !prefix.is_empty() {
        prefix.push(b'/');
    }
    let tracked = Tracked::parse(&index, &prefix);
    tracked.has(path) || tracked.has_below(path)
}

fn c_path(path: &Path) -> Option<CString> {
    CString::new(path.as_os_str().as_bytes()).ok()
}

fn tracked(git: &OwnedFd, prefix: &[u8], cache: &mut Cache) -> Arc<Tracked> {
    let Ok(stat) = rustix::fs::statat(git, c"index", AtFlags::SYMLINK_NOFOLLOW) else {
        return Arc::default();
    };
    let stamp = Stamp::of(&stat);
    if let Some((old, read_at_ns, tracked)) = &cache.tracked
        && *old == stamp
        && !stamp.is_racy(*read_at_ns)
    {
        return tracked.clone();
    }
    let read_at_ns = now_ns();
    let Some((bytes, stat)) = small_file(git, c"index", INDEX_BYTES_MAX) else {
        return Arc::default();
    };
    let tracked = Arc::new(Tracked::parse(&bytes, prefix));
    cache.tracked = Some((Stamp::of(&stat), read_at_ns, tracked.clone()));
    tracked
}

/// The names that hold secrets are the same for whoever reads, writes or keeps files.
static NAMES: LazyLock<Names> = LazyLock::new(Names::default);

/// Names whose content is never hashed or kept, at any depth, however they are spelled.
pub(super) fn is_secret(name: &[u8]) -> bool {
    let classes = NAMES.kept(&String::from_utf8_lossy(name), Place::Below);
    classes == Some(Class::Secret)
}
