//! A call that a person asked for, waited for to its end; its questions are answered on the
//! terminal if somebody is there. What the end means is the asker's to tell.

use std::time::Duration;

pub use edge::calls::Done;
use edge::door::Ask;
use kernel::call;
use kernel::run::{Kind, State};
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;
use runtime::query;

use super::collab::now;
use super::known;
use crate::asked;
use crate::ctx::Ctx;
use crate::live::People;
use crate::live::interrupt;
use crate::live::keep::{Door, Keep};
use crate::live::prompt::{self, Typed};
use crate::out;
use crate::trouble::{self, Trouble};

/// How often the journal is looked at when nothing tells that it changed.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Makes the call and waits for its end; none if the person no longer wants to.
///
/// # Errors
/// A refusal, or that no engine answers.
pub fn waited(
    ctx: &Ctx,
    keep: &mut Keep,
    asking: &dyn Fn(String, String) -> Ask,
    people: People,
) -> Result<Option<Done>, Trouble> {
    let id = RandomIds.new_id("call-", now());
    let trace = keep.desk().trace();
    keep.desk().take(&asking(id.clone(), trace))?;
    until_ended(ctx, keep, &id, people)
}

/// Waits for the end of a call; none if the person no longer wants to.
///
/// # Errors
/// That no engine answers, or a journal that cannot be read.
pub fn until_ended(
    ctx: &Ctx,
    keep: &mut Keep,
    id: &str,
    people: People,
) -> Result<Option<Done>, Trouble> {
    let mut shown = false;
    loop {
        let known = known::run_of(ctx, id, Kind::Call)?;
        let folded = query::fold(&known.journal, &known.head, None)
            .map_err(|refusal| trouble::of_query(&refusal))?;
        let State::Call(state) = folded.state else { continue };
        let question = query::of_owed(id, "call", &call::owed(&state)).into_iter().next();
        if state.ended() || (question.is_some() && people == People::Away) {
            return Ok(Some(Done { known, state }));
        }
        if interrupt::asked() {
            out::notice(&ctx.tell("agent-detached", &[("id", &id)]));
            return Ok(None);
        }
        if keep.check(ctx)? == Door::Again {
            out::notice(&ctx.say("lc-engine-again"));
        }
        let Some(question) = question else {
            keep.news(id, folded.seq);
            continue;
        };
        if !std::mem::replace(&mut shown, true) {
            out::notice(&question.text(ctx.lang));
            asked::options(ctx, &question).iter().for_each(|line| out::notice(line));
        }
        if let Typed::Line(line) = prompt::typed(LOOK_EVERY) {
            prompt::answer(ctx, keep.desk(), &question, &line);
        }
    }
}
