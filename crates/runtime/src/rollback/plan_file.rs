//! The plan as it is kept in the call's directory: all a rollback needs to be run again after a
//! crash, and the only state it has.

use std::path::Path;

use kernel::rollback::{How, Plan, Planned, RawPath};
use serde::{Deserialize, Serialize};

use super::gather::{Gathered, Source};
use crate::checkpoints::{Error, FileChange};
use crate::shim::durable;

const FILE: &str = "plan.json";
const FORMAT: u32 = 1;
/// Every file of the largest tree, with long names.
const BYTES_MAX: u64 = 256 * 1024 * 1024;

/// The plan of a rollback that has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PlanFile {
    format: u32,
    pub(super) plan: Plan,
    /// The checkpoint made before the first change.
    pub(super) undo: String,
    /// For each action: where its bytes come from.
    pub(super) sources: Vec<Option<Source>>,
    /// For each action: whether what gives way is in that checkpoint.
    pub(super) saved: Vec<bool>,
    /// Directories the run made, deepest first.
    pub(super) made_dirs: Vec<RawPath>,
}

impl PlanFile {
    pub(super) fn new(gathered: Gathered, undo: String, saved: Vec<bool>) -> Self {
        let Gathered { plan, sources, made_dirs } = gathered;
        let sources = plan.actions.iter().map(|one| sources.get(&one.path).cloned()).collect();
        Self { format: FORMAT, plan, undo, sources, saved, made_dirs }
    }

    pub(super) fn write(&self, call_dir: &Path) -> Result<(), Error> {
        let bytes = serde_json::to_vec(self).map_err(std::io::Error::other);
        let written = bytes.and_then(|bytes| durable::replace(call_dir, FILE, &bytes));
        written.map_err(Error::io(call_dir.join(FILE)))
    }

    /// The plan of this call, if it has begun. One that is not what we wrote is an error: nothing
    /// may be guessed in the middle of a rollback.
    pub(super) fn read(call_dir: &Path) -> Result<Option<Self>, Error> {
        let path = call_dir.join(FILE);
        let bytes = match durable::read(&path, BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io(path)(error)),
        };
        let file: Option<Self> = serde_json::from_slice(&bytes).ok();
        let whole = |file: &Self| {
            let actions = file.plan.actions.len();
            file.format == FORMAT
                && file.plan.hashed() == file.plan.plan_hash
                && (file.sources.len(), file.saved.len()) == (actions, actions)
        };
        file.filter(whole).map(Some).ok_or_else(|| Error::Damaged(FILE.to_owned()))
    }
}

/// What a rollback that has begun changes, and where the bytes are that stood there before it.
#[derive(Debug)]
pub(crate) struct Begun {
    /// The checkpoint made before its first change.
    pub(crate) checkpoint: String,
    /// Every path that it changes. One that it stopped before still holds what stood there.
    pub(crate) changes: Vec<FileChange>,
}

/// What the rollback of this call changes; none if the call is none, or never got so far.
///
/// # Errors
/// A plan that is not what we wrote.
pub(crate) fn begun(call_dir: &Path) -> Result<Option<Begun>, Error> {
    let Some(PlanFile { plan, undo, .. }) = PlanFile::read(call_dir)? else { return Ok(None) };
    let one = |planned: &Planned| FileChange {
        path: planned.path.clone(),
        before: planned.from.clone(),
        after: planned.goal().cloned(),
        how: How::Written,
    };
    let all = plan.actions.iter().map(one).filter(|change| change.before != change.after);
    Ok(Some(Begun { checkpoint: undo, changes: all.collect() }))
}
