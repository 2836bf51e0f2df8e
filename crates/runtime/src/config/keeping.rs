//! `[checkpoint]`, `[rollback]`, `[search]` and `[git]` as plain fields: how the user's files are
//! looked at, kept and brought back. What they do is the business of whoever reads them.

use std::path::PathBuf;

use kernel::rollback::Conflicts;

use super::settings::{PROVEN, Read};

/// `[checkpoint]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Larger files are listed, not kept.
    pub max_file_bytes: u64,
    /// What marks and checkpoints may take together.
    pub quota_bytes: u64,
    /// Days a checkpoint is kept even if the quota is reached.
    pub keep_days: u64,
    /// Whether what may write is only started once the tree before it is kept.
    pub required: Required,
    /// Whether files whose names say that they hold secrets are kept.
    pub include_secrets: bool,
    /// Deadline of a making.
    pub timeout_ms: u64,
}

/// Whether what may write is only started once the tree before it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Required {
    /// It is: a person said so.
    Said,
    /// It is, where there is a git to keep it with: nobody said anything.
    Unsaid,
    /// It is started all the same.
    No,
}

/// `[rollback]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rollback {
    /// What is done with content that is not ours, if nobody says.
    pub conflicts: Conflicts,
}

/// `[search]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// Larger files are not searched.
    pub max_file_bytes: u64,
    /// The program that searches by meaning, with its words; empty for none.
    pub semantic: Vec<String>,
}

/// `[git]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Git {
    /// The program: a name to look for, or where it is.
    pub path: PathBuf,
}

/// What `rollback.conflicts` or its flag says.
#[must_use]
pub fn conflicts(word: &str) -> Option<Conflicts> {
    match word {
        "aside" => Some(Conflicts::Aside),
        "keep" => Some(Conflicts::Keep),
        _other => None,
    }
}

impl Checkpoint {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self {
            max_file_bytes: read.whole("checkpoint.max_file_bytes"),
            quota_bytes: read.whole("checkpoint.quota_bytes"),
            keep_days: read.whole("checkpoint.keep_days"),
            required: match (read.bool("checkpoint.required"), read.said("checkpoint.required")) {
                (true, true) => Required::Said,
                (true, false) => Required::Unsaid,
                (false, _) => Required::No,
            },
            include_secrets: read.bool("checkpoint.include_secrets"),
            timeout_ms: read.whole("checkpoint.timeout"),
        }
    }
}

impl Rollback {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self { conflicts: conflicts(&read.text("rollback.conflicts")).expect(PROVEN) }
    }
}

impl Search {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self {
            max_file_bytes: read.whole("search.max_file_bytes"),
            semantic: read.texts("search.semantic"),
        }
    }
}

impl Git {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self { path: PathBuf::from(read.text("git.path")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{File, Layers, Settings, resolve};

    fn settings(text: &str) -> Settings {
        let workspace = Some(File { name: "loopwright.toml", text });
        resolve(&Layers { workspace, ..Layers::default() }).unwrap().settings
    }

    #[test]
    fn defaults_are_as_settled_and_can_be_set() {
        let built_in = Settings::default();
        assert_eq!(built_in.checkpoint.max_file_bytes, 64 << 20);
        assert_eq!(built_in.checkpoint.timeout_ms, 300_000);
        assert!(!built_in.checkpoint.include_secrets);
        assert_eq!(built_in.checkpoint.required, Required::Unsaid);
        let said = settings("[checkpoint]\nrequired = true\n").checkpoint.required;
        assert_eq!(said, Required::Said);
        assert_eq!((built_in.checkpoint.quota_bytes, built_in.checkpoint.keep_days), (5 << 30, 14));
        assert_eq!(built_in.rollback.conflicts, Conflicts::Aside);
        assert_eq!(built_in.search, Search { max_file_bytes: 2 << 20, semantic: Vec::new() });
        assert_eq!(built_in.git.path, PathBuf::from("git"));
        let set = settings(
            "[checkpoint]\nmax_file_bytes = \"1KiB\"\ninclude_secrets = true\ntimeout = \"5s\"\n\
             quota_bytes = \"1GiB\"\nkeep_days = 3\nrequired = false\n\
             [rollback]\nconflicts = \"keep\"\n[search]\nmax_file_bytes = \"1MiB\"\n\
             semantic = [\"finder\", \"--json\"]\n[git]\npath = \"/opt/git/bin/git\"\n",
        );
        assert_eq!(
            set.checkpoint,
            Checkpoint {
                max_file_bytes: 1024,
                quota_bytes: 1 << 30,
                keep_days: 3,
                required: Required::No,
                include_secrets: true,
                timeout_ms: 5000,
            }
        );
        assert_eq!(set.rollback.conflicts, Conflicts::Keep);
        assert_eq!(set.search.semantic, ["finder", "--json"]);
        assert_eq!(set.git.path, PathBuf::from("/opt/git/bin/git"));
    }

    #[test]
    fn what_nothing_here_does_is_refused_by_name() {
        for text in [
            "[checkpoint]\nrequired = \"yes\"\n",
            "[checkpoint]\nquota_bytes = 0\n",
            "[checkpoint]\nkeep_days = 0\n",
            "[worktree]\ndir = \"/tmp\"\n",
            "[rollback]\nconflicts = \"ask\"\n",
            "[git]\npath = \"bin/git\"\n",
        ] {
            let workspace = Some(File { name: "loopwright.toml", text });
            let faults = resolve(&Layers { workspace, ..Layers::default() }).unwrap_err();
            assert_eq!(faults.len(), 1, "{text}");
        }
    }
}
