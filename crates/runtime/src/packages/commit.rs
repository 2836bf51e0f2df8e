//! What a commit would hold, and its message, before anybody is asked: the set by what git says,
//! secrets looked for in it. It commits nothing; that is a call of its own.

use std::path::Path;

use kernel::packages::Tongue;
use kernel::packages::commit::{Change, File, Told, message};
use kernel::paths::{Class, Names};
use kernel::turn::{CheckedOut, Fault};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::refusal::Refusal;
use crate::checkpoints::Git;
use crate::child_env::Extra;
use crate::redact::Redactor;
use crate::turns::{checked_out, looked, staged};

/// Larger files are no text that somebody wrote a secret into.
const SCANNED_BYTES_MAX: u64 = 4 << 20;
/// More paths are not one commit.
const PATHS_MAX: usize = 5_000;

/// Asks git something about the work tree.
type Ask<'a> = &'a dyn Fn(&[&str]) -> Result<Vec<u8>, Refusal>;

/// Which files are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommitSet {
    /// What is staged if anything is, else all.
    #[default]
    Auto,
    /// What is staged.
    Staged,
    /// All that changed and is not ignored.
    All,
}

/// What is wished for.
#[derive(Debug, Clone, Copy)]
pub struct CommitWish<'a> {
    /// Which files.
    pub set: CommitSet,
    /// What the person wrote.
    pub message: Option<&'a str>,
    /// The language.
    pub lang: Tongue,
    /// Whether an English block follows another.
    pub bilingual: bool,
    /// Paths that are taken out of the set.
    pub without: &'a [String],
}

/// With what it is looked at.
#[derive(Debug, Clone, Copy)]
pub struct CommitGround<'a> {
    /// The program.
    pub git: &'a Git,
    /// The work tree.
    pub root: &'a Path,
    /// What of our environment passes.
    pub extra: &'a Extra,
    /// Protected names.
    pub names: &'a Names,
    /// What knows secrets.
    pub redactor: &'a Redactor,
}

/// What would be committed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommitPlan {
    /// What is checked out.
    pub head: CheckedOut,
    /// The first remote.
    pub remote: Option<String>,
    /// New files.
    pub added: usize,
    /// Changed files.
    pub modified: usize,
    /// Files that are gone.
    pub deleted: usize,
    /// All of them.
    pub files: Vec<File>,
    /// The message, without its trailer.
    pub message: String,
    /// The hash of what is staged, where that is what would be committed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staged: Option<String>,
}

impl CommitPlan {
    /// The arguments of the call that commits.
    #[must_use]
    pub fn args(&self) -> serde_json::Value {
        let paths: Vec<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        let mut args = json!({ "head": self.head, "message": self.message, "paths": paths });
        if let Some(staged) = &self.staged {
            args["staged"] = json!(staged);
        }
        args
    }
}

/// What would be committed; none if nothing changed.
///
/// # Errors
/// No repository, one in the middle of something, or a secret in the set.
pub fn commit_plan(
    ground: &CommitGround<'_>,
    wish: &CommitWish<'_>,
) -> Result<Option<CommitPlan>, Refusal> {
    let root = ground.root;
    if !root.join(".git").exists() {
        return Err(Refusal::new("not_a_repository", json!({ "path": root })));
    }
    let ask = |words: &[&str]| looked(ground.git, root, ground.extra, words).map_err(of_fault);
    not_busy(root, &ask)?;
    let status = ask(&["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"])?;
    let all = entries(&status)?;
    let by_stage = match wish.set {
        CommitSet::Auto => all.iter().any(|entry| entry.staged.is_some()),
        CommitSet::Staged => true,
        CommitSet::All => false,
    };
    let files: Vec<File> = all
        .iter()
        .filter_map(|entry| {
            let change = if by_stage { entry.staged? } else { entry.change() };
            Some(File { path: entry.path.clone(), change })
        })
        .filter(|file| !wish.without.contains(&file.path) && !is_ours(&file.path))
        .collect();
    if files.is_empty() {
        return Ok(None);
    }
    if files.len() > PATHS_MAX {
        return Err(Refusal::args("/paths", "at most 5000 paths"));
    }
    // What is staged is not what stands in the tree where both were changed.
    let apart = |path: &str| {
        by_stage && all.iter().any(|entry| entry.path == path && entry.loose.is_some())
    };
    no_secret(ground, &files, &|path| {
        let index = format!(":./{path}");
        let read = || ask(&["cat-file", "blob", &index]).ok();
        if apart(path) { read() } else { in_tree(ground.root, path) }
    })?;
    let remote = ask(&["remote"])?;
    let remote = String::from_utf8_lossy(&remote).lines().next().map(str::to_owned);
    let blanks = blanks_only(&files, by_stage, &ask)?;
    let mut plan = planned(ground, wish, files, remote, blanks);
    if by_stage {
        let paths: Vec<&str> = plan.files.iter().map(|file| file.path.as_str()).collect();
        plan.staged = Some(staged(ground.git, root, ground.extra, &paths).map_err(of_fault)?);
    }
    Ok(Some(plan))
}

fn planned(
    ground: &CommitGround<'_>,
    wish: &CommitWish<'_>,
    files: Vec<File>,
    remote: Option<String>,
    blanks_only: bool,
) -> CommitPlan {
    let head = checked_out(ground.root);
    let message = message(&Told {
        given: wish.message,
        files: &files,
        branch: head.branch.as_deref(),
        first: head.commit.is_none(),
        blanks_only,
        tongue: wish.lang,
        bilingual: wish.bilingual,
    });
    let count = |change| files.iter().filter(|file| file.change == change).count();
    CommitPlan {
        added: count(Change::Added),
        modified: count(Change::Modified),
        deleted: count(Change::Deleted),
        head,
        remote,
        files,
        message,
        staged: None,
    }
}

fn of_fault(fault: Fault) -> Refusal {
    let said = fault.errors.into_iter().next().map(|error| error.message).unwrap_or_default();
    Refusal::new("git_busy", json!({ "kind": fault.kind, "said": said }))
}

fn is_ours(path: &str) -> bool {
    path == ".loop" || path.starts_with(".loop/")
}

/// A merge, a rebase or the like has to be ended by whoever began it.
fn not_busy(root: &Path, ask: Ask<'_>) -> Result<(), Refusal> {
    let files = [
        ("MERGE_HEAD", "merge"),
        ("rebase-merge", "rebase"),
        ("rebase-apply", "rebase"),
        ("CHERRY_PICK_HEAD", "cherry-pick"),
        ("REVERT_HEAD", "revert"),
    ];
    for (file, what) in files {
        let said = ask(&["rev-parse", "--git-path", file])?;
        if root.join(String::from_utf8_lossy(&said).trim_end()).exists() {
            return Err(Refusal::new("git_busy", json!({ "what": what })));
        }
    }
    Ok(())
}

struct Entry {
    path: String,
    staged: Option<Change>,
    loose: Option<Change>,
}

impl Entry {
    /// What a commit of both would do.
    fn change(&self) -> Change {
        match (self.staged, self.loose) {
            (_, Some(Change::Deleted)) => Change::Deleted,
            (Some(staged), _) => staged,
            (None, Some(loose)) => loose,
            (None, None) => Change::Modified,
        }
    }
}

fn entries(status: &[u8]) -> Result<Vec<Entry>, Refusal> {
    let mut all = Vec::new();
    for line in status.split(|byte| *byte == 0).filter(|line| line.len() > 3) {
        let (marks, path) = line.split_at(3);
        let path = String::from_utf8(path.to_vec())
            .map_err(|_| Refusal::new("unreadable", json!({ "byte": 0 })))?;
        if marks.contains(&b'U') || marks.starts_with(b"AA") || marks.starts_with(b"DD") {
            return Err(Refusal::new("git_busy", json!({ "what": "merge", "path": path })));
        }
        let read = |mark: Option<&u8>| match mark {
            Some(b'A' | b'?') => Some(Change::Added),
            Some(b'D') => Some(Change::Deleted),
            Some(b' ') | None => None,
            Some(_) => Some(Change::Modified),
        };
        let untracked = marks.starts_with(b"??");
        let staged = read(marks.first()).filter(|_| !untracked);
        all.push(Entry { path, staged, loose: read(marks.get(1)) });
    }
    Ok(all)
}

/// What stands in the tree, if it is a file that somebody could have written a secret into.
fn in_tree(root: &Path, path: &str) -> Option<Vec<u8>> {
    let full = root.join(path);
    let small = std::fs::symlink_metadata(&full)
        .is_ok_and(|meta| meta.is_file() && meta.len() <= SCANNED_BYTES_MAX);
    if small { std::fs::read(&full).ok() } else { None }
}

/// Files whose name or text holds a secret stop it, and are named.
fn no_secret(
    ground: &CommitGround<'_>,
    files: &[File],
    text: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<(), Refusal> {
    let holds = |file: &&File| {
        if file.change == Change::Deleted {
            return false;
        }
        if ground.names.classes(&file.path).has(Class::Secret) {
            return true;
        }
        let bytes = text(&file.path).unwrap_or_default();
        !bytes.contains(&0) && ground.redactor.redact(&bytes) != bytes
    };
    let found: Vec<&str> = files.iter().filter(holds).map(|file| file.path.as_str()).collect();
    if found.is_empty() {
        return Ok(());
    }
    Err(Refusal::new("secret_found", json!({ "paths": found, "path": found.join(", ") })))
}

/// Whether nothing but blanks differs.
fn blanks_only(files: &[File], by_stage: bool, ask: Ask<'_>) -> Result<bool, Refusal> {
    if files.iter().any(|file| file.change != Change::Modified) {
        return Ok(false);
    }
    let what = if by_stage { "--cached" } else { "HEAD" };
    let words = ["diff", what, "--ignore-all-space", "--ignore-blank-lines"];
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let said = ask(&[&words[..], &["--numstat", "--"], &paths[..]].concat())?;
    Ok(String::from_utf8_lossy(&said).lines().all(|line| line.starts_with("0\t0\t")))
}
