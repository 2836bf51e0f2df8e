//! What became of a request to an agent, by the evidence of its stream and exit record. What the
//! agent says about files is a claim; the work tree decides.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::machine::At;

/// A file below our own directory that holds text of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spooled {
    /// Path below our directory.
    pub path: String,
    /// Its digest.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
}

/// One thing that is wrong with a structured answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// JSON Pointer into the answer.
    pub pointer: String,
    /// What should be there.
    pub expected: String,
    /// What is.
    pub found: String,
}

/// Whether the answer has the wanted form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// No form was asked for.
    NotAsked,
    /// It has; the value alone is in this file.
    Valid(Spooled),
    /// It has not.
    Invalid {
        /// `schema`, `not_json` or `two_objects`.
        kind: String,
        /// What is wrong, capped.
        issues: Vec<Issue>,
    },
}

/// Why an agent gave no answer: stored without sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error {
    /// The code (`E009`).
    pub code: String,
    /// Detail word (`quota`, `resume_unknown`).
    pub kind: String,
    /// Short, redacted evidence.
    pub detail: String,
    /// How long the provider asks to wait.
    pub retry_after_ms: Option<u64>,
    /// When a limit ends, if the provider said so.
    pub reset_at: Option<At>,
}

impl Error {
    /// Whether the same request might go better a moment later. A rate limit is one of these only
    /// if the wait fits the asker's time, which the asker knows.
    #[must_use]
    pub fn transient(&self) -> bool {
        match (self.code.as_str(), self.kind.as_str()) {
            ("E003" | "E004" | "E010", _) | ("E009", "server" | "quota") => true,
            (_, _) => false,
        }
    }
}

/// What kind of change an agent claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum FileKind {
    Add,
    Update,
    Delete,
}

/// A change that the agent's stream names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileClaim {
    /// Path relative to its working directory.
    pub path: String,
    /// What it says it did.
    pub kind: FileKind,
}

/// What a launch cost. Not told is none, never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the providers' own")]
pub struct Usage {
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub cached_tokens: Option<u64>,
    pub reasoning_tokens: Option<u64>,
    /// Millionths of a US dollar; none = unpriced.
    pub cost_micros: Option<u64>,
}

/// The same as doors show it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are the providers' own")]
pub struct UsageShown {
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub cached_tokens: Option<u64>,
    pub reasoning_tokens: Option<u64>,
    /// US dollars; none = unpriced.
    pub cost_usd: Option<f64>,
}

impl Usage {
    /// Both together; a number that one of them did not tell is not known.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.by_number(other, |a, b| Some(a?.saturating_add(b?)))
    }

    /// As much of both as they told.
    #[must_use]
    pub fn and_told(self, other: Self) -> Self {
        self.by_number(other, |a, b| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        })
    }

    fn by_number(self, other: Self, sum: fn(Option<u64>, Option<u64>) -> Option<u64>) -> Self {
        Self {
            input_tokens: sum(self.input_tokens, other.input_tokens),
            output_tokens: sum(self.output_tokens, other.output_tokens),
            cached_tokens: sum(self.cached_tokens, other.cached_tokens),
            reasoning_tokens: sum(self.reasoning_tokens, other.reasoning_tokens),
            cost_micros: sum(self.cost_micros, other.cost_micros),
        }
    }

    /// As doors show it.
    #[must_use]
    pub fn shown(&self) -> UsageShown {
        #[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 millionths")]
        let dollars = |micros: u64| micros as f64 / 1e6;
        UsageShown {
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cached_tokens: self.cached_tokens,
            reasoning_tokens: self.reasoning_tokens,
            cost_usd: self.cost_micros.map(dollars),
        }
    }
}

/// What else the stream showed.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Facts {
    /// Claimed changes, capped.
    pub files: Vec<FileClaim>,
    /// What it cost.
    pub usage: Usage,
    /// Retries the CLI made inside.
    pub retries_seen: u32,
    /// Tools it was refused.
    pub denied: Vec<String>,
    /// Warnings, capped and redacted.
    pub notes: Vec<String>,
    /// Lines that could not be read.
    pub bad_lines: u64,
    /// Whether the answer was cut at its cap.
    pub truncated: bool,
    /// The conversation a resumed one was split off from.
    pub forked_from: Option<String>,
}

/// How a launch ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A model turn was made, ended well and left text.
    Answered {
        /// The conversation, proven by this answer; none if the stream named none that is valid.
        session: Option<String>,
        /// The answer.
        text: Spooled,
        /// Whether it has the wanted form.
        structured: Structured,
    },
    /// It was not.
    Failed {
        /// Why.
        error: Error,
        /// A conversation that was seen and can be gone on with, but proves nothing.
        session: Option<String>,
        /// Text that came before the end.
        partial: Option<Spooled>,
    },
}

/// What became of one launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// How it ended.
    pub answer: Answer,
    /// What else was seen.
    pub facts: Facts,
}
