//! What a check is, and those a person configured. Where detected ones come from is in `detect`.

pub use kernel::loops::Level;
use serde::{Deserialize, Serialize};

/// How long a check may run unless its configuration says otherwise.
pub const TIMEOUT_MS: u64 = 300_000;
/// What a check speaks of unless its configuration says otherwise.
pub const EVERYTHING: &str = "**";

/// How the output of a check is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parser {
    /// `cargo nextest run`.
    Nextest,
    /// `cargo test`.
    Cargo,
    /// pytest.
    Pytest,
    /// Jest.
    Jest,
    /// Vitest.
    Vitest,
    /// Mocha.
    Mocha,
    /// `go test`.
    Go,
    /// `flutter test`.
    Flutter,
    /// `dart test`.
    Dart,
    /// `JUnit` files below the root that the run wrote.
    Junit,
    /// The Test Anything Protocol.
    Tap,
    /// Only the exit code counts; never chosen unless configured.
    Exit,
    /// Whatever text form fits.
    Auto,
}

impl Parser {
    /// Every parser of this build.
    pub const ALL: [Self; 13] = [
        Self::Nextest,
        Self::Cargo,
        Self::Pytest,
        Self::Jest,
        Self::Vitest,
        Self::Mocha,
        Self::Go,
        Self::Flutter,
        Self::Dart,
        Self::Junit,
        Self::Tap,
        Self::Exit,
        Self::Auto,
    ];

    /// Its name in settings and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nextest => "nextest",
            Self::Cargo => "cargo",
            Self::Pytest => "pytest",
            Self::Jest => "jest",
            Self::Vitest => "vitest",
            Self::Mocha => "mocha",
            Self::Go => "go",
            Self::Flutter => "flutter",
            Self::Dart => "dart",
            Self::Junit => "junit",
            Self::Tap => "tap",
            Self::Exit => "exit",
            Self::Auto => "auto",
        }
    }

    /// The parser of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|parser| parser.name() == word)
    }
}

/// Who named a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A task of the plan.
    Task,
    /// The settings.
    Config,
    /// The plan.
    Plan,
    /// Files found in the tree.
    Detected,
}

/// A command whose success counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Stable over detections of the same tree.
    pub id: String,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Relative to the root.
    pub cwd: String,
    /// What it looks at.
    pub level: Level,
    /// Whether red is more than a warning.
    pub required: bool,
    /// When it is ended.
    pub timeout_ms: u64,
    /// What it speaks of, as globs.
    pub covers: Vec<String>,
    /// How its output is read.
    pub parser: Parser,
    /// Who named it.
    pub source: Source,
    /// Hash of what decides what the command does, where a file of the tree decides it.
    pub definition_hash: Option<String>,
}

/// A name made of the command's words, and of the directory where that is not the root.
pub(super) fn id_of(argv: &[String], cwd: &str) -> String {
    let mut id = String::new();
    for c in argv.join(" ").chars() {
        if c.is_alphanumeric() {
            id.extend(c.to_lowercase());
        } else if !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
    }
    let id = id.trim_end_matches('-');
    if cwd == "." { id.to_owned() } else { format!("{id}@{cwd}") }
}
