//! What a plan does at one path, and why something is left as it is.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::content::{Content, How, Kind};
use super::path::RawPath;

/// What is done at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Nothing: it holds what it held at the checkpoint.
    Same,
    /// What we left there gives way to what stood there at the checkpoint.
    Restore,
    /// What the run made is moved aside.
    Remove,
    /// What somebody else left is moved aside; then the checkpoint's content, if any, goes there.
    Aside,
    /// It stays; the checkpoint's content, if it is there to have, is put beside it in aside.
    Keep,
}

/// Why a path is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// It changed after our last call, and such content was asked to be kept.
    Changed,
    /// The checkpoint does not cover this path.
    NotCovered,
    /// The checkpoint's bytes, or the undo record's, are missing or damaged.
    BytesMissing,
    /// A directory with entries that are not ours stands where a file must go.
    Directory,
    /// Something that is no file or link stands there.
    Strange,
    /// What stands above it is not ours to move.
    Blocked,
}

/// One path of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Planned {
    /// Where.
    pub path: RawPath,
    /// What is done.
    pub action: Action,
    /// How we know that a call changed it.
    pub how: How,
    /// What stands there now, and gives way.
    pub from: Option<Content>,
    /// What shall stand there; for a path that is kept, what is put into aside.
    pub to: Option<Content>,
    /// Why, where it is not the plain case.
    pub reason: Option<Reason>,
}

/// Why an action is not the plain one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// It changed after this call, our last one there.
    ChangedAfter(String),
    /// It is kept.
    Kept(Kept),
}

impl Planned {
    /// What must stand at the path when all is done; `None` for nothing.
    pub fn goal(&self) -> Option<&Content> {
        match self.action {
            Action::Same | Action::Restore | Action::Aside => self.to.as_ref(),
            Action::Remove => None,
            Action::Keep => self.from.as_ref(),
        }
    }

    /// Whether something is to be written at the path.
    pub const fn writes(&self) -> bool {
        match self.action {
            Action::Restore | Action::Aside => self.to.is_some(),
            Action::Same | Action::Remove | Action::Keep => false,
        }
    }

    /// Whether what stands there goes away and nothing takes its place.
    pub const fn clears(&self) -> bool {
        match self.action {
            Action::Remove => true,
            Action::Aside => self.to.is_none(),
            Action::Same | Action::Restore | Action::Keep => false,
        }
    }
}

/// A planned path as it is written: hashes alone where people look, kinds and the call beside.
#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(flatten)]
    path: RawPath,
    action: Action,
    how: How,
    from: Option<String>,
    from_kind: Option<Kind>,
    to: Option<String>,
    to_kind: Option<Kind>,
    reason: Option<Word>,
    after_call: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    ChangedAfterCall,
    #[serde(untagged)]
    Kept(Kept),
}

impl From<Planned> for Written {
    fn from(planned: Planned) -> Self {
        let split = |content: Option<Content>| {
            content.map_or((None, None), |content| (Some(content.sha256), Some(content.kind)))
        };
        let ((from, from_kind), (to, to_kind)) = (split(planned.from), split(planned.to));
        let (reason, after_call) = match planned.reason {
            None => (None, None),
            Some(Reason::ChangedAfter(call)) => (Some(Word::ChangedAfterCall), Some(call)),
            Some(Reason::Kept(why)) => (Some(Word::Kept(why)), None),
        };
        let Planned { path, action, how, .. } = planned;
        Self { path, action, how, from, from_kind, to, to_kind, reason, after_call }
    }
}

impl From<Written> for Planned {
    fn from(written: Written) -> Self {
        let joined = |sha256: Option<String>, kind: Option<Kind>| {
            sha256.zip(kind).map(|(sha256, kind)| Content { kind, sha256 })
        };
        Self {
            path: written.path,
            action: written.action,
            how: written.how,
            from: joined(written.from, written.from_kind),
            to: joined(written.to, written.to_kind),
            reason: written.reason.map(|word| match word {
                Word::ChangedAfterCall => {
                    Reason::ChangedAfter(written.after_call.unwrap_or_default())
                }
                Word::Kept(why) => Reason::Kept(why),
            }),
        }
    }
}
