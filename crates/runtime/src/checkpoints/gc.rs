//! Takes back disk space of runs that ended long ago: spools, marks, aside, texts of turns. Looks
//! first and says what goes and what stays; undo bytes and records are never touched, and named
//! checkpoints only where the quota is reached.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::error::Error;
use super::git::failed;
use super::keeper::{Keeper, checkpoint_name, go, mark_name};
use super::names::Time;
use super::quota;
use super::repo::Lock;
use super::steps::Steps;
use crate::shim::durable;
use crate::tree::{self, Hash};
use crate::turns::store;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// The output of a call; its tails and records stay.
const SPOOLS: [&str; 2] = ["stdout", "stderr"];

/// What the journal knows of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFact {
    /// The call.
    pub call: String,
    /// The folder below `aside` that it filled, if it is an undo or a rollback.
    pub aside: Option<String>,
    /// The trees it started from and ended with.
    pub trees: Vec<Hash>,
    /// Where it and its run stand.
    pub standing: Standing,
}

/// Where a call and the run above it stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Not over.
    Live,
    /// Nobody knows how it ended; all of it is evidence.
    Unknown,
    /// Its run ended then.
    Ended(Time),
}

/// A thing that goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The call it belongs to; none of a text, which several turns may have named.
    pub call: String,
    /// What it is.
    #[serde(flatten)]
    pub what: What,
    /// Its size; marks share their bytes with others, so theirs is not known.
    pub bytes: u64,
}

/// What kind of thing goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum What {
    /// The output of a call.
    Spool {
        /// `stdout` or `stderr`.
        file: &'static str,
    },
    /// The mark of a tree that no other call needs.
    Mark {
        /// Its digest.
        digest: Hash,
    },
    /// A checkpoint.
    Checkpoint {
        /// Its name.
        name: String,
    },
    /// What it moved aside.
    Aside {
        /// The folder.
        folder: String,
    },
    /// A text that a turn has named: a plan, what it was made from, an answer, a summary.
    Text {
        /// Its hash.
        sha256: String,
    },
}

/// A call whose things stay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// The call, or the folder below `aside`.
    pub call: String,
    /// Why.
    pub why: WhyKept,
}

/// Why things stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyKept {
    /// It is not over.
    Live,
    /// Its outcome is unknown.
    Unknown,
    /// It ended not long enough ago.
    Young,
    /// No record says whose it is.
    NoRecord,
}

/// What a collection would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Gc {
    /// What goes.
    pub remove: Vec<Part>,
    /// What stays although it is of a kind that goes.
    pub kept: Vec<Kept>,
    /// The bytes of what goes, as far as they are known.
    pub bytes: u64,
    /// What goes besides, in this order, as long as the quota is reached.
    pub over_quota: Vec<Part>,
    /// What marks and checkpoints take now.
    pub used_bytes: u64,
    /// What they may take.
    pub quota_bytes: u64,
}

/// How long things are kept, in days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepDays {
    /// The files of a call.
    pub calls: u64,
    /// Checkpoints, once the quota is reached.
    pub checkpoints: u64,
}

/// What a collection did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Collected {
    /// How many things went.
    pub removed: u64,
    /// By how much the repository shrank, and what was deleted beside it.
    pub freed_bytes: u64,
}

/// What would go, and what stays and why. Changes nothing.
pub fn look(keeper: &Keeper, calls: &[CallFact], now: Time, keep: KeepDays) -> Gc {
    let (used_bytes, quota_bytes) = (keeper.repo.bytes(), keeper.setup.quota_bytes);
    let mut gc = Gc { used_bytes, quota_bytes, ..Gc::default() };
    let why = |fact: &CallFact| match fact.standing {
        Standing::Live => Some(WhyKept::Live),
        Standing::Unknown => Some(WhyKept::Unknown),
        Standing::Ended(at) => (!is_older(at, now, keep.calls)).then_some(WhyKept::Young),
    };
    let kept = calls.iter().filter(|fact| why(fact).is_some());
    // A tree is marked once for all calls that met it.
    let mut marks: BTreeSet<Hash> = kept.flat_map(|fact| fact.trees.iter().copied()).collect();
    for fact in calls {
        match why(fact) {
            Some(why) if !parts(keeper, fact, &mut BTreeSet::new()).is_empty() => {
                gc.kept.push(Kept { call: fact.call.clone(), why });
            }
            Some(_) => {}
            None => gc.remove.extend(parts(keeper, fact, &mut marks)),
        }
    }
    let owned = |folder: &str| calls.iter().any(|fact| fact.aside.as_deref() == Some(folder));
    let folders = std::fs::read_dir(keeper.setup.loop_dir.join("aside"));
    let folders = folders.into_iter().flatten().flatten().map(|entry| entry.file_name());
    for folder in folders.map(|name| name.to_string_lossy().into_owned()) {
        if !owned(&folder) {
            gc.kept.push(Kept { call: folder, why: WhyKept::NoRecord });
        }
    }
    gc.bytes = gc.remove.iter().map(|part| part.bytes).sum();
    if used_bytes >= quota_bytes {
        gc.over_quota = quota::parts(keeper, calls, &gc.remove, now, keep.checkpoints);
    }
    gc
}

impl Gc {
    /// The same with the texts that no turn names any more which is not over, or not for long.
    #[must_use]
    pub fn with_texts(
        mut self,
        loop_dir: &Path,
        named: &BTreeSet<String>,
        now: Time,
        keep: KeepDays,
    ) -> Self {
        for (sha256, bytes, at) in store::kept(loop_dir) {
            if !named.contains(&sha256) && is_older(at, now, keep.calls) {
                self.remove.push(Part { call: String::new(), what: What::Text { sha256 }, bytes });
                self.bytes += bytes;
            }
        }
        self
    }
}

/// Whether something is more than so many days old.
#[must_use]
pub fn is_older(at: Time, now: Time, days: u64) -> bool {
    now.0.saturating_sub(at.0) > days.saturating_mul(DAY_MS)
}

/// What there is of a call; `marks` are those that stay or were named already.
fn parts(keeper: &Keeper, fact: &CallFact, marks: &mut BTreeSet<Hash>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut add = |what, bytes| parts.push(Part { call: fact.call.clone(), what, bytes });
    for file in SPOOLS {
        let at = std::fs::symlink_metadata(place(keeper, &fact.call, &What::Spool { file }));
        if let Ok(at) = at {
            add(What::Spool { file }, at.len());
        }
    }
    for &digest in &fact.trees {
        let look = std::fs::symlink_metadata(looks(keeper).join(digest.to_string()));
        if (look.is_ok() || keeper.marked(digest).is_some()) && marks.insert(digest) {
            add(What::Mark { digest }, look.map_or(0, |look| look.len()));
        }
    }
    if let Some(folder) = &fact.aside {
        let what = What::Aside { folder: folder.clone() };
        let dir = place(keeper, &fact.call, &what);
        if dir.is_dir() {
            add(what, size_below(&dir));
        }
    }
    parts
}

/// Where looks at the tree are kept; the repository has their bytes.
fn looks(keeper: &Keeper) -> PathBuf {
    keeper.setup.loop_dir.join(tree::store::DIR)
}

fn place(keeper: &Keeper, call: &str, what: &What) -> PathBuf {
    let base = &keeper.setup.loop_dir;
    match what {
        What::Spool { file } => base.join("calls").join(call).join(file),
        What::Mark { digest } => looks(keeper).join(digest.to_string()),
        What::Checkpoint { name } => keeper.repo.ref_path(&checkpoint_name(name)),
        What::Aside { folder } => base.join("aside").join(folder),
        What::Text { sha256 } => base.join(store::DIR).join(sha256),
    }
}

fn size_below(dir: &Path) -> u64 {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let size = |entry: std::fs::DirEntry| match std::fs::symlink_metadata(entry.path()) {
        Ok(at) if at.is_dir() => size_below(&entry.path()),
        Ok(at) => at.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

/// Removes what a look named, then packs what is left. Only between calls: the look is to be taken
/// under the same lock, or a call that began since may have taken to a mark that goes.
///
/// # Errors
/// What could not be removed stays; a second collection goes on.
pub fn collect(
    keeper: &mut Keeper,
    gc: &Gc,
    lock: &Lock,
    steps: &mut dyn Steps,
) -> Result<Collected, Error> {
    let mut done = Collected::default();
    if keeper.repo.is_loose() {
        // An earlier one took names away and came no further; nothing names what it left.
        done.freed_bytes += packed(keeper, lock, steps)?;
    }
    remove(keeper, (&gc.remove, lock), &mut done, steps)?;
    for parts in quota::turns(&gc.over_quota) {
        if keeper.repo.bytes() < keeper.setup.quota_bytes {
            break;
        }
        remove(keeper, (parts, lock), &mut done, steps)?;
    }
    Ok(done)
}

fn remove(
    keeper: &mut Keeper,
    (parts, lock): (&[Part], &Lock),
    done: &mut Collected,
    steps: &mut dyn Steps,
) -> Result<(), Error> {
    let mut shared = false;
    for part in parts {
        go(steps)?;
        if !shared && matches!(part.what, What::Mark { .. } | What::Checkpoint { .. }) {
            shared = true;
            keeper.repo.loosen(lock)?;
        }
        let path = place(keeper, &part.call, &part.what);
        match &part.what {
            What::Mark { digest } => {
                keeper.forget();
                keeper.repo.remove_ref(&mark_name(*digest), lock)?;
                gone(&path)
            }
            What::Checkpoint { name } => {
                keeper.forget();
                keeper.repo.remove_ref(&checkpoint_name(name), lock)
            }
            What::Spool { .. } | What::Text { .. } => gone(&path),
            What::Aside { .. } => std::fs::remove_dir_all(&path).map_err(Error::io(&path)),
        }?;
        done.removed += 1;
        done.freed_bytes += part.bytes;
    }
    if shared {
        done.freed_bytes += packed(keeper, lock, steps)?;
    }
    Ok(())
}

/// Packs what is left, and answers how much less that is.
fn packed(keeper: &mut Keeper, lock: &Lock, steps: &mut dyn Steps) -> Result<u64, Error> {
    let before = size_below(&keeper.repo.dir);
    keeper.repack(lock, steps)?;
    keeper.repo.tighten(lock)?;
    Ok(before.saturating_sub(size_below(&keeper.repo.dir)))
}

/// Removes a file, which may be gone already.
fn gone(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(path)(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

impl Keeper {
    /// Packs everything that has a name into one pack; only when that is durable do the old ones
    /// go.
    ///
    /// # Errors
    /// The old packs are all there then.
    pub fn repack(&mut self, lock: &Lock, steps: &mut dyn Steps) -> Result<(), Error> {
        self.repo.sweep(lock)?;
        self.forget();
        let old = self.repo.packs()?;
        let mut command = self.git()?.command(&self.repo.dir);
        let base = Path::new("objects/pack/pack");
        command.args(["pack-objects", "--all", "--non-empty", "--quiet"]).arg(base);
        let packed = command.output().map_err(Error::io(&self.repo.dir))?;
        if !packed.status.success() {
            return Err(failed("pack-objects", &packed.stderr));
        }
        // Git answers the pack's name, also if it was there already; nothing if nothing has one.
        let said = String::from_utf8_lossy(&packed.stdout).trim().to_owned();
        let whole = (!said.is_empty()).then(|| format!("pack-{said}."));
        self.repo.sync_packs(&old)?;
        let dir = self.repo.dir.join("objects/pack");
        let is_whole = |name: &str| whole.as_ref().is_some_and(|whole| name.starts_with(whole));
        for name in old.iter().filter(|name| !is_whole(&name.to_string_lossy())) {
            go(steps)?;
            let path = dir.join(name);
            std::fs::remove_file(&path).map_err(Error::io(path))?;
        }
        durable::sync_dir(&dir).map_err(Error::io(dir))
    }
}
