//! `loop show`, and how every steering verb answers: the loop's document with what is derived from
//! it and what it waits for. The page is drawn elsewhere.

use kernel::errors::{Code, Machine};
use kernel::loops::{Life, view};
use kernel::run::State;
use runtime::query::{self, Refusal};
use runtime::trace;
use runtime::views::notices;
use serde_json::{Value, json};

use super::{page, said, stray};
use crate::commands::known::{self, Known};
use crate::ctx::Ctx;
use crate::desk;
use crate::live::Wait;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// Shows one; one that the journal does not know, as its files tell.
///
/// # Errors
/// An unknown loop, or a journal that cannot be read.
pub fn run(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let known = match said::find(ctx, id) {
        Ok(known) => known,
        Err(trouble) => {
            let stray = if unknown(&trouble) { stray::find(ctx, id)? } else { None };
            return stray.map_or(Err(trouble), |stray| stray::show(ctx, id, stray));
        }
    };
    let redactor = ctx.redactor()?;
    let mut text = page::whole(ctx, &life(&known)?, waiting(&known)?.as_ref());
    let told = notices(&known.dir.path, &known.head.run);
    for notice in &told {
        text = format!("{text}\n{}", page::notice(ctx, notice));
    }
    let alone = known.head.status == "running" && matches!(desk::running(ctx), Ok(None));
    if alone {
        let (label, why) = (ctx.say("cli-notice"), ctx.say("lc-no-engine"));
        let line = ctx.tell("cli-line", &[("label", &label), ("text", &why)]);
        let next = page::next(ctx, &ctx.tell("lc-no-engine-next", &[("id", &known.head.run)]));
        text = format!("{text}\n{line}\n{next}");
    }
    let mut reply = known::redacted(ctx, &document(&known)?, |_| String::new())?;
    reply.data["ext"]["no_engine"] = json!(alone);
    reply.data["notices"] = trace::redacted(&json!(told), &redactor);
    reply.text = redactor.redact_text(&text);
    Ok(reply)
}

/// Whether the journal simply has no such loop.
pub fn unknown(trouble: &Trouble) -> bool {
    trouble.code == Code::refused(Machine::Loop, "no_such")
}

/// A loop as it stands after something was said to it.
///
/// # Errors
/// A journal that cannot be read.
pub fn brief(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let known = said::find(ctx, id)?;
    let text = page::brief(ctx, &life(&known)?, waiting(&known)?.as_ref());
    let mut reply = known::redacted(ctx, &document(&known)?, |_| String::new())?;
    reply.text = ctx.redactor()?.redact_text(&text);
    Ok(reply)
}

/// The loop behind an id; a deleted one is gone.
///
/// # Errors
/// When it is deleted, or a record cannot be read.
pub fn life(known: &Known) -> Result<Life, Trouble> {
    let folded = query::fold(&known.journal, &known.head, None);
    match folded.map_err(|why| trouble::of_query(&why))?.state {
        State::Loop(kernel::loops::State::Alive(life)) => Ok(*life),
        State::Loop(_)
        | State::Call(_)
        | State::Collab(_)
        | State::Grant(_)
        | State::Turn(_)
        | State::Lifecycle(_)
        | State::Session(_) => {
            let id = known.head.run.clone();
            Err(trouble::of_query(&Refusal::NoSuch { id, nearest: Vec::new() }))
        }
    }
}

/// The seed's document, with the numbers derived from it and what it waits for.
///
/// # Errors
/// When it is deleted, or a record cannot be read.
pub fn document(known: &Known) -> Result<Value, Trouble> {
    let mut document = view::draw(&life(known)?, known.head.seq);
    document["derived"] = json!(view::derived(&document));
    let folded = query::fold(&known.journal, &known.head, None);
    let folded = folded.map_err(|why| trouble::of_query(&why))?;
    if let (Value::Object(own), Value::Object(facts)) =
        (&mut document, query::facts(&known.head, &folded))
    {
        // The document's own fields keep their meaning.
        for (name, fact) in facts {
            own.entry(name).or_insert(fact);
        }
    }
    match waiting(known)? {
        Some(wait) if wait.unknown() => {
            document["ext"]["unknown_calls"] = json!([wait.question.run]);
        }
        Some(wait) => {
            document["ext"]["waiting"] =
                json!({ "question_id": wait.question.id, "text": wait.text() });
        }
        None => {}
    }
    Ok(document)
}

/// What a loop waits for.
fn waiting(known: &Known) -> Result<Option<Wait>, Trouble> {
    let of = |why: Refusal| trouble::of_query(&why);
    let folded = query::fold(&known.journal, &known.head, None).map_err(of)?;
    let State::Loop(state) = folded.state else { return Ok(None) };
    let child = state.action().and_then(|action| action.child.clone());
    let child = match child.map(|id| query::resolve(&known.journal, &id)) {
        Some(Ok(head)) => {
            let folded = query::fold(&known.journal, &head, None).map_err(of)?;
            Some((head.run, folded.state))
        }
        Some(Err(_)) | None => None,
    };
    let child = child.as_ref().map(|(id, state)| (id.as_str(), state));
    Wait::of(&known.journal, &state, child).map_err(of)
}

/// A status in the reader's language.
pub fn status_word(ctx: &Ctx, status: &str) -> String {
    runtime::words::find(ctx.lang, &format!("loop-status-{status}"), &[])
        .unwrap_or_else(|| status.to_owned())
}
