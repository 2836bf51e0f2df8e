//! `doctor --live`: one real call of each agent that is ready, by the same way as any other: read
//! only, with a deadline, and recorded. That it may cost something is said first.

use edge::door::AgentForm;
use kernel::agent::{Answer, Report};
use runtime::agents::detect::{Found, State};
use runtime::shim::files;
use serde_json::{Value, json};

use super::agent_run;
use super::waited::{Done, waited};
use crate::ctx::Ctx;
use crate::desk;
use crate::live::People;
use crate::live::interrupt;
use crate::live::keep::Keep;
use crate::out;
use crate::trouble::Trouble;

/// The longest life of such a call: the slowest program known needs seconds to start, and some
/// wait a minute before they try again.
const LIVE_WALL_MS: u64 = 120_000;

/// What came of one call.
pub struct Live {
    pub agent: String,
    pub answered: bool,
    pub data: Value,
    pub text: String,
}

/// Asks those that are ready, one after the other; none for one that is not. Nothing at all if the
/// person no longer wants to.
///
/// # Errors
/// A refusal, or that no engine answers.
pub fn ask(ctx: &Ctx, found: &[Found]) -> Result<Option<Vec<Option<Live>>>, Trouble> {
    let ready: Vec<&str> = found.iter().filter(is_ready).map(|one| one.agent.as_str()).collect();
    if ready.is_empty() {
        return Ok(Some(found.iter().map(|_| None).collect()));
    }
    out::notice(&ctx.tell("doctor-live-first", &[("agents", &ready.join(", "))]));
    interrupt::listen();
    let agents = ctx.settings()?.settings.agents;
    let mut keep = Keep::new(desk::open(ctx)?);
    let mut told = Vec::new();
    for one in found {
        if !is_ready(&one) {
            told.push(None);
            continue;
        }
        let tools = agents.get(&one.agent).is_some_and(|agent| agent.tools);
        let prompt = if tools { "doctor-live-prompt-tools" } else { "doctor-live-prompt" };
        let form = AgentForm {
            agent: one.agent.clone(),
            task: ctx.say(prompt),
            access: Some("read".to_owned()),
            resume: None,
            model: None,
            schema: None,
            wall_ms: Some(LIVE_WALL_MS),
            lang: Some(ctx.lang.tag().to_owned()),
            tools,
        };
        let Some(done) = waited(ctx, &mut keep, &agent_run::asking(form), People::Away)? else {
            return Ok(None);
        };
        let one = live(ctx, &one.agent, done.state.report());
        told.push(Some(if tools { with_tools(ctx, one, &done) } else { one }));
    }
    Ok(Some(told))
}

/// The same of an agent that is to work through our tools: whether its word to them came.
fn with_tools(ctx: &Ctx, mut live: Live, done: &Done) -> Live {
    let dir = done.known.dir.call(&done.known.head.run);
    let came = dir.join(files::TOOL_CALLED).exists();
    live.data["tools"] = json!(came);
    let word = if came { "doctor-live-tools" } else { "doctor-live-no-tools" };
    live.text = format!("{}\n{}", live.text, ctx.tell(word, &[("agent", &live.agent)]));
    live.answered &= came;
    live
}

fn is_ready(found: &&Found) -> bool {
    found.state == State::Ready
}

fn live(ctx: &Ctx, agent: &str, report: Option<&Report>) -> Live {
    let answered = report.and_then(|report| match &report.answer {
        Answer::Answered { session, .. } => Some((session, &report.facts.usage)),
        Answer::Failed { .. } => None,
    });
    let agent = agent.to_owned();
    let Some((session, usage)) = answered else {
        let error = report.and_then(|report| match &report.answer {
            Answer::Failed { error, .. } => Some(error),
            Answer::Answered { .. } => None,
        });
        // A call that nobody allowed, or that never began, left no report.
        let (code, kind, detail) = error.map_or(("E_POLICY_DENIED", "not_run", ""), |error| {
            (error.code.as_str(), error.kind.as_str(), error.detail.as_str())
        });
        let text = ctx.tell(
            "doctor-live-failed",
            &[("agent", &agent), ("code", &code), ("kind", &kind), ("detail", &detail)],
        );
        let data = json!({ "ok": false, "code": code, "kind": kind, "detail": detail });
        return Live { agent, answered: false, data, text };
    };
    let count = |tokens: Option<u64>| tokens.map_or_else(|| "–".to_owned(), |n| n.to_string());
    let text = ctx.tell(
        "doctor-live-ok",
        &[
            ("agent", &agent),
            ("session", &session.as_deref().unwrap_or("–")),
            ("input", &count(usage.input_tokens)),
            ("output", &count(usage.output_tokens)),
        ],
    );
    let data = json!({ "ok": true, "session_id": session, "usage": usage.shown() });
    Live { agent, answered: true, data, text }
}
