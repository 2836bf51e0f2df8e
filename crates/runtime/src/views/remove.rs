//! Removes every file of a deleted loop. What is not there is no mistake: it may be the second try.

use std::fs;
use std::path::Path;

use super::known;
use super::names::{View, progress_dir};
use crate::view_file;

/// Removes a loop's views, pages, refused edits and caches below `loop_dir`. A file that can't be
/// removed stays; the loop's id is never used again, so it harms nobody.
pub fn remove(loop_dir: &Path, run_id: &str) {
    for view in [View::Json, View::Tasks] {
        gone(&view.path(loop_dir, run_id));
        gone(&loop_dir.join("cache").join("bases").join(view.file_name(run_id)));
    }
    gone(&loop_dir.join(progress_dir(run_id)));
    known::forget(loop_dir, run_id);
    each(&loop_dir.join("refused"), |name| is_refused_of(name, run_id));
    each(loop_dir, |name| is_temp_of(name, run_id));
}

/// Whether a refused edit `{run}.{seq}.{file}` is this run's. Another run's id may begin with this
/// one's, so the whole name must fit.
fn is_refused_of(name: &str, run_id: &str) -> bool {
    let Some(rest) = name.strip_prefix(run_id).and_then(|rest| rest.strip_prefix('.')) else {
        return false;
    };
    let Some((seq, file)) = rest.split_once('.') else { return false };
    let number = seq.split('-').all(|part| !part.is_empty() && part.parse::<u64>().is_ok());
    number && View::ALL.iter().any(|view| view.file_name(run_id) == file)
}

fn is_temp_of(name: &str, run_id: &str) -> bool {
    let views = [View::Json, View::Tasks];
    views.iter().any(|view| view_file::is_temp_of(name, &view.file_name(run_id)))
}

fn each(dir: &Path, is_ours: impl Fn(&str) -> bool) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(&is_ours) {
            gone(&entry.path());
        }
    }
}

fn gone(path: &Path) {
    let directory = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    let _ = if directory { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_runs_own_files_are_meant() {
        for (name, expected) in [
            ("loop-a.7.loop-a.json", true),
            ("loop-a.7-2.loop-a.tasks.jsonl", true),
            ("loop-a.7.develop.md", true),
            ("loop-a.7.loop-a.7.json", false),
            ("loop-a.7.9.develop.md", false),
            ("loop-ab.7.develop.md", false),
            ("loop-a.x.develop.md", false),
        ] {
            assert_eq!(is_refused_of(name, "loop-a"), expected, "{name}");
        }
        assert!(is_temp_of(".lw-view-old-1.2.aa.bb.loop-a.json", "loop-a"));
        assert!(!is_temp_of(".lw-view-old-1.2.aa.bb.xloop-a.json", "loop-a"));
    }
}
