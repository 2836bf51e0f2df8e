//! What a judgement rests on in a workspace, apart from the run that asks: rules, trust, places.

use std::path::{Path, PathBuf};

use kernel::paths;
use kernel::policy::grant::Now;
use kernel::policy::{
    Changed, Facts, Ground, Limits, PathClass, Repo, Rules, Sandbox, Touched, Trust,
};

use super::look::{self, Word};
use crate::config::Policy;
use crate::workspace::{Places, Root};

/// The program that is looked for where no settings name one.
const GIT: &str = "git";

/// Rules and places of a workspace, owned, so that facts can be lent from it.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The rules in force.
    pub rules: Rules,
    /// Whether the work tree is trusted.
    pub trust: Trust,
    /// Whether a command would be held in.
    pub sandbox: Sandbox,
    /// Files in one step above which a person is asked.
    pub files_ask: u64,
    /// The root of the work tree.
    pub root: String,
    /// The user's home.
    pub home: String,
    /// Names of files that are protected.
    pub names: paths::Names,
    /// The git that keeps what commands change: a name, or where it is.
    pub git: PathBuf,
}

impl Standing {
    /// Takes the settings in, with a person's word on the workspace.
    #[must_use]
    pub fn new(
        policy: &Policy,
        word: Word<'_>,
        sandbox: Sandbox,
        (root, places): (&Root, &Places),
    ) -> Self {
        Self {
            rules: look::rules(&policy.files, word.listed),
            trust: word.trust,
            sandbox,
            files_ask: policy.files_ask,
            root: text(&root.path),
            home: text(&places.home),
            names: paths::Names::new(&policy.sensitive),
            git: PathBuf::from(GIT),
        }
    }

    /// What a judgement rests on where no settings can be read: nothing is trusted.
    #[must_use]
    pub fn unknown(root: &Path, home: &Path) -> Self {
        Self {
            rules: Rules::built_in(),
            trust: Trust::Untrusted,
            sandbox: Sandbox::Absent,
            files_ask: kernel::policy::FILES_ASK,
            root: text(root),
            home: text(home),
            names: paths::Names::default(),
            git: PathBuf::from(GIT),
        }
    }

    /// The class that its name gives a path.
    #[must_use]
    pub fn class(&self, path: &str) -> PathClass {
        PathClass::of(self.names.classes(path))
    }

    /// A path that a tool touches, as it is judged: by its name, and by whose repository it is in.
    #[must_use]
    pub fn touched(&self, path: &str) -> Touched {
        let root = Path::new(&self.root);
        let mut above = Path::new(path).ancestors().skip(1).filter(|dir| *dir != Path::new(""));
        let nested = above.any(|dir| root.join(dir).join(".git").symlink_metadata().is_ok());
        let repo = if nested { Repo::Nested } else { Repo::Own };
        Touched { repo, ..Touched::new(path, self.class(path)) }
    }

    /// The class of a path by its name and by what links on its way lead to: a program follows
    /// them, so that a harmless name may open anything.
    #[must_use]
    pub fn leads(&self, path: &str) -> PathClass {
        let named = self.class(path);
        match named {
            PathClass::Ordinary | PathClass::Sensitive => {}
            PathClass::Control
            | PathClass::AgentSettings
            | PathClass::Secret
            | PathClass::Outside => return named,
        }
        let root = Path::new(&self.root);
        let (Some(real), Ok(root)) = (followed(&root.join(path)), root.canonicalize()) else {
            return named;
        };
        let Ok(inside) = real.strip_prefix(root) else { return PathClass::Outside };
        match self.class(&inside.to_string_lossy()) {
            PathClass::Ordinary => named,
            real @ (PathClass::Control
            | PathClass::AgentSettings
            | PathClass::Secret
            | PathClass::Sensitive
            | PathClass::Outside) => real,
        }
    }

    /// The facts of a request that no run limits and nobody granted.
    #[must_use]
    pub fn facts<'a>(&'a self, names: &'a dyn Fn(&str) -> PathClass) -> Facts<'a> {
        Facts {
            rules: &self.rules,
            trust: self.trust,
            sandbox: self.sandbox,
            limits: Limits { files_ask: self.files_ask, ..Limits::none() },
            changed: Changed::default(),
            grants: &[],
            now: Now::default(),
            started: &[],
            accepted: &[],
            ground: Ground { root: &self.root, home: &self.home },
            names,
        }
    }
}

/// A path with its links followed as far as it exists; what is below that is kept as written.
fn followed(path: &Path) -> Option<PathBuf> {
    let (there, real) =
        path.ancestors().find_map(|there| Some((there, there.canonicalize().ok()?)))?;
    let below = path.strip_prefix(there).ok()?;
    // Joining nothing would add a slash.
    Some(if below.as_os_str().is_empty() { real } else { real.join(below) })
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_a_repository_within_the_tree_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::create_dir_all(root.join("a/inner/.git")).unwrap();
        std::fs::create_dir_all(root.join("module")).unwrap();
        std::fs::write(root.join("module/.git"), "gitdir: ../.git/modules/module").unwrap();
        let standing = Standing::unknown(root, Path::new("/home/x"));
        let table = [
            ("x.rs", Repo::Own),
            ("a/x.rs", Repo::Own),
            ("a/inner", Repo::Own),
            ("a/inner/x.rs", Repo::Nested),
            ("a/inner/deep/new.rs", Repo::Nested),
            ("module/x.rs", Repo::Nested),
        ];
        for (path, expected) in table {
            assert_eq!(standing.touched(path).repo, expected, "{path}");
        }
    }

    #[test]
    fn a_link_is_of_the_class_that_it_leads_to() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir_all(root.join(".loop/calls")).unwrap();
        std::fs::create_dir_all(root.join("src/auth")).unwrap();
        std::fs::write(root.join(".env"), "KEY=1").unwrap();
        std::fs::write(root.join("src/a.rs"), "").unwrap();
        let links = [("notes", ".env"), ("state", ".loop"), ("away", "/etc"), ("code", "src")];
        for (name, to) in links.into_iter().chain([("turn", "turn")]) {
            std::os::unix::fs::symlink(to, root.join(name)).unwrap();
        }
        let standing = Standing::unknown(root, Path::new("/home/x"));
        let table = [
            ("src/a.rs", PathClass::Ordinary),
            ("not/there", PathClass::Ordinary),
            ("code/a.rs", PathClass::Ordinary),
            ("code/auth/b.rs", PathClass::Sensitive),
            ("notes", PathClass::Secret),
            ("src/../notes", PathClass::Secret),
            ("state", PathClass::Control),
            ("state/calls/new", PathClass::Control),
            ("away/passwd", PathClass::Outside),
            ("turn", PathClass::Ordinary),
        ];
        for (path, expected) in table {
            assert_eq!(standing.leads(path), expected, "{path}");
        }
    }
}
