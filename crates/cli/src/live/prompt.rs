//! A question asked on the terminal while the view goes on: the line is read when there is one, so
//! an answer given elsewhere is seen meanwhile.

use std::io::{self, BufRead as _};
use std::time::Duration;

use runtime::query::OpenQuestion;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::asked;
use crate::ctx::Ctx;
use crate::desk::Desk;
use crate::out;

const LIFECYCLE_CONFIRM: &str = "lifecycle.confirm";
const LIFECYCLE_ROLLBACK: &str = "lifecycle.rollback";
/// Answers that let something happen. One that goes on in words of its own is none of them: an
/// objection may well begin with a yes.
const APPROVALS: [&str; 4] = ["yes", "allow", "accept", "go"];

/// What came from the terminal.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// Nothing yet.
    Nothing,
    /// A line.
    Line(String),
    /// The person has closed the input.
    End,
}

/// Waits for a line, but not longer than this.
pub fn typed(patience: Duration) -> Typed {
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let wait = Timespec::try_from(patience).ok();
    match poll(&mut fds, wait.as_ref()) {
        Ok(1..) => {}
        Ok(_) | Err(_) => return Typed::Nothing,
    }
    let mut line = String::new();
    match stdin.lock().read_line(&mut line) {
        Ok(0) | Err(_) => Typed::End,
        Ok(_) => Typed::Line(line.trim().to_owned()),
    }
}

/// What became of a typed line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The question is answered, or about to be.
    Answered,
    /// It stands.
    Still,
    /// It stands, and the person wants to see how things are.
    Look,
}

/// Says a typed answer to the engine; what is refused is told, and the question stands. Any
/// question of any machine is answered here by its number, its key or its label.
pub fn answer(ctx: &Ctx, desk: &mut Desk, question: &OpenQuestion, line: &str) -> Asked {
    let said = match read(question, line) {
        Read::Nothing => return Asked::Still,
        Read::Look => return Asked::Look,
        Read::Unclear => {
            out::notice(&ctx.say("questions-yes-alone"));
            return Asked::Still;
        }
        Read::Answer { word, text } => asked::key(ctx.lang, question, &word)
            .and_then(|key| asked::say_answer(question, &key, text))
            .and_then(|say| asked::send(desk, &question.run, say)),
    };
    match said {
        Ok(_) => Asked::Answered,
        Err(trouble) => {
            out::notice(&out::told(ctx.lang, &ctx.asked, &trouble));
            Asked::Still
        }
    }
}

/// The words under a question at a terminal, where a word more is needed.
pub fn hint(ctx: &Ctx, question: &OpenQuestion) -> Option<String> {
    match question.question.kind.as_str() {
        "call.ask" => Some(ctx.say("lc-ask-yes-no")),
        asked::CLARIFY => Some(ctx.say("turn-type-answer")),
        kind if kind.starts_with("turn.") => Some(ctx.say("turn-type-yes-no")),
        _ => Some(ctx.say("questions-type")),
    }
}

/// A line as it is meant.
#[derive(Debug, PartialEq, Eq)]
enum Read {
    Nothing,
    Look,
    /// A yes with more words after it.
    Unclear,
    Answer {
        word: String,
        text: Option<String>,
    },
}

fn read(question: &OpenQuestion, line: &str) -> Read {
    let line = line.trim();
    let kind = question.question.kind.as_str();
    if kind == asked::CLARIFY {
        return match question.key(line).unwrap_or(line) {
            "" => Read::Nothing,
            words => Read::Answer { word: words.to_owned(), text: None },
        };
    }
    let (word, text) = match question.key(line) {
        Some(key) => (key, ""),
        None => line.split_once(' ').unwrap_or((line, "")),
    };
    let word = match (kind, word.to_lowercase().as_str()) {
        ("call.ask", "y" | "yes" | "是" | "好") => "allow",
        // Silence is no yes.
        ("call.ask", "" | "n" | "no" | "否" | "不") => "deny",
        (_, "") => return Read::Nothing,
        // Only such a word is a yes, and only to the one prompt that is shown.
        (kind, "y" | "yes" | "ok" | "go" | "是" | "好" | "确认" | "执行")
            if kind.starts_with("turn.") =>
        {
            "yes"
        }
        (kind, "n" | "no" | "否" | "不") if kind.starts_with("turn.") => "no",
        // Only as the whole line, while exactly this question is open.
        (LIFECYCLE_CONFIRM | LIFECYCLE_ROLLBACK, "y" | "yes" | "ok" | "go" | "确认" | "执行")
            if text.is_empty() =>
        {
            "go"
        }
        ("loop.menu", "status" | "4") => return Read::Look,
        _ => word,
    };
    let text = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if text.is_some() && approves(question, word) {
        return Read::Unclear;
    }
    Read::Answer { word: word.to_owned(), text }
}

/// Whether the word lets a plan, a call or a result pass.
fn approves(question: &OpenQuestion, word: &str) -> bool {
    let gated = ["turn.", "call.", "collab.", "lifecycle."];
    gated.iter().any(|machine| question.question.kind.starts_with(machine))
        && APPROVALS.contains(&question.key(word).unwrap_or(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::owed::{Owed, Question};

    fn asked(kind: &str, options: &[&str]) -> OpenQuestion {
        let question = Question {
            kind: kind.into(),
            about: String::new(),
            options: options.iter().map(|key| (*key).to_owned()).collect(),
            takes_text: true,
            hash: None,
        };
        let owed = [Owed::Question { slot: "q".into(), question }];
        runtime::query::of_owed("r", "m", &owed).remove(0)
    }

    #[test]
    fn a_line_is_an_answer_a_look_or_nothing() {
        let call = asked("call.ask", &["allow", "deny"]);
        let menu = asked("loop.menu", &kernel::loops::MENU_KEYS);
        let confirm = asked("collab.confirm", &["override", "wait", "cancel"]);
        let partial = asked("collab.confirm", &["accept", "wait", "cancel"]);
        let plan = asked("turn.confirm_plan", &["yes", "no"]);
        let approve = asked(LIFECYCLE_CONFIRM, &["go", "modify", "cancel"]);
        let clarify = asked(asked::CLARIFY, &["the list", "its tests"]);
        let said = |word: &str, text: &str| Read::Answer {
            word: word.to_owned(),
            text: Some(text.to_owned()).filter(|text| !text.is_empty()),
        };
        let table = [
            (&call, "y", said("allow", "")),
            (&call, "YES", said("allow", "")),
            (&call, "1", said("allow", "")),
            (&call, "", said("deny", "")),
            (&call, "n not here", said("deny", "not here")),
            (&call, "maybe", said("maybe", "")),
            (&menu, "", Read::Nothing),
            (&menu, "4", Read::Look),
            (&menu, "status", Read::Look),
            (&menu, "1 write the tests", said("1", "write the tests")),
            (&confirm, "Keep waiting", said("wait", "")),
            (&confirm, "override I know", said("override", "I know")),
            (&plan, "Go", said("yes", "")),
            (&plan, "确认", said("yes", "")),
            (&plan, "n only the tests", said("no", "only the tests")),
            (&plan, "", Read::Nothing),
            (&plan, "sounds good", said("sounds", "good")),
            (&plan, "ok but leave the tests out", Read::Unclear),
            (&plan, "1 later", Read::Unclear),
            (&call, "yes if it is safe", Read::Unclear),
            (&partial, "accept it? never", Read::Unclear),
            (&partial, "accept", said("accept", "")),
            (&approve, "go on without me", Read::Unclear),
            (&clarify, "the list of src/list.rs", said("the list of src/list.rs", "")),
            (&approve, "Go", said("go", "")),
            (&approve, "OK", said("go", "")),
            (&approve, "执行", said("go", "")),
            (&approve, "ok let's go", said("ok", "let's go")),
            (&approve, "modify smaller", said("modify", "smaller")),
            (&clarify, "2", said("its tests", "")),
            (&clarify, "", Read::Nothing),
        ];
        for (question, line, expected) in table {
            assert_eq!(read(question, line), expected, "{line}");
        }
    }
}
