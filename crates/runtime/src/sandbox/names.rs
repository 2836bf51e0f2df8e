//! The names inside a work tree that no call may write: what version control, other agents and we
//! ourselves take orders from. Finds those that exist; keeps nobody from anything.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Whom a name gives orders to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Version control, and our own state.
    Control,
    /// Agents, editors, and our settings.
    Settings,
}

/// A protected name that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protected {
    /// Absolute.
    pub path: PathBuf,
    /// Whom it gives orders to.
    pub class: Class,
}

const CONTROL: &[&str] = &[".git", ".hg", ".svn", ".jj", ".gitmodules"];
const SETTINGS: &[&str] = &[
    ".claude",
    ".codex",
    ".gemini",
    ".qwen",
    ".cursor",
    ".vscode",
    ".idea",
    ".mcp.json",
    ".envrc",
];
/// What git takes orders from, below its directory: a file, or all below a directory.
pub const GIT_ORDERS: &[&str] = &["config", "config.worktree", "hooks", "info"];
/// Protected in the root only.
const ROOT_SETTINGS: &str = "loopwright.toml";
/// Made by tools in great number and obeyed by nobody: not looked into.
const SKIPPED: &[&str] = &[
    "node_modules",
    "vendor",
    "__pycache__",
    ".venv",
    "dist",
    "build",
    "target",
    "out",
    "bin",
    "coverage",
];
/// Entries looked at before the search gives up on what lies deeper; nearer ones come first.
const ENTRIES_MAX: usize = 100_000;
/// Names kept: each costs a mount. Beyond it only deep copies in one tree are left.
pub const NAMES_MAX: usize = 256;

/// The class of a name of the root or of any depth. Case is folded: the file system may fold it.
#[must_use]
pub fn class_of(name: &str, at: Depth) -> Option<Class> {
    let is = |known: &&str| name.eq_ignore_ascii_case(known);
    if CONTROL.iter().any(is) {
        Some(Class::Control)
    } else if SETTINGS.iter().any(is) || (at == Depth::Root && is(&ROOT_SETTINGS)) {
        Some(Class::Settings)
    } else {
        None
    }
}

/// Where a name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// In the root.
    Root,
    /// Below it.
    Below,
}

/// The protected names that exist below a root, nearest first, and the directory of our files.
/// Links are named by nobody: what they lead to is either protected itself or elsewhere.
#[must_use]
pub fn find(root: &Path, loop_dir: &Path) -> Vec<Protected> {
    let mut found = Vec::new();
    if loop_dir.starts_with(root) && loop_dir.is_dir() {
        found.push(Protected { path: loop_dir.to_owned(), class: Class::Control });
    }
    let mut seen = 0;
    let mut rooms = VecDeque::from([root.to_owned()]);
    while let Some(room) = rooms.pop_front() {
        let at = if room == root { Depth::Root } else { Depth::Below };
        let Ok(entries) = std::fs::read_dir(&room) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if seen > ENTRIES_MAX || found.len() >= NAMES_MAX {
                return found;
            }
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_symlink() || path == loop_dir {
                continue;
            }
            let name = entry.file_name();
            let name = name.to_string_lossy();
            match class_of(&name, at) {
                Some(class) => found.push(Protected { path, class }),
                None if kind.is_dir() && !SKIPPED.contains(&&*name) => rooms.push_back(path),
                None => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_at_any_depth_but_not_through_links_or_in_made_directories() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let rooms = [".git", ".loop/calls", "sub/.GIT", "sub/.vscode", "node_modules/x/.git"];
        for room in rooms {
            std::fs::create_dir_all(root.join(room)).unwrap();
        }
        for file in ["loopwright.toml", "sub/loopwright.toml", ".mcp.json", ".gitignore"] {
            std::fs::write(root.join(file), "").unwrap();
        }
        std::os::unix::fs::symlink("/", root.join(".svn")).unwrap();
        let mut found: Vec<String> = find(root, &root.join(".loop"))
            .iter()
            .map(|name| name.path.strip_prefix(root).unwrap().display().to_string())
            .collect();
        found.sort();
        let expected = [".git", ".loop", ".mcp.json", "loopwright.toml", "sub/.GIT", "sub/.vscode"];
        assert_eq!(found, expected);
    }
}
