//! The twins of the `~` commands, plain words, and what stands: each says one thing to the session
//! of this branch and follows it to its end, or to the next question.

mod args;
mod follow;
mod page;
mod repl;
mod shown;

pub use args::{
    BareArgs, CancelArgs, CleanArgs, CommitArgs, ExecArgs, Flags, ReviewArgs, SayArgs, StatusArgs,
    TestArgs, TextArgs, ValidateArgs,
};
pub use repl::run as repl;
pub use shown::{sessions, status};

use edge::door::{Ask, SessionSay};
use edge::problem::Place;
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;
use runtime::sessions::{Form, id_of, key_of};
use serde_json::json;

use super::collab::now;
use crate::ctx::Ctx;
use crate::desk;
use crate::live::People;
use crate::out::Reply;
use crate::trouble::Trouble;

/// What is asked of a session, and by whom.
pub struct Wanted {
    name: Option<&'static str>,
    text: String,
    flags: Vec<String>,
    form: Form,
    people: People,
}

/// Says it to the session of this branch and follows what comes of it.
///
/// # Errors
/// A refusal, or that no engine answers.
pub fn said(ctx: &Ctx, wanted: Wanted) -> Result<Reply, Trouble> {
    let key = key_of(&ctx.root()?.path);
    let id = id_of(&key);
    let mut desk = desk::open(ctx)?;
    let input_id = RandomIds.new_id("in-", now());
    let Wanted { name, text, flags, form, people } = wanted;
    let before = follow::seq(ctx, &id);
    let form = Box::new(form);
    let say = match name {
        Some(name) => SessionSay::Run { name: name.to_owned(), text, flags, input_id, form },
        None => SessionSay::Say { text, input_id, form },
    };
    let trace = desk.trace();
    desk.take(&Ask::Session { run: id.clone(), trace, say })
        .map_err(|trouble| trouble.at(Place::default()))?;
    follow::follow(ctx, desk, (&id, before), people, name)
}

fn run(
    ctx: &Ctx,
    name: &'static str,
    (text, flags): (String, Vec<String>),
    given: &Flags,
) -> Result<Reply, Trouble> {
    let form = given.form(ctx)?;
    let people = People::of(given.headless);
    said(ctx, Wanted { name: Some(name), text, flags, form, people })
}

/// `auto`
pub fn auto(ctx: &Ctx, args: &TextArgs) -> Result<Reply, Trouble> {
    run(ctx, "auto", (args.text.join(" "), Vec::new()), &args.flags)
}

/// `plan`
pub fn plan(ctx: &Ctx, args: &TextArgs) -> Result<Reply, Trouble> {
    run(ctx, "plan", (args.text.join(" "), Vec::new()), &args.flags)
}

/// `exec`
pub fn exec(ctx: &Ctx, args: &ExecArgs) -> Result<Reply, Trouble> {
    run(ctx, "exec", (args.package.clone().unwrap_or_default(), Vec::new()), &args.flags)
}

/// `init`
pub fn init(ctx: &Ctx, args: &BareArgs) -> Result<Reply, Trouble> {
    run(ctx, "init", (String::new(), Vec::new()), &args.flags)
}

/// `upgrade`
pub fn upgrade(ctx: &Ctx, args: &BareArgs) -> Result<Reply, Trouble> {
    run(ctx, "upgrade", (String::new(), Vec::new()), &args.flags)
}

/// `clean`
pub fn clean(ctx: &Ctx, args: &CleanArgs) -> Result<Reply, Trouble> {
    let flags = if args.all { vec!["--all".to_owned()] } else { Vec::new() };
    run(ctx, "clean", (args.packages.join(" "), flags), &args.flags)
}

/// `test`
pub fn test(ctx: &Ctx, args: &TestArgs) -> Result<Reply, Trouble> {
    let flags = args.framework.iter().map(|name| format!("--framework={name}")).collect();
    run(ctx, "test", (String::new(), flags), &args.flags)
}

/// `commit`
pub fn commit(ctx: &Ctx, args: &CommitArgs) -> Result<Reply, Trouble> {
    let mut flags = Vec::new();
    flags.extend(args.staged.then(|| "--staged".to_owned()));
    flags.extend(args.all.then(|| "--all".to_owned()));
    run(ctx, "commit", (args.message.join(" "), flags), &args.flags)
}

/// `review`
pub fn review(ctx: &Ctx, args: &ReviewArgs) -> Result<Reply, Trouble> {
    let flags = args.scope.iter().map(|scope| format!("--scope={scope}")).collect();
    run(ctx, "review", (args.path.clone().unwrap_or_default(), flags), &args.flags)
}

/// `validate`
pub fn validate(ctx: &Ctx, args: &ValidateArgs) -> Result<Reply, Trouble> {
    run(ctx, "validate", (args.scope.clone().unwrap_or_default(), Vec::new()), &args.flags)
}

/// `say`
pub fn say(ctx: &Ctx, args: &SayArgs) -> Result<Reply, Trouble> {
    let form = args.flags.form(ctx)?;
    let people = People::of(args.flags.headless);
    let text = args.text.join(" ");
    said(ctx, Wanted { name: None, text, flags: Vec::new(), form, people })
}

/// `cancel`
pub fn cancel(ctx: &Ctx, args: &CancelArgs) -> Result<Reply, Trouble> {
    let id = id_of(&key_of(&ctx.root()?.path));
    let mut desk = desk::steer(ctx)?;
    let trace = desk.trace();
    let say = SessionSay::Cancel { undo: args.undo, all: args.all };
    let taken = desk.take(&Ask::Session { run: id.clone(), trace, say })?;
    let state = taken.last().map(|taken| taken.status.clone()).unwrap_or_default();
    let text = ctx.tell("session-cancelled", &[("state", &state)]);
    Ok(Reply::new(json!({ "session_id": id, "state": state }), text))
}
