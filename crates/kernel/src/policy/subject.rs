//! What a grant is about: a command, paths, accepted risks. How far it reaches is the grant's.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::request::{Act, Command, Request, Tool};
use super::rule::host_of;
use super::verdict::Granted;

/// What was allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The tool.
    pub tool: Tool,
    /// The command, word by word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<String>,
    /// Where it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Names of variables beyond the standing list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env_names: Vec<String>,
    /// Hash of what the command stands for, or of the document that a plan was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// The commands that a plan lists, each for the program that it started.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Granted>,
    /// The paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// The hosts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// Hashes of the risks that were shown and accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
}

impl Subject {
    /// A tool, and nothing yet that it may do.
    #[must_use]
    pub const fn bare(tool: Tool) -> Self {
        Self {
            tool,
            argv: Vec::new(),
            cwd: None,
            env_names: Vec::new(),
            definition: None,
            commands: Vec::new(),
            paths: Vec::new(),
            hosts: Vec::new(),
            risks: Vec::new(),
        }
    }

    /// Only the risks that were accepted: it covers no request.
    #[must_use]
    pub fn risks_alone(&self) -> Self {
        Self { risks: self.risks.clone(), ..Self::bare(self.tool) }
    }

    /// Whether it speaks of this command, whatever program that starts now.
    #[must_use]
    pub fn names(&self, request: &Request) -> bool {
        match &request.act {
            Act::Run(run) => match &run.command {
                Command::Argv(argv) => *argv == self.argv && self.cwd.as_deref() == Some(&run.cwd),
                Command::Script(_) => false,
            },
            Act::Look { .. } | Act::Change { .. } | Act::Delete { .. } | Act::Agent { .. } => false,
        }
    }

    /// What a person who allows this request allows, with the risks that were shown.
    #[must_use]
    pub fn of(request: &Request, risks: Vec<String>) -> Self {
        let paths = request.paths().iter().map(|touched| touched.path.clone()).collect();
        let mut subject = Self { paths, risks, ..Self::bare(request.tool()) };
        match &request.act {
            Act::Run(run) => {
                if let Command::Argv(argv) = &run.command {
                    subject.hosts =
                        argv.iter().filter_map(|w| host_of(w)).map(String::from).collect();
                    subject.argv.clone_from(argv);
                }
                subject.cwd = Some(run.cwd.clone());
                subject.env_names.clone_from(&run.env_names);
                subject.definition.clone_from(&run.definition);
            }
            Act::Agent { name, .. } => subject.argv.push(name.clone()),
            Act::Look { .. } | Act::Change { .. } | Act::Delete { .. } => {}
        }
        subject
    }
}
