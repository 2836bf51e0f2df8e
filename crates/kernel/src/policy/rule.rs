//! A rule as written in `[[policy.rule]]`, and whether it matches. It carries the examples it must
//! and must not match; checking them, and what follows from a match, is elsewhere.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::argv::{Parsed, Role, Segment};
use super::glob;
use super::request::{Tool, Touched};
use super::verdict::Word;

/// One word of a command pattern: `"*"` is any word, `"**"` the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Pattern {
    /// This word, or a wildcard.
    Word(String),
    /// One of these words.
    OneOf(Vec<String>),
}

/// Why, in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// In English.
    pub en: String,
    /// In Chinese.
    pub zh: String,
}

/// What repeating a command means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum Repeat {
    /// It may act again.
    #[default]
    Acts,
    /// It only reads, so it may be repeated.
    Reads,
}

impl From<bool> for Repeat {
    fn from(idempotent: bool) -> Self {
        if idempotent { Self::Reads } else { Self::Acts }
    }
}

impl From<Repeat> for bool {
    fn from(repeat: Repeat) -> Self {
        match repeat {
            Repeat::Reads => true,
            Repeat::Acts => false,
        }
    }
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its unique name.
    pub id: String,
    /// Which tool it speaks of.
    pub tool: Tool,
    /// The command, word by word; empty = any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<Pattern>,
    /// Words that end the match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbid: Vec<String>,
    /// Where it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Which paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Which hosts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// What follows.
    pub verdict: Word,
    /// What repeating it means.
    #[serde(default)]
    pub idempotent: Repeat,
    /// Why.
    #[serde(default)]
    pub reason: Reason,
    /// What it must match.
    #[serde(default, rename = "match")]
    pub matches: Vec<String>,
    /// What it must not match.
    #[serde(default)]
    pub not_match: Vec<String>,
}

/// What a rule is held against.
#[derive(Clone, Copy, Debug)]
pub enum Case<'a> {
    /// A command taken apart, and where it runs.
    Run {
        /// The command.
        parsed: &'a Parsed,
        /// Directory relative to the root.
        cwd: &'a str,
    },
    /// Files.
    Files(&'a [Touched]),
    /// An agent's name.
    Agent(&'a str),
}

impl Rule {
    /// Whether it matches. A rule that allows must match the whole of a request, one that asks or
    /// denies any part of it.
    #[must_use]
    pub fn fits(&self, tool: Tool, case: Case<'_>) -> bool {
        if self.tool != tool {
            return false;
        }
        match case {
            Case::Run { parsed, cwd } => {
                let mut bearing = parsed.segments.iter().filter(|s| s.role != Role::Carrier);
                match self.verdict {
                    Word::Allow => {
                        !parsed.segments.is_empty() && bearing.all(|s| self.takes(s, cwd))
                    }
                    Word::Ask | Word::Deny => {
                        parsed.segments.iter().any(|segment| self.takes(segment, cwd))
                    }
                }
            }
            Case::Files(paths) => {
                let fits = |touched: &Touched| any_path(&self.paths, &touched.path);
                match self.verdict {
                    Word::Allow => !paths.is_empty() && paths.iter().all(fits),
                    Word::Ask | Word::Deny => paths.iter().any(fits),
                }
            }
            Case::Agent(name) => self.takes_name(name),
        }
    }

    fn takes_name(&self, name: &str) -> bool {
        match self.argv.first() {
            None => true,
            Some(pattern) => pattern.takes(name),
        }
    }

    /// Whether it matches this one command.
    #[must_use]
    pub fn takes(&self, segment: &Segment, cwd: &str) -> bool {
        let words = &segment.words;
        takes_words(&self.argv, words)
            && self.cwd.as_deref().is_none_or(|pattern| glob::path(pattern, cwd))
            && !words.iter().skip(1).any(|word| self.forbids(word))
            && self.takes_hosts(words)
    }

    /// A rule that allows gives way to every spelling of a forbidden word: groups of letters,
    /// abbreviations, values joined on. One that asks or denies gives way only to the word itself.
    fn forbids(&self, word: &str) -> bool {
        self.forbid.iter().any(|forbidden| {
            glob::word(forbidden, word)
                || match self.verdict {
                    Word::Allow => spells(forbidden, word),
                    Word::Ask | Word::Deny => false,
                }
        })
    }

    fn takes_hosts(&self, words: &[String]) -> bool {
        if self.hosts.is_empty() {
            return true;
        }
        let fits = |host: &&str| self.hosts.iter().any(|pattern| glob::word(pattern, host));
        let mut named = words.iter().filter_map(|word| host_of(word)).peekable();
        match self.verdict {
            Word::Allow => named.peek().is_some() && named.all(|host| fits(&host)),
            Word::Ask | Word::Deny => named.any(|host| fits(&host)),
        }
    }
}

impl Pattern {
    fn takes(&self, word: &str) -> bool {
        match self {
            Self::Word(literal) if literal == "*" || literal == "**" => true,
            Self::Word(literal) => literal == word,
            Self::OneOf(all) => all.iter().any(|one| one == word),
        }
    }

    /// Whether it stands for all further words.
    #[must_use]
    pub fn is_rest(&self) -> bool {
        matches!(self, Self::Word(literal) if literal == "**")
    }
}

fn takes_words(patterns: &[Pattern], words: &[String]) -> bool {
    let Some((last, head)) = patterns.split_last() else { return true };
    let (head, rest) = if last.is_rest() { (head, true) } else { (patterns, false) };
    let length = if rest { words.len() >= head.len() } else { words.len() == head.len() };
    length && head.iter().zip(words).all(|(pattern, word)| pattern.takes(word))
}

/// Whether a word is a forbidden flag in another spelling.
fn spells(forbidden: &str, word: &str) -> bool {
    let name = forbidden.split(['*', '=']).next().unwrap_or_default();
    if let Some(long) = name.strip_prefix("--") {
        let given = word.strip_prefix("--").and_then(|word| word.split('=').next());
        return given.is_some_and(|given| !given.is_empty() && long.starts_with(given));
    }
    let mut letters = name.strip_prefix('-').unwrap_or_default().chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => {
            word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
        }
        (Some(_), Some(_)) | (None, _) => false,
    }
}

fn any_path(patterns: &[String], path: &str) -> bool {
    patterns.is_empty() || patterns.iter().any(|pattern| glob::path(pattern, path))
}

/// The host of an address, without user and port.
#[must_use]
pub fn host_of(word: &str) -> Option<&str> {
    let (_, rest) = word.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?.rsplit('@').next()?;
    Some(host.split(':').next().unwrap_or(host)).filter(|host| !host.is_empty())
}
