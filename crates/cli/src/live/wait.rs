//! What a loop waits for, in words for a person. What that is, is read by the doors.

use edge::loops::Asker;
pub use edge::loops::Wait;
use kernel::owed::Question;
use runtime::query::OpenQuestion;

use crate::asked;
use crate::commands::turn::question_lines;
use crate::ctx::Ctx;

/// The question in words, its options by number, and how it is answered from another shell.
pub fn told(wait: &Wait, ctx: &Ctx) -> Vec<String> {
    let OpenQuestion { id, run, question, .. } = &wait.question;
    let (about, rule) = (&question.about, &wait.rule());
    let (first, last) = match question.kind.as_str() {
        "loop.menu" => {
            (Some(ctx.say("loop-menu-title")), ctx.tell("lc-answer-with", &[("id", run)]))
        }
        "loop.unverified" | "loop.paused" => (None, ctx.tell("lc-answer-with", &[("id", run)])),
        "call.ask" => (
            Some(ctx.tell("lc-asked", &[("argv", about), ("rule", rule)])),
            ctx.tell("lc-asked-next", &[("call", run)]),
        ),
        "call.settle" => (
            Some(ctx.tell("lc-unknown", &[("call", run), ("evidence", about)])),
            ctx.tell("lc-unknown-next", &[("call", run)]),
        ),
        _ => {
            let next = ctx.tell("questions-with-text", &[("id", id)]);
            if let Asker::Turn(life) = &wait.asker {
                let mut lines = question_lines(ctx, life, &wait.question);
                lines.push(next);
                return lines;
            }
            (Some(wait.question.text(ctx.lang)), next)
        }
    };
    let mut lines: Vec<String> = first.into_iter().collect();
    lines.extend(asked::options(ctx, &wait.question));
    lines.push(last);
    lines.extend(bound(question, ctx));
    lines
}

/// What an acceptance is bound to, for whoever gives it without sitting here.
fn bound(question: &Question, ctx: &Ctx) -> Option<String> {
    let hash = question.hash.as_ref().filter(|_| question.kind == "loop.unverified")?;
    let accepts = question.options.iter().any(|key| edge::loops::binds(key));
    accepts.then(|| ctx.tell("lc-accept-with", &[("hash", hash)]))
}
