//! What people are told of that is in no record: words at their own window which are no answer, a
//! window that failed, an agent's program that asks its provider again. Facts only; the sentences
//! are the catalogue's.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::words::{Lang, say};

/// What was heard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// A person's words at their own window that are no answer.
    Comment {
        /// The words.
        text: String,
    },
    /// They closed the window, and the question offers nothing that would mean that.
    Dismissed,
    /// The window failed or went away.
    Gone {
        /// Why, in a technical word or two.
        why: String,
    },
    /// An agent's program asks its provider again by itself.
    Retry {
        /// Its call.
        call: String,
        /// Which time, and of how many, as far as it says so.
        count: String,
        /// Why.
        why: String,
    },
    /// Debugging changed files and has not put them back.
    InTree {
        /// They; the run that changed them where they are not known.
        paths: Vec<String>,
    },
}

impl Word {
    /// What happened to this run, in words.
    pub(super) fn message(&self, run: &str, lang: Lang) -> String {
        let id: (&str, &dyn Display) = ("id", &run);
        match self {
            Self::Comment { text } => say(lang, "zhi-comment", &[id, ("text", text)]),
            Self::Dismissed => say(lang, "zhi-dismissed", &[id]),
            Self::Gone { why } => say(lang, "zhi-gone", &[id, ("why", why)]),
            Self::Retry { call, count, why } => {
                say(lang, "agent-retry", &[id, ("call", call), ("count", count), ("why", why)])
            }
            Self::InTree { paths } => {
                say(lang, "view-in-tree", &[id, ("paths", &paths.join(", "))])
            }
        }
    }

    /// What to do, in words.
    pub(super) fn next_step(&self, lang: Lang) -> String {
        match self {
            Self::Comment { .. } | Self::Dismissed | Self::Gone { .. } => {
                say(lang, "zhi-next", &[])
            }
            Self::Retry { call, .. } => say(lang, "agent-retry-next", &[("call", call)]),
            Self::InTree { .. } => say(lang, "view-in-tree-next", &[]),
        }
    }
}
