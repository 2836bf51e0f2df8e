//! What is said about agents, from the wire to the kernel: one request to one agent, and the
//! commands of a collab. Names are looked up and forms made whole here; the machines decide.

use kernel::agent::{Access, Ask, Part, Tools, ask_json};
use kernel::call::{self, Budget, Class, OnUnknown, ParentNow, Request, Rules, TOOL_VERSION};
use kernel::collab::{self, Choice, Scope};
use kernel::machine::By;
use kernel::policy::Backing;
use kernel::run::{Command, State};
use runtime::agents::sessions::Sessions;
use runtime::agents::{schema, session};
use runtime::collab::{Around, PlanError, RoleError, plan};
use runtime::engine::Link;
use runtime::policy::{Flow, Judge};
use runtime::words::Lang;
use serde_json::json;

use super::answers::{collect, refused};
use super::hear::invalid;
use super::scrub;
use super::serve::Shop;
use super::turns::below;
use super::wire::{AgentForm, CollabSay, Refusal, Reply};

/// What the door knows of its surroundings, for agents.
pub(super) struct Office<'a> {
    pub(super) around: &'a Around,
    pub(super) sessions: &'a Sessions,
    pub(super) rules: &'a Rules,
    pub(super) judge: &'a Judge,
    /// The question a collab shows: its id and hash.
    pub(super) question: &'a dyn Fn(&str) -> Option<(String, String)>,
}

impl Shop {
    pub(super) fn to_collab(
        &self,
        by: &By,
        run: &str,
        trace: &str,
        say: CollabSay,
    ) -> Option<Reply> {
        if matches!(by, By::Agent { .. }) {
            return Some(refused("collab.needs_person", run));
        }
        let say = scrub::of_collab(say, &self.plan.redactor);
        let heard = self.with_office(|office| collab_command(run, say, office));
        self.say_one(by, run, trace, heard.map(Command::Collab))
    }

    pub(super) fn to_agent(
        &self,
        by: &By,
        run: &str,
        trace: &str,
        form: AgentForm,
    ) -> Option<Reply> {
        if matches!(by, By::Agent { .. }) {
            return Some(refused("agent.needs_person", run));
        }
        let task = self.plan.redactor.redact_text(&form.task);
        let form = AgentForm { task, ..form };
        let heard = self.with_office(|office| agent_command(run, form, by, office));
        self.say_one(by, run, trace, heard.map(Command::Call))
    }

    pub(super) fn say_one(
        &self,
        by: &By,
        run: &str,
        trace: &str,
        heard: Result<Command, Refusal>,
    ) -> Option<Reply> {
        self.say_linked(by, (run, Link::Alone), trace, heard)
    }

    /// The same on a run as its speaker has seen it.
    pub(super) fn say_linked(
        &self,
        by: &By,
        (run, link): (&str, Link),
        trace: &str,
        heard: Result<Command, Refusal>,
    ) -> Option<Reply> {
        match heard {
            Err(refusal) => {
                // A run that was to be made is no place: nobody could look at it.
                let run = self.state(run).map(|_| run.to_owned());
                Some(Reply::Refused(Refusal { run, ..refusal }))
            }
            Ok(command) => {
                let said = (link, vec![command]);
                let answers = self.handle.say_all(by.clone(), run, trace, said).ok()?;
                Some(collect(answers, trace))
            }
        }
    }

    fn with_office<T>(&self, work: impl FnOnce(&Office<'_>) -> T) -> T {
        work(&Office {
            around: &self.plan.around,
            sessions: &self.plan.sessions,
            rules: &self.plan.rules,
            judge: &self.plan.judge,
            question: &|run| match self.state(run)? {
                State::Collab(state) => state.open_question(),
                State::Call(_)
                | State::Loop(_)
                | State::Grant(_)
                | State::Turn(_)
                | State::Lifecycle(_)
                | State::Session(_) => None,
            },
        })
    }
}

/// A collab's command.
pub(super) fn collab_command(
    run: &str,
    say: CollabSay,
    office: &Office<'_>,
) -> Result<collab::Command, Refusal> {
    Ok(match say {
        CollabSay::Create { form } => {
            let resumed: Vec<String> = form.resume.values().cloned().collect();
            let plan = plan(*form, office.around).map_err(refusal)?;
            let busy_sessions = resumed
                .iter()
                .filter_map(|id| {
                    let holder = office.sessions.seen(id)?.live?;
                    Some(collab::BusySession { session: id.clone(), holder })
                })
                .collect();
            collab::Command::Create { plan: Box::new(plan), busy_sessions }
        }
        CollabSay::Answer { key, note } => {
            let (question, hash) = (office.question)(run).unwrap_or_default();
            let choice = choice(&key)?;
            collab::Command::Answer { question, hash, choice, note }
        }
        CollabSay::AnswerTo { question, hash, key, note } => {
            let choice = choice(&key)?;
            collab::Command::Answer { question: below(run, question), hash, choice, note }
        }
        CollabSay::Cancel { participant } => {
            collab::Command::Cancel { scope: participant.map_or(Scope::All, Scope::One) }
        }
        CollabSay::Extend { ms } => collab::Command::Extend { ms },
    })
}

fn choice(key: &str) -> Result<Choice, Refusal> {
    match key {
        "accept" => Ok(Choice::Accept),
        "override" => Ok(Choice::Override),
        "wait" => Ok(Choice::Wait),
        "cancel" => Ok(Choice::Cancel),
        _ => Err(field("collab.invalid_args", "answer", key, "accept, override, wait, cancel")),
    }
}

fn refusal(why: PlanError) -> Refusal {
    match why {
        PlanError::NoSuchAgent { name, known } => no_such(&name, &known),
        PlanError::Invalid { field: name, found, expected } => {
            field("collab.invalid_args", name, &found, &expected)
        }
        // A command that cannot be rendered has its own number.
        PlanError::Role(RoleError::Placeholder { file, name }) => {
            let known = "{{WORKDIR}}, {{ROLE}}, {{DIMENSION}}, {{LANG}}";
            let found = format!("{{{{{name}}}}}");
            let details = json!({
                "kind": "role_placeholder", "path": file, "found": found, "expected": known,
                "what": file,
            });
            invalid("E002", details)
        }
        PlanError::Role(why @ RoleError::Unreadable { .. }) => {
            field("collab.invalid_args", "role", &why.to_string(), "UTF-8 text up to 256 KiB")
        }
    }
}

pub(super) fn no_such(name: &str, known: &[String]) -> Refusal {
    let details = json!({"what": "agent", "id": name, "found": name, "expected": known.join(", ")});
    invalid("agent.no_such", details)
}

pub(super) fn field(code: &str, name: &str, found: &str, expected: &str) -> Refusal {
    let path = format!("/{name}");
    invalid(code, json!({"field": name, "path": path, "found": found, "expected": expected}))
}

/// The call of one request to one agent. A person who asks for it grants what it says, as far as
/// the policy lets a start grant anything.
pub(super) fn agent_command(
    run: &str,
    form: AgentForm,
    by: &By,
    office: &Office<'_>,
) -> Result<call::Command, Refusal> {
    let around = office.around;
    let known = || around.agents.keys().cloned().collect::<Vec<_>>();
    let agent = around.agents.get(&form.agent).ok_or_else(|| no_such(&form.agent, &known()))?;
    let access = access(&form.agent, form.access.as_deref().unwrap_or("read"), agent.access_max)?;
    if let Some(id) = &form.resume {
        may_resume(id, &form.agent, agent.kind(), office)?;
    }
    let lang = match form.lang.as_deref() {
        None => around.lang,
        Some(asked) => Lang::parse(asked)
            .map_err(|_| field("agent.invalid_args", "lang", asked, "en, zh-CN"))?,
    };
    let schema = form.schema.as_deref().map(canonical).transpose()?;
    let wall_ms = form.wall_ms.unwrap_or(agent.wall_ms).min(agent.wall_ms);
    let judged = office.judge.agent(&form.agent, access, Backing::by(by), &Flow::default());
    let request = Request {
        name: "agent".to_owned(),
        version: TOOL_VERSION.to_owned(),
        argv: Vec::new(),
        agent: Some(Box::new(Ask {
            agent: form.agent,
            kind: agent.kind(),
            talk: agent.talk(),
            access,
            model: form.model.or_else(|| agent.model.clone()),
            resume: form.resume,
            prompt: prompt(form.task, schema.as_deref(), lang),
            schema,
            lang: lang.tag().to_owned(),
            tools: if form.tools && agent.tools { Tools::Ours } else { Tools::Own },
        })),
        args: None,
        cwd: ".".to_owned(),
        env_names: Vec::new(),
        collect: Vec::new(),
        class: Class::Once,
        deadline_ms: wall_ms,
        idle_ms: (agent.idle_ms > 0).then_some(agent.idle_ms),
        grace_ms: around.grace_ms,
        on_unknown: OnUnknown::Wait,
        given: None,
    };
    Ok(call::Command::Ask(Box::new(call::Ask {
        key: format!("{run}/agent"),
        request,
        parent: None,
        parent_now: ParentNow::Active,
        verdict: judged.verdict,
        shown: judged.shown,
        pin: None,
        budget: Budget::Left,
        rules: office.rules.clone(),
    })))
}

/// The access of that name, if the agent may have so much.
fn access(agent: &str, name: &str, most: Access) -> Result<Access, Refusal> {
    let asked = Access::named(name)
        .ok_or_else(|| field("agent.invalid_args", "access", name, "read, edit, full"))?;
    if asked > most {
        let details = json!({"agent": agent, "access": asked.name(), "max": most.name()});
        return Err(invalid("agent.access", details));
    }
    Ok(asked)
}

/// The task, and what is asked of its form.
fn prompt(task: String, schema: Option<&str>, lang: Lang) -> Vec<Part> {
    let mut parts = vec![Part::Text(task)];
    if let Some(schema) = schema {
        let words = ask_json(lang.tag(), schema);
        parts.push(Part::Text(format!("\n\n{words}\n")));
    }
    parts
}

fn canonical(text: &str) -> Result<String, Refusal> {
    schema::valid_schema(text)
        .map(schema::Canonical::into_text)
        .map_err(|why| field("agent.invalid_args", "schema", &why.to_string(), "a JSON Schema"))
}

fn may_resume(
    id: &str,
    agent: &str,
    kind: kernel::agent::Kind,
    office: &Office<'_>,
) -> Result<(), Refusal> {
    if !session::valid(kind, id) {
        return Err(field("agent.invalid_args", "resume", id, "a session id of this agent"));
    }
    let Some(seen) = office.sessions.seen(id) else { return Ok(()) };
    if seen.agent != agent || seen.cwd != "." {
        return Err(invalid("agent.foreign_session", json!({"session": id, "owner": seen.agent})));
    }
    if let Some(holder) = seen.live {
        return Err(invalid("agent.busy", json!({"holder": holder, "found": id})));
    }
    Ok(())
}
