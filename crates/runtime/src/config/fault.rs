//! What is wrong with a settings file, with file, line and key. Values are never repeated: one
//! of them may be a secret.

use serde_json::json;

use crate::words::{Lang, say};

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file as the person knows it, or the variable or flag.
    pub place: String,
    /// The line, 0 where there are none.
    pub line: usize,
    /// The setting, empty when the file itself cannot be read.
    pub key: String,
    /// What is wrong.
    pub problem: Problem,
}

/// Why a setting is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The file is no TOML from here on.
    Syntax,
    /// No setting of that name in this build.
    Unknown {
        /// Names that look like it.
        nearest: Vec<String>,
    },
    /// Not a value this setting takes.
    Shape {
        /// What it takes, by example.
        expected: &'static str,
    },
    /// None of the words it takes.
    NotListed {
        /// The words.
        known: &'static [&'static str],
    },
    /// Not a whole number.
    Whole {
        /// The least.
        min: u64,
        /// The most.
        max: u64,
    },
    /// Out of range.
    Range {
        /// Least.
        min: u64,
        /// Most.
        max: u64,
    },
    /// Larger than another setting allows.
    Above {
        /// That setting.
        other: &'static str,
    },
    /// A table's name is no word.
    Name,
    /// Needed and not set.
    Missing,
    /// Not a setting of this kind of agent.
    NotForKind {
        /// The kind.
        kind: &'static str,
    },
    /// A flag that we set ourselves.
    OwnedFlag {
        /// The flag.
        flag: &'static str,
    },
    /// A placeholder that nobody knows.
    UnknownHole {
        /// The known ones.
        known: &'static [&'static str],
    },
    /// A placeholder that nothing fills here.
    UnsetHole {
        /// Its name.
        name: &'static str,
    },
}

/// Something odd that does not stop us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The file.
    pub place: String,
    /// The line.
    pub line: usize,
    /// The setting that holds a credential in clear text.
    pub key: String,
}

impl Fault {
    /// Where it is, as `file:line`.
    pub fn at(&self) -> String {
        place(&self.place, self.line)
    }

    /// The sentence about it.
    pub fn say(&self, lang: Lang) -> String {
        let (at, key) = (self.at(), &self.key);
        match &self.problem {
            Problem::Syntax => say(lang, "settings-syntax", &[("at", &at)]),
            Problem::Unknown { nearest } if nearest.is_empty() => {
                say(lang, "settings-unknown", &[("at", &at), ("key", key)])
            }
            Problem::Unknown { nearest } => {
                let nearest = nearest.join(", ");
                let args: [(&str, &dyn std::fmt::Display); 3] =
                    [("at", &at), ("key", key), ("nearest", &nearest)];
                say(lang, "settings-unknown-near", &args)
            }
            Problem::Shape { expected } => {
                say(lang, "settings-shape", &[("at", &at), ("key", key), ("expected", expected)])
            }
            Problem::NotListed { known } => {
                let known = known.join(", ");
                say(lang, "settings-not-listed", &[("at", &at), ("key", key), ("known", &known)])
            }
            Problem::Range { min, max } | Problem::Whole { min, max } => {
                let args: [(&str, &dyn std::fmt::Display); 4] =
                    [("at", &at), ("key", key), ("min", min), ("max", max)];
                let whole = matches!(self.problem, Problem::Whole { .. });
                say(lang, if whole { "settings-whole" } else { "settings-range" }, &args)
            }
            Problem::Above { other } => {
                say(lang, "settings-above", &[("at", &at), ("key", key), ("other", other)])
            }
            Problem::Name => say(lang, "settings-name", &[("at", &at), ("key", key)]),
            Problem::Missing => say(lang, "settings-missing", &[("at", &at), ("key", key)]),
            Problem::NotForKind { kind } => {
                say(lang, "settings-not-for-kind", &[("at", &at), ("key", key), ("kind", kind)])
            }
            Problem::OwnedFlag { flag } => {
                say(lang, "settings-owned-flag", &[("at", &at), ("key", key), ("flag", flag)])
            }
            Problem::UnknownHole { known } => {
                let known = holes(known);
                say(lang, "settings-unknown-hole", &[("at", &at), ("key", key), ("known", &known)])
            }
            Problem::UnsetHole { name } => {
                say(lang, "settings-unset-hole", &[("at", &at), ("key", key), ("name", name)])
            }
        }
    }

    /// The code it is told by.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self.problem {
            Problem::OwnedFlag { .. } => "agent.invalid_args",
            Problem::UnknownHole { .. } | Problem::UnsetHole { .. } => "E002",
            Problem::Syntax
            | Problem::Unknown { .. }
            | Problem::Shape { .. }
            | Problem::NotListed { .. }
            | Problem::Whole { .. }
            | Problem::Range { .. }
            | Problem::Above { .. }
            | Problem::Name
            | Problem::Missing
            | Problem::NotForKind { .. } => "E_INVALID_ARGS",
        }
    }

    /// The facts, for an error object of class `E_INVALID_ARGS`.
    pub fn details(&self) -> serde_json::Value {
        let mut details = json!({
            "kind": self.kind(),
            "path": format!("{} {}", self.at(), self.key).trim_end(),
            "key": self.key,
            "what": self.key,
            "expected": self.expected(),
        });
        match &self.problem {
            Problem::Whole { min, max } => {
                details["min"] = json!(min);
                details["max"] = json!(max);
            }
            Problem::OwnedFlag { flag } => details["flag"] = json!(flag),
            Problem::NotForKind { kind } => details["agent_kind"] = json!(kind),
            Problem::UnsetHole { name } => details["name"] = json!(name),
            Problem::Syntax
            | Problem::Unknown { .. }
            | Problem::Shape { .. }
            | Problem::NotListed { .. }
            | Problem::Range { .. }
            | Problem::Above { .. }
            | Problem::Name
            | Problem::Missing
            | Problem::UnknownHole { .. } => {}
        }
        details
    }

    fn kind(&self) -> Option<&'static str> {
        match &self.problem {
            Problem::Syntax => Some("malformed"),
            Problem::Whole { .. } => Some("whole"),
            Problem::Unknown { .. } => Some("unsupported"),
            Problem::Missing => Some("config_missing"),
            Problem::NotForKind { .. } => Some("not_for_kind"),
            Problem::OwnedFlag { .. } => Some("owned_flag"),
            Problem::UnknownHole { .. } => Some("unknown_placeholder"),
            Problem::UnsetHole { .. } => Some("unset_placeholder"),
            Problem::Shape { .. }
            | Problem::NotListed { .. }
            | Problem::Range { .. }
            | Problem::Above { .. }
            | Problem::Name => None,
        }
    }

    fn expected(&self) -> String {
        match &self.problem {
            Problem::Syntax => "TOML".to_owned(),
            Problem::Unknown { nearest } => nearest.join(", "),
            Problem::Shape { expected } => (*expected).to_owned(),
            Problem::NotListed { known } => known.join(", "),
            Problem::Range { min, max } | Problem::Whole { min, max } => format!("{min}..{max}"),
            Problem::Above { other } => format!("<= {other}"),
            Problem::Name => "[a-z][a-z0-9_-]*".to_owned(),
            Problem::UnknownHole { known } => holes(known),
            Problem::Missing
            | Problem::NotForKind { .. }
            | Problem::OwnedFlag { .. }
            | Problem::UnsetHole { .. } => String::new(),
        }
    }
}

impl Warning {
    /// Where it is, as `file:line`.
    pub fn at(&self) -> String {
        place(&self.place, self.line)
    }

    /// The sentence about it.
    pub fn say(&self, lang: Lang) -> String {
        say(lang, "settings-credential", &[("at", &self.at()), ("key", &self.key)])
    }
}

fn holes(known: &[&str]) -> String {
    known.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(" ")
}

fn place(name: &str, line: usize) -> String {
    if line == 0 { name.to_owned() } else { format!("{name}:{line}") }
}
