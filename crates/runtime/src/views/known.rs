//! What was drawn before: hashes of the last in each view of a loop, so that a new engine tells a
//! view its predecessor drew from one that somebody edited meanwhile, and bases of edits. A cache:
//! never synced; without it a view of our own is taken for an edit and set aside, which loses
//! nothing.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::names::View;
use crate::shim::durable;
use crate::tree::Hash;
use crate::view_file::Bases;

/// Hashes kept per view: the one on disk, the one about to be, and a few of engines that died
/// before they could draw.
const KEPT: usize = 8;

fn place(loop_dir: &Path, run: &str) -> PathBuf {
    loop_dir.join("cache").join("drawn").join(run)
}

fn read(loop_dir: &Path, run: &str) -> BTreeMap<String, Vec<String>> {
    let text = fs::read(place(loop_dir, run)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Whether these bytes were drawn in this view.
pub(super) fn is_known(loop_dir: &Path, run: &str, view: &str, bytes: &[u8]) -> bool {
    let hash = Hash::of(bytes).to_string();
    read(loop_dir, run).get(view).is_some_and(|all| all.contains(&hash))
}

/// Says before drawing what is about to be drawn.
pub(super) fn about_to_draw(loop_dir: &Path, run: &str, view: &str, bytes: &[u8]) {
    let hash = Hash::of(bytes).to_string();
    let mut all = read(loop_dir, run);
    let hashes = all.entry(view.to_owned()).or_default();
    hashes.retain(|known| *known != hash);
    hashes.push(hash);
    let surplus = hashes.len().saturating_sub(KEPT);
    hashes.drain(..surplus);
    let written = || -> std::io::Result<()> {
        let dir = loop_dir.join("cache/drawn");
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&dir)?;
        durable::show(&dir, run, &serde_json::to_vec(&all)?)
    };
    // A cache that can't be written costs a needless notice later, no more.
    let _ = written();
}

/// Forgets a loop.
pub(super) fn forget(loop_dir: &Path, run: &str) {
    let _ = fs::remove_file(place(loop_dir, run));
}

/// Keeps what is about to be drawn as a base for edits. Without it an edit of that revision is
/// refused as a conflict, and kept.
pub(super) fn keep_base(loop_dir: &Path, view: View, name: &str, seq: u64, bytes: &[u8]) {
    match view {
        View::Json | View::Tasks => {
            let _ = Bases::of(&loop_dir.join("cache"), name).put(seq, bytes);
        }
        View::Develop | View::Debug | View::Validate | View::Changes | View::Summary => {}
    }
}

/// What was drawn last before this engine, as far as it is kept.
pub(super) fn newest_base(loop_dir: &Path, run: &str, view: View) -> Option<Vec<u8>> {
    let bases = Bases::of(&loop_dir.join("cache"), &view.file_name(run));
    let newest = bases.revs().ok()?.last().copied()?;
    bases.base(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_drawn_are_known() {
        let dir = tempfile::tempdir().unwrap();
        let at = dir.path();
        for n in 0..KEPT + 1 {
            about_to_draw(at, "loop-a", "loop-a.json", n.to_string().as_bytes());
        }
        assert!(!is_known(at, "loop-a", "loop-a.json", b"0"));
        assert!(is_known(at, "loop-a", "loop-a.json", b"1"));
        assert!(is_known(at, "loop-a", "loop-a.json", b"8"));
        assert!(!is_known(at, "loop-a", "develop.md", b"8"));
        forget(at, "loop-a");
        assert!(!is_known(at, "loop-a", "loop-a.json", b"8"));
    }
}
