//! A line that is typed while a session is followed and asks something: an answer, words for the
//! question that takes them, or a `~` command, which never is an answer.

use edge::door::{Ask, SessionSay};
use kernel::session::{Asking, Name, Shape, shape};
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;
use runtime::query::OpenQuestion;

use super::args::{Flags, StatusArgs};
use super::shown::status;
use crate::asked;
use crate::commands::collab::now;
use crate::ctx::Ctx;
use crate::desk::Desk;
use crate::live::prompt;
use crate::out;
use crate::trouble::Trouble;

/// Takes a line that was typed while this question is open.
pub fn typed(ctx: &Ctx, desk: &mut Desk, session: &str, question: &OpenQuestion, line: &str) {
    let line = line.trim();
    let done = match shape(line) {
        Shape::Words => {
            answer(ctx, desk, question, line);
            return;
        }
        Shape::Command { name: Name::Status, .. } => {
            status(ctx, &StatusArgs::default()).map(|reply| out::notice(&reply.text))
        }
        Shape::Command { name: Name::Help, .. } => {
            out::notice(&ctx.say("session-help"));
            Ok(())
        }
        Shape::Command { .. } | Shape::Unknown { .. } | Shape::Ambiguous { .. } => {
            beside(ctx, desk, session, line)
        }
    };
    if let Err(trouble) = done {
        out::notice(&out::told(ctx.lang, &ctx.asked, &trouble));
    }
}

/// Says a command to the session that is followed.
fn beside(ctx: &Ctx, desk: &mut Desk, session: &str, line: &str) -> Result<(), Trouble> {
    let form = Box::new(Flags::default().form(ctx)?);
    let input_id = RandomIds.new_id("in-", now());
    let say = SessionSay::Say { text: line.to_owned(), input_id, form };
    let trace = desk.trace();
    desk.take(&Ask::Session { run: session.to_owned(), trace, say }).map(drop)
}

/// An option, an option with words, or, where the question takes words, words alone.
fn answer(ctx: &Ctx, desk: &mut Desk, question: &OpenQuestion, line: &str) {
    let first = line.split_whitespace().next().unwrap_or_default();
    let kind = question.question.kind.strip_prefix("session.");
    let own = kind.and_then(Asking::named).and_then(Asking::text_key);
    let offered = question.key(line).or_else(|| question.key(first)).is_some();
    let Some(key) = own.filter(|_| !offered && !line.is_empty()) else {
        prompt::answer(ctx, desk, question, line);
        return;
    };
    let sent = asked::say_answer(question, key, Some(line.to_owned()))
        .and_then(|say| asked::send(desk, &question.run, say));
    if let Err(trouble) = sent {
        out::notice(&out::told(ctx.lang, &ctx.asked, &trouble));
    }
}
