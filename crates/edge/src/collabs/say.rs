//! What is said to a collab. Whether it is possible is the machine's to say.

use std::collections::BTreeMap;

use kernel::machine::At;
use runtime::collab::Form;
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;
use runtime::words::Lang;
use serde_json::Value;

use crate::door::{Ask, CollabSay};
use crate::loops::Fields;
use crate::problem::{Place, Raised};
use crate::site::Visit;

/// A question to several agents, from the fields of a request. Times may be written as people do,
/// a schema as the object it is, and older words are known too.
///
/// # Errors
/// The field that cannot be taken.
pub fn starting(lang: Lang, mut fields: Fields) -> Result<CollabSay, Raised> {
    let with = fields.word("backend", &BACKENDS)?.map(backends);
    let mode = fields.whether("parallel")?.map(|all| mode_of(all).to_owned());
    let (timeout_ms, confirm_ms) = (fields.ms("timeout")?, fields.ms("confirm_timeout")?);
    let schema = match fields.any("schema") {
        Some(Value::String(text)) => Some(text),
        other => other.map(|schema| schema.to_string()),
    };
    let resume = match fields.any("resume") {
        None => BTreeMap::new(),
        // A bare one belongs to the only participant.
        Some(Value::String(id)) => BTreeMap::from([(String::new(), id)]),
        Some(other) => serde_json::from_value(other.clone())
            .map_err(|_| fields.bad("resume", &other, "a session id, or {NAME: ID}"))?,
    };
    for (word, said, older) in [
        ("with", "backend", with.is_some()),
        ("mode", "parallel", mode.is_some()),
        ("timeout_ms", "timeout", timeout_ms.is_some()),
        ("confirm_timeout_ms", "confirm_timeout", confirm_ms.is_some()),
    ] {
        if older && let Some(both) = fields.any(word) {
            return Err(fields.bad(word, &both, &format!("{word} or {said}, not both")));
        }
    }
    let form: Form = fields.form()?;
    let lang = form.lang.clone().or_else(|| Some(lang.tag().to_owned()));
    Ok(CollabSay::Create {
        form: Box::new(Form {
            lang,
            schema,
            resume,
            with: with.or(form.with),
            mode: mode.or(form.mode),
            timeout_ms: timeout_ms.or(form.timeout_ms),
            confirm_timeout_ms: confirm_ms.or(form.confirm_timeout_ms),
            ..form
        }),
    })
}

/// Older words for who is asked.
pub const BACKENDS: [&str; 3] = ["both", "codex", "gemini"];

/// Who is meant by an older word.
#[must_use]
pub fn backends(word: &str) -> Vec<String> {
    let both = ["codex", "gemini"];
    both.into_iter().filter(|name| word == "both" || word == *name).map(str::to_owned).collect()
}

/// The mode in which all are asked at once, or not.
#[must_use]
pub const fn mode_of(parallel: bool) -> &'static str {
    if parallel { "parallel" } else { "serial" }
}

/// Asks it and answers the id of its run.
///
/// # Errors
/// The refusal, or that no engine answers.
pub fn start(visit: &Visit<'_>, say: CollabSay) -> Result<String, Raised> {
    let mut desk = visit.open()?;
    let id = RandomIds.new_id("collab-", runtime::clock::Clock::start(At(0)).now());
    let ask = Ask::Collab { run: id.clone(), trace: desk.trace(), say };
    // A run that was refused was never made, so it is no place to look at.
    desk.take(&ask).map_err(|raised| raised.at(Place::default()))?;
    Ok(id)
}

/// Says it to a run.
///
/// # Errors
/// The refusal, or that no engine answers.
pub fn said(visit: &Visit<'_>, run: &str, say: CollabSay) -> Result<(), Raised> {
    let mut desk = visit.steer()?;
    desk.take(&Ask::Collab { run: run.to_owned(), trace: desk.trace(), say }).map(drop)
}

/// What a verb says, from the fields of a request; none where there is no such verb.
///
/// # Errors
/// The field that cannot be taken.
pub fn verb(name: &str, mut fields: Fields) -> Result<Option<CollabSay>, Raised> {
    let say = match name {
        "answer" => CollabSay::AnswerTo {
            question: fields.must("question")?,
            hash: fields.must("hash")?,
            key: fields.must("choice")?,
            note: fields.text("note")?,
        },
        "cancel" => CollabSay::Cancel { participant: fields.text("participant")? },
        "extend" => match fields.ms("by")? {
            Some(ms) => CollabSay::Extend { ms },
            None => return Err(fields.bad("by", &Value::Null, "30s, 10m, 1500ms")),
        },
        _none => return Ok(None),
    };
    fields.done()?;
    Ok(Some(say))
}
