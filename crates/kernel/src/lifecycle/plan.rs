//! The plan: tasks, their checks and what is dangerous about them, bound by one hash. What makes a
//! plan valid is in `valid`; how its documents look is in `document`.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::check::Check;
use super::task::{Spec, Verify};
use crate::hash;

/// Where a requirement comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Source {
    Text,
    File,
    Package,
}

impl Source {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::File => "file",
            Self::Package => "package",
        }
    }
}

/// A requirement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Ask {
    pub text: String,
    /// What was asked before a person changed it, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
    pub source: Source,
    pub path: Option<String>,
    /// SHA-256 of what was read.
    pub digest: String,
}

impl Ask {
    /// All that was asked: the first words and what they were changed to.
    #[must_use]
    pub fn whole(&self) -> String {
        let all: Vec<&str> = self.earlier.iter().chain([&self.text]).map(String::as_str).collect();
        all.join("\n\n")
    }
}

/// Something dangerous that a plan says it will do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What kind of danger.
    pub class: String,
    /// The words that show it.
    pub what: String,
    /// The task, if one names it.
    pub task: Option<String>,
    /// What an acceptance is bound to.
    pub risk_hash: String,
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Plan {
    pub revision: u32,
    pub goal: String,
    pub constraints: Vec<String>,
    pub tasks: Vec<Spec>,
    /// Checks of the tasks that have none of their own.
    pub checks: Vec<Check>,
    /// What is dangerous about it.
    pub findings: Vec<Finding>,
    /// The document.
    pub path: Option<String>,
    /// SHA-256 of what it was read from.
    pub source_digest: Option<String>,
    /// What a reader should know.
    #[serde(default)]
    pub warnings: Vec<String>,
}

impl Plan {
    /// What an approval is bound to.
    #[must_use]
    pub fn hash(&self) -> String {
        let scope: BTreeSet<&String> = self.tasks.iter().flat_map(|task| &task.files).collect();
        let tasks: Vec<Value> = self.tasks.iter().map(hashed).collect();
        hash::of_json(&json!({
            "goal": self.goal,
            "constraints": self.constraints,
            "tasks": tasks,
            "checks": self.checks,
            "scope": scope,
        }))
    }

    /// The task of that id.
    #[must_use]
    pub fn task(&self, id: &str) -> Option<&Spec> {
        self.tasks.iter().find(|task| task.id == id)
    }

    /// Every check, the tasks' own ones too.
    pub fn all_checks(&self) -> impl Iterator<Item = &Check> {
        let own = self.tasks.iter().flat_map(|task| match &task.verify {
            Verify::Inherit => &[][..],
            Verify::Checks(checks) => checks.as_slice(),
        });
        self.checks.iter().chain(own)
    }
}

/// A task without how it stands.
fn hashed(task: &Spec) -> Value {
    json!({
        "id": task.id, "title": task.title, "detail": task.detail, "files": task.files,
        "depends": task.depends, "priority": task.priority, "verify": task.verify,
        "acceptance": task.acceptance,
    })
}

/// What a person changes of the tasks that have not started.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Patch {
    pub add: Vec<Spec>,
    pub update: Vec<Spec>,
    pub remove: Vec<String>,
    pub reason: String,
}
