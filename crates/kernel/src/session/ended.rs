//! What comes back of what a session owes: facts that the hands found, ends of calls and of
//! children. Data only; what follows from it is said by the rows.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::risk::Risk;
use super::state::Said;
use crate::call::Failure;
use crate::loops::Check;
use crate::packages::kb::State;

/// How something owed ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It gave this.
    Ok(Box<Gave>),
    /// It failed for good.
    Failed(Failure),
    /// It was stopped, and nothing came of it.
    Stopped,
}

/// What it gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gave {
    /// How the knowledge base stands.
    Kb(Kb),
    /// An agent's words.
    Words(Said),
    /// An agent's answer in the form that was asked for.
    Value(Value),
    /// The report of an operation on files.
    Report(Report),
    /// How a package stands.
    Checked(Box<Checked>),
    /// The packages that are there.
    Packages(Vec<Listed>),
    /// How DEVELOP ended.
    Developed(Developed),
    /// How a turn ended.
    Turned(Turned),
    /// What a run of a project's checks showed.
    Tests(Tests),
    /// Risks that were found.
    Risks(Vec<Risk>),
    /// What a job's look at the scene found.
    Found(super::job::Found),
    /// Nothing but that it is done, with what is told of it.
    Done(Value),
}

/// How the knowledge base stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kb {
    /// Its root.
    pub root: String,
    /// Its state.
    pub state: KbState,
    /// Whether there is a source file.
    pub sources: bool,
    /// Other roots that bear the marker.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ambiguous: Vec<String>,
}

/// The state of a knowledge base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum KbState {
    Absent,
    Old,
    Heavy,
    Partial,
    Ok,
}

impl KbState {
    /// The same state, as those who look at pages call it.
    #[must_use]
    pub const fn of_base(self) -> State {
        match self {
            Self::Absent => State::Absent,
            Self::Old => State::Old,
            Self::Heavy => State::Heavy,
            Self::Partial => State::Partial,
            Self::Ok => State::Ok,
        }
    }
}

/// The report of an operation on files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Whether all of it is done.
    pub success: bool,
    /// The whole report, as doors show it.
    pub told: Value,
}

/// How a package stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// Its name.
    pub name: String,
    /// Its place.
    pub path: String,
    /// Whether it is well formed.
    pub valid: bool,
    /// Whether it can be run.
    pub executable: bool,
    /// Whether it has nothing to run.
    pub overview: bool,
    /// Whether its marks can be read both ways.
    pub foreign_marks: bool,
    /// Whether it has marks of others, which become ours when it is picked.
    #[serde(default)]
    pub adopt: bool,
    /// What is wrong.
    pub issues: Vec<String>,
    /// Its proposal, where that is all it is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Hash of its files.
    pub hash: String,
    /// Its tasks.
    pub tasks: Vec<Task>,
}

/// A task of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Its id.
    pub id: String,
    /// What is to be done.
    pub title: String,
    /// How it is verified, as a command line.
    pub verify: Option<String>,
    /// Tasks that come before it.
    pub depends: Vec<String>,
    /// Whether its mark says that it is done.
    pub done: bool,
}

/// A package in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its place.
    pub path: String,
    /// What it is about.
    pub summary: String,
}

/// How DEVELOP ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Developed {
    /// In which way.
    pub end: DevelopEnd,
    /// Tasks that are done.
    pub done: Vec<String>,
    /// Tasks that are not.
    pub undone: Vec<String>,
    /// Of these, tasks that were tried in vain.
    #[serde(default)]
    pub failed: Vec<String>,
    /// Files that were changed.
    pub changed: Vec<String>,
}

/// In which way DEVELOP ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum DevelopEnd {
    Completed,
    Partial,
    Aborted,
    RolledBack,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turned {
    /// The turn.
    pub run: String,
    /// In which way.
    pub end: TurnEnd,
    /// Files that were changed.
    pub changed: Vec<String>,
    /// What it says of itself.
    pub summary: String,
}

/// In which way a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnEnd {
    /// Done.
    Completed,
    /// It grew beyond its limit, or a risk was found.
    Outgrown {
        /// The rule that stopped it.
        rule: String,
        /// Whether a risk forces the longer path.
        risky: bool,
    },
    /// What it was about is not there.
    NotFound,
    /// Somebody stopped it.
    Cancelled,
    /// It failed otherwise.
    Failed {
        /// Its code.
        code: String,
        /// More about it.
        detail: String,
    },
}

/// What a run of checks showed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tests {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// Tests that were skipped.
    pub skipped: u64,
    /// Whether every check that ran was green.
    pub green: bool,
    /// Whether one ran out of time.
    pub timed_out: bool,
    /// Commands that were run.
    pub ran: Vec<String>,
    /// First errors, as `file:line: text`.
    pub errors: Vec<String>,
    /// Checks that are red and need not be green.
    #[serde(default)]
    pub optional: Vec<String>,
}

impl Tests {
    /// These and one more: what this check showed. One that is not required blocks nothing.
    #[must_use]
    pub fn with(mut self, one: Self, check: &Check) -> Self {
        let first = self.ran.is_empty();
        let counts = check.required || one.green;
        self.green = (one.green || !counts) && (first || self.green);
        self.timed_out |= one.timed_out && counts;
        self.passed += one.passed;
        self.failed += one.failed;
        self.skipped += one.skipped;
        self.ran.extend(one.ran);
        if counts {
            self.errors.extend(one.errors);
        } else {
            self.optional.push(check.id.clone());
        }
        self
    }

    /// What is noted of them: the checks that are red and block nothing.
    #[must_use]
    pub fn findings(&self) -> Vec<String> {
        self.optional.iter().map(|id| format!("optional_check_failed: {id}")).collect()
    }
}
