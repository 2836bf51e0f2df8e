//! The context operations of a lifecycle as tools: its page read, a task's progress claimed.

use kernel::errors::Machine;
use serde_json::{Value, json};

use super::super::loops::{ID, Kind, Tool};
use super::set::{Caller, Set};
use crate::lifecycles::{self, Seen};
use crate::loops::Fields;
use crate::problem::Raised;
use crate::site::refused;

/// The tools of lifecycles.
pub(super) const SET: Set = Set { machine: Machine::Lifecycle, tools: TOOLS, persons: &[], act };

const TOOLS: &[Tool] = &[
    Tool {
        name: "read_context",
        about: "Where a lifecycle stands: pointer, view and page of working memory.",
        must: &["id"],
        fields: &[ID],
    },
    Tool {
        name: "update_progress",
        about: "Say how a task of a lifecycle stands; the engine checks it.",
        must: &["id", "task_id", "status"],
        fields: &[ID, ("task_id", Kind::Text), ("status", Kind::Text), ("summary", Kind::Text)],
    },
];

fn act(caller: &Caller<'_>, name: &str, mut fields: Fields) -> Result<Value, Raised> {
    let Caller { visit, lang } = *caller;
    let seen = Seen::of(visit.site, &fields.must("id")?)?;
    match name {
        "read_context" => {
            fields.done()?;
            lifecycles::context(&seen, lang)
        }
        "update_progress" => lifecycles::updating(fields)?.say(visit, &seen.known.head.run),
        other => Err(refused(Machine::Door, "unknown_tool", json!({ "tool": other }))),
    }
}
