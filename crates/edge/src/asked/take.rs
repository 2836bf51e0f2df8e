//! One answer from a door to the machine that asked: the question is found, the words are checked
//! against what it shows, and what was taken is told.

use journal::Journal;
use kernel::errors::{Class, Machine, nearest};
use kernel::policy::grant::Scope;
use kernel::{lifecycle, turn};
use runtime::query::{self, OpenQuestion, Unpicked};
use runtime::words::Lang;
use serde_json::{Value, json};

use super::answer::{Say, key, machine, say_answer, send};
use crate::door::{CallSay, LifecycleSay, Taken, TurnSay, YesNo};
use crate::problem::Raised;
use crate::site::{Site, Visit, class, of_query, refused};

/// How far a yes reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// This once.
    Once,
    /// The same again, until the run it belongs to ends.
    Session,
}

impl Reach {
    /// The reach of that name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(word: &str) -> Result<Self, Raised> {
        match word {
            "once" | "single_action" => Ok(Self::Once),
            "session" => Ok(Self::Session),
            _other => Err(crate::site::bad_value("scope", word, &["once", "session"])),
        }
    }

    /// The word of the wire.
    #[must_use]
    pub const fn scope(self) -> Scope {
        match self {
            Self::Once => Scope::Once,
            Self::Session => Scope::Session,
        }
    }

    /// The same to a turn.
    #[must_use]
    pub const fn turn_scope(self) -> turn::Scope {
        match self {
            Self::Once => turn::Scope::SingleAction,
            Self::Session => turn::Scope::Session,
        }
    }

    /// The same to a lifecycle, where a yes is always about one plan.
    #[must_use]
    pub const fn lifecycle_scope(self) -> lifecycle::Scope {
        match self {
            Self::Once => lifecycle::Scope::Plan,
            Self::Session => lifecycle::Scope::Session,
        }
    }
}

/// An answer as a door hears it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The question: its id, a beginning of it, or a run that asks only one.
    pub question: String,
    /// The answer.
    pub key: String,
    /// What goes with it.
    pub text: Option<String>,
    /// What was shown.
    pub hash: Option<String>,
    /// How far a yes reaches.
    pub scope: Option<Reach>,
}

/// An answer that is understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The question.
    pub question: OpenQuestion,
    /// The key that was meant.
    pub key: String,
    /// What is said to the machine that asked.
    pub say: Say,
}

impl Answered {
    /// What is told of it once it was taken.
    #[must_use]
    pub fn data(&self, taken: &[Taken]) -> Value {
        let state = taken.last().map(|taken| taken.status.clone()).unwrap_or_default();
        json!({
            "question_id": self.question.id, "run_id": self.question.run,
            "machine": self.question.machine, "key": self.key, "state": state,
        })
    }
}

/// Finds the question and understands the answer; nothing is said yet.
///
/// # Errors
/// No such question, no such answer, or one to something else than what is shown now.
pub fn read(site: &Site, lang: Lang, form: &Form) -> Result<Answered, Raised> {
    let Some((_, journal)) = site.journal()? else { return Err(no_such(&form.question, &[])) };
    let open = query::questions(&journal, None).map_err(|why| of_query(&why))?;
    let question = find(&journal, &open, &form.question)?;
    let key = key(lang, question, &form.key)?;
    same(question, form.hash.as_deref())?;
    let text = form.text.clone().filter(|text| !text.trim().is_empty());
    if text.is_some() && !question.question.takes_text {
        let details = json!({ "kind": "one_too_many", "path": "--text" });
        return Err(class(Class::InvalidArgs, details));
    }
    let say = reaching(say_answer(question, &key, text)?, form.scope)?;
    Ok(Answered { question: question.clone(), key, say })
}

/// Answers it, and tells what came of it.
///
/// # Errors
/// As [`read`], the refusal, or that no engine answers.
pub fn answer(visit: &Visit<'_>, lang: Lang, form: &Form) -> Result<Value, Raised> {
    let answered = read(visit.site, lang, form)?;
    let say = answered.say.clone();
    let mut desk = if say.widens() { visit.open()? } else { visit.steer()? };
    let taken = send(&mut desk, &answered.question.run, say)?;
    Ok(answered.data(&taken))
}

/// The answer with how far it reaches, which only a yes does.
fn reaching(say: Say, scope: Option<Reach>) -> Result<Say, Raised> {
    match (say, scope) {
        (say, None) => Ok(say),
        (Say::Call(CallSay::Allow { note, .. }), Some(reach)) => {
            Ok(Say::Call(CallSay::Allow { scope: reach.scope(), note }))
        }
        (Say::Turn(TurnSay::Confirm { prompt, hash, word: YesNo::Yes, note, .. }), Some(reach)) => {
            let (word, scope) = (YesNo::Yes, reach.turn_scope());
            Ok(Say::Turn(TurnSay::Confirm { prompt, hash, word, scope, note }))
        }
        (Say::Lifecycle(LifecycleSay::Confirm { question, hash, .. }), Some(reach)) => {
            let scope = reach.lifecycle_scope();
            Ok(Say::Lifecycle(LifecycleSay::Confirm { question, hash, scope }))
        }
        (
            Say::Call(_)
            | Say::Loop(_)
            | Say::Collab(_)
            | Say::Turn(_)
            | Say::Lifecycle(_)
            | Say::Session(_),
            Some(_),
        ) => {
            let details = json!({ "kind": "one_too_many", "path": "--scope" });
            Err(class(Class::InvalidArgs, details))
        }
    }
}

fn find<'a>(
    journal: &dyn Journal,
    open: &'a [OpenQuestion],
    word: &str,
) -> Result<&'a OpenQuestion, Raised> {
    match query::pick(open, word) {
        Ok(question) => Ok(question),
        Err(Unpicked::Several(candidates)) => {
            let details = json!({
                "kind": "question", "command": word, "candidates": candidates,
                "help": "loopwright questions",
            });
            Err(refused(Machine::Door, "ambiguous_command", details))
        }
        Err(Unpicked::None) => Err(closed(journal, word).unwrap_or_else(|| no_such(word, open))),
    }
}

/// A run that is known and asks nothing like it: the question was answered or never asked.
fn closed(journal: &dyn Journal, word: &str) -> Option<Raised> {
    let run = word.split_once('/').map_or(word, |(run, _)| run);
    let head = query::resolve(journal, run).ok()?;
    let machine = Machine::named(&head.machine)?;
    let details = json!({ "question_id": word, "help": "loopwright questions" });
    Some(refused(machine, "question_closed", details))
}

fn no_such(word: &str, open: &[OpenQuestion]) -> Raised {
    let near = nearest(word, open.iter().map(|question| question.id.as_str()));
    let details = json!({
        "kind": "question", "id": word, "nearest": near, "help": "loopwright questions",
    });
    refused(Machine::Door, "no_such", details)
}

/// Whether exactly what the person saw is still what is asked.
fn same(question: &OpenQuestion, shown: Option<&str>) -> Result<(), Raised> {
    if shown.is_none_or(|shown| question.question.hash.as_deref() == Some(shown)) {
        return Ok(());
    }
    let details = json!({ "question_id": question.id, "help": "loopwright questions" });
    Err(refused(machine(question), "stale_approval", details))
}
