//! What a look at an agent found, and the word for it. Sentences are made where it is shown.

use std::io;
use std::path::PathBuf;

use kernel::agent::{Access, Kind};

use crate::agents::render::Flags;

/// The word for an agent's standing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It can be launched.
    Ready,
    /// It can, but nobody seems to have logged in.
    NeedsAuth,
    /// There is no program.
    Missing,
    /// It lacks a flag, and is older than the versions we know.
    TooOld,
    /// There is one that cannot be used.
    Unusable,
}

impl State {
    /// As it is shown and recorded.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::NeedsAuth => "needs_auth",
            Self::Missing => "missing",
            Self::TooOld => "too_old",
            Self::Unusable => "unusable",
        }
    }
}

/// What a person could do about it, as data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// Nothing needs doing.
    Nothing,
    /// Install this package.
    Install {
        /// Its name at the usual registry, if it has one.
        package: Option<&'static str>,
    },
    /// The file may not be run.
    NotExecutable,
    /// It does not end.
    Hangs,
    /// It does not stop printing.
    Floods,
    /// The system could not start it.
    NotStarted {
        /// In the system's word.
        why: io::ErrorKind,
    },
    /// Even the simplest question ends in an error.
    Fails {
        /// Its exit code; none after a signal.
        code: Option<i32>,
    },
    /// Its help does not list a flag that every launch needs.
    Lacks {
        /// The flag.
        flag: &'static str,
        /// The package to update, if it has one.
        package: Option<&'static str>,
    },
    /// Log in, or set one of these.
    LogIn {
        /// Variables of which one is enough.
        variables: &'static [&'static str],
    },
    /// Its scenario is not there.
    NoScenario,
}

impl Hint {
    /// The word it is recorded by.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Install { .. } => "missing",
            Self::NotExecutable => "not_executable",
            Self::Hangs => "hangs",
            Self::Floods => "floods",
            Self::NotStarted { .. } => "not_started",
            Self::Fails { .. } => "fails",
            Self::Lacks { .. } => "lacks_flag",
            Self::LogIn { .. } => "needs_auth",
            Self::NoScenario => "no_scenario",
        }
    }
}

/// What a look found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The agent's name.
    pub agent: String,
    /// Its adapter.
    pub kind: Kind,
    /// Its program.
    pub path: Option<PathBuf>,
    /// Its version, if it tells one.
    pub version: Option<String>,
    /// The word for it.
    pub state: State,
    /// What could be done.
    pub hint: Hint,
    /// What its help lists.
    pub flags: Flags,
    /// What it could be asked for here.
    pub access: Vec<Access>,
}

impl Found {
    /// The code that a start is refused with; none if it may start. That nobody seems to have
    /// logged in is a guess, and the program itself knows better.
    #[must_use]
    pub const fn refusal(&self) -> Option<&'static str> {
        match self.state {
            State::Ready | State::NeedsAuth => None,
            State::Missing => Some("E001"),
            State::TooOld => Some("E002"),
            State::Unusable => Some(match self.hint {
                Hint::NotExecutable => "E001",
                Hint::Lacks { .. } | Hint::NoScenario => "E002",
                Hint::Nothing
                | Hint::Install { .. }
                | Hint::Hangs
                | Hint::Floods
                | Hint::NotStarted { .. }
                | Hint::Fails { .. }
                | Hint::LogIn { .. } => "E003",
            }),
        }
    }
}

/// The package that holds a kind's program.
pub(super) const fn package(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Codex => Some("@openai/codex"),
        Kind::Gemini => Some("@google/gemini-cli"),
        Kind::Claude => Some("@anthropic-ai/claude-code"),
        Kind::Qwen => Some("@qwen-code/qwen-code"),
        Kind::Wrapper | Kind::Command | Kind::Script => None,
    }
}

/// The version whose flags and stream were looked at; an older one that lacks a flag is too old.
const fn known_version(kind: Kind) -> Option<[u64; 3]> {
    match kind {
        Kind::Codex => Some([0, 166, 0]),
        Kind::Gemini => Some([0, 61, 0]),
        Kind::Claude => Some([2, 1, 325]),
        Kind::Qwen => Some([0, 24, 4]),
        Kind::Wrapper | Kind::Command | Kind::Script => None,
    }
}

/// Whether a version is older than the one we know.
pub(super) fn is_older(kind: Kind, version: Option<&str>) -> bool {
    let Some(known) = known_version(kind) else { return false };
    version.and_then(numbers).is_some_and(|found| found < known)
}

/// The first thing in a text that looks like a version.
pub(super) fn version_in(text: &str) -> Option<String> {
    let words = text.lines().take(VERSION_LINES).flat_map(str::split_whitespace);
    let trimmed = words.map(|word| word.trim_start_matches('v').trim_end_matches([',', ')', '.']));
    trimmed.filter(|word| numbers(word).is_some()).map(str::to_owned).next()
}

/// A version stands at the top; further down numbers mean something else.
const VERSION_LINES: usize = 5;

/// Major, minor, patch; what follows a `-` or `+` is not compared.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let plain = version.split(['-', '+']).next()?;
    let mut parts = plain.split('.');
    let mut next = || parts.next().map_or(Some(0), |part| part.parse().ok());
    let read = [next()?, next()?, next()?];
    (plain.contains('.') && parts.next().is_none()).then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_and_compared() {
        let table = [
            ("codex-cli 0.166.0", Some("0.166.0"), false),
            ("2.1.325 (Claude Code)", Some("2.1.325"), false),
            ("v0.9.3-beta.1\n", Some("0.9.3-beta.1"), true),
            ("warning: 3 things\ncodex 1.0", Some("1.0"), false),
            ("no version here, 12", None, false),
            ("", None, false),
        ];
        for (text, expected, older) in table {
            let found = version_in(text);
            assert_eq!(found.as_deref(), expected, "{text}");
            assert_eq!(is_older(Kind::Codex, found.as_deref()), older, "{text}");
        }
    }
}
