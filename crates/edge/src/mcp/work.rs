//! Calls, files, the way back and the policy as tools for MCP clients. What only a person may do is
//! offered on a person's connection alone; whoever calls it all the same is refused by the engine.

use std::time::Duration;

use kernel::call;
use kernel::errors::Machine;
use kernel::rollback::HeadRule;
use kernel::run::Kind as Run;
use runtime::query::Which;
use runtime::shim::speaker::Speaker;
use runtime::words::Lang;
use serde_json::{Value, json};

use super::inner;
use super::loops::{Kind, Tool, listed};
use crate::agents;
use crate::calls::{self, Done, End, TookBack};
use crate::checkpoints::{self, Way};
use crate::door::{Ask, Speaks, ToolForm};
use crate::grants;
use crate::loops::Fields;
use crate::policy;
use crate::problem::Raised;
use crate::site::{Site, Visit, own_speaker, refused, run_of};
use crate::workspace::{self, Sweep};

/// How long a tool waits for its call. One that takes longer is told as it stands.
const WAIT: Duration = Duration::from_secs(60);

const ID: (&str, Kind) = ("id", Kind::Text);
const WAY: [(&str, Kind); 3] =
    [("to", Kind::Text), ("conflicts", Kind::Text), ("allow_moved_head", Kind::Yes)];

/// For any client.
const TOOLS: &[Tool] = &[
    Tool { name: "call_get", about: "Show one call.", must: &["id"], fields: &[ID] },
    Tool {
        name: "call_output",
        about: "What a call printed, part by part; `next` is where the next part begins.",
        must: &["id"],
        fields: &[ID, ("stream", Kind::Text), ("from", Kind::Whole)],
    },
    Tool {
        name: "rollback_plan",
        about: "What going back to a checkpoint would do. Nothing is done.",
        must: &[],
        fields: &WAY,
    },
    Tool {
        name: "policy_check",
        about: "Whether a command would be allowed, asked about or denied. Nothing is run.",
        must: &["argv"],
        fields: &[("argv", Kind::Texts), ("cwd", Kind::Text)],
    },
    Tool {
        name: "agent_list",
        about: "The agents that could be asked, with their programs.",
        must: &[],
        fields: &[],
    },
];

/// Those of them that the agent of a step has beside the tools of its call.
pub(crate) const LOOKS: [&str; 2] = ["rollback_plan", "policy_check"];

/// The same, as clients list them.
pub(super) fn looks() -> Vec<Value> {
    TOOLS.iter().filter(|tool| LOOKS.contains(&tool.name)).map(listed).collect()
}

/// Looks at one thing, for a client or for the agent of a step.
///
/// # Errors
/// What it refused.
pub(crate) fn look(site: &Site, lang: Lang, name: &str, args: &Value) -> Result<Value, Raised> {
    read(site, lang, name, Fields::to(machine(name), args.clone())?)
}

/// For a person's own client.
const PERSONS: &[Tool] = &[
    Tool {
        name: "call_allow",
        about: "Say yes to a call that asks; `scope` is `once` or `session`.",
        must: &["id"],
        fields: &[ID, ("scope", Kind::Text), ("note", Kind::Text)],
    },
    Tool {
        name: "call_settle",
        about: "Say what became of a call: `happened`, `did-not-happen` or `undo`.",
        must: &["id", "how", "note"],
        fields: &[ID, ("how", Kind::Text), ("note", Kind::Text)],
    },
    Tool {
        name: "undo",
        about: "Take a call back; `force` moves aside what was changed since.",
        must: &["id"],
        fields: &[ID, ("force", Kind::Yes)],
    },
    Tool {
        name: "rollback",
        about: "Carry out the plan of this hash, as it was shown.",
        must: &["plan_hash"],
        fields: &[("plan_hash", Kind::Text), WAY[0], WAY[1], WAY[2]],
    },
    Tool { name: "trust", about: "Trust this workspace as it stands.", must: &[], fields: &[] },
    Tool {
        name: "adopt",
        about: "Move foreign state aside and begin anew.",
        must: &[],
        fields: &[],
    },
    Tool {
        name: "gc",
        about: "Let go what runs that ended long ago left behind.",
        must: &[],
        fields: &[("dry_run", Kind::Yes)],
    },
    Tool {
        name: "grants",
        about: "What was allowed and still counts; `all` shows what is over, too.",
        must: &[],
        fields: &[("all", Kind::Yes)],
    },
    Tool { name: "grant_revoke", about: "Take a grant back.", must: &["id"], fields: &[ID] },
];

/// Every tool for this client, as clients list them.
pub(super) fn offered(speaks: &Speaks) -> Vec<Value> {
    let person = *speaks == Speaks::Person && matches!(own_speaker(), Speaker::Person);
    let own = if person { PERSONS } else { &[] };
    let mut all: Vec<Value> = TOOLS.iter().chain(own).map(listed).collect();
    all.extend(inner::offered());
    all
}

/// Whether there is a tool of that name.
pub(super) fn known(name: &str) -> bool {
    TOOLS.iter().chain(PERSONS).any(|tool| tool.name == name) || inner::behind(name).is_some()
}

/// The machine that a tool speaks to.
fn machine(name: &str) -> Machine {
    match name {
        "call_get" | "call_output" | "call_allow" | "call_settle" | "undo" => Machine::Call,
        "policy_check" | "grants" | "grant_revoke" => Machine::Policy,
        "agent_list" => Machine::Agent,
        _workspace => Machine::Workspace,
    }
}

/// Calls one.
///
/// # Errors
/// What it refused, or why it failed.
pub(super) fn done(
    visit: &Visit<'_>,
    lang: Lang,
    name: &str,
    args: Value,
) -> Result<Value, Raised> {
    if let Some(tool) = inner::behind(name) {
        return tool_call(visit, lang, tool, args);
    }
    let fields = Fields::to(machine(name), args)?;
    match name {
        "call_get" | "call_output" | "agent_list" | "policy_check" | "rollback_plan" => {
            read(visit.site, lang, name, fields)
        }
        "call_allow" | "call_settle" => said(visit, lang, name, fields),
        "undo" => undo(visit, lang, fields),
        "rollback" => rollback(visit, lang, fields),
        _persons => of_person(visit, name, fields),
    }
}

fn read(site: &Site, lang: Lang, name: &str, mut fields: Fields) -> Result<Value, Raised> {
    match name {
        "call_get" => {
            let id = fields.must("id")?;
            fields.done()?;
            calls::view(&run_of(site, &id, Run::Call)?, lang)
        }
        "call_output" => {
            let (id, stream) = (fields.must("id")?, fields.text("stream")?);
            let from = usize::try_from(fields.whole("from")?.unwrap_or(0)).unwrap_or(0);
            fields.done()?;
            let redactor = site.redactor(&site.settings()?, None)?;
            let known = run_of(site, &id, Run::Call)?;
            let stream = stream.as_deref().unwrap_or("stdout");
            Ok(json!(calls::part(&known, stream, from, &redactor)?))
        }
        "policy_check" => {
            let (argv, cwd) = (fields.texts("argv")?.unwrap_or_default(), fields.text("cwd")?);
            fields.done()?;
            if argv.is_empty() {
                let details =
                    json!({ "field": "argv", "found": null, "expected": "array of strings" });
                return Err(refused(Machine::Policy, "invalid_args", details));
            }
            let judged = policy::check(site, cwd.as_deref().unwrap_or("."), &argv)?;
            Ok(policy::data(lang, &judged))
        }
        "rollback_plan" => {
            let way = way(&mut fields)?;
            fields.done()?;
            let keeper = checkpoints::keeper(site)?;
            let args = checkpoints::wanted(site, &way, &keeper)?;
            Ok(json!(checkpoints::planned(site, &args, &keeper)?))
        }
        _agents => {
            fields.done()?;
            Ok(json!(agents::list(site)?))
        }
    }
}

fn way(fields: &mut Fields) -> Result<Way, Raised> {
    let moved = fields.yes("allow_moved_head")?;
    Ok(Way {
        to: fields.text("to")?,
        conflicts: fields.text("conflicts")?,
        head_rule: if moved { HeadRule::MayDiffer } else { HeadRule::Same },
    })
}

fn said(visit: &Visit<'_>, lang: Lang, name: &str, mut fields: Fields) -> Result<Value, Raised> {
    let id = fields.must("id")?;
    let verb = name.strip_prefix("call_").unwrap_or(name);
    let no_verb = || refused(Machine::Door, "unknown_tool", json!({ "tool": name }));
    let say = calls::verb(verb, fields)?.ok_or_else(no_verb)?;
    calls::say(visit, &id, say, lang)
}

fn undo(visit: &Visit<'_>, lang: Lang, mut fields: Fields) -> Result<Value, Raised> {
    let (id, force) = (fields.must("id")?, fields.yes("force")?);
    fields.done()?;
    match calls::take_back(visit, &id, force, WAIT)? {
        TookBack::Back(told) => Ok(told),
        TookBack::Not(done) => ended(visit, lang, &done),
    }
}

fn rollback(visit: &Visit<'_>, lang: Lang, mut fields: Fields) -> Result<Value, Raised> {
    let (hash, way) = (fields.must("plan_hash")?, way(&mut fields)?);
    fields.done()?;
    visit.person(Machine::Workspace, "rollback")?;
    let keeper = checkpoints::keeper(visit.site)?;
    let args = checkpoints::approved(visit.site, &way, &hash, &keeper)?;
    tool_call(visit, lang, call::ROLLBACK, json!(args))
}

fn of_person(visit: &Visit<'_>, name: &str, mut fields: Fields) -> Result<Value, Raised> {
    match name {
        "trust" => {
            fields.done()?;
            let (standing, lists) = workspace::before_trust(visit)?;
            workspace::give(visit, (&standing, &lists))
        }
        "adopt" => {
            fields.done()?;
            workspace::adopt(visit)
        }
        "gc" => {
            let how = if fields.yes("dry_run")? { Sweep::Shown } else { Sweep::Away };
            fields.done()?;
            let swept = workspace::sweep(visit, how)?;
            Ok(json!({ "plan": swept.plan, "done": swept.done }))
        }
        "grants" => {
            let which = if fields.yes("all")? { Which::All } else { Which::Live };
            fields.done()?;
            visit.person(Machine::Policy, "grants")?;
            let all = grants::list(visit.site, which)?;
            Ok(all.into_iter().map(|given| given.view).collect())
        }
        _revoke => {
            let id = fields.must("id")?;
            fields.done()?;
            grants::revoke(visit, &id)
        }
    }
}

/// One tool as a call, waited for.
fn tool_call(visit: &Visit<'_>, lang: Lang, name: &str, args: Value) -> Result<Value, Raised> {
    let form = ToolForm { name: name.to_owned(), args };
    let asking = |run, trace| Ask::Tool { run, trace, form: form.clone() };
    let done = calls::asked(visit, WAIT, &asking)?;
    ended(visit, lang, &done)
}

/// The end of a call, or where it stands.
fn ended(visit: &Visit<'_>, lang: Lang, done: &Done) -> Result<Value, Raised> {
    let site = visit.site;
    let settings = site.settings()?;
    let redactor = site.redactor(&settings, None)?;
    match calls::told(done, &redactor, settings.settings.call.payload_bytes)? {
        End::Tool(mut data) | End::Command(mut data) => {
            data["result"] = json!(done.state.result());
            Ok(data)
        }
        End::Stands => calls::view(&done.known, lang),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_people_may_do_is_offered_to_them_alone() {
        let names = |speaks: &Speaks| {
            let all = offered(speaks);
            all.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let guest = names(&Speaks::Guest);
        for tool in PERSONS {
            assert!(!guest.iter().any(|name| name == tool.name), "{}", tool.name);
            assert!(known(tool.name));
        }
        assert!(guest.iter().all(|name| known(name)), "{guest:?}");
        assert!(["call_get", "read_file", "policy_check"].iter().all(|name| known(name)));
    }
}
