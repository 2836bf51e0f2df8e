//! An answer on its way to whoever asked: which words are keys and which machine hears them.
//! Whether the answer is taken is the machine's to say.

use kernel::errors::{Class, Machine};
use kernel::policy::grant::Scope;
use kernel::turn;
use runtime::query::OpenQuestion;
use runtime::words::Lang;
use serde_json::json;

use super::lifecycle::lifecycle;
use crate::door::{
    Ask, CallSay, CollabSay, LifecycleSay, LoopSay, SessionSay, SettleWord, Shown, Taken, TurnSay,
    YesNo,
};
use crate::loops;
use crate::problem::Raised;
use crate::site::{Desk, class, refused};
use crate::turns;

/// What is said to the machine that asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Say {
    /// To a call.
    Call(CallSay),
    /// To a loop.
    Loop(LoopSay),
    /// To a collab.
    Collab(CollabSay),
    /// To a turn.
    Turn(TurnSay),
    /// To a lifecycle.
    Lifecycle(LifecycleSay),
    /// To a session.
    Session(SessionSay),
}

/// A question of a turn that is answered by words of one's own.
pub const CLARIFY: &str = "turn.clarify";
/// The answer to it that is none: the turn goes on and assumes.
pub const PROCEED: &str = "proceed";

/// The key that a word means; an answer that the question takes without offering it counts too.
///
/// # Errors
/// When no answer is meant by it; the ones that are offered are named.
pub fn key(lang: Lang, question: &OpenQuestion, word: &str) -> Result<String, Raised> {
    if let Some(key) = question.key(word) {
        return Ok(key.to_owned());
    }
    if quiet(&question.question.kind).contains(&word) {
        return Ok(word.to_owned());
    }
    // Its options are only suggestions.
    if question.question.kind == CLARIFY && !word.trim().is_empty() {
        return Ok(word.to_owned());
    }
    let offered = question.options(lang);
    let offered: Vec<String> =
        offered.into_iter().map(|(key, label)| format!("{key} ({label})")).collect();
    let details = json!({
        "kind": "answer", "option": word, "question_id": question.id, "offered": offered,
        "help": "loopwright questions",
    });
    let mut raised = refused(machine(question), "unknown_option", details);
    raised.allowed = Some(question.question.options.clone());
    Err(raised)
}

/// Answers that are taken but not shown in the list: they need a reason of one's own.
fn quiet(kind: &str) -> &'static [&'static str] {
    match kind {
        "loop.menu" => &["complete_forced"],
        _ => &[],
    }
}

/// The machine that asks.
pub fn machine(question: &OpenQuestion) -> Machine {
    Machine::named(&question.machine).unwrap_or(Machine::Door)
}

/// The answer in the words of the machine that asked.
///
/// # Errors
/// When a text is missing or has no place, or no machine of this build asks such a question.
pub fn say_answer(question: &OpenQuestion, key: &str, text: Option<String>) -> Result<Say, Raised> {
    match question.question.kind.as_str() {
        "call.ask" if key == "allow" => match text {
            None => Ok(Say::Call(CallSay::Allow { scope: Scope::Once, note: None })),
            Some(_) => Err(no_place(question, key)),
        },
        "call.ask" => {
            let note = text.unwrap_or_default();
            Ok(Say::Call(CallSay::Deny { note, answers: true }))
        }
        "call.settle" => {
            let note = text.ok_or_else(|| note_missing(question, key))?;
            let how = match key {
                "happened" => SettleWord::Happened,
                "undo" => SettleWord::Undo,
                _ => SettleWord::DidNotHappen,
            };
            Ok(Say::Call(CallSay::Settle { how, note }))
        }
        "loop.menu" | "loop.unverified" | "loop.paused" => {
            let q = question.slot.strip_prefix('q').and_then(|number| number.parse().ok());
            let to = q.map(|q| Shown { q: Some(q), hash: question.question.hash.clone() });
            Ok(Say::Loop(LoopSay::Answer { key: key.to_owned(), text, to }))
        }
        "collab.confirm" => Ok(Say::Collab(CollabSay::Answer { key: key.to_owned(), note: text })),
        CLARIFY => clarified(question, key, text),
        kind if kind.starts_with("turn.") => confirmed(question, key, text),
        kind if kind.starts_with("lifecycle.") => {
            lifecycle(question, key, text).map(Say::Lifecycle)
        }
        kind if kind.starts_with("session.") => {
            let (key, hash) = (key.to_owned(), question.question.hash.clone());
            let question = question.slot.clone();
            Ok(Say::Session(SessionSay::Answer { question, key, text, hash }))
        }
        _ => {
            let details = json!({ "kind": "unsupported", "what": question.question.kind });
            Err(class(Class::InvalidArgs, details))
        }
    }
}

/// The key is the answer, unless a text says more.
fn clarified(question: &OpenQuestion, key: &str, text: Option<String>) -> Result<Say, Raised> {
    let text = match (key, text) {
        (PROCEED, None) => None,
        (PROCEED, Some(_)) => return Err(no_place(question, key)),
        (key, text) => Some(text.unwrap_or_else(|| key.to_owned())),
    };
    Ok(Say::Turn(TurnSay::Answer { question: question.slot.clone(), text }))
}

/// A yes or no to exactly what is shown.
fn confirmed(question: &OpenQuestion, key: &str, text: Option<String>) -> Result<Say, Raised> {
    let word = match key {
        "yes" => YesNo::Yes,
        "no" => YesNo::No,
        _ => {
            let details = json!({ "kind": "unsupported", "what": question.question.kind });
            return Err(class(Class::InvalidArgs, details));
        }
    };
    Ok(Say::Turn(TurnSay::Confirm {
        prompt: question.slot.clone(),
        hash: question.question.hash.clone().unwrap_or_default(),
        word,
        scope: turn::Scope::SingleAction,
        note: text,
    }))
}

impl Say {
    /// Whether it lets more happen than before, so that the workspace has to be trusted.
    #[must_use]
    pub fn widens(&self) -> bool {
        match self {
            Self::Call(say) => say.widens(),
            Self::Loop(say) => say.widens(),
            Self::Collab(_) => false,
            Self::Turn(say) => turns::widens(say),
            Self::Lifecycle(say) => say.widens(),
            Self::Session(say) => say.widens(),
        }
    }
}

pub fn note_missing(question: &OpenQuestion, key: &str) -> Raised {
    let details = json!({
        "kind": "missing_argument", "path": format!("answer {} {key}", question.id),
        "expected": "--note TEXT",
    });
    class(Class::InvalidArgs, details)
}

/// A yes is bound to what was shown and carries nothing else: a text with it would be lost.
pub fn no_place(question: &OpenQuestion, key: &str) -> Raised {
    let details = json!({
        "kind": "not_together", "path": "--text", "other": format!("{} {key}", question.id),
    });
    class(Class::InvalidArgs, details)
}

/// Says it.
///
/// # Errors
/// The refusal, or that the engine went away.
pub fn send(desk: &mut Desk, run: &str, say: Say) -> Result<Vec<Taken>, Raised> {
    match say {
        Say::Call(say) => {
            let trace = desk.trace();
            desk.take(&Ask::Call { run: run.to_owned(), trace, say })
        }
        Say::Loop(say) => loops::over(desk, (run, None), vec![say]),
        Say::Collab(say) => {
            let trace = desk.trace();
            desk.take(&Ask::Collab { run: run.to_owned(), trace, say })
        }
        Say::Turn(say) => {
            let trace = desk.trace();
            desk.take(&Ask::Turn { run: run.to_owned(), trace, say })
        }
        Say::Lifecycle(say) => {
            let trace = desk.trace();
            desk.take(&Ask::Lifecycle { run: run.to_owned(), trace, say })
        }
        Say::Session(say) => {
            let trace = desk.trace();
            desk.take(&Ask::Session { run: run.to_owned(), trace, say })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::owed::{Owed, Question};
    use runtime::query::of_owed;

    fn asked(kind: &str, slot: &str, hash: Option<&str>) -> OpenQuestion {
        let question = Question {
            kind: kind.into(),
            about: String::new(),
            options: vec![],
            takes_text: true,
            hash: hash.map(str::to_owned),
        };
        of_owed("run-1", "call", &[Owed::Question { slot: slot.into(), question }]).remove(0)
    }

    #[test]
    fn an_answer_is_said_in_the_words_of_its_machine() {
        let settle = |how| Say::Call(CallSay::Settle { how, note: "n".into() });
        let answer = |key: &str, q, hash: Option<&str>| {
            let to = Some(Shown { q: Some(q), hash: hash.map(str::to_owned) });
            Say::Loop(LoopSay::Answer { key: key.into(), text: Some("n".into()), to })
        };
        let deny = Say::Call(CallSay::Deny { note: "n".into(), answers: true });
        let table = [
            (asked("call.ask", "ask", Some("h")), "deny", deny),
            (asked("call.settle", "settle", None), "happened", settle(SettleWord::Happened)),
            (asked("call.settle", "settle", None), "undo", settle(SettleWord::Undo)),
            (
                asked("call.settle", "settle", None),
                "did_not_happen",
                settle(SettleWord::DidNotHappen),
            ),
            (asked("loop.menu", "q7", None), "develop", answer("develop", 7, None)),
            (asked("loop.unverified", "q2", Some("h")), "accept", answer("accept", 2, Some("h"))),
        ];
        for (question, key, expected) in table {
            assert_eq!(say_answer(&question, key, Some("n".into())).unwrap(), expected, "{key}");
        }
    }

    #[test]
    fn an_answer_to_a_turn_is_bound_to_what_it_shows() {
        let confirm = |word, note: Option<&str>| {
            Say::Turn(TurnSay::Confirm {
                prompt: "confirm/2".into(),
                hash: "h".into(),
                word,
                scope: turn::Scope::SingleAction,
                note: note.map(str::to_owned),
            })
        };
        let answer = |text: Option<&str>| {
            let text = text.map(str::to_owned);
            Say::Turn(TurnSay::Answer { question: "clarify/0/1".into(), text })
        };
        for kind in ["turn.confirm_plan", "turn.confirm_call", "turn.confirm_git", "turn.help"] {
            let open = asked(kind, "confirm/2", Some("h"));
            assert_eq!(say_answer(&open, "yes", None).unwrap(), confirm(YesNo::Yes, None));
            let no = say_answer(&open, "no", Some("smaller".into())).unwrap();
            assert_eq!(no, confirm(YesNo::No, Some("smaller")));
            assert!(say_answer(&open, "maybe", None).is_err(), "no word but these is an answer");
        }
        let open = asked(CLARIFY, "clarify/0/1", None);
        assert_eq!(say_answer(&open, "src/list.rs", None).unwrap(), answer(Some("src/list.rs")));
        assert_eq!(say_answer(&open, "1", Some("it".into())).unwrap(), answer(Some("it")));
        assert_eq!(say_answer(&open, PROCEED, None).unwrap(), answer(None));
        assert!(say_answer(&open, PROCEED, Some("x".into())).is_err(), "no text is lost");
    }

    #[test]
    fn a_text_is_neither_lost_nor_made_up() {
        let ask = asked("call.ask", "ask", None);
        let allow = Say::Call(CallSay::Allow { scope: Scope::Once, note: None });
        assert_eq!(say_answer(&ask, "allow", None).unwrap(), allow);
        assert!(say_answer(&ask, "allow", Some("but only once".into())).is_err());
        assert!(say_answer(&asked("call.settle", "settle", None), "happened", None).is_err());
        assert!(say_answer(&asked("strange.one", "x", None), "a", None).is_err());
    }
}
