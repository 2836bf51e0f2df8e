//! What is wrong with a plan file: where, which key, why. Values are data; the sentences are in the
//! catalogue.

use std::fmt;
use std::path::PathBuf;

use kernel::turn::Flaw;
use serde_json::{Value, json};

use crate::words::{Lang, say};

/// Why a plan file is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// A file can't be read.
    Unreadable {
        /// What the system said.
        why: String,
    },
    /// A file is larger than a plan ever is.
    TooLarge {
        /// The most.
        bytes_max: u64,
    },
    /// Neither `.toml` nor `.json`.
    Ending,
    /// No TOML or JSON from here on.
    Syntax {
        /// What the parser said.
        why: String,
    },
    /// A plan that is not valid.
    Flaw(Flaw),
}

impl Problem {
    /// The word for it.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "unreadable",
            Self::TooLarge { .. } => "too_large",
            Self::Ending => "ending",
            Self::Syntax { .. } => "syntax",
            Self::Flaw(flaw) => flaw.what.word(),
        }
    }
}

/// A refused plan file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanFileError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; 0 = the whole file.
    pub line: usize,
    /// What stands there, as JSON Pointer.
    pub key: String,
    /// What is wrong with it.
    pub problem: Problem,
}

impl PlanFileError {
    /// Where it is.
    #[must_use]
    pub fn at(&self) -> String {
        match self.line {
            0 => self.path.display().to_string(),
            line => format!("{}:{line}", self.path.display()),
        }
    }

    /// The same as the details of an error; the sentence is for whoever reads it.
    #[must_use]
    pub fn details(&self, lang: Lang) -> Value {
        json!({
            "kind": "bad_plan", "path": self.at(), "line": self.line, "key": self.key,
            "what": self.problem.word(), "told": self.say(lang),
        })
    }

    /// The sentence about it.
    #[must_use]
    pub fn say(&self, lang: Lang) -> String {
        let (found, max) = match &self.problem {
            Problem::Unreadable { why } => {
                let why = why.replace('_', "-");
                (say(lang, &format!("plan-file-why-{why}"), &[]), 0)
            }
            Problem::Syntax { why } => (why.clone(), 0),
            Problem::TooLarge { bytes_max } => (String::new(), *bytes_max),
            Problem::Ending => (String::new(), 0),
            Problem::Flaw(flaw) => (flaw.found.clone(), 0),
        };
        let name = format!("plan-file-{}", self.problem.word().replace('_', "-"));
        say(
            lang,
            &name,
            &[("at", &self.at()), ("key", &self.key), ("found", &found), ("max", &max)],
        )
    }
}

/// The English sentence, for logs.
impl fmt::Display for PlanFileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.say(Lang::En))
    }
}

impl std::error::Error for PlanFileError {}
