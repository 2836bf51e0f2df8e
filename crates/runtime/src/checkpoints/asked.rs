//! What is asked of a keeper and what it answers. Data only.

use std::path::{Path, PathBuf};

use kernel::rollback::NotCovered;
use serde::Serialize;

use super::names::Time;
use super::objects::Id;
use crate::tree::{Hash, Mark, Scope};

/// Where a keeper works, and within which bounds.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The user's tree.
    pub root: PathBuf,
    /// The state directory.
    pub loop_dir: PathBuf,
    /// Which files are read.
    pub scope: Scope,
    /// What must stay free on the disk.
    pub disk_floor_bytes: u64,
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

/// Before or after a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before it starts.
    Before,
    /// After it ended.
    After,
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// The commit.
    pub commit: Id,
    /// The tree as it was seen, in step with the commit.
    pub mark: Mark,
    /// Whether git ran.
    pub start: Start,
}
