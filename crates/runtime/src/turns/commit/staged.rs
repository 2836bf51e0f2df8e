//! A commit of what a person staged: looked at by its hash, and made from an index of its own, so
//! that exactly what was shown is committed and their own index stays as it is.

use std::path::Path;

use kernel::hash;
use kernel::turn::Fault;

use super::{Commit, fault, looked, names, refs};
use crate::checkpoints::Git;
use crate::child_env::Extra;

/// The index of what was staged, in the directory of the call.
const INDEX: &str = "index";
/// The mode of a path that is not there.
const GONE_MODE: &str = "000000";
/// The words by which git tells what is staged: each path with its old and new bytes.
const STAGED: [&str; 5] = ["diff", "--cached", "--raw", "--no-renames", "-z"];

/// The hash of what is staged at these paths; by it, what was shown is what is committed.
///
/// # Errors
/// Why git does not say it.
pub fn staged(git: &Git, root: &Path, extra: &Extra, paths: &[&str]) -> Result<String, Fault> {
    let words = [&STAGED[..], &["--no-abbrev", "--"], paths].concat();
    looked(git, root, extra, &words).map(|said| hash::sha256_hex(&said))
}

impl Commit<'_> {
    /// What is staged at our paths, if it is what was shown.
    pub(super) fn entries(&self, shown: &str) -> Result<Vec<Entry>, Fault> {
        let words = [&STAGED[..], &["--no-abbrev", "--"], &refs(self.paths)[..]].concat();
        let said = self.git().look(&words)?;
        if hash::sha256_hex(&said) != shown {
            return Err(fault("E_CONFLICT", "changed_since_read", ""));
        }
        Ok(staged_entries(&said))
    }

    /// Commits exactly these entries, from an index of its own: the person's stays as it is, with
    /// whatever else is staged in it.
    pub(super) fn make_staged(&self, entries: &[Entry]) -> Result<(), Fault> {
        let file = self.written()?;
        let index = self.call_dir.join(INDEX);
        let mine = |args: &[&str]| self.git().act_in(&index, args);
        match &self.head.commit {
            Some(head) => mine(&["read-tree", head])?,
            None => mine(&["read-tree", "--empty"])?,
        };
        let gone = entries.iter().filter(|entry| entry.info.is_none());
        let gone: Vec<&str> = gone.map(|entry| entry.path.as_str()).collect();
        let put: Vec<&str> = entries.iter().filter_map(|entry| entry.info.as_deref()).collect();
        if !gone.is_empty() {
            mine(&[&["update-index", "--force-remove", "--"], &gone[..]].concat())?;
        }
        if !put.is_empty() {
            let all = put.iter().flat_map(|info| ["--cacheinfo", info]);
            mine(&["update-index", "--add"].into_iter().chain(all).collect::<Vec<_>>())?;
        }
        mine(&["commit", "--quiet", "--cleanup=verbatim", "--file", &file])?;
        // It is of no use any more; what is left of it disturbs nobody.
        let _ = std::fs::remove_file(index);
        Ok(())
    }
}

/// One path of what is staged.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    path: String,
    /// Its mode, its bytes and the path, as git takes them into an index; none where it is gone.
    info: Option<String>,
}

/// `:old new OLD NEW X`, then the path, each ended by a zero.
fn staged_entries(said: &[u8]) -> Vec<Entry> {
    let parts = names(said);
    let entry = |pair: &[String]| {
        let [facts, path] = pair else { return None };
        let mut words = facts.split(' ').skip(1);
        let (mode, bytes) = (words.next()?, words.nth(1)?);
        let there = mode != GONE_MODE;
        let info = there.then(|| format!("{mode},{bytes},{path}"));
        Some(Entry { path: path.clone(), info })
    };
    parts.chunks(2).filter_map(entry).collect()
}
