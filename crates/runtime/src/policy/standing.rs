//! What a judgement rests on in a workspace, apart from the run that asks: rules, trust, places.

use std::path::Path;

use kernel::paths;
use kernel::policy::grant::Now;
use kernel::policy::{Changed, Facts, Ground, Limits, PathClass, Rules, Sandbox, Trust};

use super::look::{self, Word};
use crate::config::Policy;
use crate::workspace::{Places, Root};

/// Rules and places of a workspace, owned, so that facts can be lent from it.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The rules in force.
    pub rules: Rules,
    /// Whether the work tree is trusted.
    pub trust: Trust,
    /// Whether a command would be held in.
    pub sandbox: Sandbox,
    /// Files in one step above which a person is asked.
    pub files_ask: u64,
    /// The root of the work tree.
    pub root: String,
    /// The user's home.
    pub home: String,
    /// Names of files that are protected.
    pub names: paths::Names,
}

impl Standing {
    /// Takes the settings in, with a person's word on the workspace.
    #[must_use]
    pub fn new(
        policy: &Policy,
        word: Word<'_>,
        sandbox: Sandbox,
        (root, places): (&Root, &Places),
    ) -> Self {
        Self {
            rules: look::rules(&policy.files, word.listed),
            trust: word.trust,
            sandbox,
            files_ask: policy.files_ask,
            root: text(&root.path),
            home: text(&places.home),
            names: paths::Names::new(&policy.sensitive),
        }
    }

    /// What a judgement rests on where no settings can be read: nothing is trusted.
    #[must_use]
    pub fn unknown(root: &Path, home: &Path) -> Self {
        Self {
            rules: Rules::built_in(),
            trust: Trust::Untrusted,
            sandbox: Sandbox::Absent,
            files_ask: kernel::policy::FILES_ASK,
            root: text(root),
            home: text(home),
            names: paths::Names::default(),
        }
    }

    /// The class that its name gives a path.
    #[must_use]
    pub fn class(&self, path: &str) -> PathClass {
        PathClass::of(self.names.classes(path))
    }

    /// The facts of a request that no run limits and nobody granted.
    #[must_use]
    pub fn facts<'a>(&'a self, names: &'a dyn Fn(&str) -> PathClass) -> Facts<'a> {
        Facts {
            rules: &self.rules,
            trust: self.trust,
            sandbox: self.sandbox,
            limits: Limits { files_ask: self.files_ask, ..Limits::none() },
            changed: Changed::default(),
            grants: &[],
            now: Now::default(),
            started: &[],
            accepted: &[],
            ground: Ground { root: &self.root, home: &self.home },
            names,
        }
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
