//! What a unit is started with: settings, the flags of a door, and the agent that is there. One
//! session belongs to a workspace and a branch, so that its id follows from its key.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kernel::hash;
use kernel::packages::XMeans;
use kernel::session::{Agent, Registered, Seat, Setup};
use kernel::turn::ChangeLimit;
use serde::{Deserialize, Serialize};

use crate::agents;
use crate::agents::config::AgentConfig;
use crate::config::{self, Settings};
use crate::tree;
use crate::words::Lang;

/// Digits of a commit that name a session without a branch.
const DETACHED_DIGITS: usize = 12;
/// Digits of a key's hash that make its session's id: a workspace has few branches.
const ID_DIGITS: usize = 20;

/// What a person says about a unit besides its words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the flags' own")]
pub struct Form {
    pub lang: Option<String>,
    pub headless: bool,
    pub replace: bool,
    pub yes: bool,
    pub answers: BTreeMap<String, String>,
}

/// What units are started in.
#[derive(Clone, Debug)]
pub struct Around {
    /// `[session]`
    pub settings: config::Session,
    /// `[paths]`
    pub paths: config::Paths,
    /// What a capital X means in a file that does not say so itself.
    pub on_foreign_x: XMeans,
    /// Iterations of a loop that drives a flow, and their ceiling.
    pub iterations: (u32, u32),
    /// Who works in turns.
    pub workers: Vec<String>,
    /// The configured agents.
    pub agents: BTreeMap<String, AgentConfig>,
    /// The work tree.
    pub root: PathBuf,
    /// The language of those who say none.
    pub lang: Lang,
}

impl Around {
    /// As the settings say.
    #[must_use]
    pub fn of(settings: &Settings, root: &Path, lang: Lang) -> Self {
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        Self {
            settings: settings.session.clone(),
            paths: settings.paths.clone(),
            on_foreign_x: settings.package.on_foreign_x,
            iterations: (
                small(settings.loops.max_iterations),
                small(settings.loops.max_iterations_ceiling),
            ),
            workers: settings.turn.agents.clone(),
            agents: settings.agents.clone(),
            root: root.to_owned(),
            lang,
        }
    }

    /// The agent that words call by its name, if it is there.
    #[must_use]
    pub fn called(&self, text: &str) -> Option<Agent> {
        let name = text.trim().strip_prefix('@')?.split_whitespace().next()?;
        let one = self.agents.get(name).filter(|one| agents::detect::is_there(one, &self.root))?;
        Some(told(one))
    }

    /// Those who design together: all that are named and are there, if several are.
    fn designers(&self) -> Vec<String> {
        let there = |name: &&String| {
            self.agents.get(*name).is_some_and(|one| agents::detect::is_there(one, &self.root))
        };
        let named: Vec<String> = self.settings.designers.iter().filter(there).cloned().collect();
        if named.len() > 1 { named } else { Vec::new() }
    }

    /// The tools that people may call by their prefixes.
    fn tools(&self) -> Vec<Registered> {
        let of = |tool: &config::Tool| Registered {
            name: tool.name.clone(),
            prefix: tool.prefix.clone(),
            argv: tool.argv.clone(),
            deadline_ms: self.settings.tool_ms,
        };
        self.settings.tools.iter().map(of).collect()
    }

    /// The first agent that is named for it and is there.
    fn designer(&self) -> Option<Agent> {
        let named = self.settings.designers.iter().chain(&self.workers);
        let named = named.filter_map(|name| self.agents.get(name));
        let mut all = named.chain(self.agents.values());
        let one = all.find(|agent| agents::detect::is_there(agent, &self.root))?;
        Some(told(one))
    }
}

fn told(one: &AgentConfig) -> Agent {
    Agent {
        name: one.name.clone(),
        kind: one.kind(),
        model: one.model.clone(),
        deadline_ms: one.wall_ms,
        idle_ms: (one.idle_ms > 0).then_some(one.idle_ms),
    }
}

/// The settings and flags of a unit.
#[must_use]
pub fn setup(form: &Form, around: &Around) -> Setup {
    let settings = &around.settings;
    let lang = form.lang.as_deref().and_then(|tag| Lang::parse(tag).ok()).unwrap_or(around.lang);
    let small = |number: u64| u8::try_from(number).unwrap_or(u8::MAX);
    Setup {
        lang: lang.to_string(),
        kb_mode: small(settings.kb_mode),
        bilingual: small(settings.bilingual),
        gate: small(settings.gate),
        clarify_rounds: u32::try_from(settings.max_clarify_rounds).unwrap_or(u32::MAX),
        on_task_failure: settings.on_task_failure,
        driver: settings.driver,
        designer: around.designer(),
        designers: around.designers(),
        tools: around.tools(),
        extra: settings.extra.clone(),
        replace_expiry_ms: settings.replace_expiry_ms,
        cancel_grace_ms: settings.cancel_grace_ms,
        tweak: ChangeLimit { files: settings.tweak_files, lines: settings.tweak_lines, modules: 1 },
        tweak_test_ms: settings.tweak_test_ms,
        guest_answers: settings.mcp_may_answer.clone(),
        seat: if form.headless { Seat::Headless } else { Seat::Terminal },
        replace: form.replace,
        yes: form.yes,
        answers: form.answers.clone(),
    }
}

/// The key of the session of what is checked out now.
#[must_use]
pub fn key_of(root: &Path) -> String {
    let tree::Head { commit, branch } = tree::head(root);
    match (branch, commit) {
        (Some(branch), _) => format!("git:{branch}"),
        (None, Some(commit)) => {
            let digits: String = commit.chars().take(DETACHED_DIGITS).collect();
            format!("detached:{digits}")
        }
        (None, None) => "dir".to_owned(),
    }
}

/// The run of a session's key.
#[must_use]
pub fn id_of(key: &str) -> String {
    let digits: String = hash::sha256_hex(key.as_bytes()).chars().take(ID_DIGITS).collect();
    format!("session-{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_has_one_session_and_two_have_two() {
        assert_eq!(id_of("git:main"), id_of("git:main"));
        assert_ne!(id_of("git:main"), id_of("git:other"));
        let dir = tempfile::tempdir().expect("a directory");
        assert_eq!(key_of(dir.path()), "dir");
        let git = dir.path().join(".git");
        std::fs::create_dir(&git).expect("made");
        std::fs::write(git.join("HEAD"), "ref: refs/heads/feat/x\n").expect("written");
        assert_eq!(key_of(dir.path()), "git:feat/x");
    }
}
