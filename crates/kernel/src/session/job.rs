//! The jobs: what the commands do that are no flow. Each looks at the scene, asks where there is
//! something to choose, works, and shows what came of it. What one of them does is in its own file.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::asked::Asked;
use super::ended::{KbState, Tests};
use super::name::Name;
use super::setup::Setup;
use crate::loops::Check;

/// Which job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the commands' own")]
pub enum Kind {
    Init,
    Upgrade,
    Clean,
    Test,
    Commit,
    Review,
    Validate,
    Rollback,
}

impl Kind {
    /// Every job.
    pub const ALL: [Self; 8] = [
        Self::Init,
        Self::Upgrade,
        Self::Clean,
        Self::Test,
        Self::Commit,
        Self::Review,
        Self::Validate,
        Self::Rollback,
    ];

    /// The command that it is.
    #[must_use]
    pub const fn name(self) -> Name {
        match self {
            Self::Init => Name::Init,
            Self::Upgrade => Name::Upgrade,
            Self::Clean => Name::Clean,
            Self::Test => Name::Test,
            Self::Commit => Name::Commit,
            Self::Review => Name::Review,
            Self::Validate => Name::Validate,
            Self::Rollback => Name::Rollback,
        }
    }

    /// How the unit is called.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Init => "~init",
            Self::Upgrade => "~upgrade",
            Self::Clean => "~clean",
            Self::Test => "~test",
            Self::Commit => "~commit",
            Self::Review => "~review",
            Self::Validate => "~validate",
            Self::Rollback => "~rollback",
        }
    }
}

/// A job that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its number among the session's units.
    pub n: u32,
    /// Which.
    pub kind: Kind,
    /// Its argument.
    pub arg: String,
    /// Its flags (`--staged`, `--all`).
    pub flags: Vec<String>,
    /// Settings and flags of the door.
    pub setup: Setup,
    /// How far it is.
    pub phase: Phase,
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named by their types; k counts tries")]
pub enum Phase {
    /// It looks at the scene.
    Detecting { k: u32 },
    /// It asks.
    Asking { found: Found, q: Asked },
    /// It works; what is cut stands still when this step is over.
    Working {
        found: Found,
        step: Step,
        k: u32,
        #[serde(default)]
        cut: bool,
    },
    /// It shows what came of it.
    Result { told: Value, green: bool, q: Asked },
    /// It stands because something was cut off; a person says whether it goes on from there.
    Held { at: Box<Phase>, q: Asked },
    /// It is over; its frame leaves when it is on top.
    Over { told: Value, green: bool },
}

impl Phase {
    /// The same, of which nothing is cut.
    #[must_use]
    pub fn uncut(mut self) -> Self {
        if let Self::Working { cut, .. } = &mut self {
            *cut = false;
        }
        self
    }

    /// The same, tried once more under a new key. What asks is asked as it was.
    #[must_use]
    pub fn again(mut self) -> Self {
        match &mut self {
            Self::Detecting { k } | Self::Working { k, .. } => *k += 1,
            Self::Asking { .. } | Self::Result { .. } | Self::Held { .. } | Self::Over { .. } => {}
        }
        self
    }
}

/// What a job does next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// An operation on the knowledge base or on packages.
    Package {
        /// Its arguments, without what only the hands know.
        operation: Value,
    },
    /// One of the project's checks.
    Check {
        /// Which of those that were found.
        index: usize,
        /// What those before it showed.
        so_far: Tests,
    },
    /// The commit.
    Commit {
        /// The message, where a person has changed it.
        message: Option<String>,
    },
    /// A look by an agent.
    Review {
        /// What is looked at.
        scope: String,
        /// The path, where it is one.
        path: Option<String>,
    },
    /// The checks of knowledge base and packages.
    Validate {
        /// What is looked at.
        scope: String,
    },
    /// The plan of a rollback.
    Plan {
        /// The checkpoint.
        target: String,
    },
    /// The rollback itself.
    Rollback {
        /// The checkpoint.
        target: String,
        /// What becomes of local changes.
        foreign: String,
    },
    /// The archive shows what was taken back.
    TakenBack {
        /// The checkpoint that was gone back to.
        target: String,
        /// What the rollback told.
        told: Value,
    },
    /// The entry in the CHANGELOG.
    Changelog {
        /// The checkpoint that was gone back to.
        target: String,
        /// What the rollback told.
        told: Value,
    },
    /// The undo of a call.
    Restore {
        /// The call.
        call: String,
    },
}

/// What a job found when it looked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named by the pages of the jobs")]
pub enum Found {
    Init { root: String, state: KbState, sources: bool },
    Upgrade { root: String, state: KbState, plan_hash: String, plan: Value },
    Clean { names: Vec<String>, plan: Value },
    Test { checks: Vec<Check> },
    Commit { commit: Value, message: String, nothing: bool },
    Review { has_git: bool },
    Validate,
    Rollback { targets: Vec<Target>, plan: Option<Value>, target: Option<String> },
}

/// Something to go back to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Its id.
    pub id: String,
    /// What it is.
    pub summary: String,
    /// How many files differ, where it is known.
    pub files: Option<u64>,
}

impl Job {
    /// Its open question.
    #[must_use]
    pub const fn question(&self) -> Option<&Asked> {
        match &self.phase {
            Phase::Asking { q, .. } | Phase::Result { q, .. } | Phase::Held { q, .. } => Some(q),
            Phase::Detecting { .. } | Phase::Working { .. } | Phase::Over { .. } => None,
        }
    }

    /// Whether it stands because something was cut off.
    #[must_use]
    pub const fn interrupted(&self) -> bool {
        matches!(self.phase, Phase::Held { .. })
    }

    /// Whether it changes files of the person's.
    #[must_use]
    pub const fn suspends(&self) -> bool {
        matches!(self.kind.name().beside(), super::name::Beside::Suspending)
    }

    /// The slot of what it waits for.
    #[must_use]
    pub fn slot(&self) -> Option<String> {
        let name = self.kind.name().word();
        match &self.phase {
            Phase::Detecting { k } => Some(alloc::format!("{name}/{}/detect/{k}", self.n)),
            Phase::Working { step, k, .. } => {
                Some(alloc::format!("{name}/{}/{}/{k}", self.n, step.word()))
            }
            Phase::Asking { .. }
            | Phase::Result { .. }
            | Phase::Held { .. }
            | Phase::Over { .. } => None,
        }
    }
}

impl Step {
    /// Its place in the keys of calls.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Package { operation } => {
                alloc::format!("package-{}", operation["operation"].as_str().unwrap_or("none"))
            }
            Self::Check { index, .. } => alloc::format!("check-{index}"),
            Self::Commit { .. } => "commit".into(),
            Self::Review { .. } => "review".into(),
            Self::Validate { .. } => "validate".into(),
            Self::Plan { .. } => "plan".into(),
            Self::Rollback { .. } => "rollback".into(),
            Self::TakenBack { .. } => "taken-back".into(),
            Self::Changelog { .. } => "changelog".into(),
            Self::Restore { .. } => "restore".into(),
        }
    }
}
