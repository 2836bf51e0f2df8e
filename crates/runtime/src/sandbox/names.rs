//! The names inside a work tree that no call may write: what version control, other agents and we
//! ourselves take orders from, and secrets that it was not let at. Finds those that exist; keeps
//! nobody from anything.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use kernel::paths::{self, Names, Place};
use serde::{Deserialize, Serialize};

use crate::files::always_ignored;

/// Whom a name gives orders to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Version control, and our own state.
    Control,
    /// Agents, editors, and our settings.
    Settings,
    /// Nobody: it is a secret, which no checkpoint holds, so that it could not be brought back.
    Secret,
}

/// Whether a call was let at secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrets {
    /// It names none: they are kept from being written.
    Kept,
    /// It names one, and was allowed.
    Let,
}

/// A protected name that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protected {
    /// Absolute.
    pub path: PathBuf,
    /// Whom it gives orders to.
    pub class: Class,
}

/// What git takes orders from, below its directory: a file, or all below a directory.
pub const GIT_ORDERS: &[&str] = &["config", "config.worktree", "hooks", "info"];
/// Entries looked at before the search gives up on what lies deeper; nearer ones come first.
const ENTRIES_MAX: usize = 100_000;
/// Names kept: each costs a mount. Beyond it only deep copies in one tree are left. Secrets are
/// counted by themselves, so that many of them leave no orders unkept.
pub const NAMES_MAX: usize = 256;

/// The names that are ours by themselves; what a user calls sensitive gives no orders.
static NAMES: LazyLock<Names> = LazyLock::new(Names::default);

/// The class of a single name, however it is spelled.
fn class_of(name: &str, place: Place) -> Option<Class> {
    match NAMES.kept(name, place)? {
        paths::Class::Control => Some(Class::Control),
        paths::Class::AgentSettings => Some(Class::Settings),
        paths::Class::Secret => Some(Class::Secret),
        paths::Class::Sensitive => None,
    }
}

/// What was found so far.
struct Search {
    orders: Vec<Protected>,
    /// None where the call was let at them.
    secrets: Option<Vec<Protected>>,
}

impl Search {
    fn new(secrets: Secrets) -> Self {
        let secrets = match secrets {
            Secrets::Kept => Some(Vec::new()),
            Secrets::Let => None,
        };
        Self { orders: Vec::new(), secrets }
    }

    fn take(&mut self, path: PathBuf, class: Class) {
        let protected = Protected { path, class };
        match class {
            Class::Control | Class::Settings => self.orders.push(protected),
            Class::Secret => {
                if let Some(kept) = self.secrets.as_mut().filter(|kept| kept.len() < NAMES_MAX) {
                    kept.push(protected);
                }
            }
        }
    }

    fn all(mut self) -> Vec<Protected> {
        self.orders.extend(self.secrets.into_iter().flatten());
        self.orders
    }
}

/// How far a search came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Everywhere.
    #[default]
    Whole,
    /// There was too much; what was not found may be there all the same.
    Cut,
}

/// The protected names that exist below a root, nearest first, and the directory of our files.
/// Links are named by nobody: what they lead to is either protected itself or elsewhere.
#[must_use]
pub fn find(root: &Path, loop_dir: &Path, secrets: Secrets) -> Vec<Protected> {
    search(root, loop_dir, secrets).0
}

/// The same, and how far the search came.
#[must_use]
pub fn search(root: &Path, loop_dir: &Path, secrets: Secrets) -> (Vec<Protected>, Reach) {
    let mut found = Search::new(secrets);
    if loop_dir.starts_with(root) && loop_dir.is_dir() {
        found.orders.push(Protected { path: loop_dir.to_owned(), class: Class::Control });
    }
    // However full the root is made, what is written there as it is known is not crowded out.
    for name in paths::written() {
        let path = root.join(name);
        let real = path.symlink_metadata().is_ok_and(|meta| !meta.is_symlink());
        if let (true, Some(class)) = (real && path != loop_dir, class_of(name, Place::Root)) {
            found.take(path, class);
        }
    }
    let mut seen = 0;
    let mut rooms = VecDeque::from([root.to_owned()]);
    while let Some(room) = rooms.pop_front() {
        let at = if room == root { Place::Root } else { Place::Below };
        let Ok(entries) = std::fs::read_dir(&room) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if seen > ENTRIES_MAX || found.orders.len() >= NAMES_MAX {
                return (found.all(), Reach::Cut);
            }
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_symlink() || path == loop_dir {
                continue;
            }
            let name = entry.file_name();
            let name = name.to_string_lossy();
            match class_of(&name, at) {
                Some(_) if at == Place::Root && paths::written().any(|known| known == name) => {}
                Some(class) => found.take(path, class),
                None if kind.is_dir() && !always_ignored(name.as_bytes()) => rooms.push_back(path),
                None => {}
            }
        }
    }
    (found.all(), Reach::Whole)
}

/// Whether a path below the root is a name that every search looks for, however far it comes.
#[must_use]
pub fn is_always_sought(relative: &Path) -> bool {
    paths::written().any(|name| Path::new(name) == relative)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spared_the_comparison_has_no_class() {
        let spelled = |name: &str| {
            let bare = name.trim_start_matches(['.', '/']);
            let stem: String = bare.chars().filter(|letter| *letter != '.').take(6).collect();
            [
                name.to_owned(),
                bare.to_owned(),
                name.to_uppercase(),
                format!("{name}."),
                format!("{name}:x"),
                format!("\u{200c}{name}"),
                format!("{stem}~1"),
                format!("a{name}"),
            ]
        };
        let ours = [".git", ".hg", ".svn", ".jj", ".loop", ".gitmodules", "loopwright.toml"];
        let others = [".claude", ".codex", ".gemini", ".qwen", ".cursor", ".vscode", ".idea"];
        let more = [".mcp.json", ".envrc", "main.rs", "README.md", ".env", ".env.example"];
        let more = more.iter().chain(&["a.pem", "a.key", "b.p12", "id_rsa", "id_ed25519", ".ssh"]);
        for name in ours.iter().chain(&others).chain(more).flat_map(|name| spelled(name)) {
            for place in [Place::Root, Place::Below] {
                let classes = NAMES.classes_of_name(&name, place);
                let kept = paths::Class::ALL
                    .into_iter()
                    .any(|class| class != paths::Class::Sensitive && classes.has(class));
                assert_eq!(class_of(&name, place).is_some(), kept, "{name} {place:?}");
            }
        }
    }

    #[test]
    fn nothing_crowds_out_the_names_of_the_root() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for room in [".git", ".claude", ".ssh"] {
            std::fs::create_dir(root.join(room)).unwrap();
        }
        std::fs::write(root.join(".env"), "").unwrap();
        for n in 0..NAMES_MAX + 10 {
            std::fs::create_dir(root.join(format!(".git:{n}"))).unwrap();
            std::fs::write(root.join(format!(".env.{n}")), "").unwrap();
        }
        let found = find(root, &root.join(".loop"), Secrets::Kept);
        for name in [".git", ".claude", ".ssh", ".env"] {
            let same = found.iter().filter(|found| found.path == root.join(name)).count();
            assert_eq!(same, 1, "{name}");
        }
        assert!(found.len() <= 2 * NAMES_MAX, "{}", found.len());
    }

    #[test]
    fn names_are_found_at_any_depth_but_not_through_links_or_in_made_directories() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let rooms = [".git", ".loop/calls", "sub/.GIT", "sub/.vscode", "node_modules/x/.git"];
        for room in rooms {
            std::fs::create_dir_all(root.join(room)).unwrap();
        }
        let files = ["loopwright.toml", "sub/loopwright.toml", ".mcp.json", ".gitignore"];
        for file in files.into_iter().chain([".env", "sub/server.pem", ".env.example"]) {
            std::fs::write(root.join(file), "").unwrap();
        }
        std::os::unix::fs::symlink("/", root.join(".svn")).unwrap();
        let found = |secrets: Secrets| {
            let mut found: Vec<String> = find(root, &root.join(".loop"), secrets)
                .iter()
                .map(|name| name.path.strip_prefix(root).unwrap().display().to_string())
                .collect();
            found.sort();
            found
        };
        let orders = [".git", ".loop", ".mcp.json", "loopwright.toml", "sub/.GIT", "sub/.vscode"];
        assert_eq!(found(Secrets::Let), orders);
        let mut all = orders.to_vec();
        all.extend([".env", "sub/server.pem"]);
        all.sort_unstable();
        assert_eq!(found(Secrets::Kept), all);
    }
}
