//! `agent run`: one request to one agent, as a call of its own, waited for. An answer that has not
//! the wanted form is corrected once.

use edge::calls::exit_of;
use edge::door::{AgentForm, Ask};
use edge::problem::Place;
use kernel::agent::{Answer, BAD_ANSWER_BYTES_MAX, Structured, earlier_answer, wrong_form};
use kernel::call::{self, Outcome};
use kernel::errors::{Class, Code, Exit};
use kernel::run::State;
use runtime::query;
use runtime::shim::durable;
use serde_json::{Value, json};

use super::collab::{duration_ms, file_text, task_text};
use super::known;
use super::waited::{Done, waited};
use crate::ctx::Ctx;
use crate::desk;
use crate::live::People;
use crate::live::interrupt;
use crate::live::keep::Keep;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// Shown of an answer; the whole lies in its file.
const SHOWN_BYTES_MAX: u64 = 1 << 20;

/// One request.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The agent.
    #[arg(value_name = "NAME")]
    name: String,
    /// What it is told; `-` reads it from standard input.
    #[arg(value_name = "TASK")]
    task: String,
    /// What it may do: read, edit.
    #[arg(long, value_name = "ACCESS")]
    access: Option<String>,
    /// The conversation to go on with.
    #[arg(long, value_name = "ID")]
    resume: Option<String>,
    /// The model.
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// JSON Schema that the answer must meet.
    #[arg(long, value_name = "FILE")]
    schema: Option<String>,
    /// Its longest life.
    #[arg(long, value_name = "DURATION")]
    wall: Option<String>,
    /// Ask nothing on the terminal.
    #[arg(long)]
    headless: bool,
}

/// Asks, waits, and corrects once.
///
/// # Errors
/// A refusal, or that no engine answers.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let form = AgentForm {
        agent: args.name.clone(),
        task: task_text(&args.task)?,
        access: args.access.clone(),
        resume: args.resume.clone(),
        model: args.model.clone(),
        schema: args.schema.as_deref().map(file_text).transpose()?,
        wall_ms: args.wall.as_deref().map(|text| duration_ms("--wall", text)).transpose()?,
        lang: Some(ctx.lang.tag().to_owned()),
        tools: false,
    };
    interrupt::listen();
    let mut keep = Keep::new(desk::open(ctx)?);
    let people = People::of(args.headless);
    let Some(first) = waited(ctx, &mut keep, &asking(form.clone()), people)? else {
        return Ok(Reply::printed(Exit::CANCELLED));
    };
    let Some(again) = correction(ctx, &form, &first) else { return told(ctx, &first, &args.name) };
    let Some(second) = waited(ctx, &mut keep, &asking(again), people)? else {
        return Ok(Reply::printed(Exit::CANCELLED));
    };
    told(ctx, &second, &args.name)
}

/// How that form is asked.
pub fn asking(form: AgentForm) -> impl Fn(String, String) -> Ask {
    move |run, trace| Ask::Agent { run, trace, form: form.clone() }
}

/// What to ask once more when the answer has not the wanted form, in the time that is left of the
/// first: in its own conversation if it can be gone on with, else the whole task again with the
/// answer as it was.
fn correction(ctx: &Ctx, form: &AgentForm, done: &Done) -> Option<AgentForm> {
    let Answer::Answered { session, structured: Structured::Invalid { issues, .. }, text } =
        &done.state.report()?.answer
    else {
        return None;
    };
    let wall_ms = left_ms(&done.state)?;
    let lang = ctx.lang.tag();
    let words = wrong_form(lang, issues);
    let talk = done.state.facts()?.request.agent.as_ref()?.talks();
    let resume = session.clone().filter(|_| talk.resumes());
    let task = match resume {
        Some(_) => words,
        None => {
            let answer = done.known.dir.path.join(&text.path);
            let bad = durable::read_head(&answer, BAD_ANSWER_BYTES_MAX as u64).ok()?;
            let (label, bad) = (earlier_answer(lang), String::from_utf8_lossy(&bad));
            format!("{}{label}{bad}\n\n{words}", form.task)
        }
    };
    Some(AgentForm { task, resume, wall_ms: Some(wall_ms), ..form.clone() })
}

/// What is left of a call's time; none where nothing is.
fn left_ms(state: &call::State) -> Option<u64> {
    let call::State::Settled { facts, exit: Some(exit), .. } = state else { return None };
    let took_ms = exit.ended_at.since(exit.started_at);
    facts.request.deadline_ms.checked_sub(took_ms).filter(|left| *left > 0)
}

/// The answer of a call that has ended.
fn told(ctx: &Ctx, done: &Done, agent: &str) -> Result<Reply, Trouble> {
    let id = &done.known.head.run;
    let Some(report) = done.state.report() else {
        if let call::State::Settled { outcome: Outcome::Failed(failure), .. } = &done.state {
            return Err(unlaunched(done, agent, failure));
        }
        let view = super::show::view(ctx, &done.known, None)?;
        let mut reply = known::redacted(ctx, &view, |view| {
            known::facts(ctx, view, &["run_id", "state", "outcome"])
        })?;
        reply.exit = exit_of(&State::Call(done.state.clone()));
        return Ok(reply);
    };
    let path = |spooled: &kernel::agent::Spooled| done.known.dir.path.join(&spooled.path);
    let read = |spooled: &kernel::agent::Spooled| {
        let bytes = durable::read_head(&path(spooled), SHOWN_BYTES_MAX).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let facts = json!({
        "call": id, "usage": report.facts.usage.shown(), "files": report.facts.files,
        "retries_seen": report.facts.retries_seen, "denied": report.facts.denied,
        "notes": report.facts.notes, "truncated": report.facts.truncated,
        "forked_from": report.facts.forked_from,
    });
    match &report.answer {
        Answer::Answered { structured: Structured::Invalid { kind, issues }, text, .. } => {
            let details = json!({
                "kind": kind, "issues": issues, "agent": agent, "call": id, "path": path(text),
            });
            Err(trouble::class(Class::Model, details).at(place(done)))
        }
        Answer::Answered { session, text, structured } => {
            let mut data = facts;
            data["session_id"] = json!(session);
            data["text"] = json!(read(text));
            data["output_path"] = json!(path(text));
            if let Structured::Valid(value) = structured {
                data["value"] = serde_json::from_str(&read(value)).unwrap_or(Value::Null);
            }
            let reply = known::redacted(ctx, &data, |data| page(ctx, data))?;
            Ok(reply.ended(exit_of(&State::Call(done.state.clone())), "ok"))
        }
        Answer::Failed { error, session, partial } => {
            let details = json!({
                "kind": error.kind, "detail": error.detail, "what": error.detail, "agent": agent,
                "call": id, "session": session,
                "reset_at": error.reset_at.map(|at| query::at_ms(at.0)),
                "path": partial.as_ref().map(path),
            });
            Err(failed(done, &error.code, details))
        }
    }
}

/// Where it went wrong, so that its output can be looked at.
fn place(done: &Done) -> Place {
    let id = Some(done.known.head.run.clone());
    Place { run_id: id.clone(), call_id: id, ..Place::default() }
}

/// An agent that was never launched, with what to do about it.
fn unlaunched(done: &Done, agent: &str, failure: &call::Failure) -> Trouble {
    let details = json!({
        "kind": failure.kind, "detail": failure.detail, "what": failure.detail, "agent": agent,
    });
    failed(done, &failure.code, details)
}

/// A failure by its code; what the call itself ended by wins over what the agent said.
fn failed(done: &Done, code: &str, mut details: Value) -> Trouble {
    let code = match &done.state {
        call::State::Settled { outcome: Outcome::TimedOut { .. }, .. } => {
            // Nobody retries an agent that was asked alone.
            details["kind"] = json!("alone");
            "E004"
        }
        call::State::Settled { outcome: Outcome::Stopped, .. } => "E007",
        call::State::New
        | call::State::Asked { .. }
        | call::State::Denied { .. }
        | call::State::Allowed { .. }
        | call::State::Started { .. }
        | call::State::Settled { .. }
        | call::State::Unknown { .. }
        | call::State::Undoing { .. }
        | call::State::Undone { .. } => code,
    };
    let code = Code::parse(code).unwrap_or(Code::Class(Class::Internal));
    Trouble::new(code, details).at(place(done))
}

fn page(ctx: &Ctx, data: &Value) -> String {
    let text = data["text"].as_str().unwrap_or_default();
    let session = data["session_id"].as_str().unwrap_or("–");
    let call = data["call"].as_str().unwrap_or_default();
    let line = ctx.tell("agent-answered", &[("call", &call), ("session", &session)]);
    format!("{text}\n\n{line}")
}
