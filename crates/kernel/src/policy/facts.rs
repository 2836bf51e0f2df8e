//! What a judgement rests on beside the request: rules, trust, limits, grants, the sandbox, where
//! everything stands. Gathered by the hands, given whole, so that judging is a pure function.

use alloc::collections::BTreeSet;
use alloc::string::String;

use super::glob;
use super::grant::{Grant, Now};
use super::path::{Ground, Names};
use super::request::Touched;
use super::rules::Rules;
use super::verdict::{Granted, Trust};

/// Files in one step above which a person is asked each time.
pub const FILES_ASK: u64 = 20;

/// Whether a command would be held in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sandbox {
    /// It would.
    Held,
    /// It would not, and a person has said that this is all right.
    Waived,
    /// It would not, and nobody has said so.
    Absent,
}

/// How much a run may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeLimit {
    /// Files.
    pub files: u64,
    /// Lines added and removed.
    pub lines: u64,
    /// Modules.
    pub modules: u64,
}

/// Limits of the run.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// How much it may change.
    pub change: Option<ChangeLimit>,
    /// Where it may change something; empty = anywhere.
    pub confine: &'a [String],
    /// Files in one step above which a person is asked.
    pub files_ask: u64,
}

/// What the run has changed so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changed<'a> {
    /// Paths.
    pub paths: &'a [String],
    /// Lines added and removed.
    pub lines: u64,
}

/// Everything that is known.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The rules in force.
    pub rules: &'a Rules,
    /// Whether the work tree is trusted.
    pub trust: Trust,
    /// Whether a command would be held in.
    pub sandbox: Sandbox,
    /// Limits of the run.
    pub limits: Limits<'a>,
    /// What it has changed so far.
    pub changed: Changed<'a>,
    /// Grants, of whatever state.
    pub grants: &'a [Grant],
    /// What grants are held against.
    pub now: Now<'a>,
    /// Commands that a person's own start granted.
    pub started: &'a [Granted],
    /// Hashes of accepted risks.
    pub accepted: &'a [String],
    /// Where everything stands.
    pub ground: Ground<'a>,
    /// Which class a path's name gives it.
    pub names: Names<'a>,
}

impl Limits<'_> {
    /// No limits but the usual ones.
    #[must_use]
    pub const fn none() -> Self {
        Self { change: None, confine: &[], files_ask: FILES_ASK }
    }

    /// Whether a path is where the run may change something.
    #[must_use]
    pub fn holds(&self, path: &str) -> bool {
        self.confine.is_empty() || self.confine.iter().any(|pattern| glob::path(pattern, path))
    }
}

impl Changed<'_> {
    /// Whether these further changes would pass a limit.
    #[must_use]
    pub fn would_pass(&self, limit: ChangeLimit, paths: &[Touched], lines: u64) -> bool {
        let new = paths.iter().map(|touched| touched.path.as_str());
        let all: BTreeSet<&str> = self.paths.iter().map(String::as_str).chain(new).collect();
        let modules: BTreeSet<&str> = all.iter().map(|path| module(path)).collect();
        let over = |count: usize, most: u64| u64::try_from(count).is_ok_and(|count| count > most);
        over(all.len(), limit.files)
            || over(modules.len(), limit.modules)
            || self.lines.saturating_add(lines) > limit.lines
    }
}

/// Directories that hold modules and are none.
const SHELVES: [&str; 8] =
    ["src", "lib", "crates", "packages", "apps", "modules", "internal", "pkg"];

/// The module a path belongs to: its first directory, or the one on a shelf of them.
fn module(path: &str) -> &str {
    let Some((first, rest)) = path.split_once('/') else { return "." };
    match rest.split_once('/') {
        Some((second, _)) if SHELVES.contains(&first) => {
            path.get(..first.len() + 1 + second.len()).unwrap_or(first)
        }
        Some(_) | None => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_directories() {
        let table = [
            ("README.md", "."),
            ("src/a.rs", "src"),
            ("src/net/a.rs", "src/net"),
            ("crates/kernel/src/a.rs", "crates/kernel"),
            ("docs/a/b.md", "docs"),
        ];
        for (path, expected) in table {
            assert_eq!(module(path), expected);
        }
    }
}
