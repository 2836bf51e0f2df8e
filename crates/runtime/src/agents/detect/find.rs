//! Where a program is. A program of the work tree cannot pose as one of the user's: its directories
//! are not looked into, by whatever way they are named.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::child_env;

/// Why there is no program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// There is none of that name.
    NotFound,
    /// There is a file, but it may not be run.
    NotExecutable(PathBuf),
}

/// The absolute path of a program: a path as it is, a name by the search path.
///
/// # Errors
/// When there is none that could be run.
pub fn find(program: &str, path: &OsStr, root: &Path) -> Result<PathBuf, Missing> {
    if program.starts_with('/') {
        let path = PathBuf::from(program);
        return match (path.is_file(), runnable(&path)) {
            (true, true) => Ok(path),
            (true, false) => Err(Missing::NotExecutable(path)),
            (false, _) => Err(Missing::NotFound),
        };
    }
    if program.is_empty() || program.contains('/') {
        return Err(Missing::NotFound);
    }
    let safe = child_env::safe_path(path, root);
    let mut locked = None;
    for dir in std::env::split_paths(&safe) {
        let candidate = dir.join(program);
        if !candidate.is_file() || leads_into(&dir, root) {
            continue;
        }
        if runnable(&candidate) {
            return Ok(candidate);
        }
        if locked.is_none() {
            locked = Some(candidate);
        }
    }
    Err(locked.map_or(Missing::NotFound, Missing::NotExecutable))
}

/// A directory that is the work tree's under another name.
fn leads_into(dir: &Path, root: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    match (real(dir), real(root)) {
        (Some(dir), Some(root)) => dir.starts_with(root),
        (None, _) | (_, None) => false,
    }
}

fn runnable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}
