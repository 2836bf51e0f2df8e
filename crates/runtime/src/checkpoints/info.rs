//! What a checkpoint says about itself: the message of its commit, as JSON. Everything a rollback
//! needs beside the files is in here, so that a checkpoint needs no other record.

use kernel::rollback::{NotCovered, RawPath};
use serde::{Deserialize, Serialize};

use crate::tree;

/// The form of the message.
const FORMAT: u32 = 1;
/// A payload is for people and small; the whole list is in the checkpoint.
pub const NOT_COVERED_SHOWN_MAX: usize = 200;

/// A checkpoint's own words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    format: u32,
    /// What a person or a machine called it.
    pub label: Option<String>,
    /// The call that made it.
    pub call: String,
    /// When, in milliseconds since 1970.
    pub made_at_ms: u64,
    /// The user's commit.
    pub head: Option<String>,
    /// The user's branch.
    pub branch: Option<String>,
    /// How many files and links.
    pub files: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// What it does not vouch for, whole.
    pub not_covered: Vec<NotCovered>,
}

impl Info {
    pub(super) fn new(label: Option<String>, call: &str, at_ms: u64, head: tree::Head) -> Self {
        Self {
            format: FORMAT,
            label,
            call: call.to_owned(),
            made_at_ms: at_ms,
            head: head.commit,
            branch: head.branch,
            ..Self::default()
        }
    }

    pub(super) fn read(message: &[u8]) -> Option<Self> {
        serde_json::from_slice(message).ok().filter(|info: &Self| info.format == FORMAT)
    }

    /// Whether the checkpoint says nothing about `path`, so that its absence proves nothing.
    pub fn leaves_out(&self, path: &RawPath) -> bool {
        self.not_covered.iter().any(|left| {
            let left = left.path.bytes();
            let rest = path.bytes().strip_prefix(left);
            left.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
        })
    }
}

/// The list of a mark in the form that is kept.
pub(super) fn not_covered(mark: &[tree::NotCovered]) -> Vec<NotCovered> {
    let one = |left: &tree::NotCovered| NotCovered {
        path: RawPath::new(left.path.clone()),
        reason: left.why.word().to_owned(),
    };
    mark.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_covers_all_below_it() {
        let left = |path: &str| NotCovered { path: RawPath::new(path), reason: String::new() };
        let info = Info { not_covered: vec![left("build"), left("a/b.o")], ..Info::default() };
        for (path, want) in [
            ("build", true),
            ("build/x/y", true),
            ("builds", false),
            ("a", false),
            ("a/b.o", true),
            ("a/b.c", false),
        ] {
            assert_eq!(info.leaves_out(&RawPath::new(path)), want, "{path}");
        }
        let all = Info { not_covered: vec![left("")], ..Info::default() };
        assert!(all.leaves_out(&RawPath::new("anything")));
    }
}
