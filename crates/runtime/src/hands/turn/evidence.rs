//! What a call changed, measured: by the record of a tool of ours, by the two marks of a process.
//! What an agent says of files is no part of it.

use std::collections::BTreeMap;

use kernel::call::{Exit, Prep};
use kernel::policy::glob;
use kernel::rollback::RawPath;
use kernel::turn::{Changed, FileChange, Git, Life};
use serde_json::Value;

use super::super::pool::Desk;
use super::super::tool::PAYLOAD;
use crate::checkpoints;
use crate::shim::durable;
use crate::tree::{self, Hash, Mark};
use crate::turns::changes::{Old, lines};

/// A payload names at most as many files as a patch touches.
const PAYLOAD_BYTES_MAX: u64 = 16 << 20;
/// A larger file counts as one line: nobody reviews it by lines.
const COUNTED_BYTES_MAX: u64 = 16 << 20;

/// The files that a call of a turn changed.
pub(super) fn changed(
    desk: &Desk,
    life: &Life,
    call: &str,
    (exit, prep): (&Exit, Option<&Prep>),
) -> Vec<Changed> {
    if exit.done.is_some() {
        return of_tool(desk, call);
    }
    let digest = prep.and_then(|prep| prep.tree_before.as_deref());
    let (before, after) = (mark(desk, digest), mark(desk, exit.tree_after.as_deref()));
    let files: Vec<FileChange> = match (before, after) {
        (Some(before), Some(after)) => {
            let changes = Mark::diff(&before, &after);
            let old = digest.filter(|_| counts(life) && !changes.is_empty());
            let mut old = old.and_then(|digest| Old::of(&desk.keeper(), digest));
            return changes.iter().map(|change| of_mark(desk, &mut old, change)).collect();
        }
        (Some(_) | None, _) => {
            let bare = |path: &String| FileChange { path: path.clone(), before: None, after: None };
            exit.files_changed.iter().map(bare).collect()
        }
    };
    files.into_iter().map(|file| Changed { lines: lines_of(desk, &file.path), file }).collect()
}

/// Whether anybody asks how many lines were changed: only then are the old bytes looked for.
fn counts(life: &Life) -> bool {
    let start = &life.body.start;
    start.limits.change.is_some() || start.git == Git::Commit
}

fn of_mark(desk: &Desk, old: &mut Option<Old>, change: &tree::Change) -> Changed {
    let file = FileChange {
        path: String::from_utf8_lossy(&change.path).into_owned(),
        before: change.before.map(|content| content.sha256.to_string()),
        after: change.after.map(|content| content.sha256.to_string()),
    };
    let counted = old.as_mut().and_then(|old| between(desk, old, change, &file));
    Changed { lines: counted.unwrap_or_else(|| lines_of(desk, &file.path)), file }
}

/// Lines added and removed; at least one, as what is no text has none. None where a side can't be
/// had any more.
fn between(desk: &Desk, old: &mut Old, change: &tree::Change, file: &FileChange) -> Option<u64> {
    let before = match &file.before {
        Some(sha256) => old.bytes(&RawPath::new(change.path.as_slice()), sha256)?,
        None => Vec::new(),
    };
    let after = match change.after {
        Some(content) => {
            let bytes = durable::read(&desk.plan.root.join(&file.path), COUNTED_BYTES_MAX).ok()?;
            (Hash::of(&bytes) == content.sha256).then_some(bytes)?
        }
        None => Vec::new(),
    };
    let (added, removed) = lines(&before, &after);
    Some((added + removed).max(1))
}

/// A tool of ours keeps what stood there, and tells how many lines it changed.
fn of_tool(desk: &Desk, call: &str) -> Vec<Changed> {
    let dir = desk.call_dir(call);
    let told = told(payload(desk, call));
    let one = |change: checkpoints::FileChange| {
        let path = change.path.text();
        let file = FileChange {
            before: change.before.map(|content| content.sha256),
            after: change.after.map(|content| content.sha256),
            path,
        };
        let lines = told.get(&file.path).copied();
        Changed { lines: lines.unwrap_or_else(|| lines_of(desk, &file.path)), file }
    };
    checkpoints::of_call(&dir).unwrap_or_default().into_iter().map(one).collect()
}

/// What a tool of ours gave.
pub(in super::super) fn payload(desk: &Desk, call: &str) -> Value {
    let file = desk.call_dir(call).join(PAYLOAD);
    let bytes = durable::read(&file, PAYLOAD_BYTES_MAX).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn told(value: Value) -> BTreeMap<String, u64> {
    let files = match value.get("files").and_then(Value::as_array) {
        Some(files) => files.clone(),
        None => vec![value],
    };
    let one = |file: &Value| {
        let count = |name: &str| file.get(name).and_then(Value::as_u64).unwrap_or(0);
        let path = file.get("path").and_then(Value::as_str)?;
        Some((path.to_owned(), count("added") + count("removed")))
    };
    files.iter().filter_map(one).collect()
}

/// Without the old bytes at hand every line of the file counts: no limit is passed unseen.
fn lines_of(desk: &Desk, path: &str) -> u64 {
    let bytes = durable::read(&desk.plan.root.join(path), COUNTED_BYTES_MAX).unwrap_or_default();
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    u64::try_from(ends).unwrap_or(u64::MAX).max(1)
}

/// A mark that was kept.
pub(in super::super) fn mark(desk: &Desk, digest: Option<&str>) -> Option<Mark> {
    tree::store::load(&desk.marks_dir(), Hash::from_hex(digest?)?).ok().flatten()
}

/// The digest of what its checks speak of, as this mark has it: what its owner says, else every
/// path that the turn changed, these included.
pub(super) fn digest(life: &Life, files: &[Changed], mark: &Mark) -> String {
    let known = life.body.work.as_deref().map(|work| &work.changed);
    let said = &life.body.start.covers;
    let covers = |path: &[u8]| {
        let path = String::from_utf8_lossy(path);
        if !said.is_empty() {
            return said.iter().any(|pattern| glob::path(pattern, &path));
        }
        known.is_some_and(|known| known.contains_key(path.as_ref()))
            || files.iter().any(|one| one.file.path == path)
    };
    mark.digest_where(covers).to_string()
}
