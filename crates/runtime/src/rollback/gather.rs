//! What a plan is drawn from: the checkpoint, the changes of the calls after it, and the tree as
//! it is. Reads only.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use kernel::rollback::{
    Base, Conflicts, Content, Fact, HeadRule, Heads, How, Kept, Moved, Plan, RawPath, Scene,
};
use serde::{Deserialize, Serialize};

use super::undo::{Before, undo_record};
use crate::checkpoints::{Error, Ground, Id, Keeper, Told, proven};
use crate::tree;

/// A call that came after the checkpoint and may have changed files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its id.
    pub id: String,
    /// Its directory.
    pub dir: PathBuf,
    /// What the journal says of its changes.
    pub told: Told,
}

/// The rollback that is wanted.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The id of the rollback.
    pub rollback_id: String,
    /// The checkpoint's name.
    pub checkpoint: String,
    /// Every call after it that may have changed files, oldest first.
    pub calls: Vec<Call>,
    /// What is done with content that is not ours.
    pub conflicts: Conflicts,
    /// Whether another commit or branch may be checked out.
    pub head_rule: HeadRule,
}

/// The id of the rollback that a call carries out. One that is run again is the same call, so it
/// keeps its id and the place of what it moves aside.
#[must_use]
pub fn rollback_id(call: &str) -> String {
    format!("rb-{}", call.strip_prefix("call-").unwrap_or(call))
}

/// Why there is no plan, or why it is not run.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// Another commit or branch is checked out.
    #[error("another commit or branch is checked out")]
    HeadMoved(Moved),
    /// The checkpoint cannot be used, or the disk said no.
    #[error(transparent)]
    Checkpoint(#[from] Error),
    /// What a call changed cannot be read.
    #[error("the record of {call} cannot be read: {source}")]
    Record {
        /// The call.
        call: String,
        /// What the system said.
        source: io::Error,
    },
    /// What would be done is no longer what was approved; the plan as it is now.
    #[error("the plan changed")]
    PlanChanged(Box<Plan>),
}

/// Where the bytes for a path come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Source {
    /// An object of the checkpoint.
    Blob(Id),
    /// A file of an undo record.
    Undo(PathBuf),
}

/// A plan with what is needed to run it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gathered {
    /// The plan a person sees.
    pub plan: Plan,
    pub(super) sources: BTreeMap<RawPath, Source>,
    pub(super) made_dirs: Vec<RawPath>,
}

#[derive(Default)]
struct Touched {
    ours: Option<Content>,
    how: Option<How>,
    call: String,
}

/// Draws the plan from the world as it is.
///
/// # Errors
/// When the checkpoint is unknown or damaged, a record cannot be read, or the head moved.
pub fn gather(keeper: &Keeper, ground: &Ground, wanted: &Wanted) -> Result<Gathered, Refused> {
    let snapshot = keeper.show(&wanted.checkpoint)?;
    let touched = touched(&wanted.calls, &keeper.loop_dir().join(tree::store::DIR))?;
    let mut sources = BTreeMap::new();
    let mut reader = keeper.reader()?;
    let mut facts = Vec::new();
    for (path, touched) in touched {
        let base = match snapshot.files.get(&path) {
            Some(node) => {
                let bytes = reader.get("blob", node.blob)?;
                let sha256 = tree::Hash::of(&bytes);
                let content = tree::Content { kind: node.kind, sha256 };
                sources.insert(path.clone(), Source::Blob(node.blob));
                Base::Present(crate::checkpoints::pure(content), bytes.len() as u64)
            }
            None if !snapshot.info.leaves_out(&path) => Base::Absent,
            None => from_undo(&wanted.calls, &path, &mut sources)?,
        };
        let now = ground.now(&path, keeper.file_bytes_max());
        let how = touched.how.unwrap_or(How::Observed);
        facts.push(Fact { path, base, ours: touched.ours, now, how, call: touched.call });
    }
    let made_dirs = snapshot.made_dirs(facts.iter().map(|fact| &fact.path));
    let present = tree::head(ground.path());
    let scene = Scene {
        rollback_id: wanted.rollback_id.clone(),
        checkpoint: wanted.checkpoint.clone(),
        base: Heads { head: snapshot.info.head, branch: snapshot.info.branch },
        present: Heads { head: present.commit, branch: present.branch },
        facts,
        not_covered: snapshot.info.not_covered,
        conflicts: wanted.conflicts,
        head_rule: wanted.head_rule,
    };
    let plan = kernel::rollback::plan(&scene).map_err(Refused::HeadMoved)?;
    Ok(Gathered { plan, sources, made_dirs })
}

/// The last content our calls left at each path, and the best we know of how.
fn touched(calls: &[Call], marks: &Path) -> Result<BTreeMap<RawPath, Touched>, Refused> {
    let mut touched: BTreeMap<RawPath, Touched> = BTreeMap::new();
    for call in calls {
        let changes = proven(&call.dir, marks, call.told)
            .map_err(|source| Refused::Record { call: call.id.clone(), source })?;
        for change in changes {
            let entry = touched.entry(change.path).or_default();
            entry.ours = change.after;
            entry.how = Some(entry.how.map_or(change.how, |how| how.min(change.how)));
            entry.call.clone_from(&call.id);
        }
    }
    Ok(touched)
}

/// The checkpoint does not speak of this path: the first undo record that does is the next best.
fn from_undo(
    calls: &[Call],
    path: &RawPath,
    sources: &mut BTreeMap<RawPath, Source>,
) -> Result<Base, Refused> {
    for call in calls {
        let record = undo_record(&call.dir)
            .map_err(|source| Refused::Record { call: call.id.clone(), source })?;
        match record.and_then(|record| record.before(&call.dir, path)) {
            None => {}
            Some(Before::Absent) => return Ok(Base::Absent),
            Some(Before::Kept { content, bytes, file }) => {
                sources.insert(path.clone(), Source::Undo(file));
                return Ok(Base::Present(content, bytes));
            }
            Some(Before::Lost) => return Ok(Base::Unavailable(Kept::BytesMissing)),
        }
    }
    Ok(Base::Unavailable(Kept::NotCovered))
}
