//! What a plan document holds once it was read, and what can be wrong with it. Nothing here reads
//! or judges.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::super::task::Priority;
use super::super::{Odd, Status};

/// A task as the document has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Where it stands, counted from 1; 0 for one that was not read.
    pub line: usize,
    /// Its id, empty if it has none.
    pub id: String,
    /// What is to be done, on one line.
    pub title: String,
    /// How urgent it is.
    pub priority: Option<Priority>,
    /// Paths it names.
    pub files: Vec<String>,
    /// Ids of tasks that come first.
    pub depends: Vec<String>,
    /// Command lines that check it.
    pub verify: Vec<String>,
    /// What it is to come to, in words; no evidence.
    pub acceptance: Vec<String>,
    /// Everything else that stands below it.
    pub detail: Vec<String>,
    /// As its mark says; `done` is only a claim.
    pub status: Status,
}

/// Something that was read all the same, but a person should know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Counted from 1.
    pub line: usize,
    /// What.
    pub what: Doubt,
    /// The word it is about.
    pub found: String,
}

/// What a person should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The mark of a task.
    Mark(Odd),
    /// A command within words: it is not run.
    CommandInProse,
}

impl Doubt {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mark(odd) => odd.word(),
            Self::CommandInProse => "command_in_prose",
        }
    }
}

/// What is wrong with a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Wrong {
    TooLarge,
    NotUtf8,
    NoTasks,
    TooManyTasks,
    NoId,
    BadId,
    NoTitle,
    DuplicateId,
    TooDeep,
    UnknownDependency,
    Cycle,
    BadPath,
    BadCommand,
}

impl Wrong {
    /// Every problem, for lists and tests.
    pub const ALL: [Self; 13] = [
        Self::TooLarge,
        Self::NotUtf8,
        Self::NoTasks,
        Self::TooManyTasks,
        Self::NoId,
        Self::BadId,
        Self::NoTitle,
        Self::DuplicateId,
        Self::TooDeep,
        Self::UnknownDependency,
        Self::Cycle,
        Self::BadPath,
        Self::BadCommand,
    ];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::NotUtf8 => "not_utf8",
            Self::NoTasks => "no_tasks",
            Self::TooManyTasks => "too_many_tasks",
            Self::NoId => "no_id",
            Self::BadId => "bad_id",
            Self::NoTitle => "no_title",
            Self::DuplicateId => "duplicate_id",
            Self::TooDeep => "too_deep",
            Self::UnknownDependency => "unknown_dependency",
            Self::Cycle => "cycle",
            Self::BadPath => "bad_path",
            Self::BadCommand => "bad_command",
        }
    }
}

/// A problem, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: Wrong,
    /// The word that is wrong.
    pub found: String,
}

impl Problem {
    pub(super) fn new(line: usize, what: Wrong, found: impl Into<String>) -> Self {
        Self { line, what, found: found.into() }
    }
}

/// A plan document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Its first heading, or its first words.
    pub goal: String,
    /// Lines of "Context & Goals".
    pub context: Vec<String>,
    /// Lines of "Technical Specs".
    pub specs: Vec<String>,
    /// The tasks, in document order.
    pub tasks: Vec<Item>,
    /// Lines of "Risks".
    pub risks: Vec<String>,
    /// What a person should know.
    pub warnings: Vec<Warning>,
}
