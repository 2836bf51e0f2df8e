//! The dialects by name, and what each of them must be able to say.

use std::io;

use kernel::agent::{Kind, Usage};

use super::super::memory::Totals;
use super::super::voice::Voice;
use super::said::{Failed, Retried, ToolUse, Turn};
use super::{claude, codex, gemini, qwen, stream1, wrapper};

/// A dialect by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the programs' own")]
pub enum Tongue {
    /// What our own drivers print.
    Stream1,
    Codex,
    Gemini,
    Claude,
    Qwen,
    Wrapper,
}

impl Tongue {
    /// Every dialect.
    pub const ALL: [Self; 6] =
        [Self::Stream1, Self::Codex, Self::Gemini, Self::Claude, Self::Qwen, Self::Wrapper];

    /// Its name in scenarios.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stream1 => "stream/1",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Claude => "claude",
            Self::Qwen => "qwen",
            Self::Wrapper => "wrapper",
        }
    }

    /// The adapter that reads it; none is the one of our own drivers.
    #[must_use]
    pub const fn kind(self) -> Option<Kind> {
        match self {
            Self::Stream1 => None,
            Self::Codex => Some(Kind::Codex),
            Self::Gemini => Some(Kind::Gemini),
            Self::Claude => Some(Kind::Claude),
            Self::Qwen => Some(Kind::Qwen),
            Self::Wrapper => Some(Kind::Wrapper),
        }
    }

    /// The model it claims to be when none was named.
    pub(in super::super) const fn usual_model(self) -> &'static str {
        match self {
            Self::Stream1 | Self::Wrapper => "script",
            Self::Codex | Self::Qwen => "mock-model",
            Self::Gemini => "gemini-2.5-flash",
            Self::Claude => "claude-sonnet-4-5",
        }
    }

    /// Whether pieces of an answer can be seen before the whole.
    pub(in super::super) const fn shows_pieces(self) -> bool {
        match self {
            Self::Stream1 | Self::Gemini => true,
            Self::Codex | Self::Claude | Self::Qwen | Self::Wrapper => false,
        }
    }

    /// One who talks so.
    pub(in super::super) fn speaker(self) -> Box<dyn Dialect> {
        match self {
            Self::Stream1 => Box::new(stream1::Stream1),
            Self::Codex => Box::<codex::Codex>::default(),
            Self::Gemini => Box::<gemini::Gemini>::default(),
            Self::Claude => Box::<claude::Claude>::default(),
            Self::Qwen => Box::<qwen::Qwen>::default(),
            Self::Wrapper => Box::<wrapper::Wrapper>::default(),
        }
    }
}

/// What a dialect can say. A code returned is what the program exits with after saying it.
pub(in super::super) trait Dialect {
    /// The conversation has begun, or goes on; none is one that is not named.
    fn began(&mut self, voice: &Voice, session: Option<&str>) -> io::Result<()>;
    /// A piece of the answer.
    fn delta(&mut self, voice: &Voice, text: &str) -> io::Result<()>;
    /// The answer, whole.
    fn text(&mut self, voice: &Voice, text: &str) -> io::Result<()>;
    /// A tool begins or ends.
    fn tool(&mut self, voice: &Voice, tool: &ToolUse) -> io::Result<()>;
    /// A retry inside.
    fn retry(&mut self, voice: &Voice, retry: &Retried) -> io::Result<()>;
    /// A warning.
    fn note(&mut self, voice: &Voice, text: &str) -> io::Result<()>;
    /// What it costs, where that is said apart from the end.
    fn usage(&mut self, voice: &Voice, usage: &Usage) -> io::Result<()>;
    /// The good end; what the conversation has used with this call.
    fn ended(&mut self, voice: &Voice, turn: &Turn) -> io::Result<Totals>;
    /// The bad end.
    fn failed(&mut self, voice: &Voice, failed: &Failed) -> io::Result<u8>;
    /// It was asked to go on with a conversation it does not know.
    fn resume_unknown(&mut self, voice: &Voice, id: &str) -> io::Result<u8>;
}
