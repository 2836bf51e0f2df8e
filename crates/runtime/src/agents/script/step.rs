//! What a scripted agent can do, one step each. Only data; who runs it is elsewhere.

use kernel::agent::{FileKind, Usage};

use super::text::Text;

/// Which conversation the agent says this is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Session {
    /// The one that is resumed, else one made from the call's id.
    Auto,
    /// Just this one.
    Id(String),
    /// It says nothing about it.
    None,
}

/// A retry of its own that the agent tells of. It only tells; waiting is another step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retry {
    /// Which one.
    pub attempt: u64,
    /// Of how many.
    pub max: u64,
    /// How long it says it waits.
    pub delay_ms: u64,
    /// The status it met, if one.
    pub status: Option<u16>,
    /// Why.
    pub why: Text,
}

/// A final error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Its word (`quota`, `auth`, `server`, …).
    pub kind: String,
    /// The provider's status, if one.
    pub status: Option<u16>,
    /// What it says.
    pub message: Text,
    /// How long the provider asks to wait.
    pub retry_after_ms: Option<u64>,
}

/// How far a tool is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Stage {
    Open,
    Ok,
    Failed,
    Denied,
}

impl Stage {
    /// Every stage.
    pub const ALL: [Self; 4] = [Self::Open, Self::Ok, Self::Failed, Self::Denied];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Denied => "denied",
        }
    }
}

/// A tool the agent says it uses; nothing happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its id; the same id again closes what was opened.
    pub id: Option<String>,
    /// Its name.
    pub name: String,
    /// Its kind (`read`, `edit`, `execute`, …).
    pub kind: String,
    /// How far it is.
    pub status: Stage,
}

/// A stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Stream {
    Stdout,
    Stderr,
}

/// Bytes without meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flood {
    /// Where to.
    pub stream: Stream,
    /// How many, line ends included.
    pub bytes: u64,
    /// How many to a line, its end included; 0 puts all on one line.
    pub line_bytes: u64,
}

/// Exact bytes for standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Raw {
    /// A text with variables.
    Text(Text),
    /// Bytes that need not be text.
    Bytes(Vec<u8>),
}

/// Something said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Speech {
    /// Which conversation this is.
    Session(Session),
    /// The whole answer.
    Say(Text),
    /// A piece of the answer.
    Delta(Text),
    /// A line on standard error.
    Stderr(Text),
    /// Exact bytes on standard output.
    Raw(Raw),
    /// A retry inside.
    Retry(Retry),
    /// A warning that is no failure.
    Note(Text),
    /// What it cost.
    Usage(Usage),
    /// A tool.
    Tool(Tool),
    /// The claim of a change that was not made.
    File {
        /// Which file.
        path: Text,
        /// What is claimed.
        kind: FileKind,
    },
    /// The final error.
    Error(Failure),
    /// The final good event.
    End,
}

/// Something done to the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Writes a file.
    Write {
        /// Which.
        path: Text,
        /// Its whole content.
        text: Text,
    },
    /// Deletes a file.
    Delete(Text),
    /// Runs a program and waits for it.
    Run(Vec<Text>),
    /// Leaves a line in the effects file and does nothing else.
    Effect(Text),
    /// Reads standard input to its end.
    ReadStdin,
}

/// Something an agent should not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mischief {
    /// Sleeps.
    SleepMs(u64),
    /// Does nothing, for ever.
    Hang,
    /// Prints much.
    Flood(Flood),
    /// Leaves a process in a session of its own, without our streams.
    OrphanMs(u64),
    /// Leaves a process that holds standard output.
    HoldStdoutMs(u64),
    /// From here on TERM does nothing.
    IgnoreTerm,
    /// Ends at once with this code.
    Exit(u8),
    /// Ends at once by this signal.
    Signal(i32),
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Says something.
    Speak(Speech),
    /// Does something.
    Act(Deed),
    /// Misbehaves.
    Misbehave(Mischief),
}
