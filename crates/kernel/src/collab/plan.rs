//! What a run was asked to do. Frozen when the run is made, so that no later change of a file or
//! setting can change a launch. What makes a plan valid is in `valid`.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::agent::{Access, Kind, Talk};

/// How the participants take their turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// All at once.
    Parallel,
    /// In order; each gets the usable answers before it.
    Serial,
}

/// What a success needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Every dimension covered; less is offered as degraded.
    Or,
    /// Every participant usable; less is a failure.
    And,
}

/// What is done with an acceptable degraded result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Accept {
    /// A person is asked.
    Ask,
    /// The person who started the run has accepted it beforehand.
    Acceptable,
}

/// How the answers are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Merge {
    /// One section a dimension, verbatim.
    Sections,
    /// By findings; not offered yet, and refused.
    Structured,
}

/// The language of our own words in prompts and records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lang {
    /// English.
    #[serde(rename = "en")]
    En,
    /// Chinese.
    #[serde(rename = "zh-CN")]
    Zh,
}

/// One participant as planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its name in this run, and its key in the snapshot.
    pub name: String,
    /// The configured agent.
    pub agent: String,
    /// The agent's adapter.
    pub kind: Kind,
    /// What the agent's conversations are; none = as its kind says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk: Option<Talk>,
    /// The side of the question it answers for.
    pub dimension: String,
    /// Whether a run without that side is of no use; none = by role.
    pub core: Option<bool>,
    /// What it may do.
    pub access: Access,
    /// The model, if one is named.
    pub model: Option<String>,
    /// The agent's own wall limit.
    pub wall_ms: u64,
    /// Its silence limit; none = off.
    pub idle_ms: Option<u64>,
    /// The role's text, its placeholders already replaced and checked.
    pub role_text: String,
    /// The conversation a person asked to go on with.
    pub resume: Option<String>,
}

impl Member {
    /// What the agent's conversations are.
    #[must_use]
    pub const fn talks(&self) -> Talk {
        self.kind.talks(self.talk)
    }
}

/// Everything a run needs to know about what was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The question, kept byte for byte.
    pub task: String,
    /// What else to know; may be empty.
    pub context: String,
    /// The role; also picks the level table.
    pub role: String,
    /// The language of our own words.
    pub lang: Lang,
    /// The directory, absolute, as shown to people.
    pub workdir: String,
    /// The same directory relative to the work tree's root, as calls need it.
    pub cwd: String,
    /// Who is asked, in order.
    pub participants: Vec<Member>,
    /// How they take their turns.
    pub mode: Mode,
    /// What a success needs.
    pub gate: Rule,
    /// Total time.
    pub timeout_ms: u64,
    /// Retries of one participant.
    pub max_retries: u32,
    /// Ask nobody.
    pub lite: bool,
    /// The sides that must not be missing; none = by flag and role.
    pub core_dimensions: Option<BTreeSet<String>>,
    /// JSON Schema that answers must meet, as canonical JSON text.
    pub schema: Option<String>,
    /// What is done with an acceptable degraded result.
    pub accept: Accept,
    /// How long the question about a degraded result stays open; 0 = for ever.
    pub confirm_timeout_ms: u64,
    /// How the answers are put together.
    pub merge: Merge,
    /// Between TERM and KILL, for every launch.
    pub grace_ms: u64,
}

impl Plan {
    /// The member of that name.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.participants.iter().find(|member| member.name == name)
    }

    /// Every dimension once, in the order of the participants.
    #[must_use]
    pub fn dimensions(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for member in &self.participants {
            if !all.contains(&member.dimension.as_str()) {
                all.push(&member.dimension);
            }
        }
        all
    }
}
