//! What can be said to a session. Settings, ids and what the world did arrive as data.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::asked::Kind;
use super::ended::Outcome;
use super::name::Name;
use super::setup::Setup;
use super::stage::ChildAsking;
use super::state::Caller;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own; fields are named by their types")]
pub enum Command {
    /// Makes the session; said again it changes nothing.
    Open { key: String },
    /// A `~` command, or its twin at a door.
    Run { name: Name, text: String, flags: Vec<String>, input_id: String, setup: Box<Setup> },
    /// Whatever a person typed; `meant` are the options that are called so in any language.
    Say { text: String, input_id: String, meant: Vec<(Kind, String)>, setup: Box<Setup> },
    /// An answer to an open question.
    Answer { question: String, key: String, text: Option<String>, hash: Option<String> },
    /// Ends what runs.
    Cancel { undo: bool, all: bool },
    /// What is owed under this slot has ended.
    Told { slot: String, outcome: Outcome },
    /// What a child asks, and whether it is held between two tasks.
    ChildNow { slot: String, asking: Vec<ChildAsking>, held: bool },
    /// A tool is called.
    ToolOpened {
        name: String,
        kind: String,
        caller: Caller,
        input: String,
        call: Option<String>,
        setup: Box<Setup>,
    },
    /// The tool on top has ended.
    ToolClosed { name: String, ok: bool, cancelled: bool },
    /// A deadline.
    Timeout { slot: String },
    /// The work tree is on this branch now.
    Noticed { key: String },
}
