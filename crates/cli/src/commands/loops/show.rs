//! `loop show`, and how every steering verb answers: the loop's document with what is derived from
//! it and what it waits for. The document is the doors', the page is drawn elsewhere.

use edge::loops::waiting;
pub use edge::loops::{document, life};
use kernel::errors::{Code, Machine};
use runtime::trace;
use runtime::views::notices;
use serde_json::json;

use super::{page, said, stray};
use crate::commands::known;
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::trouble::Trouble;

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

/// A status in the reader's language.
pub fn status_word(ctx: &Ctx, status: &str) -> String {
    runtime::words::find(ctx.lang, &format!("loop-status-{status}"), &[])
        .unwrap_or_else(|| status.to_owned())
}
