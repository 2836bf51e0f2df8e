//! What is wrong with a scenario file: where, which key, why. Values are data; the sentences are
//! in the catalogue.

use std::fmt;
use std::path::PathBuf;

use crate::words::{Lang, say};

/// Why a scenario is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The file can't be read.
    Unreadable {
        /// What the system said.
        why: String,
    },
    /// The file is larger than a scenario ever is.
    TooLarge {
        /// The most.
        bytes_max: u64,
    },
    /// No TOML from here on.
    Syntax {
        /// What the parser said.
        why: String,
    },
    /// No rule in it.
    NoRules,
    /// No key or step of that name.
    Unknown {
        /// Names that look like it.
        nearest: Vec<String>,
    },
    /// A key that must be there.
    Missing,
    /// Not a value it takes.
    Shape {
        /// What it takes, by example.
        expected: &'static str,
    },
    /// None of the words it takes.
    NotListed {
        /// The words.
        known: Vec<&'static str>,
    },
    /// Out of range, or no whole number.
    Range {
        /// Least.
        min: u64,
        /// Most.
        max: u64,
    },
    /// Not a regular expression.
    Pattern {
        /// What the parser said.
        why: String,
    },
    /// `${NAME}` of a name that means nothing.
    Variable {
        /// The name.
        name: String,
        /// The names that mean something.
        known: Vec<&'static str>,
    },
    /// A path that leads out of the working directory.
    Outside,
}

/// A refused scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// The key or step.
    pub key: String,
    /// Why.
    pub problem: Problem,
}

impl ScenarioError {
    /// Where it is, as `file:line`.
    #[must_use]
    pub fn at(&self) -> String {
        let name = self.path.display();
        if self.line == 0 { name.to_string() } else { format!("{name}:{}", self.line) }
    }

    /// The sentence about it.
    #[must_use]
    pub fn say(&self, lang: Lang) -> String {
        let (at, key) = (self.at(), &self.key);
        let one = |name: &str, with: &str, value: &dyn fmt::Display| {
            say(lang, name, &[("at", &at), ("key", key), (with, value)])
        };
        match &self.problem {
            Problem::Unreadable { why } => {
                say(lang, "scenario-unreadable", &[("at", &at), ("why", why)])
            }
            Problem::TooLarge { bytes_max } => {
                say(lang, "scenario-too-large", &[("at", &at), ("max", bytes_max)])
            }
            Problem::Syntax { why } => say(lang, "scenario-syntax", &[("at", &at), ("why", why)]),
            Problem::NoRules => say(lang, "scenario-no-rules", &[("at", &at)]),
            Problem::Unknown { nearest } if nearest.is_empty() => {
                say(lang, "scenario-unknown", &[("at", &at), ("key", key)])
            }
            Problem::Unknown { nearest } => {
                one("scenario-unknown-near", "nearest", &nearest.join(", "))
            }
            Problem::Missing => say(lang, "scenario-missing", &[("at", &at), ("key", key)]),
            Problem::Shape { expected } => one("scenario-shape", "expected", expected),
            Problem::NotListed { known } => one("scenario-not-listed", "known", &known.join(", ")),
            Problem::Range { min, max } => {
                let args: [(&str, &dyn fmt::Display); 4] =
                    [("at", &at), ("key", key), ("min", min), ("max", max)];
                say(lang, "scenario-range", &args)
            }
            Problem::Pattern { why } => one("scenario-pattern", "why", why),
            Problem::Variable { name, known } => {
                let known = known.join(", ");
                let args: [(&str, &dyn fmt::Display); 4] =
                    [("at", &at), ("key", key), ("name", name), ("known", &known)];
                say(lang, "scenario-variable", &args)
            }
            Problem::Outside => say(lang, "scenario-outside", &[("at", &at), ("key", key)]),
        }
    }
}

/// The English sentence, for logs.
impl fmt::Display for ScenarioError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.say(Lang::En))
    }
}

impl std::error::Error for ScenarioError {}
