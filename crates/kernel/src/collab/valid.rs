//! What makes a plan valid. It looks at the plan alone; programs, directories and conversations are
//! the start gate's business.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::bounds::{
    NAME_MAX, PARTICIPANTS_MAX, RETRIES_MAX, TASK_MAX, TIMEOUT_MAX_MS, TIMEOUT_MIN_MS,
};
use super::plan::{Member, Merge, Plan, Rule};
use super::prompt;
use super::refusal::Refusal;
use crate::agent::{Access, PROMPT_BYTES_MAX};

/// The snapshot's own keys: a participant of that name would hide one.
const RESERVED: [&str; 7] = [
    "state",
    "degraded_level",
    "missing_dimensions",
    "started_at",
    "retries",
    "degraded_reason",
    "ext",
];

type Checked = Result<(), Refusal>;

/// Refuses a plan that cannot be followed, naming the part.
pub fn check(plan: &Plan) -> Checked {
    texts(plan)?;
    numbers(plan)?;
    participants(plan)?;
    if plan.lite && plan.gate == Rule::And {
        return Err(invalid("/gate", "`or`, since a lite run asks nobody"));
    }
    if plan.merge == Merge::Structured {
        return Err(invalid("/merge", "sections"));
    }
    prompts(plan)
}

fn invalid(path: &str, expected: &'static str) -> Refusal {
    Refusal::InvalidArgs { path: path.to_string(), expected }
}

fn need(fair: bool, path: &str, expected: &'static str) -> Checked {
    if fair { Ok(()) } else { Err(invalid(path, expected)) }
}

fn texts(plan: &Plan) -> Checked {
    let task = !plan.task.trim().is_empty() && plan.task.len() <= TASK_MAX;
    need(task, "/task", "text of 1 byte to 1 MiB")?;
    need(word(&plan.role, "_-"), "/role", "a word: [a-z][a-z0-9_-]{0,31}")?;
    let absolute = plan.workdir.starts_with('/') && below(&plan.workdir);
    need(absolute, "/workdir", "an absolute path without '..'")?;
    let relative = !plan.cwd.starts_with('/') && below(&plan.cwd);
    need(relative, "/cwd", "a path below the work tree without '..'")?;
    let schema = plan.schema.as_deref().map(serde_json::from_str::<Value>);
    let fair = match schema {
        None | Some(Ok(Value::Object(_) | Value::Bool(_))) => true,
        Some(Ok(Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_)) | Err(_)) => {
            false
        }
    };
    need(fair, "/schema", "a JSON Schema")
}

fn numbers(plan: &Plan) -> Checked {
    let fits = (TIMEOUT_MIN_MS..=TIMEOUT_MAX_MS).contains(&plan.timeout_ms);
    need(fits, "/timeout", "10 000 to 3 600 000 ms")?;
    need(plan.max_retries <= RETRIES_MAX, "/max_retries", "0 to 3")
}

fn participants(plan: &Plan) -> Checked {
    let count = plan.participants.len();
    need((1..=PARTICIPANTS_MAX).contains(&count), "/participants", "1 to 8 participants")?;
    for (index, member) in plan.participants.iter().enumerate() {
        let before = &plan.participants[..index];
        let path = |field: &str| format!("/participants/{index}/{field}");
        let name = word(&member.name, "_") && !RESERVED.contains(&member.name.as_str());
        need(name, &path("name"), "a word that is no key of the snapshot: [a-z][a-z0-9_]{0,31}")?;
        let twice = before.iter().any(|other| other.name == member.name);
        need(!twice, &path("name"), "a name of its own")?;
        need(word(&member.dimension, "_-"), &path("dimension"), "a word")?;
        need(!member.agent.is_empty(), &path("agent"), "an agent's name")?;
        need(member.access == Access::Read, &path("access"), "read")?;
        need(member.wall_ms > 0, &path("wall"), "at least 1 ms")?;
        resume(member, before, &path("resume"))?;
    }
    Ok(())
}

fn resume(member: &Member, before: &[Member], path: &str) -> Checked {
    let Some(id) = &member.resume else { return Ok(()) };
    let twice = before.iter().any(|other| other.resume.as_ref() == Some(id));
    need(!id.is_empty() && !twice, path, "a session id of its own")
}

/// What is sent is bounded as a whole, so that no call is refused for its prompt later on.
fn prompts(plan: &Plan) -> Checked {
    let longest = plan.participants.iter().map(|member| prompt::bytes_max(plan, member)).max();
    let fits = longest.unwrap_or_default() <= PROMPT_BYTES_MAX;
    need(fits, "/task", "a task that fits a prompt of 1 MiB with its role and context")
}

/// Whether a path climbs nowhere.
fn below(path: &str) -> bool {
    !path.contains('\0') && path.split('/').all(|part| part != "..")
}

fn word(text: &str, also: &str) -> bool {
    let mut letters = text.bytes();
    text.len() <= NAME_MAX
        && letters.next().is_some_and(|first| first.is_ascii_lowercase())
        && letters.all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || also.as_bytes().contains(&byte)
        })
}

/// The participants whose resume id cannot be one of their agent's.
pub fn misfits(plan: &Plan) -> Vec<(&Member, &String)> {
    let given = plan.participants.iter().filter_map(|one| Some((one, one.resume.as_ref()?)));
    given.filter(|(one, id)| !super::session::valid_session(one.kind, id)).collect()
}

/// What a plan is compared by.
pub fn plan_hash(plan: &Plan) -> String {
    crate::hash::of_json(&serde_json::to_value(plan).unwrap_or(Value::Null))
}
