//! What the user has checked out, read from git's own files: `HEAD`, the branch's file, the packed
//! list. No git program runs; what cannot be read is unknown, never an error.

use std::ffi::CString;
use std::path::Path;

use super::read::{open_dir, small_file};
use super::rules::{GitDirs, repository};

/// `HEAD` or a branch: one line.
const REF_BYTES_MAX: u64 = 8 * 1024;
/// Repositories with a hundred thousand branches stay below this.
const PACKED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// What is checked out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The commit, if there is one yet.
    pub commit: Option<String>,
    /// The branch, if one is checked out.
    pub branch: Option<String>,
}

/// Reads what is checked out at `root`.
pub fn head(root: &Path) -> Head {
    let Some((_, git)) = std::fs::canonicalize(root).ok().and_then(|root| repository(&root)) else {
        return Head::default();
    };
    let Some(line) = line(small_file(&git.own, c"HEAD", REF_BYTES_MAX)) else {
        return Head::default();
    };
    match line.strip_prefix("ref: ").map(str::trim) {
        Some(name) => Head {
            commit: loose(&git, name).or_else(|| packed(&git, name)),
            branch: name.strip_prefix("refs/heads/").map(str::to_owned),
        },
        None => Head { commit: is_id(&line).then_some(line), branch: None },
    }
}

fn line<T>(file: Option<(Vec<u8>, T)>) -> Option<String> {
    let text = String::from_utf8(file?.0).ok()?;
    Some(text.lines().next()?.trim_end().to_owned())
}

fn loose(git: &GitDirs, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = name.split('/').collect();
    let last = CString::new(parts.pop()?).ok()?;
    let mut dir = git.shared.try_clone().ok()?;
    for part in parts {
        dir = open_dir(&dir, &CString::new(part).ok()?).ok()?;
    }
    line(small_file(&dir, &last, REF_BYTES_MAX)).filter(|line| is_id(line))
}

fn packed(git: &GitDirs, name: &str) -> Option<String> {
    let (bytes, _) = small_file(&git.shared, c"packed-refs", PACKED_BYTES_MAX)?;
    bytes.split(|&byte| byte == b'\n').find_map(|line| {
        let (id, rest) = std::str::from_utf8(line).ok()?.split_once(' ')?;
        (rest == name && is_id(id)).then(|| id.to_owned())
    })
}

fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
