//! Makes checkpoints and marks: looks at the tree, gives git what it does not have yet, makes all
//! of it durable, and only then gives it a name. One keeper serves one workspace and one caller at
//! a time; what it remembers is only ever a shortcut.

use std::collections::HashMap;
use std::path::Path;
use std::time::SystemTime;

use kernel::rollback::RawPath;

use super::asked::{Ask, Keeping, Made, Marked, Setup, Start};
use super::error::Error;
use super::feed::{Edit, Feed};
use super::git::{Git, Sought};
use super::ground::{Bytes, Ground, Link};
use super::info::{Info, not_covered};
use super::kept::{Blob, Kept, same_files};
use super::names::{Time, fresh, is_name};
use super::objects::{Id, Reader};
use super::repo::{Lock, Repo};
use super::snapshot::{Node, git_like};
use super::steps::{Go, Steps};
use crate::shim::durable;
use crate::tree::{self, Cache, Entry, Hash, Kind, Mark, Why};
use crate::workspace::Root;

/// In the call's directory: the name a making chose, so that one run again takes it too.
const NAME_FILE: &str = "checkpoint.json";
const NAME_BYTES_MAX: u64 = 1024;

struct Last {
    mark: Mark,
    commit: Id,
    tree: Id,
}

/// See the module.
pub struct Keeper {
    pub(super) setup: Setup,
    pub(super) repo: Repo,
    git: Sought,
    cache: Cache,
    blobs: HashMap<Hash, Blob>,
    last: Option<Last>,
    packs: Option<SystemTime>,
    starts: u64,
}

impl Keeper {
    /// The keeper of a workspace, as the settings say; a git that is only named is looked for.
    #[must_use]
    pub fn of_workspace(root: &Root, loop_dir: &Path, keeping: &Keeping) -> Self {
        let &Keeping { scope, disk_floor_bytes, quota_bytes, .. } = keeping;
        let git = Sought::named(&keeping.git, &root.path);
        let (root, loop_dir) = (root.clone(), loop_dir.to_owned());
        let keeper = Self::new(Setup { root, loop_dir, scope, disk_floor_bytes, quota_bytes }, git);
        Self { cache: keeper.cache.beside(&keeping.page), ..keeper }
    }

    /// A keeper that remembers nothing yet. Without git it still looks, but makes nothing.
    pub fn new(setup: Setup, git: impl Into<Sought>) -> Self {
        let git = git.into();
        let repo = Repo::below(&setup.loop_dir);
        let cache = Cache::with_user_ignores().within(setup.scope);
        Self { setup, repo, git, cache, blobs: HashMap::new(), last: None, packs: None, starts: 0 }
    }

    /// The user's tree.
    pub fn root(&self) -> &Path {
        &self.setup.root.path
    }

    /// The tree as the last commit holds it.
    pub(crate) fn last_mark(&self) -> Option<&Mark> {
        self.last.as_ref().map(|last| &last.mark)
    }

    /// The state directory.
    pub fn loop_dir(&self) -> &Path {
        &self.setup.loop_dir
    }

    /// What must stay free on the disk.
    pub fn disk_floor_bytes(&self) -> u64 {
        self.setup.disk_floor_bytes
    }

    /// How often git was started to write.
    pub fn git_starts(&self) -> u64 {
        self.starts
    }

    pub(super) fn git(&self) -> Result<&Git, Error> {
        self.git.get().map_err(Error::NoGit)
    }

    /// Forgets what is in the repository, because objects were taken out of it.
    pub(super) fn forget(&mut self) {
        self.last = None;
        self.blobs.clear();
    }

    /// Forgets it if somebody else took objects out, or put some in, since we last did.
    fn refresh(&mut self) {
        let packs = self.repo.packs_changed();
        if self.packs != packs {
            self.forget();
            self.packs = packs;
        }
    }

    /// One look at the tree, as marks see it.
    ///
    /// # Errors
    /// When the root was replaced, cannot be opened, or is too large.
    pub fn look(&mut self) -> Result<Mark, Error> {
        let ground = self.ground()?;
        let mark = tree::take(&self.setup.root.path, &mut self.cache)?;
        if ground.is_there() { Ok(mark) } else { Err(Error::RootReplaced) }
    }

    /// Reads objects of our repository.
    ///
    /// # Errors
    /// When git cannot be started.
    pub fn reader(&self) -> Result<Reader, Error> {
        let git = self.git()?;
        self.repo.prepare()?;
        Reader::start(git, &self.repo.dir)
    }

    /// Waits until nobody else writes or takes away, and keeps everybody from it.
    ///
    /// # Errors
    /// The disk's.
    pub fn alone(&self) -> Result<Lock, Error> {
        self.repo.prepare()?;
        self.repo.lock()
    }

    /// Makes a named checkpoint. Run again after a crash it takes the same name.
    ///
    /// # Errors
    /// Nothing is named then; half a pack is swept by the next making.
    pub fn make(&mut self, ask: Ask<'_>, steps: &mut dyn Steps) -> Result<Made, Error> {
        let mark = self.look()?;
        let head = tree::head(self.root());
        let info = Info::new(ask.label.map(str::to_owned), ask.call, ask.at.0, head);
        let name = self.name(ask)?;
        go(steps)?;
        self.git()?;
        let lock = self.alone()?;
        let (info, last) = self.store(mark, info, steps, &lock)?;
        go(steps)?;
        self.repo.write_ref(&checkpoint_name(&name), last.commit, &lock)?;
        let (commit, tree) = (last.commit, last.tree);
        self.last = Some(last);
        let Info { head, branch, files, bytes, not_covered, .. } = info;
        Ok(Made { name, commit, tree, head, branch, files, bytes, not_covered })
    }

    /// Keeps the bytes of a look under its digest, so that whatever is done to the tree from there
    /// on can be taken back. A tree that was kept before starts no git.
    ///
    /// # Errors
    /// Nothing is named then.
    pub fn mark(
        &mut self,
        mark: &Mark,
        call: &str,
        at: Time,
        steps: &mut dyn Steps,
    ) -> Result<Marked, Error> {
        // Where nothing was ever kept, nothing is laid out as long as nothing can be.
        if !self.repo.exists() {
            self.git()?;
        }
        // Held from the first look to the name: what is there must still be there when it counts.
        let lock = self.alone()?;
        if let Some(commit) = self.marked(mark.digest) {
            return Ok(Marked { commit, start: Start::Spared });
        }
        self.git()?;
        self.refresh();
        let same = self.last.as_ref().filter(|last| same_files(&last.mark, mark));
        let (start, commit) = match same {
            Some(last) if self.repo.exists() => (Start::Spared, last.commit),
            Some(_) | None => {
                let info = Info::new(None, call, at.0, tree::head(self.root()));
                let (_, last) = self.store(mark.clone(), info, steps, &lock)?;
                (Start::Started, self.last.insert(last).commit)
            }
        };
        go(steps)?;
        self.repo.write_ref(&mark_name(mark.digest), commit, &lock)?;
        Ok(Marked { commit, start })
    }

    /// The commit with the bytes of a tree that was marked.
    pub fn marked(&self, digest: Hash) -> Option<Id> {
        self.repo.read_ref(&mark_name(digest))
    }

    /// The commit of a checkpoint, by its name.
    pub(super) fn named(&self, name: &str) -> Result<Id, Error> {
        let found = is_name(name).then(|| self.repo.read_ref(&checkpoint_name(name)));
        found.flatten().ok_or_else(|| Error::NoSuch(name.to_owned()))
    }

    /// The name this call chose before, or a new one, durably chosen.
    fn name(&self, ask: Ask<'_>) -> Result<String, Error> {
        let path = ask.call_dir.join(NAME_FILE);
        let before = durable::read(&path, NAME_BYTES_MAX).ok();
        let before = before.and_then(|bytes| serde_json::from_slice::<String>(&bytes).ok());
        if let Some(name) = before.filter(|name| is_name(name)) {
            return Ok(name);
        }
        let name = fresh(ask.at, |name| self.repo.read_ref(&checkpoint_name(name)).is_some());
        let write = || {
            std::fs::create_dir_all(ask.call_dir)?;
            durable::replace(ask.call_dir, NAME_FILE, format!("\"{name}\"").as_bytes())
        };
        write().map_err(Error::io(&path))?;
        Ok(name)
    }

    fn store(
        &mut self,
        mark: Mark,
        info: Info,
        steps: &mut dyn Steps,
        lock: &Lock,
    ) -> Result<(Info, Last), Error> {
        self.space(&mark)?;
        self.repo.sweep(lock)?;
        self.refresh();
        let remembered = self.last.is_some() || !self.blobs.is_empty();
        match self.feed(&mark, info.clone(), steps, lock) {
            // Somebody may have taken objects away that we remember: once more from nothing.
            Err(Error::Git { .. }) if remembered => {
                self.forget();
                self.repo.sweep(lock)?;
                self.feed(&mark, info, steps, lock)
            }
            done => done,
        }
    }

    fn feed(
        &mut self,
        mark: &Mark,
        mut info: Info,
        steps: &mut dyn Steps,
        _: &Lock,
    ) -> Result<(Info, Last), Error> {
        let packs = self.repo.packs()?;
        let ground = self.ground()?;
        self.starts += 1;
        let mut feed = Feed::start(self.git()?, &self.repo.dir)?;
        let mut kept = Kept::default();
        for entry in &mark.entries {
            self.entry(entry, &ground, &mut feed, &mut kept, steps)?;
        }
        let left = mark.not_covered.iter().filter(|left| left.why != Why::ChangedWhileRead);
        kept.not_covered.extend(left.cloned());
        let mark = Mark::new(kept.entries, kept.not_covered);
        info.files = mark.entries.len() as u64;
        info.bytes = kept.bytes;
        info.not_covered = not_covered(&mark.not_covered);
        go(steps)?;
        let (base, edits) = self.edits(&mark);
        let (commit, tree) = feed.commit(&info, base, &edits)?;
        go(steps)?;
        self.repo.sync_packs(&packs)?;
        self.packs = self.repo.packs_changed();
        self.blobs.retain(|_, blob| kept.used.contains(&blob.id));
        Ok((info, Last { mark, commit, tree }))
    }

    /// Sees to it that git has the bytes of one entry.
    fn entry(
        &mut self,
        entry: &Entry,
        ground: &Ground,
        feed: &mut Feed,
        kept: &mut Kept,
        steps: &mut dyn Steps,
    ) -> Result<(), Error> {
        if entry.content.kind == Kind::Stamped {
            return Ok(());
        }
        if entry.path.split(|&byte| byte == b'/').any(git_like) {
            kept.leave(entry, Why::GitName);
            return Ok(());
        }
        if let Some(&blob) = self.blobs.get(&entry.content.sha256) {
            kept.keep(entry.clone(), blob);
            return Ok(());
        }
        go(steps)?;
        let path = RawPath::new(entry.path.clone());
        let link = if entry.content.kind == Kind::Link { Link::Itself } else { Link::No };
        match ground.read(&path, link, self.setup.scope.file_bytes_max) {
            Bytes::Steady(bytes) => {
                let mut entry = entry.clone();
                entry.content.sha256 = Hash::of(&bytes);
                let blob = Blob { id: feed.blob(&bytes)?, bytes: bytes.len() as u64 };
                self.blobs.insert(entry.content.sha256, blob);
                kept.keep(entry, blob);
            }
            Bytes::Moving => kept.leave(entry, Why::ChangedWhileRead),
            // Gone since the look is the same as never there; a kind that changed is left to
            // the next look.
            Bytes::None => kept.leave(entry, Why::Unreadable),
        }
        Ok(())
    }

    /// What differs from the last commit's tree, or all of it where there is none.
    fn edits(&self, mark: &Mark) -> (Option<Id>, Vec<(RawPath, Edit)>) {
        let none = Mark::new(Vec::new(), Vec::new());
        let before = self.last.as_ref().map_or(&none, |last| &last.mark);
        let edit = |change: tree::Change| {
            let node = change.after.and_then(|after| {
                let blob = self.blobs.get(&after.sha256)?;
                Some(Node { kind: after.kind, blob: blob.id })
            });
            (RawPath::new(change.path), node.map_or(Edit::Delete, Edit::Put))
        };
        let base = self.last.as_ref().map(|last| last.tree);
        (base, Mark::diff(before, mark).into_iter().map(edit).collect())
    }

    /// Refuses when the quota is reached, or when what may have to be written does not fit above
    /// the floor.
    fn space(&self, mark: &Mark) -> Result<(), Error> {
        let (used, quota) = (self.repo.bytes(), self.setup.quota_bytes);
        if used >= quota {
            return Err(Error::Quota { used, quota });
        }
        let unknown = mark.entries.iter().filter(|e| !self.blobs.contains_key(&e.content.sha256));
        // Sizes are not part of a mark: unknown files are taken to be as large as they are now.
        let size = |entry: &Entry| {
            let path = self.root().join(Path::new(bytes_path(&entry.path)));
            std::fs::symlink_metadata(path).map_or(0, |at| at.len())
        };
        let need: u64 = unknown.map(size).sum();
        enough(&self.setup.loop_dir, need, self.setup.disk_floor_bytes)
    }
}

fn bytes_path(path: &[u8]) -> &std::ffi::OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(path)
}

/// Refuses when less than `need` and the floor is free.
pub(crate) fn enough(dir: &Path, need: u64, floor: u64) -> Result<(), Error> {
    let stat = rustix::fs::statvfs(dir).map_err(|errno| Error::io(dir)(errno.into()))?;
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    let need = need.saturating_add(floor);
    if free < need { Err(Error::NoSpace { free, need }) } else { Ok(()) }
}

pub(crate) fn go(steps: &mut dyn Steps) -> Result<(), Error> {
    match steps.next() {
        Go::On => Ok(()),
        Go::Stop => Err(Error::Stopped),
    }
}

/// The name of a checkpoint in the repository.
pub(super) fn checkpoint_name(name: &str) -> String {
    format!("chk/{name}")
}

/// The name of the mark of a tree.
pub(super) fn mark_name(digest: Hash) -> String {
    format!("mark/{digest}")
}
