//! What people note about a loop for themselves: tags, a priority, notes. Nothing is decided by
//! them.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::bounds::DESCRIPTION_MAX;
use super::patched;
use super::refusal::{Refusal, Wrong};

/// Tags of one loop: words to find it by, not its history.
pub const TAGS_MAX: usize = 20;
/// Characters of a tag.
pub const TAG_MAX: usize = 50;

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Priority {
    Low,
    Medium,
    High,
}

impl Priority {
    /// Every priority.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// Its word in files and commands.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// The priority of that word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|priority| priority.word() == word)
    }
}

/// What is noted.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Labels {
    pub tags: Vec<String>,
    pub priority: Option<Priority>,
    pub notes: Option<String>,
}

/// What changes of it.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct LabelsPatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "patched")]
    pub priority: Option<Option<Priority>>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "patched")]
    pub notes: Option<Option<String>>,
}

impl Labels {
    /// Whether nothing is noted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.priority.is_none() && self.notes.is_none()
    }

    /// Takes a change in.
    pub(super) fn patch(&mut self, patch: &LabelsPatch) {
        if let Some(tags) = &patch.tags {
            self.tags.clone_from(tags);
        }
        if let Some(priority) = patch.priority {
            self.priority = priority;
        }
        if let Some(notes) = &patch.notes {
            self.notes.clone_from(notes);
        }
    }
}

impl LabelsPatch {
    /// Whether it changes nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tags.is_none() && self.priority.is_none() && self.notes.is_none()
    }

    /// Whether its words keep their bounds.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let bad = |field: &str, wrong| Err(Refusal::InvalidArgs { field: field.into(), wrong });
        let tags = self.tags.as_deref().unwrap_or_default();
        if tags.len() > TAGS_MAX {
            return bad("tags", Wrong::TooMany { max: TAGS_MAX });
        }
        for (i, tag) in tags.iter().enumerate() {
            if tag.trim().is_empty() {
                return bad("tags", Wrong::Empty);
            }
            if tag.chars().count() > TAG_MAX {
                return bad("tags", Wrong::TooLong { max: TAG_MAX });
            }
            if tags[..i].contains(tag) {
                return bad("tags", Wrong::Twice);
            }
        }
        match &self.notes {
            Some(Some(notes)) if notes.trim().is_empty() => bad("notes", Wrong::Empty),
            Some(Some(notes)) if notes.chars().count() > DESCRIPTION_MAX => {
                bad("notes", Wrong::TooLong { max: DESCRIPTION_MAX })
            }
            Some(_) | None => Ok(()),
        }
    }
}
