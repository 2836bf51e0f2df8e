//! Where a path written in a command leads, by its words alone, and what kind of path it is. Links
//! are not followed here; the tools that open files look again.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::glob;
use crate::paths::{Class, Classes};

/// What a path is to the policy. Names decide; `Outside` is a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathClass {
    /// Nothing special.
    #[default]
    Ordinary,
    /// The state of a version control system, or ours.
    Control,
    /// It steers agents and editors.
    AgentSettings,
    /// Its content is a secret.
    Secret,
    /// A change there is worth a question each time.
    Sensitive,
    /// Not below the root.
    Outside,
}

/// Names the class of a path below the root.
pub type Names<'a> = &'a dyn Fn(&str) -> PathClass;

/// Where everything stands: absolute, without a slash at the end.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The root of the work tree.
    pub root: &'a str,
    /// The user's home.
    pub home: &'a str,
}

/// Where a written path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The root of the work tree itself.
    Root,
    /// Below it, relative to it.
    Inside(String),
    /// The user's home.
    Home,
    /// A directory that holds the root or the home, `/` first of all.
    Above,
    /// Anywhere else, absolute.
    Outside(String),
}

/// Devices that take or give nothing that matters.
const STREAMS: [&str; 5] = ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"];
/// What stands below `/dev` and is no disk.
const NOT_DISKS: [&str; 8] =
    ["null", "stdin", "stdout", "stderr", "tty", "zero", "full", "urandom"];

impl Ground<'_> {
    /// Where a word leads from a directory below the root.
    #[must_use]
    pub fn place(&self, cwd: &str, word: &str) -> Place {
        let word = every_child(word);
        let home = ["~", "$HOME", "${HOME}"].into_iter().find_map(|name| {
            word.strip_prefix(name).filter(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        let parts = match home {
            Some(rest) => join(&[self.home, rest]),
            None if word.starts_with('/') => join(&[word]),
            None if word.starts_with('~') => return Place::Outside(word.to_string()),
            None => join(&[self.root, cwd, word]),
        };
        self.found(&parts)
    }

    fn found(&self, parts: &[&str]) -> Place {
        let (root, home) = (join(&[self.root]), join(&[self.home]));
        if let Some(rest) = parts.strip_prefix(root.as_slice()).filter(|_| !root.is_empty()) {
            return if rest.is_empty() { Place::Root } else { Place::Inside(rest.join("/")) };
        }
        if parts == home.as_slice() {
            Place::Home
        } else if root.starts_with(parts) || home.starts_with(parts) {
            Place::Above
        } else {
            Place::Outside(alloc::format!("/{}", parts.join("/")))
        }
    }

    /// The class of a written path. A secret is one wherever it lies.
    #[must_use]
    pub fn class(&self, names: Names<'_>, cwd: &str, word: &str) -> PathClass {
        match self.place(cwd, word) {
            Place::Root => PathClass::Ordinary,
            Place::Inside(path) if is_own_tmp(&path) => PathClass::Ordinary,
            Place::Inside(path) => names(&path),
            Place::Home | Place::Above => PathClass::Outside,
            Place::Outside(path) if STREAMS.contains(&path.as_str()) => PathClass::Ordinary,
            Place::Outside(path) => match names(path.trim_start_matches('/')) {
                PathClass::Secret => PathClass::Secret,
                PathClass::Ordinary
                | PathClass::Control
                | PathClass::AgentSettings
                | PathClass::Sensitive
                | PathClass::Outside => PathClass::Outside,
            },
        }
    }

    /// Whether a word names a disk, or anything else below `/dev` that is written at a price.
    #[must_use]
    pub fn is_device(&self, cwd: &str, word: &str) -> bool {
        match self.place(cwd, word) {
            Place::Outside(path) => path.strip_prefix("/dev/").is_some_and(|name| {
                !NOT_DISKS.contains(&name) && !name.starts_with("fd/") && !name.starts_with("shm/")
            }),
            Place::Root | Place::Inside(_) | Place::Home | Place::Above => false,
        }
    }
}

/// Whether a path below the root is our own state; the one place in it that calls may write is not.
pub(super) fn is_own_state(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    first.eq_ignore_ascii_case(".loop") && !is_own_tmp(path)
}

fn is_own_tmp(path: &str) -> bool {
    glob::path(".loop/calls/*/tmp", path) || glob::path(".loop/calls/*/tmp/**", path)
}

/// A word that means every child of a directory means the directory.
fn every_child(word: &str) -> &str {
    match word {
        "*" | ".*" => ".",
        "/*" => "/",
        _other => word.strip_suffix("/*").unwrap_or(word),
    }
}

/// The parts of paths put behind each other, `.` and `..` taken out.
fn join<'a>(paths: &[&'a str]) -> Vec<&'a str> {
    let mut parts = Vec::new();
    for part in paths.iter().flat_map(|path| path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts
}

impl PathClass {
    /// The strongest of the classes that a path's names give it.
    #[must_use]
    pub fn of(classes: Classes) -> Self {
        match classes.strongest() {
            None => Self::Ordinary,
            Some(Class::Sensitive) => Self::Sensitive,
            Some(Class::Secret) => Self::Secret,
            Some(Class::AgentSettings) => Self::AgentSettings,
            Some(Class::Control) => Self::Control,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUND: Ground<'_> = Ground { root: "/home/u/w", home: "/home/u" };

    #[test]
    fn words_lead_where_a_shell_would_go() {
        let inside = |path: &str| Place::Inside(path.into());
        let table = [
            (".", ".", Place::Root),
            (".", "*", Place::Root),
            (".", "./a/../", Place::Root),
            ("a", "..", Place::Root),
            ("a", "../..", Place::Home),
            (".", "a/b", inside("a/b")),
            ("a", "/home/u/w/b", inside("b")),
            (".", "/", Place::Above),
            (".", "/*", Place::Above),
            (".", "/..", Place::Above),
            (".", "/home", Place::Above),
            (".", "~", Place::Home),
            (".", "$HOME/", Place::Home),
            (".", "~/x", Place::Outside("/home/u/x".into())),
            (".", "~root/x", Place::Outside("~root/x".into())),
            (".", "/etc", Place::Outside("/etc".into())),
            (".", "/home/u/w2", Place::Outside("/home/u/w2".into())),
        ];
        for (cwd, word, expected) in table {
            assert_eq!(GROUND.place(cwd, word), expected, "{word} in {cwd}");
        }
    }

    #[test]
    fn names_decide_the_class() {
        let table = [
            ("src/http.rs", PathClass::Ordinary),
            ("a/.GIT/x", PathClass::Control),
            (".loop/x", PathClass::Control),
            ("a/.loop", PathClass::Ordinary),
            ("loopwright.toml", PathClass::AgentSettings),
            (".env.example", PathClass::Ordinary),
            ("a/.env.local", PathClass::Secret),
            ("../x", PathClass::Outside),
            ("~/.ssh/id_rsa", PathClass::Secret),
            ("/dev/null", PathClass::Ordinary),
            ("src/auth/a.rs", PathClass::Sensitive),
            (".github/workflows/ci.yml", PathClass::Sensitive),
        ];
        let names = crate::paths::Names::default();
        let class_of = |path: &str| PathClass::of(names.classes(path));
        for (word, expected) in table {
            assert_eq!(GROUND.class(&class_of, ".", word), expected, "{word}");
        }
        assert!(GROUND.is_device(".", "/dev/sda") && !GROUND.is_device(".", "/dev/null"));
    }
}
