//! One configured agent. What only one kind has stands in that kind's variant.

use std::path::PathBuf;

use kernel::agent::{Access, Kind, Talk};

use super::template::Template;

/// An agent as configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentConfig {
    /// Its name in settings and records.
    pub name: String,
    /// Its program, if one is named: a path, or a name to be found.
    pub bin: Option<String>,
    /// The model, if one is named.
    pub model: Option<String>,
    /// Further words for its command line.
    pub args: Vec<String>,
    /// Further variables that pass to it.
    pub env: Vec<String>,
    /// The most it may be allowed.
    pub access_max: Access,
    /// Whether it may run commands without our sandbox.
    pub unsandboxed: bool,
    /// Whether `@file` in a prompt may act.
    pub mentions: bool,
    /// Whether work goes on by itself after a rate limit.
    pub resume_at_reset: bool,
    /// Whether it works through our tools too, as the agent of a turn's step.
    pub tools: bool,
    /// Its longest launch.
    pub wall_ms: u64,
    /// Its longest silence; 0 = off.
    pub idle_ms: u64,
    /// Kept of each of its streams.
    pub spool_bytes: u64,
    /// What only its kind has.
    pub own: Own,
}

/// What only one kind has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Own {
    /// Codex.
    Codex {
        /// Whether its own sandbox is used.
        inner_sandbox: InnerSandbox,
    },
    /// Gemini.
    Gemini,
    /// Claude.
    Claude {
        /// Whether settings and hooks of the repository are read by it.
        project_settings: bool,
    },
    /// Qwen.
    Qwen {
        /// How it logs in, if named.
        auth_type: Option<String>,
    },
    /// The one program in front of several.
    Wrapper {
        /// Whom it stands in front of.
        backend: Wrapped,
        /// Whether it leaves its web page out.
        lite: bool,
    },
    /// Any program.
    Command(Box<Template>),
    /// A scripted agent.
    Script {
        /// The file that says what it does, from the root if it is not absolute.
        scenario: PathBuf,
    },
}

/// Whether codex uses its own sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InnerSandbox {
    /// Unless ours is in force: its own needs namespaces that ours denies.
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

/// A program behind the wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the programs' own")]
pub enum Wrapped {
    Codex,
    Gemini,
    Claude,
    Qwen,
}

impl Wrapped {
    /// Every program behind it.
    pub const ALL: [Self; 4] = [Self::Codex, Self::Gemini, Self::Claude, Self::Qwen];

    /// The kind whose rules hold for it.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Codex => Kind::Codex,
            Self::Gemini => Kind::Gemini,
            Self::Claude => Kind::Claude,
            Self::Qwen => Kind::Qwen,
        }
    }
}

impl AgentConfig {
    /// Its adapter.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self.own {
            Own::Codex { .. } => Kind::Codex,
            Own::Gemini => Kind::Gemini,
            Own::Claude { .. } => Kind::Claude,
            Own::Qwen { .. } => Kind::Qwen,
            Own::Wrapper { .. } => Kind::Wrapper,
            Own::Command(_) => Kind::Command,
            Own::Script { .. } => Kind::Script,
        }
    }

    /// What its conversations are, where its kind does not say.
    #[must_use]
    pub const fn talk(&self) -> Option<Talk> {
        match &self.own {
            Own::Command(template) => Some(template.talk()),
            Own::Codex { .. }
            | Own::Gemini
            | Own::Claude { .. }
            | Own::Qwen { .. }
            | Own::Wrapper { .. }
            | Own::Script { .. } => None,
        }
    }

    /// The kind that reads the prompt in the end: behind a wrapper that of its backend.
    #[must_use]
    pub const fn speaks(&self) -> Kind {
        match self.own {
            Own::Wrapper { backend, .. } => backend.kind(),
            Own::Codex { .. }
            | Own::Gemini
            | Own::Claude { .. }
            | Own::Qwen { .. }
            | Own::Command(_)
            | Own::Script { .. } => self.kind(),
        }
    }
}
