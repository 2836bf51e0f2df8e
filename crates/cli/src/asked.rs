//! An answer on its way to whoever asked: which words are keys, which machine hears them, and how a
//! question is shown. Whether the answer is taken is the machine's to say.

use edge::door::{Ask, CallSay, CollabSay, LoopSay, SettleWord, Shown, Taken};
use kernel::errors::{Class, Machine};
use kernel::policy::grant::Scope;
use runtime::query::OpenQuestion;
use serde_json::json;

use crate::commands::loops::said;
use crate::ctx::Ctx;
use crate::desk::{self, Desk};
use crate::trouble::{self, Trouble};

/// What is said to the machine that asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Say {
    /// To a call.
    Call(CallSay),
    /// To a loop.
    Loop(LoopSay),
    /// To a collab.
    Collab(CollabSay),
}

/// The key that a word means; an answer that the question takes without offering it counts too.
///
/// # Errors
/// When no answer is meant by it; the ones that are offered are named.
pub fn key(ctx: &Ctx, question: &OpenQuestion, word: &str) -> Result<String, Trouble> {
    if let Some(key) = question.key(word) {
        return Ok(key.to_owned());
    }
    if quiet(&question.question.kind).contains(&word) {
        return Ok(word.to_owned());
    }
    let offered = question.options(ctx.lang);
    let offered: Vec<String> =
        offered.into_iter().map(|(key, label)| format!("{key} ({label})")).collect();
    let details = json!({
        "kind": "answer", "option": word, "question_id": question.id, "offered": offered,
        "help": "loopwright questions",
    });
    let mut trouble = trouble::refused(machine(question), "unknown_option", details);
    trouble.allowed = Some(question.question.options.clone());
    Err(trouble)
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
pub fn say_answer(
    question: &OpenQuestion,
    key: &str,
    text: Option<String>,
) -> Result<Say, Trouble> {
    match question.question.kind.as_str() {
        "call.ask" if key == "allow" => match text {
            None => Ok(Say::Call(CallSay::Allow { scope: Scope::Once })),
            Some(_) => Err(no_place(question, key)),
        },
        "call.ask" => Ok(Say::Call(CallSay::Deny { note: text.unwrap_or_default() })),
        "call.settle" => {
            let note = text.ok_or_else(|| note_missing(question, key))?;
            let how = match key {
                "happened" => SettleWord::Happened,
                "undo" => SettleWord::Undo,
                _ => SettleWord::DidNotHappen,
            };
            Ok(Say::Call(CallSay::Settle { how, note }))
        }
        "loop.menu" | "loop.unverified" => {
            let q = question.slot.strip_prefix('q').and_then(|number| number.parse().ok());
            let to = q.map(|q| Shown { q, hash: question.question.hash.clone() });
            Ok(Say::Loop(LoopSay::Answer { key: key.to_owned(), text, to }))
        }
        "collab.confirm" => Ok(Say::Collab(CollabSay::Answer { key: key.to_owned(), note: text })),
        _ => {
            let details = json!({ "kind": "unsupported", "what": question.question.kind });
            Err(trouble::class(Class::InvalidArgs, details))
        }
    }
}

fn note_missing(question: &OpenQuestion, key: &str) -> Trouble {
    let details = json!({
        "kind": "missing_argument", "path": format!("answer {} {key}", question.id),
        "expected": "--note TEXT",
    });
    trouble::class(Class::InvalidArgs, details)
}

/// A yes is bound to what was shown and carries nothing else: a text with it would be lost.
fn no_place(question: &OpenQuestion, key: &str) -> Trouble {
    let details = json!({
        "kind": "not_together", "path": "--text", "other": format!("{} {key}", question.id),
    });
    trouble::class(Class::InvalidArgs, details)
}

/// A desk for the answer: what lets more happen than before needs trust.
///
/// # Errors
/// When the workspace can't be used, nobody trusts it, or no engine answers.
pub fn desk_for(ctx: &Ctx, say: &Say) -> Result<Desk, Trouble> {
    match say {
        Say::Call(CallSay::Allow { .. } | CallSay::Undo { .. }) => desk::open(ctx),
        Say::Call(CallSay::Deny { .. } | CallSay::Settle { .. } | CallSay::Stop) => {
            desk::steer(ctx)
        }
        Say::Loop(say) => desk::for_says(ctx, std::slice::from_ref(say)),
        Say::Collab(_) => desk::steer(ctx),
    }
}

/// Says it.
///
/// # Errors
/// The refusal, or that the engine went away.
pub fn send(desk: &mut Desk, run: &str, say: Say) -> Result<Vec<Taken>, Trouble> {
    match say {
        Say::Call(say) => {
            let trace = desk.trace();
            desk.take(&Ask::Call { run: run.to_owned(), trace, say })
        }
        Say::Loop(say) => said::over(desk, run, vec![say]),
        Say::Collab(say) => {
            let trace = desk.trace();
            desk.take(&Ask::Collab { run: run.to_owned(), trace, say })
        }
    }
}

/// The options by number, one a line.
pub fn options(ctx: &Ctx, question: &OpenQuestion) -> Vec<String> {
    let line = |(at, (key, label)): (usize, (String, String))| {
        let args: [(&str, &dyn std::fmt::Display); 3] =
            [("n", &(at + 1)), ("key", &key), ("label", &label)];
        format!("  {}", ctx.tell("questions-option", &args))
    };
    question.options(ctx.lang).into_iter().enumerate().map(line).collect()
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
            let to = Some(Shown { q, hash: hash.map(str::to_owned) });
            Say::Loop(LoopSay::Answer { key: key.into(), text: Some("n".into()), to })
        };
        let deny = Say::Call(CallSay::Deny { note: "n".into() });
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
    fn a_text_is_neither_lost_nor_made_up() {
        let ask = asked("call.ask", "ask", None);
        let allow = Say::Call(CallSay::Allow { scope: Scope::Once });
        assert_eq!(say_answer(&ask, "allow", None).unwrap(), allow);
        assert!(say_answer(&ask, "allow", Some("but only once".into())).is_err());
        assert!(say_answer(&asked("call.settle", "settle", None), "happened", None).is_err());
        assert!(say_answer(&asked("strange.one", "x", None), "a", None).is_err());
    }
}
