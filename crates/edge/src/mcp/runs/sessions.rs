//! The session as tools, and answers to open questions. Which of them a guest may give is the
//! engine's to say.

use kernel::errors::Machine;
use serde_json::Value;

use super::super::loops::{Kind, Tool};
use super::set::{Caller, Set};
use crate::asked;
use crate::loops::Fields;
use crate::problem::Raised;
use crate::sessions::{self, Words};

/// The tools of sessions.
pub(super) const SET: Set = Set { machine: Machine::Session, tools: TOOLS, persons: &[], act };

const BRANCH: (&str, Kind) = ("branch", Kind::Text);

const TOOLS: &[Tool] = &[
    Tool {
        name: "session_say",
        about: "Say something to the session of a branch.",
        must: &["text"],
        fields: &[("text", Kind::Text), ("input_id", Kind::Text), BRANCH],
    },
    Tool {
        name: "session_command",
        about: "Give the session a command by its name, such as auto, plan, exec, test or commit.",
        must: &["command"],
        fields: &[
            ("command", Kind::Text),
            ("args", Kind::Texts),
            ("replace", Kind::Yes),
            ("answers", Kind::Object),
            ("input_id", Kind::Text),
            BRANCH,
        ],
    },
    Tool {
        name: "session_status",
        about: "Where the session of a branch stands.",
        must: &[],
        fields: &[BRANCH],
    },
    Tool {
        name: "session_cancel",
        about: "End what the session runs; `undo` takes a tweak's edits back.",
        must: &[],
        fields: &[("undo", Kind::Yes), ("all", Kind::Yes), BRANCH],
    },
    Tool {
        name: "session_answer",
        about: "Answer an open question.",
        must: &["question", "key"],
        fields: &[
            ("question", Kind::Text),
            ("key", Kind::Text),
            ("text", Kind::Text),
            ("hash", Kind::Text),
        ],
    },
];

fn act(caller: &Caller<'_>, name: &str, mut fields: Fields) -> Result<Value, Raised> {
    let Caller { visit, lang } = *caller;
    if name == "session_answer" {
        let form = asked::Form {
            question: fields.must("question")?,
            key: fields.must("key")?,
            text: fields.text("text")?,
            hash: fields.text("hash")?,
            scope: None,
        };
        fields.done()?;
        return asked::answer(visit, lang, &form);
    }
    let branch = fields.text("branch")?;
    let words = Words { visit, lang, branch: branch.as_deref() };
    match name {
        "session_say" => sessions::input(words, fields),
        "session_command" => sessions::run(words, fields),
        "session_cancel" => sessions::cancel(words, fields),
        _status => {
            fields.done()?;
            sessions::status(visit.site, branch.as_deref(), lang)
        }
    }
}
