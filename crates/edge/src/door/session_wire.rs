//! What can be said to a session through a door, as it stands on the wire.

use runtime::sessions::Form;
use serde::{Deserialize, Serialize};

/// Something said to a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum SessionSay {
    /// A `~` command by its name.
    Run { name: String, text: String, flags: Vec<String>, input_id: String, form: Box<Form> },
    /// Whatever a person typed.
    Say { text: String, input_id: String, form: Box<Form> },
    /// An answer.
    Answer { question: String, key: String, text: Option<String>, hash: Option<String> },
    /// The end of what runs.
    Cancel { undo: bool, all: bool },
}

impl SessionSay {
    /// Whether what stands still may write again by it.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        match self {
            Self::Run { .. } | Self::Say { .. } => true,
            Self::Answer { key, .. } => key != "cancel",
            Self::Cancel { undo, .. } => *undo,
        }
    }

    /// Whether it may let more happen than before.
    #[must_use]
    pub fn widens(&self) -> bool {
        match self {
            Self::Run { .. } | Self::Say { .. } => true,
            Self::Answer { key, .. } => key != "cancel" && key != "keep",
            Self::Cancel { .. } => false,
        }
    }
}
