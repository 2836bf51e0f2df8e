//! Collabs as tools. A word about a degraded result is a tool of a person's connection only;
//! whether it counts is the engine's to say.

use kernel::errors::Machine;
use kernel::run::Kind as RunKind;
use serde_json::{Value, json};

use super::super::loops::{ID, Kind, Tool};
use super::set::{Caller, Set};
use crate::collabs::{self, Seen};
use crate::loops::Fields;
use crate::problem::Raised;
use crate::site::{refused, run_of};

/// The tools of collabs.
pub(super) const SET: Set = Set { machine: Machine::Collab, tools: TOOLS, persons: PERSONS, act };

const TOOLS: &[Tool] = &[
    Tool {
        name: "collab_start",
        about: "Ask several agents one question.",
        must: &["task"],
        fields: &[
            ("task", Kind::Text),
            ("context", Kind::Text),
            ("role", Kind::Text),
            ("with", Kind::Texts),
            ("backend", Kind::Text),
            ("mode", Kind::Text),
            ("parallel", Kind::Yes),
            ("gate", Kind::Text),
            ("timeout", Kind::Text),
            ("timeout_ms", Kind::Whole),
            ("max_retries", Kind::Whole),
            ("lite", Kind::Yes),
            ("core_dimensions", Kind::Texts),
            ("resume", Kind::Object),
            ("schema", Kind::Object),
            ("confirm_timeout", Kind::Text),
            ("merge", Kind::Text),
            ("workdir", Kind::Text),
        ],
    },
    Tool { name: "collab_status", about: "A collab as it stands.", must: &["id"], fields: &[ID] },
    Tool {
        name: "collab_result",
        about: "The result of a collab; refused before there is one.",
        must: &["id"],
        fields: &[ID],
    },
    Tool {
        name: "collab_cancel",
        about: "Cancel a collab, or one participant of it.",
        must: &["id"],
        fields: &[ID, ("participant", Kind::Text)],
    },
    Tool {
        name: "collab_extend",
        about: "Give a collab more time, such as 10m.",
        must: &["id", "by"],
        fields: &[ID, ("by", Kind::Text)],
    },
];

const PERSONS: &[Tool] = &[Tool {
    name: "collab_answer",
    about: "Decide about a degraded result: accept, override, wait or cancel.",
    must: &["id", "question", "hash", "choice"],
    fields: &[
        ID,
        ("question", Kind::Text),
        ("hash", Kind::Text),
        ("choice", Kind::Text),
        ("note", Kind::Text),
    ],
}];

fn act(caller: &Caller<'_>, name: &str, mut fields: Fields) -> Result<Value, Raised> {
    let Caller { visit, lang } = *caller;
    let site = visit.site;
    let seen = |id: &str| Seen::of(site, id, &site.redactor(&site.settings()?, None)?);
    if name == "collab_start" {
        let id = collabs::start(visit, collabs::starting(lang, fields)?)?;
        return Ok(collabs::show(&seen(&id)?));
    }
    let id = run_of(site, &fields.must("id")?, RunKind::Collab)?.head.run;
    match name {
        "collab_status" => fields.done()?,
        "collab_result" => {
            fields.done()?;
            return collabs::result(&seen(&id)?);
        }
        verb => {
            let word = verb.strip_prefix("collab_").unwrap_or(verb);
            let none = || refused(Machine::Door, "unknown_tool", json!({ "tool": name }));
            let say = collabs::verb(word, fields)?.ok_or_else(none)?;
            collabs::said(visit, &id, say)?;
        }
    }
    Ok(collabs::show(&seen(&id)?))
}
