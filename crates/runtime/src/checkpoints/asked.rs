//! What is asked of a keeper and what it answers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use kernel::rollback::NotCovered;
use serde::Serialize;

use super::names::Time;
use super::objects::Id;
use crate::config::{Required, Settings};
use crate::tree::{Hash, Scope, Secrets};
use crate::workspace::Root;

/// Where a keeper works, and within which bounds.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The user's tree; where another one stands by now, nothing is done.
    pub root: Root,
    /// The state directory.
    pub loop_dir: PathBuf,
    /// Which files are read.
    pub scope: Scope,
    /// What must stay free on the disk.
    pub disk_floor_bytes: u64,
    /// What our repository may take.
    pub quota_bytes: u64,
}

/// What the settings say about keeping the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keeping {
    /// Which files are read.
    pub scope: Scope,
    /// Our page in the user's tree, below the root.
    pub page: String,
    /// The git program: a name, or where it is.
    pub git: PathBuf,
    /// What must stay free on the disk.
    pub disk_floor_bytes: u64,
    /// What our repository may take.
    pub quota_bytes: u64,
    /// How long a making may take.
    pub time_max: Duration,
    /// What becomes of a writing call before which the tree can't be kept.
    pub need: Need,
}

/// What becomes of a writing call before which the tree can't be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It is not started.
    Required,
    /// The same, but where there is no git it runs: its undo then says so.
    Usual,
    /// It runs; its undo then says what is missing.
    Wished,
}

impl Keeping {
    /// As the settings in force say.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let said = &settings.checkpoint;
        let secrets = if said.include_secrets { Secrets::Inside } else { Secrets::Outside };
        Self {
            scope: Scope { file_bytes_max: said.max_file_bytes, secrets },
            page: settings.lifecycle.context_path.clone(),
            git: settings.git.path.clone(),
            disk_floor_bytes: settings.run.disk_floor_bytes,
            quota_bytes: said.quota_bytes,
            time_max: Duration::from_millis(said.timeout_ms),
            need: match said.required {
                Required::Said => Need::Required,
                Required::Unsaid => Need::Usual,
                Required::No => Need::Wished,
            },
        }
    }
}

/// One checkpoint that is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The call.
    pub call: &'a str,
    /// Its directory.
    pub call_dir: &'a Path,
    /// What a person or a machine calls it.
    pub label: Option<&'a str>,
    /// Now.
    pub at: Time,
}

/// A checkpoint that was made, durable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Made {
    /// `chk-…`.
    pub name: String,
    /// The commit: the truth, of which the name is a convenience.
    pub commit: Hash,
    /// Its tree.
    pub tree: Hash,
    /// The user's commit at that time.
    pub head: Option<String>,
    /// The user's branch at that time.
    pub branch: Option<String>,
    /// How many files and links.
    pub files: u64,
    /// How many bytes.
    pub bytes: u64,
    /// What it does not vouch for.
    pub not_covered: Vec<NotCovered>,
}

/// Whether a mark needed git.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Something had changed.
    Started,
    /// Nothing had; the commit of the mark before it stands for it.
    Spared,
}

/// A mark that was taken, durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked {
    /// The commit.
    pub commit: Id,
    /// Whether git ran.
    pub start: Start,
}
