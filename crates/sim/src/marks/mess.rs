//! Changes at random: what a run does to a tree, and what a user does meanwhile.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::dice::Dice;

/// Paths that are tracked, untracked, ignored, secret, nested, odd, and in each other's way.
const PATHS: [&[u8]; 26] = [
    b"a.txt",
    b"crlf.txt",
    b"dir/b.rs",
    b"dir/deep/c",
    b"dir",
    b"dir/deep",
    b"z/sparse",
    b"x.sh",
    b"link",
    b"build/tracked.o",
    b"build/out.o",
    b"run.log",
    b"notes.md",
    b".env",
    b"sub/inside",
    b"nested/file",
    b"new/one",
    b"new/two/three",
    b"new",
    b"odd \"name\"\n",
    b"not-utf8-\xff\xfe",
    b"key.pem",
    b".gitignore",
    b"empty/dir/file",
    b"late.log",
    b"git~1",
];

/// A few changes.
pub(super) fn mess(root: &Path, dice: &mut Dice, times: usize, who: &str) {
    for turn in 0..times {
        let path = root.join(OsStr::from_bytes(PATHS[dice.below(PATHS.len())]));
        change(&path, dice, &format!("{who} {turn} {}\n", dice.clone().next()));
    }
}

/// One change; one that does not fit what is there just does not happen.
fn change(path: &Path, dice: &mut Dice, text: &str) {
    let there = fs::symlink_metadata(path);
    match dice.below(10) {
        0..=3 => put(path, text),
        4 => put(path, &text.replace('\n', "\r\n")),
        5 | 6 => {
            let _ = fs::remove_file(path);
        }
        7 => {
            if there.is_ok_and(|at| at.is_file()) {
                let mode = if dice.once_in(2) { 0o755 } else { 0o644 };
                let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
            }
        }
        8 => {
            let _ = fs::remove_file(path);
            let _ = path.parent().map(fs::create_dir_all);
            let _ = symlink(text.trim(), path);
        }
        _ => {
            // A file becomes a directory, or an ignore file changes.
            if path.ends_with(".gitignore") {
                put(path, if dice.once_in(2) { "" } else { "*.md\nnew/\n" });
            } else if there.is_ok_and(|at| !at.is_dir()) {
                let _ = fs::remove_file(path);
                put(&path.join("inside"), text);
            }
        }
    }
}

fn put(path: &Path, text: &str) {
    if let Some(dir) = path.parent() {
        let _ = fs::create_dir_all(dir);
    }
    // A link is replaced, not written through.
    if fs::symlink_metadata(path).is_ok_and(|at| at.is_symlink()) {
        let _ = fs::remove_file(path);
    }
    let _ = fs::write(path, text);
}
