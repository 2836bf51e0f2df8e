//! What a turn changed, file by file: from the records its calls left, what stood there before the
//! first of them against what is there now. It reads records and files and changes nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use kernel::call;
use kernel::paths::Rel;
use kernel::rollback::{Content, RawPath};
use kernel::turn::ChangedFile;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::change;
use crate::checkpoints::{self, Keeper, Reader, Snapshot, Told};
use crate::files::Root;
use crate::redact::Redactor;
use crate::rollback::{Before, undo_record};
use crate::shim::durable;
use crate::tree::{self, Hash};

/// A larger file is counted as changed, not by its lines.
const FILE_BYTES_MAX: u64 = 4 << 20;
/// After this the rest counts as one change: right, if not least.
const DIFF_TIME: Duration = Duration::from_millis(200);
/// A longer diff is no help to whoever repairs.
const DIFF_BYTES_MAX: usize = 32 * 1024;

/// Where the records and the files are.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The directory of our files.
    pub loop_dir: &'a Path,
    /// The work tree.
    pub root: &'a Root,
    /// What keeps the bytes of marks; none where there is no git.
    pub keeper: Option<&'a Keeper>,
}

/// One path over all calls.
struct Net {
    before: Option<Content>,
    after: Option<Content>,
    /// The first call that changed it.
    first: usize,
}

/// The files that these calls changed, the oldest call first. What was changed and put back is not
/// told.
#[must_use]
pub fn changed(calls: &[(String, call::State)], places: Places<'_>) -> Vec<ChangedFile> {
    let all = net(calls, places);
    let one = |(path, net): (&RawPath, &Net)| {
        let action = match (&net.before, &net.after) {
            (None, _) => "added",
            (Some(_), None) => "deleted",
            (Some(_), Some(_)) => "modified",
        };
        let sides = sides(path, net, calls, places);
        let (added, removed) = sides.map_or((0, 0), |(before, after)| lines(&before, &after));
        ChangedFile { path: path.text(), action: action.to_owned(), added, removed }
    };
    all.iter().map(one).collect()
}

/// The same as a unified diff, secrets taken out, cut where it grows too long to be read.
#[must_use]
pub fn diff(calls: &[(String, call::State)], places: Places<'_>, redactor: &Redactor) -> String {
    let mut out = Vec::new();
    for (path, net) in &net(calls, places) {
        let name = path.text();
        match sides(path, net, calls, places) {
            Some((old, new)) if !old.contains(&0) && !new.contains(&0) => {
                out.extend(format!("--- a/{name}\n+++ b/{name}\n").into_bytes());
                change::hunks(&old, &new, &mut out);
            }
            Some(_) | None => {
                out.extend(format!("Files a/{name} and b/{name} differ\n").into_bytes())
            }
        }
        if out.len() > DIFF_BYTES_MAX {
            out.truncate(DIFF_BYTES_MAX);
            out.extend(b"\n...\n");
            break;
        }
    }
    redactor.redact_text(&String::from_utf8_lossy(&out))
}

/// What stood at each path before the first of these calls changed it; none where that cannot be
/// had any more.
#[must_use]
pub fn before(
    calls: &[(String, call::State)],
    places: Places<'_>,
) -> BTreeMap<String, Option<Vec<u8>>> {
    let bytes = |path: &RawPath, net: &Net| match &net.before {
        None => Some(Vec::new()),
        Some(content) => bytes_before(path, content, &calls[net.first], places),
    };
    touched(calls, places).iter().map(|(path, net)| (path.text(), bytes(path, net))).collect()
}

/// Every path that differs from what it was, the first before against the last after.
fn net(calls: &[(String, call::State)], places: Places<'_>) -> BTreeMap<RawPath, Net> {
    let mut all = touched(calls, places);
    all.retain(|_, net| net.before != net.after);
    all
}

/// Every path that was changed, be it to what it was.
fn touched(calls: &[(String, call::State)], places: Places<'_>) -> BTreeMap<RawPath, Net> {
    let mut all: BTreeMap<RawPath, Net> = BTreeMap::new();
    for (at, (id, state)) in calls.iter().enumerate() {
        if matches!(state, call::State::Undone { .. }) {
            continue;
        }
        let dir = places.loop_dir.join("calls").join(id);
        let marks = places.loop_dir.join(tree::store::DIR);
        let told = Told::of(state);
        for change in checkpoints::proven(&dir, &marks, told).unwrap_or_default() {
            let (before, after) = (change.before, change.after);
            match all.get_mut(&change.path) {
                Some(net) => net.after = after,
                None => drop(all.insert(change.path, Net { before, after, first: at })),
            }
        }
    }
    all
}

/// Both sides of a change; none where one of them can't be had any more.
fn sides(
    path: &RawPath,
    net: &Net,
    calls: &[(String, call::State)],
    places: Places<'_>,
) -> Option<(Vec<u8>, Vec<u8>)> {
    let before = match &net.before {
        None => Vec::new(),
        Some(content) => bytes_before(path, content, &calls[net.first], places)?,
    };
    let after = match &net.after {
        None => Vec::new(),
        Some(content) => bytes_now(path, content, places.root)?,
    };
    Some((before, after))
}

/// What stood there before a call: from its undo record, else from the mark that it began with.
fn bytes_before(
    path: &RawPath,
    content: &Content,
    (id, state): &(String, call::State),
    places: Places<'_>,
) -> Option<Vec<u8>> {
    let dir = places.loop_dir.join("calls").join(id);
    if let Ok(Some(record)) = undo_record(&dir)
        && let Some(Before::Kept { file, .. }) = record.before(&dir, path)
    {
        return fitting(durable::read(&file, FILE_BYTES_MAX).ok()?, &content.sha256);
    }
    let mut old = Old::of(places.keeper?, state.prep()?.tree_before.as_deref()?)?;
    old.bytes(path, &content.sha256)
}

/// The bytes of a tree as it was marked.
pub struct Old {
    snapshot: Snapshot,
    reader: Reader,
}

impl Old {
    /// The tree that was marked by this digest, if its bytes were kept.
    #[must_use]
    pub fn of(keeper: &Keeper, digest: &str) -> Option<Self> {
        let snapshot = keeper.snapshot(keeper.marked(Hash::from_hex(digest)?)?).ok()?;
        Some(Self { snapshot, reader: keeper.reader().ok()? })
    }

    /// What a file of it holds.
    #[must_use]
    pub fn bytes(&mut self, path: &RawPath, sha256: &str) -> Option<Vec<u8>> {
        let blob = self.snapshot.files.get(path)?.blob;
        fitting(self.reader.get("blob", blob).ok()?, sha256)
    }
}

/// What is there now, if it still is what was left.
fn bytes_now(path: &RawPath, content: &Content, root: &Root) -> Option<Vec<u8>> {
    use std::io::Read as _;
    let opened = root.open_file(&Rel::file(std::str::from_utf8(path.bytes()).ok()?).ok()?).ok()?;
    let mut bytes = Vec::new();
    opened.file.take(FILE_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    fitting(bytes, &content.sha256)
}

fn fitting(bytes: Vec<u8>, sha256: &str) -> Option<Vec<u8>> {
    (Hash::of(&bytes).to_string() == sha256).then_some(bytes)
}

/// Lines added and removed. What is no text has no lines.
#[must_use]
pub fn lines(before: &[u8], after: &[u8]) -> (u64, u64) {
    if before.contains(&0) || after.contains(&0) {
        return (0, 0);
    }
    let split = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (old, new) = (split(before), split(after));
    let mut counts = (0, 0);
    let until = Some(Instant::now() + DIFF_TIME);
    for op in capture_diff_slices_deadline(Algorithm::Myers, &old, &new, until) {
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_len, .. } => counts.1 += old_len as u64,
            DiffOp::Insert { new_len, .. } => counts.0 += new_len as u64,
            DiffOp::Replace { old_len, new_len, .. } => {
                counts.0 += new_len as u64;
                counts.1 += old_len as u64;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use kernel::rollback::{How, Kind};

    use super::*;
    use crate::checkpoints::FileChange;

    fn content(text: &str) -> Option<Content> {
        Some(Content { kind: Kind::File, sha256: Hash::of(text.as_bytes()).to_string() })
    }

    fn recorded(dir: &Path, call: &str, files: Vec<(&str, Option<Content>, Option<Content>)>) {
        let at = dir.join(".loop/calls").join(call);
        std::fs::create_dir_all(&at).unwrap();
        let change = |(path, before, after): (&str, Option<Content>, Option<Content>)| FileChange {
            path: RawPath::new(path.as_bytes()),
            before,
            after,
            how: How::Observed,
        };
        checkpoints::record(&at, call, files.into_iter().map(change).collect()).unwrap();
    }

    #[test]
    fn the_first_before_and_the_last_after_count() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("new"), "a\nb\n").unwrap();
        recorded(
            dir.path(),
            "c1",
            vec![
                ("new", None, content("a\n")),
                ("gone", content("x\n"), None),
                ("same", content("1"), content("2")),
            ],
        );
        recorded(
            dir.path(),
            "c2",
            vec![("new", content("a\n"), content("a\nb\n")), ("same", content("2"), content("1"))],
        );
        let root = Root::open(dir.path()).unwrap();
        let loop_dir = dir.path().join(".loop");
        let places = Places { loop_dir: &loop_dir, root: &root, keeper: None };
        let calls = ["c1", "c2"].map(|id| (id.to_owned(), call::State::New));
        let found = changed(&calls, places);
        let told: Vec<_> = found
            .iter()
            .map(|one| (one.path.as_str(), one.action.as_str(), one.added, one.removed))
            .collect();
        assert_eq!(told, [("gone", "deleted", 0, 0), ("new", "added", 2, 0)]);
        let redactor = Redactor::new(&crate::redact::Secrets::default()).unwrap();
        assert_eq!(
            diff(&calls, places, &redactor),
            "Files a/gone and b/gone differ\n--- a/new\n+++ b/new\n@@ -0,0 +1,2 @@\n+a\n+b\n"
        );
    }

    #[test]
    fn lines_are_counted() {
        let table: [(&str, &str, (u64, u64)); 4] = [
            ("a\nb\n", "a\nc\nd\n", (2, 1)),
            ("", "a\n", (1, 0)),
            ("a\n", "", (0, 1)),
            ("a\0", "b", (0, 0)),
        ];
        for (before, after, counts) in table {
            assert_eq!(lines(before.as_bytes(), after.as_bytes()), counts, "{before:?} {after:?}");
        }
    }
}
