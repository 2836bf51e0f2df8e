//! `answer QUESTION KEY`: a person's answer to any open question, given to the machine that asked.

use edge::door::{CallSay, LifecycleSay, TurnSay, YesNo};
use journal::Reader;
use kernel::errors::{Class, Machine, nearest};
use runtime::query::{self, OpenQuestion, Unpicked};
use serde_json::json;

use super::call_says::Reach;
use super::known;
use super::loops::{page, show};
use crate::asked::{self, Say};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// What is answered, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The question.
    #[arg(value_name = "QUESTION")]
    question: String,
    /// The answer.
    #[arg(value_name = "KEY")]
    key: String,
    /// What goes with it.
    #[arg(long, alias = "note", value_name = "TEXT")]
    text: Option<String>,
    /// What was shown.
    #[arg(long, value_name = "HASH")]
    hash: Option<String>,
    /// How far a yes reaches.
    #[arg(long, value_name = "SCOPE", value_enum)]
    scope: Option<Reach>,
}

/// Answers it.
///
/// # Errors
/// No such question, no such answer, a refusal, or that no engine answers.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let Some((_, journal)) = ctx.journal()? else { return Err(no_such(&args.question, &[])) };
    let open = query::questions(&journal, None).map_err(|why| trouble::of_query(&why))?;
    let question = find(&journal, &open, &args.question)?;
    let ctx = &ctx.speaking(asked::lang(ctx, question));
    let key = asked::key(ctx, question, &args.key)?;
    same(question, args.hash.as_deref())?;
    let text = args.text.clone().filter(|text| !text.trim().is_empty());
    if text.is_some() && !question.question.takes_text {
        let details = json!({ "kind": "one_too_many", "path": "--text" });
        return Err(trouble::class(Class::InvalidArgs, details));
    }
    let say = reaching(asked::say_answer(question, &key, text)?, args.scope)?;
    let mut desk = asked::desk_for(ctx, &say)?;
    let taken = asked::send(&mut desk, &question.run, say)?;
    let state = taken.last().map(|taken| taken.status.clone()).unwrap_or_default();
    let data = json!({
        "question_id": question.id, "run_id": question.run, "machine": question.machine,
        "key": key, "state": state,
    });
    if question.question.kind == "loop.menu" && key == "status" {
        return status(ctx, question, data);
    }
    let args: [(&str, &dyn std::fmt::Display); 4] =
        [("id", &question.id), ("key", &key), ("run", &question.run), ("state", &state)];
    Ok(Reply::new(data, ctx.tell("questions-answered", &args)))
}

/// The answer with how far it reaches, which only a yes to a call or a turn does.
fn reaching(say: Say, scope: Option<Reach>) -> Result<Say, Trouble> {
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
            Err(trouble::class(Class::InvalidArgs, details))
        }
    }
}

/// A look at the loop is the one answer that closes nothing: the page is what was asked for.
fn status(ctx: &Ctx, question: &OpenQuestion, data: serde_json::Value) -> Result<Reply, Trouble> {
    let life = show::life(&known::run(ctx, &question.run)?)?;
    Ok(Reply::new(data, ctx.redactor()?.redact_text(&page::status(ctx, &life))))
}

fn find<'a>(
    journal: &Reader,
    open: &'a [OpenQuestion],
    word: &str,
) -> Result<&'a OpenQuestion, Trouble> {
    match query::pick(open, word) {
        Ok(question) => Ok(question),
        Err(Unpicked::Several(candidates)) => {
            let details = json!({
                "kind": "question", "command": word, "candidates": candidates,
                "help": "loopwright questions",
            });
            Err(trouble::refused(Machine::Door, "ambiguous_command", details))
        }
        Err(Unpicked::None) => Err(closed(journal, word).unwrap_or_else(|| no_such(word, open))),
    }
}

/// A run that is known and asks nothing like it: the question was answered or never asked.
fn closed(journal: &Reader, word: &str) -> Option<Trouble> {
    let run = word.split_once('/').map_or(word, |(run, _)| run);
    let head = query::resolve(journal, run).ok()?;
    let machine = Machine::named(&head.machine)?;
    let details = json!({ "question_id": word, "help": "loopwright questions" });
    Some(trouble::refused(machine, "question_closed", details))
}

fn no_such(word: &str, open: &[OpenQuestion]) -> Trouble {
    let near = nearest(word, open.iter().map(|question| question.id.as_str()));
    let details = json!({
        "kind": "question", "id": word, "nearest": near, "help": "loopwright questions",
    });
    trouble::refused(Machine::Door, "no_such", details)
}

/// Whether exactly what the person saw is still what is asked.
fn same(question: &OpenQuestion, shown: Option<&str>) -> Result<(), Trouble> {
    if shown.is_none_or(|shown| question.question.hash.as_deref() == Some(shown)) {
        return Ok(());
    }
    let details = json!({ "question_id": question.id, "help": "loopwright questions" });
    Err(trouble::refused(asked::machine(question), "stale_approval", details))
}
