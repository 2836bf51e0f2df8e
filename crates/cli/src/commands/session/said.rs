//! Saying something to the session of this branch, and following what comes of it.

use edge::door::{Ask, SessionSay};
use edge::problem::Place;
use kernel::session::{Base, Name, Shape, shape};
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;
use runtime::sessions::{Form, id_of, key_of};
use runtime::words::{self, Lang};

use super::{StatusArgs, follow, page, status};
use crate::commands::collab::now;
use crate::ctx::Ctx;
use crate::desk;
use crate::live::People;
use crate::out::Reply;
use crate::trouble::Trouble;

/// What is asked of a session, and by whom.
pub struct Wanted {
    pub(super) name: Option<&'static str>,
    pub(super) text: String,
    pub(super) flags: Vec<String>,
    pub(super) form: Form,
    pub(super) people: People,
    pub(super) branch: Option<String>,
}

/// The key of the session of a branch, or of what is checked out.
pub fn key(ctx: &Ctx, branch: Option<&str>) -> Result<String, Trouble> {
    let root = ctx.root()?;
    Ok(branch.map_or_else(|| key_of(&root.path), |branch| format!("git:{branch}")))
}

/// `~help`: the commands and one next step, in the language of what was said around it.
pub(super) fn help(ctx: &Ctx, text: &str) -> Result<Reply, Trouble> {
    let id = id_of(&key(ctx, None)?);
    let ctx = &ctx.speaking(spoken(ctx, &id, text)?);
    let next = ctx.say("session-next-say");
    let page = page::framed(ctx, "answered", (&ctx.say("session-help"), &[]), &next);
    Ok(Reply::page(page))
}

/// The language of what is asked: where nobody said one, that of the unit that runs, else that of
/// the words.
pub(super) fn spoken(ctx: &Ctx, id: &str, text: &str) -> Result<Lang, Trouble> {
    if !ctx.unsaid {
        return Ok(ctx.lang);
    }
    let seen = if follow::seq(ctx, id) == 0 { None } else { follow::look(ctx, id, 0)? };
    let unit = seen.as_ref().and_then(|seen| match seen.life.base() {
        Base::Flow { flow, .. } => Some(flow.setup.lang.as_str()),
        Base::Job { job } => Some(job.setup.lang.as_str()),
        Base::Idle { .. } => None,
    });
    let unit = unit.and_then(|tag| Lang::parse(tag).ok());
    Ok(unit.unwrap_or_else(|| words::of_words(text)))
}

/// Says it to the session of this branch and follows what comes of it.
///
/// # Errors
/// A refusal, or that no engine answers.
pub fn said(ctx: &Ctx, wanted: Wanted) -> Result<Reply, Trouble> {
    match shape(&wanted.text) {
        Shape::Command { name: Name::Status, .. } if wanted.name.is_none() => {
            return status(ctx, &StatusArgs { branch: wanted.branch, ..StatusArgs::default() });
        }
        Shape::Command { name: Name::Help, text } if wanted.name.is_none() => {
            return help(ctx, &text);
        }
        Shape::Command { .. } | Shape::Unknown { .. } | Shape::Ambiguous { .. } | Shape::Words => {}
    }
    let id = id_of(&key(ctx, wanted.branch.as_deref())?);
    let ctx = &ctx.speaking(spoken(ctx, &id, &wanted.text)?);
    let mut desk = desk::open(ctx)?;
    let input_id = RandomIds.new_id("in-", now());
    let Wanted { name, text, flags, form, people, .. } = wanted;
    let before = follow::seq(ctx, &id);
    let form = Box::new(Form { lang: Some(ctx.lang.to_string()), ..form });
    let say = match name {
        Some(name) => SessionSay::Run { name: name.to_owned(), text, flags, input_id, form },
        None => SessionSay::Say { text, input_id, form },
    };
    let trace = desk.trace();
    desk.take(&Ask::Session { run: id.clone(), trace, say })
        .map_err(|trouble| trouble.at(Place::default()))?;
    follow::follow(ctx, desk, (&id, before), people, name)
}
