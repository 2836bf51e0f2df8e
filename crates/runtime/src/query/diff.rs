//! Everything a run and the runs below it changed, by the marks their calls took before and
//! after. It reads records and marks, never the work tree itself.

use std::path::Path;

use journal::{Head, Journal};
use kernel::call::{self, Exit, Prep};
use kernel::run::State;
use serde::Serialize;

use super::find::is_below;
use super::fold::fold;
use super::refusal::Refusal;
use crate::tree::{self, Content, Hash, Mark};

/// One path that one call changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// The path below the root.
    pub path: String,
    /// Its hash before; none if it was not there, or the mark is gone.
    pub before: Option<String>,
    /// Its hash after; none if it is gone, or the mark is.
    pub after: Option<String>,
    /// The call.
    pub call: String,
    /// Whether the hashes are known.
    pub hashes: Hashes,
}

/// Whether the marks of a change were still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hashes {
    /// They were.
    Known,
    /// They were not; only the recorded path is left.
    Gone,
}

/// A call whose changes are not known yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenCall {
    /// The call.
    pub call: String,
    /// Its state's name.
    pub state: &'static str,
}

/// What was changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// Every change, in the order of the calls.
    pub changes: Vec<Changed>,
    /// Calls that have started and not ended.
    pub open: Vec<OpenCall>,
}

/// The changes of a run and everything below it.
///
/// # Errors
/// A record or a mark that cannot be read.
pub fn diff(journal: &dyn Journal, head: &Head, marks: &Path) -> Result<Diff, Refusal> {
    let all = journal.heads()?;
    let mut diff = Diff::default();
    for run in all.iter().filter(|run| is_below(&all, run, &head.run)) {
        if let State::Call(state) = fold(journal, run, None)?.state {
            of_call(&run.run, &state, marks, &mut diff)?;
        }
    }
    Ok(diff)
}

fn of_call(id: &str, state: &call::State, marks: &Path, diff: &mut Diff) -> Result<(), Refusal> {
    match state {
        call::State::Settled { exit: Some(exit), prep, .. } => {
            diff.changes.extend(changed(id, exit, prep.as_ref(), marks)?);
        }
        call::State::Started { .. } | call::State::Unknown { .. } => {
            diff.open.push(OpenCall { call: id.to_owned(), state: state.name() });
        }
        call::State::Undoing { from, .. } => of_call(id, from, marks, diff)?,
        call::State::New
        | call::State::Asked { .. }
        | call::State::Denied { .. }
        | call::State::Allowed { .. }
        | call::State::Settled { exit: None, .. }
        | call::State::Undone { .. } => {}
    }
    Ok(())
}

fn changed(
    id: &str,
    exit: &Exit,
    prep: Option<&Prep>,
    marks: &Path,
) -> Result<Vec<Changed>, Refusal> {
    let before = mark(marks, prep.and_then(|prep| prep.tree_before.as_deref()))?;
    let after = mark(marks, exit.tree_after.as_deref())?;
    if let (Some(before), Some(after)) = (before, after) {
        let hash = |content: Option<Content>| content.map(|content| content.sha256.to_string());
        let changes = Mark::diff(&before, &after).into_iter().map(|change| Changed {
            path: String::from_utf8_lossy(&change.path).into_owned(),
            before: hash(change.before),
            after: hash(change.after),
            call: id.to_owned(),
            hashes: Hashes::Known,
        });
        return Ok(changes.collect());
    }
    let recorded = exit.files_changed.iter().map(|path| Changed {
        path: path.clone(),
        before: None,
        after: None,
        call: id.to_owned(),
        hashes: Hashes::Gone,
    });
    Ok(recorded.collect())
}

/// A mark that was kept; one that is damaged counts as gone, because the path list is left.
fn mark(marks: &Path, digest: Option<&str>) -> Result<Option<Mark>, Refusal> {
    let Some(digest) = digest.and_then(Hash::from_hex) else { return Ok(None) };
    match tree::store::load(marks, digest) {
        Ok(mark) => Ok(mark),
        Err(tree::store::Error::Damaged(_)) => Ok(None),
        Err(tree::store::Error::Io(_)) => {
            Err(Refusal::Io { path: marks.display().to_string(), kind: "permission" })
        }
    }
}
