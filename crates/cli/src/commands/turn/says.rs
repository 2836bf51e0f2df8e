//! What a person says to a turn, bound to what it shows now and answered with the turn as it stands
//! then.

use std::path::Path;

use edge::door::{TurnSay, YesNo};
use edge::turns::{self, Seen};
use kernel::run::Kind;
use kernel::turn::Scope;
use runtime::plan_file;

use super::super::known;
use super::shown;
use crate::asked::{self, Say};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

/// Says it.
pub fn say(ctx: &Ctx, id: &str, say: TurnSay) -> Result<Reply, Trouble> {
    let run = known::run_of(ctx, id, Kind::Turn)?.head.run;
    let say = Say::Turn(say);
    let mut desk = asked::desk_for(ctx, &say)?;
    asked::send(&mut desk, &run, say)?;
    shown::show(ctx, &run)
}

/// Answers one of its questions; without a text it goes on and assumes.
pub fn answer(
    ctx: &Ctx,
    id: &str,
    text: Option<String>,
    question: Option<&str>,
) -> Result<Reply, Trouble> {
    let seen = Seen::of(&ctx.site()?, id)?;
    let answer = turns::answering(&seen, text, question)?;
    say(ctx, &seen.known.head.run, answer)
}

/// Says yes or no to what it shows. A yes to a prompt that has changed since is none.
pub fn confirm(
    ctx: &Ctx,
    id: &str,
    prompt: Option<&str>,
    word: (YesNo, Scope, Option<String>),
) -> Result<Reply, Trouble> {
    let seen = Seen::of(&ctx.site()?, id)?;
    let confirm = turns::confirming(&seen, (prompt.map(str::to_owned), None), word);
    say(ctx, &seen.known.head.run, confirm)
}

/// Changes its plan by a file.
pub fn edit(ctx: &Ctx, id: &str, file: &Path) -> Result<Reply, Trouble> {
    let run = known::run_of(ctx, id, Kind::Turn)?.head.run;
    let patch = plan_file::load_patch(file).map_err(|why| turns::bad_plan(ctx.lang, &why))?;
    say(ctx, &run, TurnSay::Edit { patch: Box::new(patch) })
}
