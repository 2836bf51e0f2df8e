//! Loops as tools for MCP clients. Each call is one of the verbs that every door has; who speaks is
//! said to the engine, which takes the lesser of that and what it sees.

use kernel::errors::Machine;
use runtime::redact::{Redactor, Secrets};
use runtime::shim::speaker::Speaker;
use runtime::trace::{self, Asked};
use runtime::words::Lang;
use serde_json::{Value, json};

use super::runs;
use super::wire::{NotCalled, Offer, Told};
use super::work;
use crate::door::Speaks;
use crate::explain;
use crate::loops::{self, Fields, PAGE_MAX, PAGE_USUAL, Page, STATUSES};
use crate::problem::{Problem, Raised, Shown, terminal};
use crate::site::{Site, Visit, env, own_speaker, refused};

/// What a field of a tool is.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    Whole,
    Yes,
    Tasks,
    Texts,
    Object,
}

/// A tool: its name, what it is for, its fields, those that must be there first.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) must: &'static [&'static str],
    pub(super) fields: &'static [(&'static str, Kind)],
}

pub(super) const ID: (&str, Kind) = ("id", Kind::Text);
const TASK: &[(&str, Kind)] = &[
    ("description", Kind::Text),
    ("tool", Kind::Text),
    ("mode", Kind::Text),
    ("prompt_template", Kind::Text),
    ("command", Kind::Text),
    ("on_error", Kind::Text),
    ("first", Kind::Yes),
];

/// Every tool.
const TOOLS: &[Tool] = &[
    Tool {
        name: "loop_create",
        about: "Make a loop: one piece of work, developed and validated until it is done.",
        must: &["title"],
        fields: &[
            ("title", Kind::Text),
            ("description", Kind::Text),
            ("max_iterations", Kind::Whole),
            ("tasks", Kind::Tasks),
        ],
    },
    Tool {
        name: "loop_list",
        about: "List loops, the last changed first.",
        must: &[],
        fields: &[("status", Kind::Text), ("limit", Kind::Whole), ("offset", Kind::Whole)],
    },
    Tool { name: "loop_get", about: "Show one loop.", must: &["id"], fields: &[ID] },
    Tool {
        name: "loop_start",
        about: "Start a loop. What needs a person's yes asks for it.",
        must: &["id"],
        fields: &[ID, ("mode", Kind::Text), ("external", Kind::Yes), ("runner", Kind::Text)],
    },
    Tool {
        name: "loop_pause",
        about: "Pause a loop; `now` stops the work under way.",
        must: &["id"],
        fields: &[ID, ("now", Kind::Yes)],
    },
    Tool { name: "loop_resume", about: "Go on with a paused loop.", must: &["id"], fields: &[ID] },
    Tool {
        name: "loop_stop",
        about: "Stop a loop.",
        must: &["id"],
        fields: &[ID, ("why", Kind::Text)],
    },
    Tool {
        name: "loop_retry",
        about: "Try a paused or failed loop again.",
        must: &["id"],
        fields: &[ID],
    },
    Tool {
        name: "loop_signal",
        about: "Ask whether to go on; a runner takes or renews the lease.",
        must: &["id"],
        fields: &[ID, ("runner", Kind::Text)],
    },
    Tool {
        name: "loop_report",
        about: "Report what an outside skill did.",
        must: &["id", "runner"],
        fields: &[
            ID,
            ("runner", Kind::Text),
            ("text", Kind::Text),
            ("action", Kind::Text),
            ("result", Kind::Text),
            ("message", Kind::Text),
            ("skill_state", Kind::Object),
            ("files_changed", Kind::Texts),
        ],
    },
    Tool { name: "loop_task_add", about: "Add a task to a loop.", must: &["id"], fields: TASK },
    Tool {
        name: "loop_history",
        about: "The actions of a loop, the oldest first.",
        must: &["id"],
        fields: &[ID, ("limit", Kind::Whole), ("offset", Kind::Whole)],
    },
    Tool {
        name: "explain_error",
        about: "What a code means and what to do about it.",
        must: &["code"],
        fields: &[("code", Kind::Text)],
    },
];

/// Loops of one workspace.
pub struct Loops {
    /// The workspace.
    pub site: Site,
    /// Whom the client is.
    pub speaks: Speaks,
    /// The language of errors.
    pub lang: Lang,
}

impl Offer for Loops {
    fn tools(&self) -> Vec<Value> {
        let mut all: Vec<Value> = TOOLS.iter().map(listed).collect();
        all.extend(work::offered(&self.speaks));
        all.extend(runs::offered(self).into_iter().map(listed));
        all
    }

    fn call(&mut self, name: &str, args: &Value) -> Result<Told, NotCalled> {
        let asked = Asked::now();
        let of_runs = runs::offered(self).into_iter().any(|tool| tool.name == name);
        if TOOLS.iter().all(|tool| tool.name != name) && !work::known(name) && !of_runs {
            let unknown = refused(Machine::Door, "unknown_tool", json!({ "tool": name }));
            return Err(NotCalled { error: json!(self.shown(&unknown, &asked)) });
        }
        let done = self.done(name, args.clone(), &asked).and_then(|data| {
            let redactor = self.site.redactor(&self.site.settings()?, None)?;
            Ok(trace::redacted(&data, &redactor))
        });
        Ok(match done {
            Ok(data) => {
                // What is shown to programs has to be an object.
                let data = if data.is_object() { data } else { json!({ "data": data }) };
                Told { text: data.to_string(), data: Some(data), ok: true }
            }
            Err(raised) => {
                let problem = self.shown(&raised, &asked);
                let data = Some(json!({ "error": problem }));
                Told { text: terminal(&problem, self.lang), data, ok: false }
            }
        })
    }
}

pub(super) fn listed(tool: &Tool) -> Value {
    let fields = tool.fields.iter().map(|(name, kind)| ((*name).to_owned(), schema(*kind)));
    let mut properties: serde_json::Map<String, Value> = fields.collect();
    for name in tool.must {
        properties.entry(*name).or_insert_with(|| schema(Kind::Text));
    }
    let schema = json!({
        "type": "object", "properties": properties, "required": tool.must,
    });
    json!({ "name": tool.name, "description": tool.about, "inputSchema": schema })
}

fn schema(kind: Kind) -> Value {
    match kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Whole => json!({ "type": "integer", "minimum": 0 }),
        Kind::Yes => json!({ "type": "boolean" }),
        Kind::Object => json!({ "type": "object" }),
        Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Tasks => {
            let fields = TASK.iter().map(|(name, kind)| ((*name).to_owned(), schema(*kind)));
            let properties: serde_json::Map<String, Value> = fields.collect();
            json!({ "type": "array", "items": { "type": "object", "properties": properties } })
        }
    }
}

impl Loops {
    /// Whether this is a person's connection: only there does a yes count.
    pub(super) fn is_persons(&self) -> bool {
        self.speaks == Speaks::Person && own_speaker() == Speaker::Person
    }

    fn shown(&self, raised: &Raised, asked: &Asked) -> Problem {
        let secrets = Secrets { env: env(), ..Secrets::default() };
        let redactor = Redactor::new(&secrets).expect("no patterns, so none can be wrong");
        let home = std::env::var("HOME").unwrap_or_default();
        raised.show(Shown { lang: self.lang, asked, home: &home, redactor: &redactor })
    }

    fn done(&self, name: &str, args: Value, asked: &Asked) -> Result<Value, Raised> {
        let visit =
            Visit { site: &self.site, speaks: self.speaks.clone(), trace: asked.trace_id.clone() };
        if let Some(set) = runs::set_of(name) {
            let fields = Fields::to(set.machine, args)?;
            return (set.act)(&runs::Caller { visit: &visit, lang: self.lang }, name, fields);
        }
        if work::known(name) {
            return work::done(&visit, self.lang, name, args);
        }
        let mut fields = Fields::of(args)?;
        match name {
            "explain_error" => {
                let code = fields.must("code")?;
                fields.done()?;
                explain::one(&code, self.lang)
            }
            "loop_create" => {
                let says = loops::creating(fields)?;
                let id = loops::make(&mut visit.open()?, says)?;
                self.document(&id)
            }
            "loop_list" => self.list(fields),
            "loop_get" => {
                let id = fields.must("id")?;
                fields.done()?;
                self.document(&id)
            }
            "loop_history" => {
                let id = fields.must("id")?;
                let page = page(&mut fields)?;
                fields.done()?;
                loops::history(&loops::exact(&self.site, &id)?, page)
            }
            "loop_signal" => {
                let (id, runner) = (fields.must("id")?, fields.text("runner")?);
                fields.done()?;
                let asked = (id.as_str(), runner.as_deref());
                Ok(json!(loops::signal(&self.site, asked, || visit.open())?.0))
            }
            verb => self.say(&visit, verb, fields),
        }
    }

    fn say(&self, visit: &Visit<'_>, name: &str, mut fields: Fields) -> Result<Value, Raised> {
        let id = fields.must("id")?;
        loops::exact(&self.site, &id)?;
        let say = match name {
            "loop_task_add" => Some(loops::adding(fields)?),
            verb => {
                let verb = verb.strip_prefix("loop_").unwrap_or(verb);
                loops::verb(verb, fields, self.lang.tag())?
            }
        };
        let no_verb = || refused(Machine::Door, "unknown_tool", json!({ "tool": name }));
        loops::say(visit, (&id, None), vec![say.ok_or_else(no_verb)?])?;
        self.document(&id)
    }

    fn document(&self, id: &str) -> Result<Value, Raised> {
        loops::document(&loops::exact(&self.site, id)?)
    }

    fn list(&self, mut fields: Fields) -> Result<Value, Raised> {
        let status = fields.text("status")?.unwrap_or_else(|| "all".to_owned());
        if !STATUSES.contains(&status.as_str()) {
            let expected = STATUSES.join(", ");
            let details = json!({ "field": "status", "found": status, "expected": expected });
            return Err(refused(Machine::Loop, "invalid_args", details));
        }
        let page = page(&mut fields)?;
        fields.done()?;
        let listed = loops::list(&self.site, &status, page)?;
        let rows: Vec<Value> =
            listed.loops.iter().map(|(life, seq)| loops::row(life, *seq)).collect();
        Ok(json!({ "loops": rows, "total": listed.total, "hasMore": listed.more }))
    }
}

fn page(fields: &mut Fields) -> Result<Page, Raised> {
    let size = |number: Option<u32>| number.map(|number| usize::try_from(number).unwrap_or(0));
    let limit = size(fields.whole("limit")?).unwrap_or(PAGE_USUAL).clamp(1, PAGE_MAX);
    Ok(Page { limit, offset: size(fields.whole("offset")?).unwrap_or(0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_says_what_it_takes() {
        for tool in TOOLS.iter().chain(runs::all()) {
            let listed = listed(tool);
            let properties = &listed["inputSchema"]["properties"];
            for name in tool.must {
                assert!(properties[name].is_object(), "{} {name}", tool.name);
            }
            assert!(!tool.about.is_empty());
        }
    }
}
