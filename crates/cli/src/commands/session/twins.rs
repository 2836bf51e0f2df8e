//! The twins of the `~` commands on the command line, one function each: arguments become what is
//! said to the session.

use edge::door::{Ask, SessionSay};
use runtime::sessions::id_of;
use serde_json::json;

use super::args::{
    BareArgs, CancelArgs, CleanArgs, CommitArgs, ExecArgs, Flags, ReviewArgs, SayArgs, TestArgs,
    TextArgs, ValidateArgs,
};
use super::said::{Wanted, key, said};
use crate::ctx::Ctx;
use crate::desk;
use crate::live::People;
use crate::out::Reply;
use crate::trouble::Trouble;

fn run(
    ctx: &Ctx,
    name: &'static str,
    (text, flags): (String, Vec<String>),
    given: &Flags,
) -> Result<Reply, Trouble> {
    let form = given.form(ctx)?;
    let people = People::of(given.headless);
    let branch = given.branch.clone();
    said(ctx, Wanted { name: Some(name), text, flags, form, people, branch })
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

/// `rollback`
pub fn rollback(ctx: &Ctx, target: Option<&str>, given: &Flags) -> Result<Reply, Trouble> {
    run(ctx, "rollback", (target.unwrap_or_default().to_owned(), Vec::new()), given)
}

/// `say`
pub fn say(ctx: &Ctx, args: &SayArgs) -> Result<Reply, Trouble> {
    let form = args.flags.form(ctx)?;
    let people = People::of(args.flags.headless);
    let text = args.text.join(" ");
    let branch = args.flags.branch.clone();
    said(ctx, Wanted { name: None, text, flags: Vec::new(), form, people, branch })
}

/// `cancel`
pub fn cancel(ctx: &Ctx, args: &CancelArgs) -> Result<Reply, Trouble> {
    let id = id_of(&key(ctx, args.branch.as_deref())?);
    let mut desk = desk::steer(ctx)?;
    let trace = desk.trace();
    let say = SessionSay::Cancel { undo: args.undo, all: args.all };
    let taken = desk.take(&Ask::Session { run: id.clone(), trace, say })?;
    let state = taken.last().map(|taken| taken.status.clone()).unwrap_or_default();
    let text = ctx.tell("session-cancelled", &[("state", &state)]);
    Ok(Reply::new(json!({ "session_id": id, "state": state }), text))
}
