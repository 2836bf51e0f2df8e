//! Turns as tools. A yes is a tool of a person's connection only; whether it counts is the engine's
//! to say.

use kernel::errors::Machine;
use serde_json::{Value, json};

use super::super::loops::{ID, Kind, Tool};
use super::set::{Caller, Set};
use crate::door::ToolForm;
use crate::loops::Fields;
use crate::problem::Raised;
use crate::site::refused;
use crate::turns::{self, Called, Seen};

/// The tools of turns.
pub(super) const SET: Set = Set { machine: Machine::Turn, tools: TOOLS, persons: PERSONS, act };

const TOOLS: &[Tool] = &[
    Tool {
        name: "turn_start",
        about: "Start a turn: one request, or a plan file, taken to a verified change.",
        must: &[],
        fields: &[
            ("request", Kind::Text),
            ("constraints", Kind::Texts),
            ("mode", Kind::Text),
            ("plan", Kind::Text),
            ("risk_max", Kind::Text),
            ("planner", Kind::Text),
            ("agents", Kind::Texts),
            ("verify", Kind::Texts),
            ("verify_mode", Kind::Text),
            ("fixes", Kind::Whole),
            ("replans", Kind::Whole),
            ("deadline_ms", Kind::Whole),
            ("budget_micros", Kind::Whole),
            ("git", Kind::Text),
            ("on_failure", Kind::Text),
        ],
    },
    Tool { name: "turn_get", about: "A turn as it stands.", must: &["id"], fields: &[ID] },
    Tool {
        name: "turn_answer",
        about: "Answer a question of a turn; `proceed` goes on without an answer.",
        must: &["id"],
        fields: &[ID, ("text", Kind::Text), ("question", Kind::Text), ("proceed", Kind::Yes)],
    },
    Tool { name: "turn_cancel", about: "End a turn.", must: &["id"], fields: &[ID] },
    Tool {
        name: "turn_tool_call",
        about: "Ask for a tool in a turn, as the agent of its step does.",
        must: &["id", "name"],
        fields: &[ID, ("name", Kind::Text), ("args", Kind::Object)],
    },
    Tool {
        name: "turn_plan_check",
        about: "Look at a plan file of the workspace: whether it holds, its gate and its risk.",
        must: &["plan"],
        fields: &[("plan", Kind::Text)],
    },
];

const PERSONS: &[Tool] = &[Tool {
    name: "turn_confirm",
    about: "Say yes or no to what a turn shows; `prompt` and `hash` name what was seen.",
    must: &["id", "word"],
    fields: &[
        ID,
        ("word", Kind::Text),
        ("prompt", Kind::Text),
        ("hash", Kind::Text),
        ("scope", Kind::Text),
        ("note", Kind::Text),
    ],
}];

fn act(caller: &Caller<'_>, name: &str, mut fields: Fields) -> Result<Value, Raised> {
    let Caller { visit, lang } = *caller;
    let site = visit.site;
    match name {
        "turn_plan_check" => return turns::checked_json(site, lang, fields),
        "turn_start" => {
            let id = turns::start(visit, turns::starting(site, lang, fields)?)?;
            return turns::show(site, &id, lang);
        }
        _of_one => {}
    }
    let id = Seen::of(site, &fields.must("id")?)?.known.head.run;
    match name {
        "turn_get" => fields.done()?,
        "turn_tool_call" => {
            let (name, args) = (fields.must("name")?, fields.object("args")?);
            fields.done()?;
            let form = ToolForm { name, args: args.unwrap_or_else(|| json!({})) };
            return Ok(match turns::call(visit, &id, form)? {
                Called::Told(told) | Called::Pending(told) => told,
            });
        }
        verb => {
            let word = verb.strip_prefix("turn_").unwrap_or(verb);
            let say = turns::verb(site, (&id, word), fields)?;
            let none = || refused(Machine::Door, "unknown_tool", json!({ "tool": name }));
            turns::said(visit, (&id, None), say.ok_or_else(none)?)?;
        }
    }
    turns::show(site, &id, lang)
}
