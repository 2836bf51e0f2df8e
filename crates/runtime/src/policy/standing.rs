//! What a judgement rests on in a workspace, apart from the run that asks: rules, trust, places.

use kernel::paths;
use kernel::policy::grant::Now;
use kernel::policy::rules::Listed;
use kernel::policy::{Changed, Facts, Ground, Limits, PathClass, Rules, Sandbox, Trust};

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
}

impl Standing {
    /// Takes the settings in. `listed` says whether a person was shown the workspace's own rules
    /// that allow.
    #[must_use]
    pub fn new(
        policy: &Policy,
        listed: Listed,
        trust: Trust,
        sandbox: Sandbox,
        (root, places): (&Root, &Places),
    ) -> Self {
        Self {
            rules: Rules::load(&policy.files, listed),
            trust,
            sandbox,
            files_ask: policy.files_ask,
            root: root.path.to_string_lossy().into_owned(),
            home: places.home.to_string_lossy().into_owned(),
        }
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

/// The classes of names, with what the user calls sensitive.
pub fn names(sensitive: &[String]) -> impl Fn(&str) -> PathClass + use<> {
    let names = paths::Names::new(sensitive);
    move |path: &str| PathClass::of(names.classes(path))
}
