//! What is asked of the policy: a look, a change, a command, an agent, each with the facts that
//! decide. Gathering the facts is the hands' part; a model's own words are never among them.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::argv::{self, Parsed};
use super::grant::Pin;
use super::path::PathClass;
use super::start::Backing;
use crate::agent::Access;
use crate::hash;

/// Who wants it done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asker {
    /// A person, at a door of theirs.
    Person,
    /// An agent, or a run acting on one's plan.
    Agent,
}

/// The tools that rules speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// Reads a file.
    Read,
    /// Lists a directory.
    List,
    /// Searches files.
    Search,
    /// Writes a file.
    Write,
    /// Patches files.
    ApplyPatch,
    /// Deletes a file.
    Delete,
    /// Runs a command.
    Run,
    /// Launches an agent.
    Agent,
}

impl Tool {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::List => "list",
            Self::Search => "search",
            Self::Write => "write",
            Self::ApplyPatch => "apply_patch",
            Self::Delete => "delete",
            Self::Run => "run",
            Self::Agent => "agent",
        }
    }
}

/// Whose repository a path is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repo {
    /// The work tree's own.
    #[default]
    Own,
    /// Another one inside it.
    Nested,
}

/// A path that is touched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    /// Relative to the root.
    pub path: String,
    /// What it is.
    pub class: PathClass,
    /// Whose repository it is in.
    pub repo: Repo,
}

impl Touched {
    /// A path of a class in the work tree's own repository.
    #[must_use]
    pub fn new(path: &str, class: PathClass) -> Self {
        Self { path: path.to_string(), class, repo: Repo::Own }
    }
}

/// How far a command may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Nowhere.
    #[default]
    None,
    /// This machine; judged as open until it can be held to that.
    Loopback,
    /// Anywhere.
    Open,
}

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Program and arguments.
    Argv(Vec<String>),
    /// A text for a shell.
    Script(String),
}

/// Where a program lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Safety {
    /// Outside the workspace, and only its owner may change it.
    #[default]
    Fixed,
    /// Inside the workspace, or others may change it: its hash is part of every grant.
    Loose,
    /// Nowhere on our search path.
    Missing,
}

/// The program a command would start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its absolute path.
    pub path: Option<String>,
    /// Its hash, where it could be changed.
    pub sha256: Option<String>,
    /// Where it lies.
    pub safety: Safety,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// What is run.
    pub command: Command,
    /// Directory relative to the root.
    pub cwd: String,
    /// Names of variables beyond the standing list.
    pub env_names: Vec<String>,
    /// How far it may reach.
    pub network: Network,
    /// The program it would start.
    pub program: Program,
    /// Hash of what the command stands for, where a file of the project says so.
    pub definition: Option<String>,
}

impl Run {
    /// A command in a directory, with nothing further known.
    #[must_use]
    pub fn argv(words: Vec<String>, cwd: &str) -> Self {
        Self {
            command: Command::Argv(words),
            cwd: cwd.to_string(),
            env_names: Vec::new(),
            network: Network::None,
            program: Program::default(),
            definition: None,
        }
    }

    /// The command taken apart.
    #[must_use]
    pub fn parsed(&self) -> Parsed {
        match &self.command {
            Command::Argv(words) => argv::of_argv(words),
            Command::Script(text) => argv::of_script(text),
        }
    }
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Read, list or search.
    Look {
        /// Which of them.
        tool: Tool,
        /// Where.
        paths: Vec<Touched>,
    },
    /// Write or patch.
    Change {
        /// Which of them.
        tool: Tool,
        /// What is changed.
        paths: Vec<Touched>,
        /// Lines added and removed.
        lines: u64,
    },
    /// Delete.
    Delete {
        /// What.
        paths: Vec<Touched>,
    },
    /// Run a command; a commit or a push is judged as the command it is.
    Run(Run),
    /// Launch an agent.
    Agent {
        /// Which one.
        name: String,
        /// What it may do.
        access: Access,
        /// Whether a person's own command stands behind it.
        backing: Backing,
    },
}

/// A request and who makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// What is asked for.
    pub act: Act,
    /// By whom.
    pub by: Asker,
    /// Hash of whatever else the tool is given: text, patch, expected content, prompt.
    pub given: Option<String>,
}

impl Request {
    /// A request of which everything is in the act itself.
    #[must_use]
    pub const fn new(act: Act, by: Asker) -> Self {
        Self { act, by, given: None }
    }

    /// The tool it names.
    #[must_use]
    pub const fn tool(&self) -> Tool {
        match &self.act {
            Act::Look { tool, .. } | Act::Change { tool, .. } => *tool,
            Act::Delete { .. } => Tool::Delete,
            Act::Run(_) => Tool::Run,
            Act::Agent { .. } => Tool::Agent,
        }
    }

    /// The paths it names.
    #[must_use]
    pub fn paths(&self) -> &[Touched] {
        match &self.act {
            Act::Look { paths, .. } | Act::Change { paths, .. } | Act::Delete { paths } => paths,
            Act::Run(_) | Act::Agent { .. } => &[],
        }
    }

    /// The program it would start, where it runs a command.
    #[must_use]
    pub fn pin(&self) -> Option<Pin> {
        match &self.act {
            Act::Run(run) => Some(Pin::of(&run.program)),
            Act::Look { .. } | Act::Change { .. } | Act::Delete { .. } | Act::Agent { .. } => None,
        }
    }

    /// What a grant for this very request is bound to. Who asks is no part of it: a yes is to
    /// what is done.
    #[must_use]
    pub fn hash(&self) -> String {
        hash::of_json(&json!({
            "tool": self.tool().name(), "act": self.act, "given": self.given,
        }))
    }
}
