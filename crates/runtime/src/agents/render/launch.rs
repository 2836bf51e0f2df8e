//! What every kind has in common: who may be asked for what, and the form of the result.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use kernel::agent::{Access, Ask, Kind, Tools};

use super::flags::Flags;
use super::server::Server;
use super::{claude, codex, command, gemini, qwen, script, wrapper};
use crate::agents::config::{AgentConfig, Own};
use crate::agents::env::{self, Wants};

/// Whether our sandbox holds the child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sandbox {
    /// It does.
    InForce,
    /// It does not.
    None,
}

/// Where a launch happens, and what is known there.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The root of the work tree, absolute.
    pub root: &'a Path,
    /// The working directory, absolute.
    pub workdir: &'a Path,
    /// The directory of the call, absolute.
    pub call_dir: &'a Path,
    /// Our own program, for agents that are ours.
    pub exe: &'a Path,
    /// Whether our sandbox holds the child.
    pub sandbox: Sandbox,
    /// What the program's help lists.
    pub flags: &'a Flags,
    /// The prompt file's text.
    pub prompt: &'a str,
    /// The how-manieth launch of its owner this is.
    pub launch: u32,
    /// The wall the owner gives this launch; the agent's own is the other bound.
    pub wall_ms: u64,
    /// Looks a variable of ours up.
    pub var: &'a dyn Fn(&str) -> Option<OsString>,
}

/// What the child reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdin {
    /// The prompt file.
    Prompt,
    /// Nothing.
    Null,
}

/// A process to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// A name to be found, or a path.
    pub program: String,
    /// Its arguments, without the program.
    pub argv: Vec<String>,
    /// Variables with their values.
    pub env_set: Vec<(String, String)>,
    /// Variables that pass if they are set here.
    pub env_pass: Vec<String>,
    /// What it reads.
    pub stdin: Stdin,
    /// Where it keeps its own state: writable in the sandbox at any access.
    pub own_state: Vec<PathBuf>,
    /// Files of its own that it must be able to read.
    pub own_reads: Vec<PathBuf>,
    /// Its longest life.
    pub wall_ms: u64,
    /// What stands in the file of servers beside the call, for a program that reads one.
    pub servers: Option<String>,
}

/// Why a request cannot become a process.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// More was asked than the agent may have.
    #[error("access {} is above {}", asked.name(), max.name())]
    Access {
        /// Asked for.
        asked: Access,
        /// Allowed.
        max: Access,
    },
    /// Only inside our sandbox.
    #[error("only inside our sandbox")]
    SandboxRequired,
    /// The agent is of another kind than when it was asked.
    #[error("the agent is of kind {} now, it was {}", now.name(), asked.name())]
    OtherKind {
        /// When it was asked.
        asked: Kind,
        /// As configured now.
        now: Kind,
    },
    /// It cannot go on with a conversation.
    #[error("it cannot go on with a conversation")]
    NoResume,
    /// A model cannot be named to it.
    #[error("a model cannot be named to it")]
    NoModel,
    /// A value that would be read as something else.
    #[error("{what} cannot stand on a command line")]
    Unfit {
        /// `model`, `resume`, `workdir`, `call_dir`.
        what: &'static str,
    },
    /// Too long for an argument.
    #[error("the prompt of {bytes} bytes does not fit an argument")]
    PromptTooLong {
        /// Its size.
        bytes: usize,
    },
    /// A required flag is not in its help.
    #[error("its help does not list {flag}")]
    MissingFlag {
        /// The flag.
        flag: &'static str,
    },
}

impl RenderError {
    /// The code it is told by.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Access { .. } => "agent.access",
            Self::SandboxRequired => "agent.sandbox_required",
            Self::OtherKind { .. }
            | Self::NoResume
            | Self::NoModel
            | Self::Unfit { .. }
            | Self::PromptTooLong { .. }
            | Self::MissingFlag { .. } => "E002",
        }
    }
}

/// What the parts of one kind fill in.
pub(super) struct Draft {
    pub(super) program: String,
    pub(super) argv: Vec<String>,
    pub(super) stdin: Stdin,
    pub(super) servers: Option<String>,
}

impl Draft {
    /// A program that reads the prompt and needs no file of servers.
    pub(super) const fn plain(program: String, argv: Vec<String>) -> Self {
        Self { program, argv, stdin: Stdin::Prompt, servers: None }
    }
}

/// One request, checked, on its way into words.
pub(super) struct Asked<'a> {
    pub(super) agent: &'a AgentConfig,
    pub(super) access: Access,
    pub(super) model: Option<&'a str>,
    pub(super) resume: Option<&'a str>,
    pub(super) tools: Tools,
    pub(super) place: &'a Place<'a>,
}

impl Asked<'_> {
    /// The first words of a command line.
    pub(super) fn begin(&self, words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    /// The program: what is configured, else its usual name.
    pub(super) fn program(&self, usual: &str) -> String {
        self.agent.bin.clone().unwrap_or_else(|| usual.to_owned())
    }

    /// The model, if there is one, by its flag.
    pub(super) fn model_by(&self, flag: &str, argv: &mut Vec<String>) {
        if let Some(model) = self.model {
            argv.extend([flag, model].map(str::to_owned));
        }
    }

    /// The conversation, if there is one, by its flag.
    pub(super) fn resume_by(&self, flag: &str, argv: &mut Vec<String>) {
        if let Some(id) = self.resume {
            argv.extend([flag, id].map(str::to_owned));
        }
    }

    /// The server of our tools, where it is to work through them.
    pub(super) fn server(&self) -> Result<Option<Server>, RenderError> {
        match self.tools {
            Tools::Own => Ok(None),
            Tools::Ours => Server::of(self.place).map(Some),
        }
    }

    /// The working directory as a word.
    pub(super) fn workdir(&self) -> Result<String, RenderError> {
        command::text("workdir", self.place.workdir)
    }
}

/// Makes the process of a request.
///
/// # Errors
/// Why there can be none.
pub fn render(ask: &Ask, agent: &AgentConfig, place: &Place<'_>) -> Result<Launch, RenderError> {
    may(ask, agent, place.sandbox)?;
    let model = fit("model", ask.model.as_deref().or(agent.model.as_deref()))?;
    let resume = fit("resume", ask.resume.as_deref())?;
    place.flags.check(agent, ask.access, model, resume, ask.tools)?;
    let wall_ms = agent.wall_ms.min(place.wall_ms);
    let asked = Asked { agent, access: ask.access, model, resume, tools: ask.tools, place };
    let draft = match &agent.own {
        Own::Codex { inner_sandbox } => codex::draft(&asked, *inner_sandbox)?,
        Own::Gemini => gemini::draft(&asked)?,
        Own::Claude { project_settings } => claude::draft(&asked, *project_settings)?,
        Own::Qwen { auth_type } => qwen::draft(&asked, auth_type.as_deref())?,
        Own::Wrapper { backend, lite } => wrapper::draft(&asked, *backend, *lite)?,
        Own::Command(template) => command::draft(&asked, template)?,
        Own::Script { scenario } => script::draft(&asked, scenario)?,
    };
    let wants = Wants {
        agent,
        access: ask.access,
        model,
        sandbox: place.sandbox,
        wall_ms,
        launch: place.launch,
        var: place.var,
    };
    let declared = env::declared(&wants);
    Ok(Launch {
        program: draft.program,
        argv: draft.argv,
        env_set: declared.set,
        env_pass: declared.pass,
        stdin: draft.stdin,
        own_state: env::own_state(agent, place.var),
        own_reads: env::own_reads(agent, place.root, place.var),
        wall_ms,
        servers: draft.servers,
    })
}

/// Whether the agent may be asked for that at all.
fn may(ask: &Ask, agent: &AgentConfig, sandbox: Sandbox) -> Result<(), RenderError> {
    if ask.kind != agent.kind() {
        return Err(RenderError::OtherKind { asked: ask.kind, now: agent.kind() });
    }
    if ask.access > agent.access_max {
        return Err(RenderError::Access { asked: ask.access, max: agent.access_max });
    }
    let walled = sandbox == Sandbox::InForce || agent.unsandboxed;
    if ask.access == Access::Full && !walled {
        return Err(RenderError::SandboxRequired);
    }
    Ok(())
}

/// A value that stands on the command line must not be taken for a flag, nor end it.
fn fit<'a>(what: &'static str, value: Option<&'a str>) -> Result<Option<&'a str>, RenderError> {
    let unfit =
        |text: &str| text.is_empty() || text.starts_with('-') || text.chars().any(char::is_control);
    match value {
        Some(text) if unfit(text) => Err(RenderError::Unfit { what }),
        Some(_) | None => Ok(value),
    }
}
