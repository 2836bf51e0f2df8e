//! What is said to the session of a branch. What comes of it is the machine's business.

use std::collections::BTreeMap;

use kernel::errors::Machine;
use kernel::machine::At;
use kernel::session::{Asking, Name, Shape, shape};
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;
use runtime::sessions::{Form, id_of};
use runtime::words::{Lang, say};
use serde_json::{Value, json};

use super::read::{key, status};
use crate::door::{Ask, SessionSay};
use crate::loops::Fields;
use crate::problem::{Place, Raised};
use crate::site::{Visit, refused};

/// Who says something: by which way, in which language, on which branch.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// The way to the engine.
    pub visit: &'a Visit<'a>,
    /// The language of the answer.
    pub lang: Lang,
    /// The branch, if it is not the one that is checked out.
    pub branch: Option<&'a str>,
}

impl Words<'_> {
    fn take(&self, say: SessionSay) -> Result<Value, Raised> {
        let site = self.visit.site;
        let run = id_of(&key(site, self.branch));
        let mut desk = if say.widens() { self.visit.open()? } else { self.visit.steer()? };
        let ask = Ask::Session { run, trace: desk.trace(), say };
        desk.take(&ask).map_err(|raised| raised.at(Place::default()))?;
        status(site, self.branch, self.lang)
    }
}

/// The id by which the same input is known again.
fn input_id(fields: &mut Fields) -> Result<String, Raised> {
    let given = fields.text("input_id")?.filter(|id| !id.trim().is_empty());
    let made = || RandomIds.new_id("in-", runtime::clock::Clock::start(At(0)).now());
    Ok(given.unwrap_or_else(made))
}

/// Answers that are given before their questions, by kind.
fn answers(fields: &mut Fields) -> Result<BTreeMap<String, String>, Raised> {
    let Some(given) = fields.object("answers")? else { return Ok(BTreeMap::new()) };
    let all: BTreeMap<String, String> = serde_json::from_value(given.clone())
        .map_err(|_| fields.bad("answers", &given, "object of strings"))?;
    if let Some(kind) = all.keys().find(|kind| Asking::named(kind).is_none()) {
        let kinds: Vec<&str> = Asking::ALL.iter().map(|kind| kind.word()).collect();
        return Err(fields.bad("answers", &json!(kind), &kinds.join(", ")));
    }
    Ok(all)
}

/// Plain words, or a `~` command as it is typed.
///
/// # Errors
/// The field that cannot be taken, the refusal, or that no engine answers.
pub fn input(words: Words<'_>, mut fields: Fields) -> Result<Value, Raised> {
    let (text, input_id) = (fields.must("text")?, input_id(&mut fields)?);
    fields.done()?;
    match shape(&text) {
        Shape::Command { name: Name::Status, .. } => {
            return status(words.visit.site, words.branch, words.lang);
        }
        Shape::Command { name: Name::Help, .. } => {
            return Ok(json!({ "help": say(words.lang, "session-help", &[]) }));
        }
        Shape::Command { .. } | Shape::Unknown { .. } | Shape::Ambiguous { .. } | Shape::Words => {}
    }
    let form = Form { lang: Some(words.lang.to_string()), headless: true, ..Form::default() };
    words.take(SessionSay::Say { text, input_id, form: Box::new(form) })
}

/// A command by its name; arguments that begin with two dashes are its flags.
///
/// # Errors
/// The field that cannot be taken, the refusal, or that no engine answers.
pub fn run(words: Words<'_>, mut fields: Fields) -> Result<Value, Raised> {
    let name = fields.must("command")?;
    let args = fields.texts("args")?.unwrap_or_default();
    let form = Form {
        lang: Some(words.lang.to_string()),
        headless: true,
        replace: fields.yes("replace")?,
        answers: answers(&mut fields)?,
        ..Form::default()
    };
    let input_id = input_id(&mut fields)?;
    fields.done()?;
    let name = name.trim_start_matches('~').to_owned();
    match Name::typed(&name) {
        Some(Name::Status) => return status(words.visit.site, words.branch, words.lang),
        Some(Name::Help) => {
            return Ok(json!({ "help": say(words.lang, "session-help", &[]) }));
        }
        Some(_) => {}
        None => {
            let details = json!({ "command": name });
            return Err(refused(Machine::Session, "unknown_command", details));
        }
    }
    let (flags, rest): (Vec<String>, Vec<String>) =
        args.into_iter().partition(|word| word.starts_with("--"));
    let (text, form) = (rest.join(" "), Box::new(form));
    words.take(SessionSay::Run { name, text, flags, input_id, form })
}

/// The end of what runs.
///
/// # Errors
/// The field that cannot be taken, the refusal, or that no engine answers.
pub fn cancel(words: Words<'_>, mut fields: Fields) -> Result<Value, Raised> {
    let (undo, all) = (fields.yes("undo")?, fields.yes("all")?);
    fields.done()?;
    words.take(SessionSay::Cancel { undo, all })
}
