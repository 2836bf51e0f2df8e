//! The whole plan of an undo, fixed before anything is touched: what each path holds now, what it
//! shall hold, and which of them hold content that is not ours. It only looks.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kernel::paths::Rel;
use serde::Serialize;

use super::content::{Content, Kind, same};
use super::manifest::{Entry, Manifest, Of, Record, open_bytes};
use super::problem::{NotOurs, Problem};
use super::revert::present;
use crate::files::Root;

/// What is done about content that is not ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// The undo is refused, as a whole.
    No,
    /// That content is first copied aside.
    Aside,
    /// Those paths are left alone, and the others undone.
    Keep,
}

/// A call to be undone.
#[derive(Debug, Clone)]
pub struct Source {
    /// Where its records are.
    pub record: Record,
    /// What it changed.
    pub manifest: Manifest,
    /// Where the bytes are that stood there.
    pub saved: Saved,
}

/// Where the bytes are that stood at the paths of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// Beside its record.
    Beside,
    /// Still in its mark, where whoever drew the record has seen them: a plan that is only shown.
    InMark,
}

/// What an undo does to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Undoes {
    /// Puts back what stood there.
    Restore,
    /// Removes what was made.
    Remove,
    /// Removes a directory that was made, if nothing is in it.
    RemoveIfEmpty,
    /// Nothing: it holds what stood there.
    Same,
}

/// What an undo does to one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Planned {
    /// The path.
    pub path: Rel,
    /// What is done.
    pub action: Undoes,
    /// What is there now.
    pub present: Option<Content>,
    /// What shall be there.
    pub goal: Option<Content>,
    /// Whether content that is not ours is copied aside first.
    pub aside: bool,
    /// Where the bytes of the goal are.
    #[serde(skip)]
    pub(super) bytes: Option<PathBuf>,
    /// Where bytes to be copied aside are, if they are no longer in the tree.
    #[serde(skip)]
    pub(super) asides: Vec<(PathBuf, Content)>,
}

/// What an undo does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// Every path of the calls, once.
    pub paths: Vec<Planned>,
    /// The paths among them that are left alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<NotOurs>,
}

impl Plan {
    /// Whether there is nothing left to do.
    pub fn is_done(&self) -> bool {
        self.paths.iter().all(|it| matches!(it.action, Undoes::Same | Undoes::RemoveIfEmpty))
    }
}

/// A path while the calls are taken back one by one in thought.
struct Thought {
    present: Option<Content>,
    now: Option<Content>,
    bytes: Option<PathBuf>,
    saved: Saved,
    way: bool,
    aside: bool,
    asides: Vec<(PathBuf, Content)>,
}

/// Plans the undo of calls, the newest first.
///
/// # Errors
/// With every path that is not ours, unless those are kept; when the saved bytes of one are gone.
pub fn plan(root: &Root, calls: &[Source], force: Force) -> Result<Plan, Problem> {
    let mut paths: BTreeMap<Rel, Thought> = BTreeMap::new();
    let mut not_ours = Vec::new();
    for source in calls {
        for entry in source.manifest.paths.iter().rev() {
            if !paths.contains_key(&entry.path) {
                let present = present(root, &entry.path)?;
                paths.insert(entry.path.clone(), Thought::new(present));
            }
            let Some(thought) = paths.get_mut(&entry.path) else { continue };
            if let Err(other) = thought.take_back(entry, source, force) {
                not_ours.push(other);
            }
        }
    }
    if !not_ours.is_empty() && force != Force::Keep {
        return Err(Problem::Undo(not_ours));
    }
    // What a newer call left alone is not the older one's either.
    paths.retain(|path, _| not_ours.iter().all(|kept| kept.path != *path));
    not_ours.sort_by(|a, b| a.path.cmp(&b.path));
    not_ours.dedup_by(|a, b| a.path == b.path);
    let paths = paths.into_iter().map(|(path, thought)| thought.planned(path));
    Ok(Plan { paths: paths.collect::<Result<_, _>>()?, kept: not_ours })
}

impl Thought {
    const fn new(present: Option<Content>) -> Self {
        Self {
            present,
            now: present,
            bytes: None,
            saved: Saved::Beside,
            way: true,
            aside: false,
            asides: Vec::new(),
        }
    }

    fn take_back(&mut self, entry: &Entry, source: &Source, force: Force) -> Result<(), NotOurs> {
        let (before, after) = (entry.before(), entry.after());
        if entry.is_way() {
            return Ok(());
        }
        self.way = false;
        let is = |side: Option<Content>| same(self.now.as_ref(), side.as_ref());
        if is(before) && !is(after) {
            // Taken back before, or never done.
            self.keep(before, entry, source);
            return Ok(());
        }
        if !is(after) {
            match force {
                Force::No | Force::Keep => {
                    let hashes = [before.as_ref(), after.as_ref(), self.now.as_ref()];
                    return Err(NotOurs::new(&entry.path, hashes));
                }
                Force::Aside => self.set_aside(),
            }
        }
        self.now = before;
        self.keep(before, entry, source);
        Ok(())
    }

    fn keep(&mut self, before: Option<Content>, entry: &Entry, source: &Source) {
        self.bytes = before.map(|_| source.record.bytes(entry.n, Of::Before));
        self.saved = source.saved;
    }

    /// What stands there in thought is somebody else's: it is in the tree, or saved by a newer
    /// call that found it there.
    fn set_aside(&mut self) {
        let Some(now) = self.now else { return };
        match &self.bytes {
            Some(bytes) => self.asides.push((bytes.clone(), now)),
            None => self.aside = true,
        }
    }

    fn planned(self, path: Rel) -> Result<Planned, Problem> {
        let action = if self.way {
            Undoes::RemoveIfEmpty
        } else if same(self.present.as_ref(), self.now.as_ref()) {
            Undoes::Same
        } else if self.now.is_none() {
            Undoes::Remove
        } else {
            Undoes::Restore
        };
        let goal = if self.way { None } else { self.now };
        if action == Undoes::Restore && self.saved == Saved::Beside {
            check_bytes(&path, goal.as_ref(), self.bytes.as_ref())?;
        }
        let Self { present, bytes, aside, asides, .. } = self;
        Ok(Planned { path, action, present, goal, aside, bytes, asides })
    }
}

fn check_bytes(path: &Rel, goal: Option<&Content>, bytes: Option<&PathBuf>) -> Result<(), Problem> {
    let missing = || Problem::UndoBytes { path: path.clone() };
    let Some(goal) = goal.filter(|goal| goal.kind != Kind::Dir) else { return Ok(()) };
    let bytes = bytes.ok_or_else(missing)?;
    open_bytes(bytes, goal.sha256).map(drop).ok_or_else(missing)
}
