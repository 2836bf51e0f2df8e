//! The flags we send to a kind's program, and what its help says about them. A program that lists
//! its flags is believed; one that was not asked is taken to know them.

use std::collections::BTreeSet;

use kernel::agent::{Access, Kind, Tools};

use super::launch::RenderError;
use crate::agents::config::{AgentConfig, Own};

/// What a program's help lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Flags {
    /// It was not asked.
    #[default]
    Unasked,
    /// Every word in it that looks like a flag.
    Listed(BTreeSet<String>),
}

/// When a flag is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// For every launch.
    Always,
    /// Left out where it is not known.
    Optional,
    /// To let it run commands.
    Full,
    /// To name a model.
    Model,
    /// To go on with a conversation.
    Resume,
    /// To work through our tools.
    Tools,
}

/// One flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// As it is sent.
    pub name: &'static str,
    /// When.
    pub need: Need,
}

const fn flag(name: &'static str, need: Need) -> Flag {
    Flag { name, need }
}

const CODEX: &[Flag] = &[
    flag("--json", Need::Always),
    flag("--skip-git-repo-check", Need::Always),
    flag("-c", Need::Always),
    flag("--dangerously-bypass-approvals-and-sandbox", Need::Full),
    flag("-m", Need::Model),
];
const GEMINI: &[Flag] = &[
    flag("--output-format", Need::Always),
    flag("--approval-mode", Need::Always),
    flag("--skip-trust", Need::Optional),
    flag("-m", Need::Model),
    flag("--resume", Need::Resume),
];
const CLAUDE: &[Flag] = &[
    flag("-p", Need::Always),
    flag("--output-format", Need::Always),
    flag("--verbose", Need::Always),
    flag("--permission-mode", Need::Always),
    flag("--disallowedTools", Need::Always),
    flag("--dangerously-skip-permissions", Need::Full),
    flag("--model", Need::Model),
    flag("--resume", Need::Resume),
];
/// Only where it is to work through our tools.
const CLAUDE_TOOLS: [Flag; 3] = [
    flag("--mcp-config", Need::Tools),
    flag("--strict-mcp-config", Need::Tools),
    flag("--allowedTools", Need::Tools),
];
const QWEN: &[Flag] = &[
    flag("--output-format", Need::Always),
    flag("--approval-mode", Need::Always),
    flag("--model", Need::Model),
    flag("--resume", Need::Resume),
];
/// Only what its help may lack: it ignores flags that it does not know.
const WRAPPER: &[Flag] = &[flag("--progress", Need::Optional)];

/// The flags that an agent's launches use.
#[must_use]
pub fn flags(agent: &AgentConfig) -> Vec<Flag> {
    let mut all = match agent.kind() {
        Kind::Codex => CODEX,
        Kind::Gemini => GEMINI,
        Kind::Claude => CLAUDE,
        Kind::Qwen => QWEN,
        Kind::Wrapper => WRAPPER,
        Kind::Command | Kind::Script => &[],
    }
    .to_vec();
    if agent.tools && agent.kind() == Kind::Claude {
        all.extend(CLAUDE_TOOLS);
    }
    match &agent.own {
        Own::Claude { project_settings: false } => {
            all.push(flag("--setting-sources", Need::Always))
        }
        Own::Qwen { auth_type: Some(_) } => all.push(flag("--auth-type", Need::Always)),
        Own::Claude { project_settings: true }
        | Own::Qwen { auth_type: None }
        | Own::Codex { .. }
        | Own::Gemini
        | Own::Wrapper { .. }
        | Own::Command(_)
        | Own::Script { .. } => {}
    }
    all
}

impl Flags {
    /// Takes every word out of a help page that looks like a flag.
    #[must_use]
    pub fn of_help(text: &str) -> Self {
        let part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let looks = |word: &&str| {
            let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
            name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
        };
        let words = text.split(|c: char| !part(c));
        Self::Listed(words.filter(looks).map(str::to_owned).collect())
    }

    /// Whether a flag may be sent.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        match self {
            Self::Unasked => true,
            Self::Listed(all) => all.contains(name),
        }
    }

    /// Whether a flag is known for certain.
    #[must_use]
    pub fn lists(&self, name: &str) -> bool {
        match self {
            Self::Unasked => false,
            Self::Listed(all) => all.contains(name),
        }
    }

    /// Those of an agent's flags that its help lacks although a launch needs them.
    #[must_use]
    pub fn lacking(&self, agent: &AgentConfig) -> Vec<Flag> {
        let needed = |flag: &Flag| flag.need != Need::Optional && !self.has(flag.name);
        flags(agent).into_iter().filter(needed).collect()
    }

    /// The first flag that this very launch needs and the help lacks.
    pub(super) fn check(
        &self,
        agent: &AgentConfig,
        access: Access,
        model: Option<&str>,
        resume: Option<&str>,
        tools: Tools,
    ) -> Result<(), RenderError> {
        let used = |flag: &Flag| match flag.need {
            Need::Always => true,
            Need::Optional => false,
            Need::Full => access == Access::Full,
            Need::Model => model.is_some(),
            Need::Resume => resume.is_some(),
            Need::Tools => tools == Tools::Ours,
        };
        match self.lacking(agent).into_iter().find(used) {
            Some(flag) => Err(RenderError::MissingFlag { flag: flag.name }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_pages_of_every_style_are_read() {
        let help = "Usage: x [OPTIONS]\n  -c, --config <key=value>  set\n  -m|--model=NAME\n\
                    [--skip-trust] (--dash-ed) pre-view -- -1 `--json`: a-b 'x--y'";
        let Flags::Listed(found) = Flags::of_help(help) else { panic!("it was asked") };
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        let expected = ["--config", "--dash-ed", "--json", "--model", "--skip-trust", "-c", "-m"];
        assert_eq!(found, expected);
    }
}
