//! From the fields of a request to what is said to a loop: the same verbs for every door that takes
//! JSON. Whether a verb is possible is the machine's to say.

use runtime::views::SkillTold;
use serde_json::{Value, json};

use super::fields::Fields;
use super::report;
use crate::door::{LabelForm, LoopSay, Shown, TaskForm, TaskFormPatch};
use crate::problem::Raised;
use crate::site::refused;

/// A new loop, with its tasks.
///
/// # Errors
/// The field that cannot be taken.
pub fn creating(mut fields: Fields) -> Result<Vec<LoopSay>, Raised> {
    let create = LoopSay::Create {
        title: fields.must("title")?,
        description: fields.text("description")?,
        max_iterations: fields.whole("max_iterations")?,
    };
    let mut says = vec![create];
    for task in fields.each("tasks")? {
        says.push(adding(task)?);
    }
    fields.done()?;
    Ok(says)
}

/// A new task.
///
/// # Errors
/// The field that cannot be taken.
pub fn adding(mut fields: Fields) -> Result<LoopSay, Raised> {
    let first = fields.yes("first")?;
    let command = fields.text("command")?;
    let task = TaskForm {
        description: fields.text("description")?.or_else(|| command.clone()).unwrap_or_default(),
        tool: fields.text("tool")?,
        mode: fields.text("mode")?,
        prompt_template: fields.text("prompt_template")?,
        on_error: fields.text("on_error")?,
        command,
    };
    fields.done()?;
    Ok(LoopSay::AddTask { task, first })
}

/// Changed fields of a loop.
///
/// # Errors
/// The field that cannot be taken.
pub fn editing(mut fields: Fields) -> Result<LoopSay, Raised> {
    let edit = LoopSay::Edit {
        title: fields.text("title")?,
        description: fields.text("description")?,
        max_iterations: fields.whole("max_iterations")?,
        labels: LabelForm {
            tags: fields.texts("tags")?,
            priority: fields.text("priority")?,
            notes: fields.text("notes")?,
        },
    };
    fields.done()?;
    Ok(edit)
}

/// Changed fields of a task.
///
/// # Errors
/// The field that cannot be taken.
pub fn editing_task(task: &str, mut fields: Fields) -> Result<LoopSay, Raised> {
    let patch = TaskFormPatch {
        description: fields.text("description")?,
        tool: fields.text("tool")?,
        mode: fields.text("mode")?,
        prompt_template: fields.text("prompt_template")?,
        command: fields.text("command")?,
        on_error: fields.text("on_error")?,
    };
    fields.done()?;
    Ok(LoopSay::EditTask { task: task.to_owned(), patch })
}

/// What a verb says; none where there is no such verb. A loop that is started here is driven by the
/// rules unless something else is said: nobody sits before a menu.
///
/// # Errors
/// The field that cannot be taken.
pub fn verb(name: &str, mut fields: Fields, lang: &str) -> Result<Option<LoopSay>, Raised> {
    let say = match name {
        "start" => {
            let runner = fields.text("runner")?;
            LoopSay::Start {
                mode: Some(fields.text("mode")?.unwrap_or_else(|| "auto".to_owned())),
                external: fields.yes("external")? || runner.is_some(),
                runner,
                lang: Some(lang.to_owned()),
            }
        }
        "pause" => LoopSay::Pause { now: fields.yes("now")? },
        "resume" => LoopSay::Resume,
        "stop" => LoopSay::Stop { why: fields.text("why")? },
        "retry" => LoopSay::Retry,
        "reopen" => LoopSay::Reopen,
        "complete" => LoopSay::Complete { force: forced(&mut fields)? },
        "mode" => LoopSay::Mode { mode: fields.must("mode")? },
        "answer" => answering(&mut fields)?,
        "report" => return reporting(fields).map(Some),
        _none => return Ok(None),
    };
    fields.done()?;
    Ok(Some(say))
}

/// An answer. Nobody can tell what whoever sent this has seen, so an acceptance names it.
fn answering(fields: &mut Fields) -> Result<LoopSay, Raised> {
    let key = fields.must("key")?;
    let (text, q, hash) = (fields.text("text")?, fields.whole("q")?, fields.text("hash")?);
    if hash.is_none() && binds(&key) {
        return Err(no_hash());
    }
    let to = (q.is_some() || hash.is_some()).then_some(Shown { q, hash });
    Ok(LoopSay::Answer { key, text, to })
}

/// Whether an answer is bound to what was shown.
#[must_use]
pub fn binds(key: &str) -> bool {
    key == "accept"
}

/// An answer that is bound to what was shown and does not say to what.
#[must_use]
pub fn no_hash() -> Raised {
    lacking("hash", "the hash of the question")
}

/// The reason of a force; a force without one, or a reason without a force, is a mistake.
fn forced(fields: &mut Fields) -> Result<Option<String>, Raised> {
    match (fields.yes("force")?, fields.text("why")?) {
        (false, None) => Ok(None),
        (true, Some(why)) => Ok(Some(why)),
        (true, None) => Err(lacking("why", "string")),
        (false, Some(_)) => Err(lacking("force", "true")),
    }
}

fn lacking(field: &str, expected: &str) -> Raised {
    let details = json!({ "field": field, "found": null, "expected": expected });
    refused(kernel::errors::Machine::Loop, "invalid_args", details)
}

/// A report as an object, or as the block of text that skills print.
fn reporting(mut fields: Fields) -> Result<LoopSay, Raised> {
    let runner = fields.must("runner")?;
    let told: SkillTold = match fields.text("text")? {
        Some(text) => {
            fields.done()?;
            report::told(&text)?
        }
        None => report::told(&Value::to_string(&fields.rest()))?,
    };
    Ok(LoopSay::Report { runner, told: Box::new(told) })
}
