//! One finding and its hash: the person's answer that shows a finding accepts exactly that hash.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::hash as hashes;

/// The kinds of extremely high risk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Something is destroyed.
    Destructive,
    /// It cannot be taken back.
    Irreversible,
    /// Rights are changed or raised.
    Permission,
    /// A secret may get out.
    Sensitive,
    /// Something is sent elsewhere, or run from there.
    External,
    /// It touches what others use.
    Production,
    /// Data about people; found by rules and in words only.
    Pii,
    /// Money; found by rules and in words only.
    Payment,
}

impl Risk {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Destructive,
        Self::Irreversible,
        Self::Permission,
        Self::Sensitive,
        Self::External,
        Self::Production,
        Self::Pii,
        Self::Payment,
    ];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Destructive => "destructive",
            Self::Irreversible => "irreversible",
            Self::Permission => "permission",
            Self::Sensitive => "sensitive",
            Self::External => "external",
            Self::Production => "production",
            Self::Pii => "pii",
            Self::Payment => "payment",
        }
    }

    /// The rule that asks because of it.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Destructive => "ehrb-destructive",
            Self::Irreversible => "ehrb-irreversible",
            Self::Permission => "ehrb-permission",
            Self::Sensitive => "ehrb-sensitive",
            Self::External => "ehrb-external",
            Self::Production => "ehrb-production",
            Self::Pii => "ehrb-pii",
            Self::Payment => "ehrb-payment",
        }
    }
}

/// How bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Bad, and mendable with work.
    High,
    /// Not mendable, or not ours alone.
    Critical,
}

impl Level {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// How far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Files of the work tree.
    Files,
    /// The repository's history or unsaved work.
    Repository,
    /// This machine.
    Machine,
    /// Other machines and people.
    Remote,
}

impl Reach {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Repository => "repository",
            Self::Machine => "machine",
            Self::Remote => "remote",
        }
    }
}

/// What a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject<'a> {
    /// A parsed command.
    Argv {
        /// Its words.
        argv: &'a [String],
        /// Its directory.
        cwd: &'a str,
    },
    /// A sentence, already normalised: NFKC, blanks collapsed.
    Text(&'a str),
    /// A line added to a file.
    Diff {
        /// The file.
        path: &'a str,
        /// The line.
        line: &'a str,
    },
}

/// The hash of a risk: kind of risk, kind of subject, subject.
#[must_use]
pub fn hash(risk: Risk, subject: &Subject<'_>) -> String {
    let (kind, subject) = match subject {
        Subject::Argv { argv, cwd } => ("argv", json!({ "argv": argv, "cwd": cwd })),
        Subject::Text(text) => ("text", json!(text)),
        Subject::Diff { path, line } => ("diff", json!({ "path": path, "line": line })),
    };
    hashes::of_json(&json!({ "type": risk.word(), "kind": kind, "subject": subject }))
}

/// One risk found in a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What kind.
    #[serde(rename = "type")]
    pub risk: Risk,
    /// How bad.
    pub level: Level,
    /// How far.
    pub reach: Reach,
    /// The words that show it, secrets left out.
    pub evidence: String,
    /// What a person accepts.
    pub hash: String,
}

/// What a look at one command found, before it is bound to that command.
pub(super) struct Seen {
    pub(super) risk: Risk,
    pub(super) level: Level,
    pub(super) reach: Reach,
    pub(super) evidence: String,
}

/// A list that is easy to add to.
#[derive(Default)]
pub(super) struct Look(pub(super) Vec<Seen>);

impl Look {
    pub(super) fn add(&mut self, risk: Risk, level: Level, reach: Reach, evidence: String) {
        self.0.push(Seen { risk, level, reach, evidence });
    }
}
