//! What is said to a collab. Whether it is possible is the machine's to say.

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

/// A question to several agents, from the fields of a request.
///
/// # Errors
/// The field that cannot be taken.
pub fn starting(lang: Lang, fields: Fields) -> Result<CollabSay, Raised> {
    let form: Form = fields.form()?;
    let lang = form.lang.clone().or_else(|| Some(lang.tag().to_owned()));
    Ok(CollabSay::Create { form: Box::new(Form { lang, ..form }) })
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
