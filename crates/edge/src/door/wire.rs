//! What client and engine say to each other: one JSON value a line, each way in turn. Sentences are
//! not part of it; the client renders codes in its own language.

use kernel::policy::grant::Scope;
use kernel::turn::{self, PlanPatch};
use runtime::collab::Form;
use runtime::host::EngineStatus;
use runtime::turns;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lifecycle_wire::LifecycleSay;
use super::loop_wire::LoopSay;
use super::session_wire::SessionSay;

/// Version of this build; client and engine must have the same.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Version of the wire's form.
pub const PROTOCOL: u32 = 1;

/// Whom a client speaks for. The engine takes the lesser of this and what it sees of the client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Speaks {
    /// Whoever started it, or a person at its own door.
    #[default]
    Person,
    /// A program that nobody vouches for as a person's.
    Guest,
    /// A process below the shim of this call; empty where only that much is known.
    Agent {
        /// The call.
        call: String,
    },
}

/// What a client asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum Ask {
    /// The first thing said. A client that is a door itself says whom it speaks for.
    Hello {
        version: String,
        protocol: u32,
        #[serde(default)]
        speaks: Speaks,
    },
    /// How the engine is.
    Status,
    /// Answer when there is more to see of a run than up to this record, or after a moment.
    News { run: String, seq: u64 },
    /// Draw the files of a loop anew.
    Redraw { run: String },
    /// Ask the engine to leave; people only.
    Leave,
    /// Commands to one loop, in order; decided together, made durable by one sync. With `at` only
    /// if the loop has recorded nothing since.
    Loop {
        run: String,
        trace: String,
        says: Vec<LoopSay>,
        #[serde(default)]
        at: Option<u64>,
    },
    /// A command to one call.
    Call { run: String, trace: String, say: CallSay },
    /// A command to one collab.
    Collab { run: String, trace: String, say: CollabSay },
    /// A command to one turn.
    Turn { run: String, trace: String, say: TurnSay },
    /// A command to one lifecycle.
    Lifecycle { run: String, trace: String, say: LifecycleSay },
    /// A command to one session.
    Session { run: String, trace: String, say: SessionSay },
    /// One request to one agent, as a call of its own.
    Agent { run: String, trace: String, form: AgentForm },
    /// One tool of the engine's own, as a call of its own.
    Tool { run: String, trace: String, form: ToolForm },
    /// A tool for the agent of a step at work, as a call of its turn. Where it may have been taken
    /// already, `known` is the number of the last call that the agent has heard of.
    Inner { trace: String, form: ToolForm, known: Option<u32> },
    /// What came of such a call, once more.
    Heard { key: String },
    /// The same tool as [`Self::Inner`], asked for in the turn that is named.
    InTurn { run: String, trace: String, form: ToolForm },
    /// A command to a turn or a lifecycle, if it has recorded nothing since that record.
    At { seq: u64, ask: Box<Ask> },
    /// Take a grant back; people only.
    Revoke { run: String, trace: String },
    /// What a client refused by itself, since it is below a shim; told to people.
    Tried { trace: String, machine: String, word: String },
    /// One command of the workspace's checks, as a call of its own.
    Check { run: String, trace: String, check: Box<kernel::loops::Check> },
}

/// A tool as a person asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolForm {
    /// Its name or alias.
    pub name: String,
    /// Its arguments.
    pub args: serde_json::Value,
}

/// A person's word about a call whose outcome is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words are the command's own")]
pub enum SettleWord {
    Happened,
    DidNotHappen,
    Undo,
}

/// What can be said to a call from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum CallSay {
    Allow {
        /// How far the yes reaches.
        #[serde(default)]
        scope: Scope,
        /// Why, for the record.
        #[serde(default)]
        note: Option<String>,
    },
    Deny {
        note: String,
        /// Only as an answer to the question that is open: a yes that came first stands.
        #[serde(default)]
        answers: bool,
    },
    Settle {
        how: SettleWord,
        note: String,
    },
    Stop,
    /// Take it back; with `force`, what is not the call's is moved aside first.
    Undo {
        force: bool,
    },
}

impl CallSay {
    /// Whether it lets more happen than before, so that the workspace has to be trusted.
    #[must_use]
    pub const fn widens(&self) -> bool {
        match self {
            Self::Allow { .. } | Self::Undo { .. } => true,
            Self::Deny { .. } | Self::Settle { .. } | Self::Stop => false,
        }
    }
}

/// What can be said to a collab from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum CollabSay {
    Create {
        form: Box<Form>,
    },
    /// By the key of its one question.
    Answer {
        key: String,
        note: Option<String>,
    },
    /// To the question that its answerer saw, and no other.
    AnswerTo {
        question: String,
        hash: String,
        key: String,
        note: Option<String>,
    },
    /// All of it, or one participant.
    Cancel {
        participant: Option<String>,
    },
    Extend {
        ms: u64,
    },
}

/// A person's word about a prompt of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the command's own")]
pub enum YesNo {
    Yes,
    No,
}

/// What can be said to a turn from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum TurnSay {
    Start {
        form: Box<turns::Form>,
    },
    /// Without a text the turn goes on and assumes.
    Answer {
        question: String,
        text: Option<String>,
    },
    /// Bound to the prompt that its answerer saw; another one that has opened meanwhile is not
    /// meant.
    Confirm {
        prompt: String,
        hash: String,
        word: YesNo,
        scope: turn::Scope,
        note: Option<String>,
    },
    Edit {
        patch: Box<PlanPatch>,
    },
    Skip {
        step: String,
        reason: String,
    },
    Pause {
        now: bool,
    },
    Resume,
    Cancel,
    /// A new turn with what is left of one that is over.
    Continue {
        turn: String,
    },
}

/// One request to one agent, as a person makes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "the names are the command's own")]
pub struct AgentForm {
    pub agent: String,
    pub task: String,
    pub access: Option<String>,
    pub resume: Option<String>,
    pub model: Option<String>,
    /// JSON Schema, as text.
    pub schema: Option<String>,
    pub wall_ms: Option<u64>,
    pub lang: Option<String>,
    /// Whether it is given our tools too, where its settings say so.
    #[serde(default)]
    pub tools: bool,
}

/// One command that was taken; durable by the time it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields say what they are")]
pub struct Taken {
    pub run: String,
    pub seq: u64,
    pub facts: Vec<String>,
    pub status: String,
}

/// A refusal or failure, without sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are the error object's own")]
pub struct Refusal {
    pub code: String,
    pub allowed: Option<Vec<String>>,
    pub run: Option<String>,
    pub state: Option<String>,
    pub details: Value,
    pub trace: String,
}

/// What the engine answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum Reply {
    Hello {
        version: String,
        protocol: u32,
        status: EngineStatus,
    },
    Status(EngineStatus),
    Left,
    Noted,
    /// As many as were accepted, in order; the first refusal ends the list.
    Taken {
        taken: Vec<Taken>,
        refused: Option<Refusal>,
    },
    /// What came of a call that an agent asked for.
    Told(Value),
    Refused(Refusal),
}
