//! Files a run wrote: the report that was asked for, and those the settings name below the root.
//! Only what the run itself wrote counts, links are not followed, and nothing outside the root is
//! read.

use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use globset::{GlobBuilder, GlobMatcher};
use rustix::fs::{Mode, OFlags};
use serde::de::DeserializeOwned;

use super::parse::{Output, REPORT_BYTES_MAX};

/// Files are stamped by a clock that steps, and may look that much older than they are.
const STAMP_STEP: Duration = Duration::from_millis(10);
/// More report files than any build writes.
const FILES_MAX: usize = 10_000;
/// Entries looked at below a pattern; what lies behind them is not found.
const ENTRIES_MAX: usize = 200_000;

/// What no pattern reaches: the repository's own files, and ours.
const APART: [&str; 2] = [".git", ".loop"];

/// The files below `root` that `paths` name and that were written since, each once. `*` stays
/// within a part of a path, `**` does not.
#[must_use]
pub fn written<S: AsRef<str>>(root: &Path, paths: &[S], since: SystemTime) -> Vec<PathBuf> {
    let Ok(root) = root.canonicalize() else { return Vec::new() };
    let since = since.checked_sub(STAMP_STEP).unwrap_or(since);
    let mut found = Vec::new();
    for path in paths.iter().filter_map(|path| below(path.as_ref())) {
        if path.to_string_lossy().contains(['*', '?', '[', '{']) {
            matching(&root, &path, &mut found);
        } else {
            found.push(root.join(path));
        }
    }
    found.sort();
    found.dedup();
    found.retain(|path| is_of_this_run(path, since) && is_inside(path, &root));
    found.truncate(FILES_MAX);
    found
}

/// A path that stays below what it is joined to.
fn below(path: &str) -> Option<PathBuf> {
    let parts = Path::new(path).components().filter(|part| *part != Component::CurDir);
    let plain = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => {
            None
        }
    };
    let path: PathBuf = parts.map(plain).collect::<Option<_>>()?;
    (!path.as_os_str().is_empty()).then_some(path)
}

fn is_of_this_run(path: &Path, since: SystemTime) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| {
        let young = meta.modified().is_ok_and(|written| written >= since);
        meta.is_file() && young
    })
}

fn is_inside(path: &Path, root: &Path) -> bool {
    path.canonicalize().is_ok_and(|real| real.starts_with(root))
}

fn matching(root: &Path, pattern: &Path, found: &mut Vec<PathBuf>) {
    let text = pattern.to_string_lossy();
    let built = GlobBuilder::new(&text).literal_separator(true).build();
    let Ok(matcher) = built.map(|glob| glob.compile_matcher()) else { return };
    let is_plain =
        |part: &Component<'_>| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']);
    let start: PathBuf = pattern.components().take_while(is_plain).collect();
    walk(root, root.join(start), &matcher, found);
}

fn walk(root: &Path, start: PathBuf, matcher: &GlobMatcher, found: &mut Vec<PathBuf>) {
    let (mut dirs, mut seen) = (vec![start], 0);
    while let Some(dir) = dirs.pop() {
        let Ok(entries) = std::fs::read_dir(dir) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if seen > ENTRIES_MAX || found.len() >= FILES_MAX {
                return;
            }
            let path = entry.path();
            // A link's own kind: it is neither.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    let is_apart = APART.iter().any(|name| entry.file_name() == *name);
                    dirs.extend((!is_apart).then_some(path));
                }
                Ok(kind) if kind.is_file() => {
                    let fits = path.strip_prefix(root).is_ok_and(|path| matcher.is_match(path));
                    found.extend(fits.then_some(path));
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
}

/// A report to be read; none if it is too large to be one, or no file.
pub(super) fn open(path: &Path) -> Option<File> {
    // A pipe in its place would be waited for.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::RDONLY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    let meta = file.metadata().ok()?;
    (meta.is_file() && meta.len() <= REPORT_BYTES_MAX).then_some(file)
}

/// The text of a report, whatever bytes are in it.
pub(super) fn text(path: &Path) -> Option<String> {
    let file = open(path)?;
    let mut bytes = Vec::new();
    file.take(REPORT_BYTES_MAX + 1).read_to_end(&mut bytes).ok()?;
    let fits = bytes.len() as u64 <= REPORT_BYTES_MAX;
    fits.then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// The report that was asked for, if it is one of this shape.
pub(super) fn json<T: DeserializeOwned>(output: &Output) -> Option<T> {
    serde_json::from_str(&text(output.report.as_deref()?)?).ok()
}
