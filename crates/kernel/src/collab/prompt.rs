//! What the agent of a launch is told, as data: a pure function of the run, so that the same launch
//! always asks for the same call. The task is put in last and never looked into.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::bounds::TIMEOUT_MAX_MS;
use super::participant::{Launch, Participant, Why};
use super::plan::{Member, Mode, Plan};
use super::words;
use crate::agent::{self, Ask, BAD_ANSWER_BYTES_MAX, Issue, PROMPT_BYTES_MAX, Part, Tools};
use crate::call::{Class, OnUnknown, Request};

/// The tool that launches an agent.
const TOOL: &str = "agent";
/// Version of that tool's declaration.
const TOOL_VERSION: &str = "1.0.0";
/// Room for our own words around each earlier answer.
const ANSWER_BYTES: usize = 256;

/// The call of a launch.
pub fn request(
    plan: &Plan,
    participants: &[Participant],
    member: &Member,
    launch: &Launch,
) -> Request {
    let ask = Ask {
        agent: member.agent.clone(),
        kind: member.kind,
        talk: member.talk,
        access: member.access,
        model: member.model.clone(),
        resume: resume(member, launch),
        prompt: prompt(plan, participants, member, launch),
        schema: plan.schema.clone(),
        lang: plan.lang.word().to_string(),
        tools: Tools::Own,
    };
    Request {
        name: TOOL.to_string(),
        version: TOOL_VERSION.to_string(),
        argv: Vec::new(),
        agent: Some(Box::new(ask)),
        args: None,
        cwd: plan.cwd.clone(),
        env_names: Vec::new(),
        collect: Vec::new(),
        class: Class::Once,
        // The run's own timers end a launch, so that an extension counts for one that runs too.
        deadline_ms: member.wall_ms.min(TIMEOUT_MAX_MS),
        idle_ms: member.idle_ms,
        grace_ms: plan.grace_ms,
        on_unknown: OnUnknown::Tell,
        given: None,
    }
}

/// The conversation a launch goes on with. The one that a person named is gone on with until it is
/// found to be unknown.
fn resume(member: &Member, launch: &Launch) -> Option<String> {
    match &launch.why {
        Why::First | Why::Retry { resume: None } => member.resume.clone(),
        Why::Retry { resume: Some(id) } => Some(id.clone()),
        Why::Fresh => None,
        Why::Correct { session, .. } => Some(session.clone()).filter(|_| member.talks().resumes()),
    }
}

fn prompt(
    plan: &Plan,
    participants: &[Participant],
    member: &Member,
    launch: &Launch,
) -> Vec<Part> {
    match &launch.why {
        Why::First | Why::Retry { resume: None } | Why::Fresh => whole(plan, participants, member),
        Why::Retry { resume: Some(_) } => Vec::from([Part::Text(format!(
            "{}\n\n{}\n",
            words::finish(plan.lang),
            output(plan, member)
        ))]),
        Why::Correct { issues, .. } if member.talks().resumes() => {
            Vec::from([Part::Text(correction(plan, member, issues))])
        }
        Why::Correct { issues, first, .. } => {
            let whole = whole(plan, participants, member);
            let (bad, wrong) =
                ((&*first.call, &*first.text.sha256), correction(plan, member, issues));
            agent::corrected_anew(whole, bad, wrong, plan.lang.word())
        }
    }
}

/// Role, task, the usable answers before it, and what the answer should be.
fn whole(plan: &Plan, participants: &[Participant], member: &Member) -> Vec<Part> {
    let mut text = opening(plan, member);
    let mut parts = Vec::new();
    let earlier = earlier(plan, participants, member);
    // As much of each as fits beside the rest, so that a long answer does not silence the next.
    let room = PROMPT_BYTES_MAX.saturating_sub(bytes_max(plan, member));
    let bytes_max = room / earlier.len().max(1);
    for (before, call, sha256) in earlier {
        text.push_str(&opened(before));
        parts.push(Part::Text(core::mem::take(&mut text)));
        parts.push(Part::Answer { call, sha256, bytes_max });
        text.push_str(CLOSED);
    }
    text.push_str(&output(plan, member));
    text.push('\n');
    parts.push(Part::Text(text));
    parts
}

fn opening(plan: &Plan, member: &Member) -> String {
    let (requirement, context) = words::heads(plan.lang);
    let mut text = String::new();
    if !member.role_text.is_empty() {
        text.push_str(&member.role_text);
        text.push_str("\n\n");
    }
    text.push_str("<TASK>\n");
    text.push_str(requirement);
    text.push_str(&plan.task);
    if !plan.context.is_empty() {
        text.push('\n');
        text.push_str(context);
        text.push_str(&plan.context);
    }
    text.push_str("\n</TASK>\n\n");
    text
}

fn opened(before: &Member) -> String {
    format!("<ANSWER from=\"{}\" dimension=\"{}\">\n", before.name, before.dimension)
}

const CLOSED: &str = "\n</ANSWER>\n\n";

/// The usable answers of those before it in the order of a serial run.
fn earlier<'a>(
    plan: &'a Plan,
    participants: &[Participant],
    member: &Member,
) -> Vec<(&'a Member, String, String)> {
    match plan.mode {
        Mode::Parallel => Vec::new(),
        Mode::Serial => plan
            .participants
            .iter()
            .take_while(|other| other.name != member.name)
            .filter_map(|other| {
                let one = participants.iter().find(|one| one.name == other.name)?;
                let (_, output) = one.answer()?;
                Some((other, output.call.clone(), output.text.sha256.clone()))
            })
            .collect(),
    }
}

fn output(plan: &Plan, member: &Member) -> String {
    match &plan.schema {
        None => words::output(&member.dimension, plan.lang),
        Some(schema) => words::output_json(schema, plan.lang),
    }
}

fn correction(plan: &Plan, member: &Member, issues: &[Issue]) -> String {
    let wrong = agent::wrong_form(plan.lang.word(), issues);
    format!("{wrong}\n\n{}\n", output(plan, member))
}

/// Room for the list of what is wrong with an answer.
const ISSUES_BYTES: usize = 16 << 10;

/// The most that our own words and the plan's take in a prompt of this member.
pub fn bytes_max(plan: &Plan, member: &Member) -> usize {
    let answers = match plan.mode {
        Mode::Parallel => 0,
        Mode::Serial => plan.participants.len() * ANSWER_BYTES,
    };
    // Who cannot go on with a conversation reads its bad answer and the whole again.
    let bad = match &plan.schema {
        Some(_) if !member.talks().resumes() => {
            BAD_ANSWER_BYTES_MAX + ISSUES_BYTES + output(plan, member).len()
        }
        Some(_) | None => 0,
    };
    opening(plan, member).len() + output(plan, member).len() + 1 + answers + bad
}
