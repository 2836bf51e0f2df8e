//! One request to an agent, as data. Flags, environment and files are not here: they belong to the
//! adapter of its kind.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// The longest prompt: more than any model reads, and small enough to be kept with the call.
pub const PROMPT_BYTES_MAX: usize = 1 << 20;

/// Told of a bad answer when it is corrected in a new conversation: its beginning shows what was
/// meant, and a model that answered with a flood should not read it again.
pub const BAD_ANSWER_BYTES_MAX: usize = 32 << 10;

/// Which adapter speaks to the agent. Recorded with the call, so that a later change of the
/// configuration cannot give its output another meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the programs' own")]
pub enum Kind {
    Codex,
    Gemini,
    Claude,
    Qwen,
    /// The one program in front of several CLIs that older set-ups use.
    Wrapper,
    /// Any program, described by templates.
    Command,
    /// A scripted agent: a real process that acts by a file.
    Script,
}

impl Kind {
    /// Every kind of this build.
    pub const ALL: [Self; 7] = [
        Self::Codex,
        Self::Gemini,
        Self::Claude,
        Self::Qwen,
        Self::Wrapper,
        Self::Command,
        Self::Script,
    ];

    /// Its name in configuration and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Claude => "claude",
            Self::Qwen => "qwen",
            Self::Wrapper => "wrapper",
            Self::Command => "command",
            Self::Script => "script",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What its conversations are: as its configuration said when it was asked, where that says
    /// more than its kind does.
    #[must_use]
    pub const fn talks(self, told: Option<Talk>) -> Talk {
        match (told, self) {
            (Some(talk), _) => talk,
            (
                None,
                Self::Codex
                | Self::Gemini
                | Self::Claude
                | Self::Qwen
                | Self::Wrapper
                | Self::Script,
            ) => Talk::Lasting,
            (None, Self::Command) => Talk::Local,
        }
    }
}

/// What an agent's conversations are to us. Recorded with what is asked of a described program, so
/// that a later change of its template changes nothing that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Talk {
    /// Named by the backend, and can be gone on with by that name.
    Lasting,
    /// Named by the backend, and over with its call.
    Single,
    /// Named by us: it proves that a call was made, and no more.
    Local,
}

impl Talk {
    /// Whether a conversation can be gone on with by its id.
    #[must_use]
    pub const fn resumes(self) -> bool {
        match self {
            Self::Lasting => true,
            Self::Single | Self::Local => false,
        }
    }

    /// Who named it, as results say it.
    #[must_use]
    pub const fn session_kind(self) -> &'static str {
        match self {
            Self::Lasting | Self::Single => "native",
            Self::Local => "local",
        }
    }
}

/// What an agent may do. The sandbox is the wall; the CLI's own flags are courtesy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Read the work tree, talk to its provider.
    Read,
    /// Also change files.
    Edit,
    /// Also run commands.
    Full,
}

impl Access {
    /// Every level, weakest first.
    pub const ALL: [Self; 3] = [Self::Read, Self::Edit, Self::Full];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Edit => "edit",
            Self::Full => "full",
        }
    }

    /// The level of that word.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|access| access.name() == name)
    }
}

/// Whose tools an agent works with. Its own are there in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tools {
    /// Its own alone.
    #[default]
    Own,
    /// Ours too: a server of them is given to it, and each call is judged and recorded.
    Ours,
}

impl Tools {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that is asked for")]
    fn is_own(&self) -> bool {
        *self == Self::Own
    }
}

/// A piece of a prompt. Agent output is never copied into the journal, so it is referred to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// These words.
    Text(String),
    /// The answer of an earlier call, read when this one is prepared and checked by its digest.
    Answer {
        /// That call.
        call: String,
        /// SHA-256 of its answer.
        sha256: String,
        /// As much of it as is told, from its beginning.
        #[serde(default = "whole", skip_serializing_if = "is_whole")]
        bytes_max: usize,
    },
}

const fn whole() -> usize {
    PROMPT_BYTES_MAX
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that is asked for")]
const fn is_whole(bytes_max: &usize) -> bool {
    *bytes_max == PROMPT_BYTES_MAX
}

/// One request to an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// The configured agent's name.
    pub agent: String,
    /// Its adapter.
    pub kind: Kind,
    /// What its conversations are; none = as its kind says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk: Option<Talk>,
    /// What it may do.
    pub access: Access,
    /// The model, if one is named.
    pub model: Option<String>,
    /// The conversation to go on with.
    pub resume: Option<String>,
    /// What it is told, in order.
    pub prompt: Vec<Part>,
    /// JSON Schema that the answer must meet, as canonical JSON text.
    pub schema: Option<String>,
    /// The language of our own words around the prompt (`en`, `zh-CN`).
    pub lang: String,
    /// Whose tools it works with.
    #[serde(default, skip_serializing_if = "Tools::is_own")]
    pub tools: Tools,
}

impl Ask {
    /// What its conversations are.
    #[must_use]
    pub const fn talks(&self) -> Talk {
        self.kind.talks(self.talk)
    }
}
