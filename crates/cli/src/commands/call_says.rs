//! `call allow|deny|settle|stop`: a person's word to one call, answered with the call as it stands
//! then.

use clap::ValueEnum;
use edge::asked;
use edge::door::{Ask, CallSay, SettleWord};
use kernel::run::Kind;

use super::{known, show};
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::trouble::Trouble;

/// What became of a call whose outcome is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Became {
    Happened,
    DidNotHappen,
    Undo,
}

impl Became {
    /// The word of the wire.
    pub const fn word(self) -> SettleWord {
        match self {
            Self::Happened => SettleWord::Happened,
            Self::DidNotHappen => SettleWord::DidNotHappen,
            Self::Undo => SettleWord::Undo,
        }
    }
}

/// How far a yes reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Reach {
    /// This call.
    #[value(alias = "single_action")]
    Once,
    /// The same again, until the run it belongs to ends.
    Session,
}

impl Reach {
    /// The same for every door.
    pub const fn reach(self) -> asked::Reach {
        match self {
            Self::Once => asked::Reach::Once,
            Self::Session => asked::Reach::Session,
        }
    }
}

/// Says it.
///
/// # Errors
/// An unknown call, a refusal, or that no engine answers.
pub fn say(ctx: &Ctx, id: &str, say: CallSay) -> Result<Reply, Trouble> {
    let known = known::run_of(ctx, id, Kind::Call)?;
    let mut desk = if say.widens() { desk::open(ctx)? } else { desk::steer(ctx)? };
    let trace = desk.trace();
    desk.take(&Ask::Call { run: known.head.run.clone(), trace, say })?;
    let after = known::run_of(ctx, &known.head.run, Kind::Call)?;
    let data = show::view(ctx, &after, None)?;
    known::redacted(ctx, &data, |data| {
        let word = |name: &str| data[name].as_str().unwrap_or("-").to_owned();
        format!("{}  {}", word("run_id"), word("state"))
    })
}
