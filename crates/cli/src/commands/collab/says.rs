//! What a person says to a collab, answered with the run as it stands then.

use edge::door::{Ask, CollabSay};
use kernel::run::Kind;

use super::super::known;
use super::shown;
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::trouble::Trouble;

/// Answers its one question.
pub fn answer(ctx: &Ctx, id: &str, key: &str, note: Option<String>) -> Result<Reply, Trouble> {
    say(ctx, id, CollabSay::Answer { key: key.to_owned(), note })
}

/// Says it.
pub fn say(ctx: &Ctx, id: &str, say: CollabSay) -> Result<Reply, Trouble> {
    let known = known::run_of(ctx, id, Kind::Collab)?;
    let mut desk = desk::steer(ctx)?;
    let trace = desk.trace();
    desk.take(&Ask::Collab { run: known.head.run.clone(), trace, say })?;
    shown::show(ctx, &known.head.run)
}
