//! Short answers about where a call stands, for lists, reports and reconciling. No decisions here.

use alloc::string::String;
use alloc::vec::Vec;

use super::request::Facts;
use super::state::{Done, Outcome, State};
use super::tool::UNDO;

/// Where the payload of an undo names the paths that it left as they are.
pub const LEFT_ALONE: &str = "left_alone";

/// Digests of the work tree before and after a call, as far as it was marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trees<'a> {
    /// Before it started.
    pub before: Option<&'a str>,
    /// After it ended.
    pub after: Option<&'a str>,
}

impl State {
    /// The marks of a call that may have acted.
    #[must_use]
    pub fn trees(&self) -> Trees<'_> {
        let (prep, exit) = match self {
            Self::Settled { prep, exit, .. } => (prep.as_ref(), exit.as_ref()),
            Self::Started { prep, .. } | Self::Unknown { prep, .. } => (Some(prep), None),
            Self::Undoing { from, .. } => return from.trees(),
            Self::New
            | Self::Asked { .. }
            | Self::Denied { .. }
            | Self::Allowed { .. }
            | Self::Undone { .. } => (None, None),
        };
        Trees {
            before: prep.and_then(|prep| prep.tree_before.as_deref()),
            after: exit.and_then(|exit| exit.tree_after.as_deref()),
        }
    }

    /// Whether it changed files of the workspace, or may have.
    #[must_use]
    pub fn changed_files(&self) -> bool {
        match self {
            Self::Settled { exit: Some(exit), .. } => !exit.files_changed.is_empty(),
            Self::Unknown { .. } | Self::Undoing { .. } => true,
            Self::Settled { exit: None, .. }
            | Self::New
            | Self::Asked { .. }
            | Self::Denied { .. }
            | Self::Allowed { .. }
            | Self::Started { .. }
            | Self::Undone { .. } => false,
        }
    }

    /// The call that this one has taken back.
    #[must_use]
    pub fn took_back(&self) -> Option<&str> {
        let Self::Settled { outcome: Outcome::Ok, .. } = self else { return None };
        let request = &self.facts()?.request;
        let args = request.args.as_ref().filter(|_| request.name == UNDO)?;
        args.shown["call"].as_str()
    }

    /// The paths that this one, an undo, left as they are, because they hold somebody else's
    /// content.
    #[must_use]
    pub fn left_alone(&self) -> Vec<String> {
        let Self::Settled { exit: Some(exit), .. } = self else { return Vec::new() };
        let Some(Done::Payload(kept)) = exit.done.as_deref() else { return Vec::new() };
        let paths = kept[LEFT_ALONE].as_array().into_iter().flatten();
        paths.filter_map(|path| path.as_str().map(String::from)).collect()
    }

    /// The state's name, as shown in tables and lists.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::New => "New",
            Self::Asked { .. } => "Asked",
            Self::Denied { .. } => "Denied",
            Self::Allowed { .. } => "Allowed",
            Self::Started { .. } => "Started",
            Self::Settled { .. } => "Settled",
            Self::Unknown { .. } => "Unknown",
            Self::Undoing { .. } => "Undoing",
            Self::Undone { .. } => "Undone",
        }
    }

    /// Whether nothing more is owed. A settled call counts: only an undo could still move it.
    #[must_use]
    pub const fn ended(&self) -> bool {
        match self {
            Self::Denied { .. } | Self::Settled { .. } | Self::Undone { .. } => true,
            Self::New
            | Self::Asked { .. }
            | Self::Allowed { .. }
            | Self::Started { .. }
            | Self::Unknown { .. }
            | Self::Undoing { .. } => false,
        }
    }

    /// What is known since it was asked; none only for a call that was not.
    #[must_use]
    pub fn facts(&self) -> Option<&Facts> {
        match self {
            Self::New => None,
            Self::Asked { facts, .. }
            | Self::Denied { facts, .. }
            | Self::Allowed { facts, .. }
            | Self::Started { facts, .. }
            | Self::Settled { facts, .. }
            | Self::Unknown { facts, .. }
            | Self::Undone { facts, .. } => Some(facts),
            Self::Undoing { from, .. } => from.facts(),
        }
    }

    /// The attempt it stands at, where it has one.
    #[must_use]
    pub fn attempt(&self) -> Option<u32> {
        match self {
            Self::New | Self::Asked { .. } | Self::Denied { .. } | Self::Undone { .. } => None,
            Self::Allowed { attempt, .. }
            | Self::Started { attempt, .. }
            | Self::Settled { attempt, .. }
            | Self::Unknown { attempt, .. } => Some(*attempt),
            Self::Undoing { from, .. } => from.attempt(),
        }
    }

    /// The engine life that recorded the start, while the start still matters.
    #[must_use]
    pub fn epoch(&self) -> Option<u64> {
        match self {
            Self::Started { epoch, .. } | Self::Unknown { epoch, .. } => Some(*epoch),
            Self::Undoing { from, .. } => from.epoch(),
            Self::New
            | Self::Asked { .. }
            | Self::Denied { .. }
            | Self::Allowed { .. }
            | Self::Settled { .. }
            | Self::Undone { .. } => None,
        }
    }

    /// The word for its end (`ok`, `failed`, …), or for an outcome that only a person can settle.
    #[must_use]
    pub const fn result(&self) -> Option<&'static str> {
        match self {
            Self::Denied { .. } => Some("denied"),
            Self::Settled { outcome, .. } => Some(match outcome {
                Outcome::Ok => "ok",
                Outcome::Failed(_) => "failed",
                Outcome::TimedOut { .. } => "timed_out",
                Outcome::Stopped => "stopped",
            }),
            Self::Unknown { .. } => Some("unknown"),
            Self::New
            | Self::Asked { .. }
            | Self::Allowed { .. }
            | Self::Started { .. }
            | Self::Undoing { .. }
            | Self::Undone { .. } => None,
        }
    }
}
