//! The rules in force, and files that are not: one with an example that fails is refused whole,
//! and whatever it would have judged is denied until it is mended.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::argv;
use super::path::PathClass;
use super::request::{Tool, Touched};
use super::rule::{Case, Pattern, Rule};
use super::spelled;
use super::verdict::Word;

/// Where a file of rules comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The binary.
    BuiltIn,
    /// The user's settings.
    User,
    /// The workspace's settings, trusted.
    Workspace,
}

/// Whether what a workspace's own file loosens counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listed {
    /// The person who trusted the workspace was shown it.
    Yes,
    /// Nobody was: the file may only tighten.
    #[default]
    No,
}

/// A file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it comes from.
    pub source: Source,
    /// The name people know it by.
    pub name: String,
    /// Its rules.
    pub rules: Vec<Rule>,
}

/// What is wrong with a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Wrong {
    /// Its name is no word of small letters, digits and `-`.
    Id,
    /// Another rule has its name.
    Taken,
    /// `**` stands before the end.
    Rest,
    /// It has no example that it must match.
    NoExample,
    /// It does not match its own example, or the example cannot be read.
    Misses {
        /// The example.
        example: String,
    },
    /// It matches what it must not.
    Hits {
        /// The example.
        example: String,
    },
}

/// A rule and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The file.
    pub file: String,
    /// The rule.
    pub id: String,
    /// What is wrong.
    #[serde(flatten)]
    pub wrong: Wrong,
}

/// A rule in force, and who made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Who made it.
    pub source: Source,
    /// The rule.
    #[serde(flatten)]
    pub rule: Rule,
}

/// All rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    held: Vec<Held>,
    idle: Vec<Held>,
    refused: Vec<Rule>,
    failures: Vec<Failure>,
}

/// The rule that denies what a refused file would have judged.
pub const REFUSED: &str = "rule_examples";

impl Rules {
    /// Only what the binary brings.
    #[must_use]
    pub fn built_in() -> Self {
        Self::load(&[], Listed::No)
    }

    /// Built-in rules and these files, each checked against its own examples.
    #[must_use]
    pub fn load(files: &[File], listed: Listed) -> Self {
        let own = File {
            source: Source::BuiltIn,
            name: "built-in".to_string(),
            rules: super::builtin::rules(),
        };
        let mut rules = Self::default();
        let mut names = BTreeSet::new();
        for file in core::iter::once(&own).chain(files) {
            rules.add(file, listed, &mut names);
        }
        rules
    }

    fn add(&mut self, file: &File, listed: Listed, names: &mut BTreeSet<String>) {
        let failures = check(file, names);
        if !failures.is_empty() {
            self.failures.extend(failures);
            self.refused.extend(file.rules.iter().cloned());
            return;
        }
        for rule in &file.rules {
            names.insert(rule.id.clone());
            let held = Held { source: file.source, rule: rule.clone() };
            let idle = file.source == Source::Workspace
                && rule.verdict == Word::Allow
                && listed == Listed::No;
            if idle { self.idle.push(held) } else { self.held.push(held) }
        }
    }

    /// The rules that judge.
    #[must_use]
    pub fn held(&self) -> &[Held] {
        &self.held
    }

    /// Rules of the workspace that would allow, but were not shown when it was trusted.
    #[must_use]
    pub fn idle(&self) -> &[Held] {
        &self.idle
    }

    /// What is wrong with refused files.
    #[must_use]
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Whether a refused file may have had something to say. Its patterns cannot be trusted to
    /// say what they mean, so a tool and a program's name decide.
    #[must_use]
    pub fn is_refused(&self, tool: Tool, case: Case<'_>) -> bool {
        self.refused.iter().any(|rule| {
            rule.tool == tool
                && match case {
                    Case::Run { parsed, .. } => match rule.argv.first() {
                        None => true,
                        Some(Pattern::Word(word)) if word == "*" || word == "**" => true,
                        Some(Pattern::Word(word)) => parsed.programs().any(|name| name == *word),
                        Some(Pattern::OneOf(all)) => parsed.programs().any(|n| all.contains(&n)),
                    },
                    Case::Files(_) | Case::Agent(_) => true,
                }
        })
    }
}

/// Everything that is wrong with a file, given the names that are taken.
#[must_use]
pub fn check(file: &File, taken: &BTreeSet<String>) -> Vec<Failure> {
    let mut own: BTreeSet<&str> = BTreeSet::new();
    let mut failures = Vec::new();
    for rule in &file.rules {
        let known = taken.contains(&rule.id) || !own.insert(&rule.id);
        let named = if known { vec![Wrong::Taken] } else { Vec::new() };
        for wrong in named.into_iter().chain(of_rule(rule)) {
            failures.push(Failure { file: file.name.clone(), id: rule.id.clone(), wrong });
        }
    }
    failures
}

fn of_rule(rule: &Rule) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if rule.id.is_empty() || !rule.id.bytes().all(letter) {
        wrong.push(Wrong::Id);
    }
    if rule.argv.iter().rev().skip(1).any(Pattern::is_rest) {
        wrong.push(Wrong::Rest);
    }
    if rule.matches.is_empty() {
        wrong.push(Wrong::NoExample);
    }
    for example in &rule.matches {
        if example_fits(rule, example) != Some(true) {
            wrong.push(Wrong::Misses { example: example.clone() });
        }
    }
    for example in &rule.not_match {
        if example_fits(rule, example) != Some(false) {
            wrong.push(Wrong::Hits { example: example.clone() });
        }
    }
    wrong
}

/// Whether a rule matches an example: a command as typed, a path, or an agent's name. None if the
/// example cannot be read.
fn example_fits(rule: &Rule, example: &str) -> Option<bool> {
    match rule.tool {
        Tool::Run => {
            let words = spelled::words(example).filter(|words| !words.is_empty())?;
            let parsed = argv::of_argv(&words);
            // An example is a command; where it would run is not part of it.
            let anywhere = Rule { cwd: None, ..rule.clone() };
            Some(anywhere.fits(Tool::Run, Case::Run { parsed: &parsed, cwd: "." }))
        }
        Tool::Agent => Some(rule.fits(Tool::Agent, Case::Agent(example))),
        Tool::Read | Tool::List | Tool::Search | Tool::Write | Tool::ApplyPatch | Tool::Delete => {
            let paths = [Touched::new(example, PathClass::Ordinary)];
            Some(rule.fits(rule.tool, Case::Files(&paths)))
        }
    }
}
